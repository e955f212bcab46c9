// Layouts that a search found, in words and in the input.

import type {
  ChosenLayout,
  FieldValue,
  MemoryState,
  Plan,
  StepBound,
  StepPart,
} from '../../../engine/index.ts';
import { stepTime } from '../../../number/unit.ts';
import type { Answers } from '../../../model/evaluate.ts';
import type { FieldId } from '../../../model/fields.ts';
import { keptInSearch } from '../../../model/state.ts';
import type { Bound } from '../../parts/answers/bound.ts';
import type { RenderContext } from '../../kit/render-context.ts';
import { answerOf, computesAgain, recomputedParts, sayRecomputed } from './recomputed.ts';

export type Changes = (readonly [FieldId, FieldValue])[];

/** The resource behind a step's bound; transfers belong to the network. */
export const boundOf = (bound: string): Bound =>
  bound === 'compute' || bound === 'memory' ? bound : 'network';

/** The fields to put into the input. */
export const changesTo = (layout: ChosenLayout): Changes =>
  Object.entries(layout).map(([key, value]) => [`layout.${key}`, value] as const);

/** Fields that change nothing at other values. */
function matters(layout: ChosenLayout, key: string): boolean {
  if (key === 'schedule') return layout.pipeline > 1;
  if (key === 'virtualStages') return layout.pipeline > 1 && layout.schedule === 'interleaved';
  return true;
}

/** Whether the input's layout comes to the same as one that was found. */
export const isOwn = (ctx: RenderContext, { layout }: Plan): boolean =>
  Object.entries(layout).every(
    ([key, value]) => !matters(layout, key) || ctx.value(`layout.${key}`) === value,
  );

/** The reader's own layout as a search would have found it. */
export function ownPlan(ctx: RenderContext, answers: Answers): Plan {
  const number = (key: string): number => {
    const answer = answers[key];
    return typeof answer === 'number' ? answer : 0;
  };
  const keys = [...ctx.description.groups.search.map(({ key }) => key), 'stageLayers'];
  const layout = Object.fromEntries(
    keys.map((key) => [key, ctx.value(`layout.${key}`)]),
  ) as unknown as ChosenLayout;
  return {
    layout,
    dataWays: number('dataWays'),
    microBatches: number('microBatches'),
    expected: number('stepExpected'),
    lower: number('stepLower'),
    upper: number('stepUpper'),
    memory: number('memoryUsed'),
    memoryLow: number('memoryLow'),
    memoryHigh: number('memoryHigh'),
    memoryState: answers.memoryState as MemoryState,
    fits: answers.fits === 'yes',
    mfu: number('mfu'),
    mfuExact: number('mfuExact'),
    tokensPerSecond: number('tokensPerSecond'),
    wallTime: number('wallTime'),
    mfuWithFailures: number('mfu') * number('goodput'),
    bound: answers.planBound as StepBound,
    nextBound: answers.nextBound as StepBound,
    parts: {
      computing: number('timeForward') + number('timeBackward'),
      recompute: number('timeRecompute'),
      tensor: number('exposedTensor'),
      context: number('exposedContext'),
      expert: number('exposedExpert'),
      data: number('exposedData'),
      pipeline: number('exposedPipeline'),
      bubble: number('timeBubble'),
      optimizer: number('timeOptimizer'),
      host: number('exposedHost'),
      launch: number('timeLaunch'),
      overhead: number('timeOverhead'),
    },
    again: Object.fromEntries(
      recomputedParts
        .map((part) => [part, number(answerOf(part))] as const)
        .filter(([, share]) => share > 0),
    ),
    fullestLayers: number('fullestLayers'),
  };
}

/** What the best layout keeps of the reader's, though a search could choose it. */
export const sayKept = (ctx: RenderContext): string =>
  keptInSearch(ctx.description, ctx.state)
    .map((key) => {
      const id: FieldId = `layout.${key}`;
      const said = ctx.say(id, ctx.value(id));
      return typeof ctx.value(id) === 'number' ? `${ctx.label(id)} ${said}` : said;
    })
    .join(ctx.text.planner.comma);

/** The chunks of a stage. */
const chunksOf = ({ pipeline, virtualStages, schedule }: ChosenLayout): number =>
  pipeline > 1 && schedule === 'interleaved' ? virtualStages : 1;

/** The schedule of a pipeline, where neither is it the usual one nor do chunks tell it. */
const scheduleOf = (ctx: RenderContext, { pipeline, schedule }: ChosenLayout): string[] =>
  pipeline > 1 && schedule !== 'oneFOneB' && schedule !== 'interleaved'
    ? [ctx.choice('layout.schedule', schedule)]
    : [];

/** `4 × 2` stages: of each, chunks. */
export const sayPipeline = (ctx: RenderContext, layout: ChosenLayout): string =>
  [
    chunksOf(layout) > 1 ? `${layout.pipeline} × ${chunksOf(layout)}` : String(layout.pipeline),
    ...scheduleOf(ctx, layout),
  ].join(' ');

type Degree = 'tensor' | 'context' | 'pipeline' | 'virtualStages' | 'expert' | 'expertTensor';

/** Degrees above one by their names, with the chunks of a stage. */
function sayDegrees(ctx: RenderContext, layout: ChosenLayout): Record<Degree, string[]> {
  const { short } = ctx.text.planner;
  const said = (key: keyof typeof short, count: number): string[] =>
    count > 1 ? [ctx.fill(short[key], { n: String(count) })] : [];
  return {
    tensor: said('tensor', layout.tensor),
    context: said('context', layout.context),
    pipeline: said('pipeline', layout.pipeline),
    virtualStages: said('virtualStages', chunksOf(layout)),
    expert: said('expert', layout.expert),
    expertTensor: said('expertTensor', layout.expert > 1 ? layout.expertTensor : 1),
  };
}

/** The layout in common terms, sharded states first: `FSDP over 64, TP 8, micro-batch 2`. */
export function callLayout(ctx: RenderContext, { layout, dataWays }: Plan): string {
  const { over, short, undivided, comma } = ctx.text.planner;
  const words: Record<string, string> = over;
  const said = [
    ...(dataWays > 1
      ? [ctx.fill(words[layout.sharding] ?? '', { n: ctx.format.count(dataWays) })]
      : []),
    ...Object.values(sayDegrees(ctx, layout)).flat(),
  ];
  const micro = ctx.fill(short.microBatch, { n: String(layout.microBatch) });
  return [...(said.length > 0 ? said : [undivided]), micro].join(comma);
}

/** A layout in one line, without degrees of one, with all that tells it from others: `TP 8 × PP 16 ×
 * DP 64, EP 8, ZeRO-1, recompute norms`. Those whose product are the chips stand first. */
export function sayLayout(ctx: RenderContext, plan: Plan): string {
  const { layout, dataWays } = plan;
  const { short, undivided, comma } = ctx.text.planner;
  const { tensor, context, pipeline, virtualStages, expert, expertTensor } = sayDegrees(
    ctx,
    layout,
  );
  const data = dataWays > 1 ? [ctx.fill(short.data, { n: ctx.format.count(dataWays) })] : [];
  const factors = [...tensor, ...context, ...pipeline, ...data].join(' × ');
  return [
    factors === '' ? undivided : factors,
    ...virtualStages,
    ...scheduleOf(ctx, layout),
    ...expert,
    ...expertTensor,
    ...(layout.microBatch > 1
      ? [ctx.fill(short.microBatch, { n: String(layout.microBatch) })]
      : []),
    // Without replicas nothing is held twice.
    ...(dataWays * layout.context > 1 ? [ctx.choice('layout.sharding', layout.sharding)] : []),
    ...(computesAgain(plan)
      ? [ctx.fill(short.recompute, { parts: sayRecomputed(ctx, plan) })]
      : []),
  ].join(comma);
}

/** Differences below this part of a step are not worth a word. */
const worthSaying = 0.003;
const mostReasons = 3;

/** Says why a plan is slower than the best: the parts on which it spends more time, and those on
 * which it saves. */
export function sayReasons(ctx: RenderContext, plan: Plan, best: Plan): string {
  const { planner } = ctx.text;
  const differences = (Object.keys(plan.parts) as StepPart[])
    .map((part) => ({ part, more: plan.parts[part] - best.parts[part] }))
    .filter(({ more }) => Math.abs(more) > worthSaying * best.expected)
    .sort((a, b) => b.more - a.more);
  const said = differences.filter(
    ({ more }, index) => index < mostReasons - 1 || (index === differences.length - 1 && more < 0),
  );
  if (differences.length === 0) return planner.asFast;
  return said
    .map(({ part, more }) =>
      ctx.fill(more > 0 ? planner.loses : planner.gains, {
        time: ctx.format.say(Math.abs(more), stepTime),
        part: planner.parts[part],
      }),
    )
    .join(planner.comma);
}
