// The verdict on a collective: how long, what binds, how many bytes a chip sends, and in how many steps.

import { noSlot, type Slot } from '../../parts/picture/picture.ts';
import { timeSlot } from '../../parts/picture/race.ts';
import type { Results } from '../../kit/results.ts';
import type { RenderContext } from '../../kit/render-context.ts';

export const verdictKeys = ['collectiveTime', 'collectiveBound', 'bytesSent', 'collectiveSteps'];

export const verdictOf = (ctx: RenderContext, results: Results): Slot[] => [
  results.number('collectiveChips') === 1
    ? noSlot('collectiveTime', ctx.text.wired.alone)
    : timeSlot(ctx, results, 'collectiveTime'),
  boundSlot(ctx, results),
  ...['bytesSent', 'collectiveSteps'].map((key) => plainSlot(ctx, results, key)),
];

const plainSlot = (ctx: RenderContext, results: Results, key: string): Slot =>
  results.number(key) === undefined
    ? noSlot(key, ctx.answer(key).label)
    : { key, large: results.say(key), note: ctx.answer(key).label };

/** Below so many bytes the other one binds. */
function boundSlot(ctx: RenderContext, results: Results): Slot {
  const key = 'collectiveBound';
  if (results.absence(key) !== undefined) return noSlot(key, ctx.answer(key).label);
  const least = results.number('latencyBytes');
  return {
    key,
    large: results.say(key),
    note:
      least === undefined
        ? ''
        : ctx.fill(ctx.text.wired.latencyBelow, { bytes: results.say('latencyBytes') }),
  };
}
