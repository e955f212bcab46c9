// What a chip's memory and a step are made of, as the drawing and the bars of "Why" show them.

import type { Part } from '../../../charts/kit/looks.ts';
import type { Plan } from '../../../engine/index.ts';
import type { Results } from '../../kit/results.ts';
import type { RenderContext } from '../../kit/render-context.ts';

type Words = RenderContext['text']['planner']['drawn'];

/** A part of a whole: the answer that gives its reason, and its value. */
export interface Share<Name extends string> {
  look: Name & Part;
  key: string;
  value: number;
}

/** The answers that add up to a chip's memory, from the floor up. */
const held = [
  ['parameters', ['memoryParameters']],
  ['gradients', ['memoryGradients']],
  ['states', ['memoryOptimizer']],
  ['activations', ['memoryActivations', 'memoryWorking', 'memoryBuffers']],
  ['logits', ['memoryLogits']],
  ['runtime', ['memoryOverhead', 'memoryAllocator']],
] as const satisfies readonly (readonly [keyof Words['memory'] & Part, readonly string[]])[];

/** The parts of a step beside computing, in the bar's order. */
const spent = [
  ['recomputed', 'timeRecompute'],
  ['tensor', 'exposedTensor'],
  ['context', 'exposedContext'],
  ['expert', 'exposedExpert'],
  ['pipeline', 'exposedPipeline'],
  ['bubble', 'timeBubble'],
  ['data', 'exposedData'],
  ['host', 'exposedHost'],
  ['optimizer', 'timeOptimizer'],
  ['launch', 'timeLaunch'],
  ['overhead', 'timeOverhead'],
] as const satisfies readonly (readonly [keyof Words['pieces'] & Part, string])[];

type Spent = 'peak' | 'below' | (typeof spent)[number][0];

export const sumOf = (results: Results, keys: readonly string[]): number =>
  keys.reduce((sum, key) => sum + (results.number(key) ?? 0), 0);

export const heldIn = (results: Results): Share<(typeof held)[number][0]>[] =>
  held.map(([look, keys]) => ({ look, key: keys[0], value: sumOf(results, keys) }));

/** The step's time [s] by what it goes to: its first part is as long as the MFU, which counts what is
 * computed, as HFU does. */
export function spentOf(results: Results): Share<Spent>[] {
  const computing = sumOf(results, ['timeForward', 'timeBackward']);
  const step = results.number('stepExpected') ?? 0;
  const peak = Math.min(computing, (results.number('mfuExact') ?? 0) * step);
  return [
    { look: 'peak', key: 'mfuExact', value: peak },
    { look: 'below', key: 'timeForward', value: computing - peak },
    ...spent.map(([look, key]) => ({ look, key, value: results.number(key) ?? 0 })),
  ];
}

/** The same of a layout that a search has found. */
export function spentBy(plan: Plan): { look: Spent; value: number }[] {
  const { parts, expected } = plan;
  const peak = Math.min(parts.computing, plan.mfuExact * expected);
  return [
    { look: 'peak', value: peak },
    { look: 'below', value: parts.computing - peak },
    ...spent.map(([look]) => ({
      look,
      value: parts[look === 'recomputed' ? 'recompute' : look],
    })),
  ];
}

/** What a share of the step is called where there is room: what of a transfer is counted, too. */
export const calledShare = (
  ctx: RenderContext,
  look: keyof Words['pieces'],
  key: string,
): string =>
  key.startsWith('exposed') ? ctx.answer(key).label : ctx.text.planner.drawn.pieces[look];
