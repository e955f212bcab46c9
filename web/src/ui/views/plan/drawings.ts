// The data of a plan's charts.

import type {
  BarsData,
  ParetoFrontData,
  TimelineData,
  TimelinePart,
  ValueMapData,
} from '../../../charts/plan.ts';
import { kindOf, looks, type Part, type Tone } from '../../../charts/kit/looks.ts';
import type {
  MapField,
  MemoryKind,
  Plan,
  PlanMap,
  StageMemories,
  Timeline,
  TimelineKind,
} from '../../../engine/index.ts';
import { stepTime } from '../../../number/unit.ts';
import type { Answers } from '../../../model/evaluate.ts';
import type { RenderContext } from '../../kit/render-context.ts';
import { boundOf, isOwn, sayLayout } from './layouts.ts';

/** The parts that the bars of stages tell apart. */
export const lookOfMemory: Record<MemoryKind, Part> = {
  parameters: 'parameters',
  gradients: 'gradients',
  optimizer: 'states',
  activations: 'activations',
  working: 'working',
  logits: 'logits',
  buffers: 'buffers',
  overhead: 'runtime',
  allocator: 'allocator',
};

export function memoryData(
  ctx: RenderContext,
  memories: StageMemories,
  answers: Answers | undefined,
): BarsData {
  const { format, text } = ctx;
  const { memory: words } = text.planner;
  const { stages, all, kinds, bytes, capacity, limit } = memories;
  // If there are too many stages, only the first ones and the last are listed.
  const nameOf = (stage: number): string => String(stage + 1 === stages ? all : stage + 1);
  const totals = Array.from({ length: stages }, (_, stage) =>
    kinds.reduce((sum, _kind, index) => sum + bytes[stage * kinds.length + index]!, 0),
  );
  const most = Math.max(...totals);
  // What an allocator caches need not fit.
  const over = answers ? answers.memoryState === 'over' : most > limit;
  const tight = answers?.memoryState === 'tight' ? words.tight : words.fits;
  const sentence = over ? (stages > 1 ? words.over : words.overOne) : tight;
  const high = answers?.memoryHigh;
  const shown = kinds
    .map((kind, index) => ({ kind, index }))
    .filter(({ index }) => totals.some((_, stage) => bytes[stage * kinds.length + index]! > 0));
  return {
    title: ctx.sentences([
      ctx.fill(sentence, {
        most: format.say(most, 'B'),
        limit: format.say(limit, 'B'),
        over: format.say(most - limit, 'B'),
        stage: nameOf(totals.indexOf(most)),
      }),
      stages < all
        ? ctx.fill(words.someStages, { n: String(stages - 1), all: format.count(all) })
        : '',
    ]),
    description: words.description,
    file: 'memory',
    x: { label: words.axis, unit: 'B' },
    row: words.stage,
    rows: stages === 1 ? [''] : totals.map((_, stage) => nameOf(stage)),
    kinds: shown.map(({ kind }) => ({ label: words.kinds[kind], look: looks[lookOfMemory[kind]] })),
    values: totals.flatMap((_, stage) =>
      shown.map(({ index }) => bytes[stage * kinds.length + index]!),
    ),
    limits: [
      { label: words.usable, value: limit, soft: true },
      { label: words.capacity, value: capacity },
      ...(typeof high === 'number' ? [{ label: words.likely, value: high, soft: true }] : []),
    ],
  };
}

/** The tensors that one layer keeps of one micro-batch. */
export function layerData(ctx: RenderContext, { tensors }: StageMemories): BarsData {
  const words = ctx.text.planner.memory.layer;
  const names: Record<string, string> = words.tensors;
  const kept = Object.entries(tensors).filter(([, bytes]) => bytes > 0);
  const total = kept.reduce((sum, [, bytes]) => sum + bytes, 0);
  return {
    title: ctx.fill(words.title, { total: ctx.format.say(total, 'B') }),
    description: words.description,
    file: 'layer',
    x: { label: ctx.text.planner.memory.axis, unit: 'B' },
    row: '',
    rows: [''],
    kinds: kept.map(([kind], index) => ({
      label: names[kind] ?? kind,
      look: kindOf('memory', index),
    })),
    values: kept.map(([, bytes]) => bytes),
    limits: [],
  };
}

export function timelineData(ctx: RenderContext, timeline: Timeline): TimelineData {
  const { format, text } = ctx;
  const { timeline: words } = text.planner;
  const { byStage, drawn, microBatches, end } = timeline;
  const events = timeline.events.filter((event) => event.end > event.start);
  // A resource that does nothing has no lane.
  const used = timeline.lanes.map((_, lane) => events.some((event) => event.lane === lane));
  const lanes = timeline.lanes.filter((_, lane) => used[lane]);
  const placeOf = (lane: number): number => used.slice(0, lane).filter(Boolean).length;
  const kinds = [...new Set(events.map(({ kind }) => kind))];
  const resources: Record<string, string> = words.resources;
  // Passes of a stage have their transfers in them; a resource of its own has all of them.
  const counted = { compute: words.counts.pass, network: words.counts.outside };
  const labelOf = (kind: TimelineKind): string => {
    const { label } = words.kinds[kind];
    const { tone } = looks[kind];
    // Beside a chip's resources stands only what it waits for of other stages.
    if (!byStage && kind === 'pipeline') return ctx.answer('exposedPipeline').label;
    const all: Partial<Record<Tone, string>> = byStage ? counted : { network: words.counts.total };
    return ctx.fill(all[tone] ?? '{kind}', { kind: label });
  };
  const repeat = microBatches / drawn;
  const computed = events
    .filter(({ kind }) => looks[kind].tone === 'compute')
    .reduce((sum, event) => sum + (event.end - event.start) * repeat, 0);
  const parts = {
    left: format.count(microBatches - drawn),
    all: format.count(microBatches),
    time: format.say(end, stepTime),
    percent: format.say(computed / (byStage ? end * lanes.length : end), '%'),
  };
  const cuts = timeline.cuts.map(({ start, end, microBatches }) => {
    const count = format.count(microBatches);
    const time = format.say(end - start, stepTime);
    return { start, end, label: ctx.fill(words.cut, { count, time }), short: `×${count}` };
  });
  return {
    title: ctx.fill(drawn < microBatches ? words.part : words.whole, parts),
    description: ctx.sentences([
      words.description,
      ...cuts.map(({ start, end, label }) =>
        ctx.fill(words.cutAt, {
          cut: label,
          from: format.say(start, stepTime),
          to: format.say(end, stepTime),
        }),
      ),
    ]),
    file: 'step',
    x: { label: words.axis, unit: stepTime },
    lane: byStage ? words.stage : words.resource,
    lanes: lanes.map((lane) => (byStage ? String(Number(lane) + 1) : (resources[lane] ?? lane))),
    kinds: kinds.map((kind) => ({
      ...words.kinds[kind],
      label: labelOf(kind),
      look: looks[kind],
    })),
    // Only the lane of computing can idle if there are no stages.
    ...(!byStage && { main: lanes.indexOf('computing') }),
    events: events.map(({ kind, microBatch, ...event }) => ({
      ...event,
      lane: placeOf(event.lane),
      kind: kinds.indexOf(kind),
      ...(microBatch >= 0 && {
        label: ctx.fill(words.microBatch, { n: String(microBatch + 1) }),
        batch: microBatch,
      }),
    })),
    end,
    cuts,
    repeat,
    zoom: { parts: zoomParts(words.parts, timeline), ...words.zoom },
  };
}

/** The whole step, and where it starts, goes on alike and ends. */
function zoomParts(
  words: Record<'whole' | 'start' | 'steady' | 'end', string>,
  { end, cuts, steady }: Timeline,
): TimelinePart[] {
  const whole = { label: words.whole, start: 0, end };
  const [from, to] = steady
    ? [steady.start, steady.end]
    : [cuts[0]?.start ?? 0, cuts.at(-1)?.end ?? 0];
  if (to <= from) return [whole];
  return [
    whole,
    { label: words.start, start: 0, end: from },
    ...(steady ? [{ label: words.steady, ...steady }] : []),
    { label: words.end, start: to, end },
  ];
}

/** An axis is logarithmic above this ratio of its ends. */
const wideRange = 10;
const giga = 1e9;

export function paretoFrontData(
  ctx: RenderContext,
  plans: readonly Plan[],
  limit: number,
  answers: Answers | undefined,
): ParetoFrontData {
  const { format, text } = ctx;
  const { front: words } = text.planner;
  const [least, most] = [plans[0]!, plans.at(-1)!];
  const chosen = plans.findIndex((plan) => isOwn(ctx, plan));
  const wide = most.memory > wideRange * least.memory;
  const { memoryUsed, stepExpected } = answers ?? {};
  const drawn = typeof memoryUsed === 'number' && typeof stepExpected === 'number';
  return {
    title: ctx.fill(words.finding, {
      least: format.say(least.memory, 'B'),
      slow: format.say(least.expected, stepTime),
      most: format.say(most.memory, 'B'),
      fast: format.say(most.expected, stepTime),
    }),
    description: words.description,
    file: 'time-memory',
    // A logarithmic axis writes no prefixes of its own.
    x: { label: words.x, unit: 'GB', scale: wide ? 'log' : 'linear' },
    y: { label: words.y, unit: stepTime, scale: 'log' },
    points: plans.map((plan) => ({
      label: sayLayout(ctx, plan),
      x: plan.memory / giga,
      y: plan.expected,
      bound: boundOf(plan.bound),
    })),
    ...(chosen >= 0 && { chosen }),
    ...(chosen < 0 &&
      drawn && { own: { label: text.charts.own, x: memoryUsed / giga, y: stepExpected } }),
    limits: [{ label: text.planner.memory.usable, value: limit / giga }],
  };
}

/** The data of a map with at least one layout that fits. */
export function mapData(
  ctx: RenderContext,
  axes: readonly [MapField, MapField],
  { x, y, seconds }: PlanMap,
  dataWays: number | undefined,
): ValueMapData {
  const { map: words } = ctx.text.planner;
  const names = axes.map((axis) => words.axes[axis]);
  const absent = Array.from(seconds, (time) => Number(!(time > 0)));
  let at = -1;
  for (let i = 0; i < seconds.length; ++i) {
    if (seconds[i]! > 0 && (at < 0 || seconds[i]! < seconds[at]!)) at = i;
  }
  const own = axes.map((axis, index) =>
    (index === 0 ? x : y).indexOf(
      axis === 'data' ? (dataWays ?? -1) : Number(ctx.value(`layout.${axis}`)),
    ),
  );
  const axis = (index: 0 | 1): ValueMapData['x'] => {
    const values = index === 0 ? x : y;
    return {
      label: names[index]!,
      unit: '',
      scale: 'linear',
      values: values.map((_, place) => place),
      names: values.map((value) => ctx.format.count(value)),
    };
  };
  return {
    title: ctx.fill(words.finding, {
      x: names[0]!,
      y: names[1]!,
      xAt: ctx.format.count(x[at % x.length]!),
      yAt: ctx.format.count(y[Math.floor(at / x.length)]!),
      time: ctx.format.say(seconds[at]!, stepTime),
    }),
    description: ctx.fill(words.description, { x: names[0]!, y: names[1]! }),
    file: `step-${axes.join('-')}`,
    x: axis(0),
    y: axis(1),
    cells: seconds,
    absent,
    absences: [words.noFit],
    value: { label: words.value, unit: stepTime, scale: 'log' },
    best: { at, label: words.best },
    ...(own.every((place) => place >= 0) && { own: { x: own[0]!, y: own[1]! } }),
  };
}
