// The data of the drawing of a plan, which loads behind the answers.

import { html, type TemplateResult } from 'lit';
import {
  Drawing,
  type BlockData,
  type ClusterData,
  type DrawingData,
  type Entry,
  type Reading,
  type ReplicaData,
  type RulerData,
  type RulerItem,
  type TankData,
  type Step,
  type Way,
} from '../../../charts/drawn/index.ts';
import type { Part } from '../../../charts/kit/looks.ts';
import { thicknessOf, type Links } from '../../../charts/drawn/wires.ts';
import { renderOutline } from '../../../charts/drawn/draw.ts';
import { outlineOfTraining } from '../../../charts/drawn/outline.ts';
import { define } from '../../../dom/define.ts';
import { stepTime } from '../../../number/unit.ts';
import type { FieldId } from '../../../model/fields.ts';
import { isSparse } from '../../kit/model-parts.ts';
import type { Draws } from '../../parts/picture/picture.ts';
import type { Results } from '../../kit/results.ts';
import { answerNamed, sayNamed } from '../../kit/named.ts';
import type { RenderContext } from '../../kit/render-context.ts';
import { allowedStep } from './along.ts';
import { calledShare, heldIn, spentOf, sumOf } from './shares.ts';

/** Draws the answers; `ask` is told of which part the reader wants to know more. */
export function drawn(
  ctx: RenderContext,
  results: Results,
  opened: string | undefined,
  ask: (key: string) => void,
): TemplateResult {
  define('scaling-drawing', Drawing);
  return html`<scaling-drawing
    .data=${drawingOf(ctx, results, true)}
    .words=${{ ...ctx.text.drawn, goes: ctx.text.planner.drawn.goes }}
    .opened=${opened}
    @why=${({ detail }: CustomEvent<string>) => ask(detail)}
    @step=${({ detail }: CustomEvent<Step>) => step(ctx, detail)}
  ></scaling-drawing>`;
}

/** Changes a degree to the next one that a layout can have. */
function step(ctx: RenderContext, { field, direction }: Step): void {
  const id = field as FieldId;
  const value = direction === 0 ? undefined : allowedStep(ctx, id, direction);
  if (value !== undefined) ctx.actions.edit(id, { value, done: false });
  else if (direction === 0) ctx.actions.edit(id, { done: true });
}

/** Of readers, or where it stands still; `isLive` where its degrees can be changed. */
export function drawingOf(ctx: RenderContext, results: Results, isLive = false): DrawingData {
  const { drawn: words } = ctx.text.planner;
  return {
    title: ctx.fill(words.title, {
      time: results.say('stepExpected'),
      mfu: results.say('mfuExact'),
      used: results.say('memoryUsed'),
      limit: results.say('memoryLimit'),
    }),
    ghostly: results.choice('fits') !== 'yes',
    tank: tankOf(ctx, results),
    ...machinesOf(ctx, results, isLive),
    readings: readingsOf(ctx, results),
  };
}

// ---- one chip

function tankOf(ctx: RenderContext, results: Results): TankData {
  const { drawn: words } = ctx.text.planner;
  const { drawn: common } = ctx.text;
  const entry = (key: string, look: Part, label: string, value: number): Entry => {
    const said = ctx.format.say(value, 'B');
    return {
      key,
      look,
      label,
      value,
      said,
      says: sayNamed(ctx, label, said),
    };
  };
  const [used, limit] = [results.number('memoryUsed') ?? 0, results.number('memoryLimit') ?? 0];
  const capacity = Number(ctx.value('chip.memory'));
  return {
    key: 'memoryUsed',
    title: ctx.fill(common.chip, { capacity: ctx.format.say(capacity, 'B') }),
    says: answerNamed(ctx, results, 'memoryUsed'),
    pieces: heldIn(results).map(({ look, key, value }) =>
      entry(key, look, words.memory[look], value),
    ),
    capacity,
    limit,
    low: results.bound('memoryUsed', 'low'),
    high: results.bound('memoryUsed', 'high'),
    rest: entry(
      'memoryRoom',
      used > limit ? 'over' : 'free',
      used > limit ? common.excess : common.free,
      Math.abs(limit - used),
    ),
    // The verdict says how much that is.
    usable: { ...entry('memoryLimit', 'free', common.usable, limit), said: '' },
    more: (count) => ctx.fill(common.more, { n: String(count) }),
  };
}

// ---- the step

type Look = Part & keyof RenderContext['text']['planner']['drawn']['pieces'];

/** The step in its own unit, and in days and money of the whole training, where failures come last. */
function readingsOf(ctx: RenderContext, results: Results): Reading[] {
  const { drawn: words } = ctx.text.planner;
  const { drawn: common } = ctx.text;
  const seconds = spentOf(results);
  const step = results.number('stepExpected') ?? 0;
  const ruler = rulerOf(ctx, results);
  const reading = (
    key: string,
    answer: string,
    unit: string,
    without: number,
    whole: number,
  ): Reading => {
    const entry = (look: Look, answer: string, value: number): Entry => {
      const [label, said] = [words.pieces[look], ctx.format.say(value, unit)];
      const percent = ctx.format.say(value / whole, '%');
      return {
        key: answer,
        look,
        label,
        value,
        said,
        says: ctx.fill(common.part, { name: calledShare(ctx, look, answer), value: said, percent }),
      };
    };
    const [low, high] = results.range(answer) ?? [];
    const label = ctx.format.say(whole, unit);
    return {
      key,
      label,
      step: {
        pieces: [
          ...seconds.map(({ look, key, value }) => entry(look, key, (value / step) * without)),
          entry('failures', 'goodput', whole - without),
        ],
        low,
        high,
        range: low === undefined ? '' : common.likely,
        ranged: { key: answer, says: answerNamed(ctx, results, answer) },
        mfu: ctx.label('run.mfu'),
        more: (count) => ctx.fill(common.more, { n: String(count) }),
      },
      ...(ruler && { ruler }),
    };
  };
  const number = (key: string): number | undefined => results.number(key);
  const [days, allDays] = [number('trainingTime'), number('wallTime')];
  const [cost, allCost] = [number('cost'), number('wallCost')];
  return [
    ...(cost !== undefined && allCost !== undefined
      ? [reading('cost', 'wallCost', 'USD', cost, allCost)]
      : []),
    ...(days !== undefined && allDays !== undefined
      ? [reading('days', 'wallTime', 's', days, allDays)]
      : []),
    reading('step', 'stepExpected', stepTime, step, step),
  ].reverse();
}

// ---- what could hide behind computing

const transfers = ['tensor', 'context', 'expert', 'data', 'pipeline', 'host'] as const;
const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** Absent where nothing is sent, so that there is nothing to compare. */
function rulerOf(ctx: RenderContext, results: Results): RulerData | undefined {
  const { drawn: words } = ctx.text.planner;
  const computing = sumOf(results, ['timeForward', 'timeBackward', 'timeRecompute']);
  const [own, needed] = [
    results.number('intensity') ?? 0,
    results.number('criticalIntensity') ?? 0,
  ];
  const said = { own: ctx.format.number(own), needed: ctx.format.number(needed) };
  const hbm: RulerItem[] =
    own > 0 && needed > 0
      ? [
          {
            key: 'intensity',
            bound: 'memory',
            ratio: own / needed,
            exposed: own < needed ? 1 : 0,
            name: words.hbm,
            label: ctx.fill(words.ratio, {
              way: words.hbm,
              times: ctx.format.number(own / needed),
            }),
            says: ctx.fill(words.hbmSays, said),
          },
        ]
      : [];
  const sent = transfers.flatMap((way): RulerItem[] => {
    const time = results.number(`time${capital(way)}`) ?? 0;
    if (time <= 0 || computing <= 0) return [];
    const exposed = Math.min(1, (results.number(`exposed${capital(way)}`) ?? 0) / time);
    const parts = {
      way: words.pieces[way],
      times: ctx.format.number(computing / time),
      percent: ctx.format.say(exposed, '%'),
      time: ctx.format.say(time, stepTime),
      shown: ctx.format.say(exposed * time, stepTime),
      why: words.exposes[way],
    };
    return [
      {
        key: `exposed${capital(way)}`,
        bound: 'network',
        ratio: computing / time,
        exposed,
        name: parts.way,
        label: ctx.fill(words.ratio, parts),
        says: ctx.fill(words.ratioSays, parts),
      },
    ];
  });
  if (sent.length === 0) return undefined;
  return { items: [...hbm, ...sent], compared: words.compared };
}

// ---- the cluster and a replica

function machinesOf(
  ctx: RenderContext,
  results: Results,
  isLive: boolean,
): { cluster?: ClusterData; replica?: ReplicaData } {
  const { drawn: words } = ctx.text.planner;
  const { format } = ctx;
  const degree = (key: string): number => Number(ctx.value(`layout.${key}`));
  const [tensor, context, pipeline] = [degree('tensor'), degree('context'), degree('pipeline')];
  const each = tensor * context * pipeline;
  const replicas = results.number('dataWays') ?? 1;
  const idle = results.number('domainIdle') ?? 0;
  if (each * replicas <= 1) return {};
  const switched = ctx.value('chip.network') === 'switched';
  const domain = domainOf(ctx, results);
  // Neighbours lie beside each other in this order: TP, CP, DP, PP.
  const stride = {
    tensor: 1,
    context: tensor,
    data: tensor * context,
    pipeline: tensor * context * replicas,
  };
  const way = (key: Degree, count: number, stride: number): Way & { count: number } => {
    const label = `${words.pieces[key]} ${format.count(count)}`;
    const note = whereOf(ctx, results, stride * count);
    const says = note ? ctx.fill(words.way, { way: label, where: note }) : label;
    const steps = isLive && key !== 'data' ? { field: `layout.${key}`, value: count } : undefined;
    return {
      key: `exposed${capital(key)}`,
      count,
      links: linksOf(ctx, results, stride),
      label,
      note: count > 1 ? note : '',
      says: steps ? ctx.fill(words.steps, { way: says }) : says,
      steps,
    };
  };
  const expert = degree('expert') * degree('expertTensor');
  const ofReplica = [
    way('tensor', tensor, stride.tensor),
    way('context', context, stride.context),
    way('pipeline', pipeline, stride.pipeline),
    ...(isSparse(ctx) ? [way('expert', degree('expert'), degree('expertTensor'))] : []),
  ];
  const find = (key: Degree): Way | undefined =>
    degree(key) > 1 ? ofReplica.find((each) => each.key === `exposed${capital(key)}`) : undefined;
  const expertWay = find('expert');
  const sharing = Math.round(expert / (tensor * context));
  const failures = results.number('failuresPerDay') ?? 0;
  const cluster: ClusterData = {
    titles: [ctx.fill(words.cluster, { chips: format.count(each * replicas) })],
    replicas,
    stages: pipeline,
    data: way('data', replicas, stride.data),
    block: blockOf(ctx, results),
    tile: (n) => ctx.fill(words.tile, { n: format.count(n) }),
    ...(sharing > 1 && {
      experts: {
        replicas: sharing,
        says: ctx.fill(words.experts, { replicas: format.count(sharing) }),
        key: 'exposedExpert',
        // From one replica of the group to the next.
        links: linksOf(ctx, results, stride.data),
      },
    }),
    ...(failures >= 0.5 && {
      failures: {
        count: failures,
        says: ctx.fill(words.failures, { n: format.number(failures) }),
        key: 'failuresPerDay',
      },
    }),
  };
  const replica: ReplicaData = {
    titles: [words.replica, words.replicaShort].map((title) =>
      ctx.fill(title, { chips: format.count(each) }, { chips: each }),
    ),
    tensor,
    context,
    pipeline,
    shades: pipeline > 1 ? words.shades : '',
    chunks: ctx.value('layout.schedule') === 'interleaved' ? degree('virtualStages') : 1,
    stage: (results.number('fullestStage') ?? 1) - 1,
    tensorWay: find('tensor'),
    contextWay: find('context'),
    pipelineWay: find('pipeline'),
    // On a torus, groups lie along axes.
    ...(switched &&
      expertWay && {
        experts: { way: expertWay, chips: degree('expert'), stride: degree('expertTensor') },
      }),
    // Where nothing can be changed, only those that divide the work are told.
    ways: isLive ? ofReplica : ofReplica.filter(({ count }) => count > 1),
    ...(switched && {
      domain: { chips: domain, says: ctx.fill(words.domain, { n: format.count(domain) }) },
    }),
    ...(idle > 0 && {
      idle: { says: ctx.fill(words.idle, { n: format.count(idle) }, { n: idle }), hollow: idle },
    }),
    more: (n) => ctx.fill(words.more, { n: format.count(n) }),
  };
  return { ...((replicas > 1 || cluster.block) && { cluster }), replica };
}

/** A slice of a torus with the places of its groups; there is none on switches. */
function blockOf(ctx: RenderContext, results: Results): BlockData | undefined {
  const { drawn: words } = ctx.text.planner;
  const lengthsOf = (group: string): Three<number> =>
    along(group).map((key) => results.number(key) ?? 1) as unknown as Three<number>;
  const slice = lengthsOf('slice');
  if (results.absence('sliceAlongX') !== undefined) return undefined;
  const slices = Number(ctx.value('run.slices'));
  const stage = (results.number('fullestStage') ?? 1) - 1;
  const group = (key: Degree): BlockData['groups'][number] => ({
    key: `exposed${capital(key)}`,
    lengths: lengthsOf(key),
    isOfReplica: key !== 'data',
    // The replica beside which it is shown larger.
    opened: key === 'pipeline' ? stage : key === 'data' ? lengthsOf(key)[0] - 1 : 0,
  });
  const isRing = (index: number): boolean => results.choice(`sliceShape${axes[index]!}`) === 'ring';
  return {
    axes: slice.map((length, index) => ({
      length,
      isRing: isRing(index),
      says: sayAxis(ctx, length, isRing(index)),
    })) as unknown as BlockData['axes'],
    // Neighbours lie beside each other in this order.
    groups: [group('tensor'), group('context'), group('data'), group('pipeline')],
    ...(slices > 1 && { slices: ctx.fill(words.oneOfSlices, { n: ctx.format.count(slices) }) }),
  };
}

const axes = ['X', 'Y', 'Z'] as const;
type Three<T> = readonly [x: T, y: T, z: T];

/** The answers that say how long a group is along each axis. */
const along = (group: string): string[] => axes.map((axis) => `${group}Along${axis}`);

/** An axis that closes has a sign of it. */
const sayAxis = ({ format }: RenderContext, length: number, isRing: boolean): string =>
  `${format.count(length)}${isRing ? '↻' : ''}`;

type Degree = 'tensor' | 'context' | 'pipeline' | 'data' | 'expert';

/** The chips of a scale-up domain that are used. */
const domainOf = (ctx: RenderContext, results: Results): number =>
  results.number('domainUsed') ?? Number(ctx.value('chip.scaleUpChips'));

/** Where a group of chips runs that reaches so far, on a network of switches. */
function whereOf(ctx: RenderContext, results: Results, reach: number): string {
  if (ctx.value('chip.network') !== 'switched') return '';
  const { drawn: words } = ctx.text.planner;
  const inside = reach <= domainOf(ctx, results);
  const rate = ctx.value(inside ? 'chip.scaleUpBandwidth' : 'chip.scaleOutBandwidth');
  if (typeof rate !== 'number') return '';
  return ctx.fill(inside ? words.inside : words.across, { rate: ctx.format.say(rate, 'B/s') });
}

/** The links between chips that lie so far apart, on a network of switches. */
function linksOf(ctx: RenderContext, results: Results, stride: number): Links | undefined {
  if (ctx.value('chip.network') !== 'switched') return undefined;
  const [inside, across] = [
    ctx.value('chip.scaleUpBandwidth'),
    ctx.value('chip.scaleOutBandwidth'),
  ];
  const rates = [inside, across].filter((rate) => typeof rate === 'number');
  const thick = (rate: unknown): number =>
    thicknessOf(typeof rate === 'number' ? rate : 0, Math.max(...rates));
  return {
    stride,
    domain: domainOf(ctx, results),
    inside: thick(inside),
    across: thick(across),
  };
}

/** The groups of a replica whose places on a torus are answers. */
const placed: readonly string[] = ['tensor', 'context', 'pipeline'];

/** The answers behind each part that a reader can point at; others are answers themselves. */
export const reasons: Readonly<Record<string, readonly string[]>> = {
  timeForward: ['timeForward', 'timeBackward'],
  memoryActivations: ['memoryActivations', 'memoryWorking', 'memoryBuffers'],
  intensity: ['intensity', 'criticalIntensity'],
  goodput: ['goodput', 'failuresPerDay'],
  replica: ['microBatches', 'idleSlots', 'layersPerStage'],
  exposedData: [
    'exposedData',
    'timeData',
    'dataWays',
    ...along('data'),
    ...along('slice'),
    ...axes.map((axis) => `sliceShape${axis}`),
  ],
  ...Object.fromEntries(
    ['tensor', 'context', 'expert', 'pipeline', 'host'].map((way) => {
      const key = `exposed${capital(way)}`;
      const places = placed.includes(way) ? along(way) : [];
      return [key, [key, `time${capital(way)}`, ...places]];
    }),
  ),
};

/** Data of the drawing where there is no answer. */
export const missing: Draws['missing'] = (ctx, heights) =>
  renderOutline(outlineOfTraining(Number(ctx.value('run.chips'))), heights);
