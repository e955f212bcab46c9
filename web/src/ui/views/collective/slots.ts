// The verdict on a collective: how long, what binds, how many bytes a chip sends, and in how many steps.

import type { Slot } from '../../parts/picture/picture.ts';
import type { Results } from '../../kit/results.ts';
import type { RenderContext } from '../../kit/render-context.ts';

export const verdictKeys = ['collectiveTime', 'collectiveBound', 'bytesSent', 'collectiveSteps'];

export function verdictOf(ctx: RenderContext, results: Results): Slot[] {
  const plain = (key: string): Slot => ({
    key,
    large: results.say(key),
    note: ctx.answer(key).label,
  });
  return [
    timeSlot(ctx, results),
    boundSlot(ctx, results),
    plain('bytesSent'),
    plain('collectiveSteps'),
  ];
}

function timeSlot(ctx: RenderContext, results: Results): Slot {
  const { race: words } = ctx.text;
  const key = 'collectiveTime';
  if (results.number(key) === undefined) {
    const alone = results.number('collectiveChips') === 1;
    const note = alone ? ctx.text.wired.alone : words.unknown;
    return { key, large: '–', isGhost: true, note };
  }
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
  const least = results.number('latencyBytes');
  const known = results.choice(key) !== undefined;
  return {
    key,
    large: known ? results.say(key) : '–',
    ...(known ? {} : { isGhost: true }),
    note:
      known && least !== undefined
        ? ctx.fill(ctx.text.wired.latencyBelow, { bytes: results.say('latencyBytes') })
        : '',
  };
}
