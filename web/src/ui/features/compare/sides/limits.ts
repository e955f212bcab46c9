// The limits that readers set beside each other's answers, and the chips that plans need to keep them.

import type { State } from '../../../../model/state.ts';
import { parseNumber } from '../../../../number/parse.ts';
import type { Notation } from '../../../../number/unit.ts';
import type { RenderContext } from '../../../kit/render-context.ts';
import { viewOf } from '../../../parts/view.ts';
import type { Asked, Tries } from '../asking.ts';

/** The limits in the core's units. */
export interface Most {
  time?: number;
  cost?: number;
}

const largest = 1e12;
export const plain: Notation = { unit: '', percent: false };

/** A limit as it is typed; undefined if it is none. */
export function readLimit(text: string): number | undefined {
  const parsed = parseNumber(text, plain);
  return parsed.ok && parsed.value > 0 && parsed.value <= largest ? parsed.value : undefined;
}

/** The limits that are set; `time` in seconds. */
export function limitsOf(ctx: RenderContext): Most {
  const { deadline, budget } = ctx.state.charts;
  const [time, cost] = [readLimit(deadline ?? ''), readLimit(budget ?? '')];
  return {
    ...(time !== undefined && { time: time * viewOf(ctx).sides!.timeUnit }),
    ...(cost !== undefined && { cost }),
  };
}

/** Doublings of the chips that were asked for, and halvings, beyond which nothing is tried. */
const mostDoublings = 10;
/** Numbers of chips between two that differ by a factor of two: eighths of the larger. */
const parts = 8;

/**
 * Tries the fewest chips that do what `meets` says, by doublings and then by eighths: fewer take
 * longer. Without such a number, those that were asked for stay. `on` is the state on some chips.
 */
export function* fewestChips(
  first: Asked,
  chips: number,
  on: (chips: number) => State,
  meets: (asked: Asked) => boolean,
): Tries {
  const found = yield* bracket(first, chips, on, meets);
  if (!found) return first;
  let { enough, tooFew } = found;
  const grain = enough.chips / parts;
  while (Number.isInteger(grain) && enough.chips - tooFew > grain) {
    const middle = enough.chips - Math.floor((enough.chips - tooFew) / grain / 2) * grain;
    const asked = yield on(middle);
    if (meets(asked)) enough = { chips: middle, asked };
    else tooFew = middle;
  }
  return enough.asked;
}

/** A number of chips that is enough, and one that is too few, half of it or none. */
function* bracket(
  first: Asked,
  chips: number,
  on: (chips: number) => State,
  meets: (asked: Asked) => boolean,
): Generator<
  State,
  { enough: { chips: number; asked: Asked }; tooFew: number } | undefined,
  Asked
> {
  let last = { chips, asked: first };
  const falls = meets(first);
  for (let doublings = 0; doublings < mostDoublings; ++doublings) {
    const next = falls ? last.chips / 2 : last.chips * 2;
    if (next < 1 || !Number.isInteger(next)) break;
    const tried = { chips: next, asked: yield on(next) };
    if (meets(tried.asked) !== falls) {
      return falls ? { enough: last, tooFew: next } : { enough: tried, tooFew: last.chips };
    }
    last = tried;
  }
  return falls ? { enough: last, tooFew: last.chips - 1 } : undefined;
}

/** Tries half the chips, again and again, until `meets` is true: fewer cost no more. */
export function* fewerChips(
  first: Asked,
  chips: number,
  on: (chips: number) => State,
  meets: (asked: Asked) => boolean,
): Tries {
  let asked = first;
  let number = chips;
  for (let halvings = 0; !meets(asked) && halvings < mostDoublings; ++halvings) {
    number /= 2;
    if (!Number.isInteger(number)) return first;
    asked = yield on(number);
  }
  return meets(asked) ? asked : first;
}
