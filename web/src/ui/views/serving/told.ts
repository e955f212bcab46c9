// What both the verdict and the drawing of servers tell: who has a place, and which targets are met.

import type { Met } from '../../../charts/drawn/serving/index.ts';
import { rangeOf } from '../../../model/bounds.ts';
import { readTarget } from '../../../model/target.ts';
import type { Results } from '../../kit/results.ts';
import type { RenderContext } from '../../kit/render-context.ts';

export interface Users {
  /** How many there are; undefined where requests come at a rate, or without end. */
  all?: number | undefined;
  placed: number;
  waiting: number;
  /** The places of all instances. */
  places: number;
  /** Sequences in progress at a time, whoever sent them. */
  taken: number;
}

/** Who has a place in the KV cache, and who waits for one. */
export function usersOf(ctx: RenderContext, results: Results): Users {
  const places = results.number('maxSequences') ?? 0;
  const load = ctx.value('serving.load');
  if (load === 'closed' || load === 'static') {
    const all = Number(ctx.value('serving.users'));
    const placed = results.number('usersPlaced') ?? Math.min(all, places);
    return { all, placed, waiting: all - placed, places, taken: placed };
  }
  // Groups that step by themselves: an instance's attention is divided over some, its stages over others.
  const groups = ['attentionData', 'pipeline'].reduce(
    (product, key) => product * Number(ctx.value(`serving.${key}` as 'serving.pipeline')),
    results.number('servers') ?? 1,
  );
  const taken = Math.min(places, Math.round((results.number('servingBatch') ?? 0) * groups));
  return { placed: taken, waiting: 0, places, taken };
}

/** The free memory of a chip [B]: what a cache may still take, without what is kept back. */
export const freeOf = (results: Results): number =>
  (results.number('cacheRoom') ?? 0) - (results.number('cacheUsed') ?? 0);

export const sayFree = (ctx: RenderContext, results: Results): string =>
  ctx.hides('cacheRoom', 'servingLeft') ? '…' : ctx.format.say(freeOf(results), 'B');

export interface Target {
  key: 'firstToken' | 'tokenTime';
  short: string;
  value: number;
  met: Met;
}

/** Whether a target is met by all of a range, or else by what is expected. */
export function metOf(
  value: number,
  expected: number,
  range: readonly [low: number, high: number] | undefined,
): Met {
  if (!range) return expected <= value ? 'yes' : 'no';
  if (range[1] <= value) return 'yes';
  if (range[0] > value) return 'no';
  return expected <= value ? 'likely' : 'unlikely';
}

const targets = [
  ['firstToken', 'firstTokenTail', 'serving.firstTarget', 'TTFT'],
  ['tokenTime', 'tokenTail', 'serving.tokenTarget', 'TPOT'],
] as const;

/** The targets that are set, by fields or beside an answer, with the range of what they are compared with: the mean, or the time of the
 * share of requests that is asked for, which is uncertain in the same proportion. */
export function targetsOf(ctx: RenderContext, results: Results): Target[] {
  const { answers } = ctx.description.questions.serving;
  const own = readTarget(answers, ctx.state.charts.target);
  return targets.flatMap(([key, tail, field, short]) => {
    const isOwn = own?.wanted === 'atMost' && own.answer === key;
    const value = ctx.value(field) ?? (isOwn ? own.value : undefined);
    const mean = results.number(key);
    if (typeof value !== 'number' || mean === undefined) return [];
    const expected = results.number(tail) ?? mean;
    const range = rangeOf(ctx.description.questions.serving, results.all, key);
    const scaled = range?.map((end) => (end * expected) / mean) as [number, number] | undefined;
    return [{ key, short, value, met: metOf(value, expected, scaled) }];
  });
}
