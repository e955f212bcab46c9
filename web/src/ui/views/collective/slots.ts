// The verdict on a collective: how long, what binds, how many bytes a chip sends, and in how many steps.

import type { Slot } from '../../parts/picture/picture.ts';
import type { Results } from '../../kit/results.ts';
import type { RenderContext } from '../../kit/render-context.ts';

export const verdictKeys = ['collectiveTime', 'collectiveBound', 'bytesSent', 'collectiveSteps'];

export const verdictOf = (ctx: RenderContext, results: Results): Slot[] => [
  timeSlot(ctx, results),
  boundSlot(ctx, results),
  ...['bytesSent', 'collectiveSteps'].map((key) => plainSlot(ctx, results, key)),
];

/** An answer that is not known, or to a question that does not arise. */
const noSlot = (key: string, note: string): Slot => ({ key, large: '–', isGhost: true, note });

const plainSlot = (ctx: RenderContext, results: Results, key: string): Slot =>
  results.number(key) === undefined
    ? noSlot(key, ctx.answer(key).label)
    : { key, large: results.say(key), note: ctx.answer(key).label };

function timeSlot(ctx: RenderContext, results: Results): Slot {
  const { race: words, wired } = ctx.text;
  const key = 'collectiveTime';
  if (results.number('collectiveChips') === 1) return noSlot(key, wired.alone);
  if (results.number(key) === undefined) return noSlot(key, words.unknown);
  if (results.number('timeExpected') === undefined) {
    return { key, large: results.say(key), note: words.lower };
  }
  return {
    key: 'timeExpected',
    large: results.say('timeExpected'),
    note: words.expected,
    range: ctx.fill(words.atLeast, { time: results.say(key) }),
  };
}

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
