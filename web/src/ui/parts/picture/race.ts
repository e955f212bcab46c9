// Operations and collectives share these parts of a race: its bounds, and the slot of its time.

import type { RaceData } from '../../../charts/drawn/race/index.ts';
import { sayNamed } from '../../kit/named.ts';
import type { RenderContext } from '../../kit/render-context.ts';
import type { Results } from '../../kit/results.ts';
import { noSlot, type Slot } from './picture.ts';

interface Raced {
  /** The answer that no racer beats. */
  lower: string;
  /** The answers that it tells besides the times. */
  told: readonly string[];
  /** Names a bound to readers who cannot see it, by its answer and its label. */
  named(key: string, label: string): string;
}

/** All of the data that answers give, but for the racers. */
export function raceOf(
  ctx: RenderContext,
  results: Results,
  { lower: lowest, told, named }: Raced,
): Pick<RaceData, 'ghostly' | 'binds' | 'lower' | 'expected' | 'told'> {
  const { race: words } = ctx.text;
  const mark = (key: string, label: string) => {
    const [value, said] = [results.number(key), results.say(key)];
    if (value === undefined) return undefined;
    const says = sayNamed(ctx, named(key, label), said);
    return { key, value, label, said, says };
  };
  const lower = mark(lowest, words.lower);
  const expected = mark('timeExpected', words.expected);
  const times = lower && expected && lower.value > 0 ? expected.value / lower.value : undefined;
  return {
    ghostly: false,
    binds: words.binds,
    lower,
    expected: expected && {
      ...expected,
      times: times ? ctx.fill(words.times, { times: ctx.format.number(times) }) : '',
    },
    told: told.flatMap((key) =>
      results.absence(key) === undefined
        ? [{ label: ctx.answer(key).label, said: results.say(key) }]
        : [],
    ),
  };
}

/** The expected time beside the answer that it can't go below, or that alone. */
export function timeSlot(ctx: RenderContext, results: Results, lower: string): Slot {
  const { race: words } = ctx.text;
  if (results.number(lower) === undefined) return noSlot(lower, words.unknown);
  const least = results.say(lower);
  return results.number('timeExpected') === undefined
    ? { key: lower, large: least, note: words.lower }
    : {
        key: 'timeExpected',
        large: results.say('timeExpected'),
        note: words.expected,
        also: ctx.fill(words.atLeast, { time: least }),
      };
}
