// The fewest chips that serve a load.

import type { Reply } from './evaluate.ts';
import type { InputGroup } from './presets.ts';

/** Chips beyond which nothing is tried. */
const mostChips = 2 ** 16;

/**
 * The fewest chips of which `holds` is true; undefined if none are. More chips never hold less, as
 * some may stay idle: so they are found by doubling, and then by halves, unless they come in slices
 * of powers of two as those on a torus.
 */
export function fewestChips(
  inSlices: boolean,
  holds: (chips: number) => boolean,
): number | undefined {
  let enough = 1;
  while (!holds(enough)) {
    enough *= 2;
    if (enough > mostChips) return undefined;
  }
  if (inSlices) return enough;
  let tooFew = enough / 2;
  while (enough - tooFew > 1) {
    const middle = Math.floor((tooFew + enough) / 2);
    if (holds(middle)) enough = middle;
    else tooFew = middle;
  }
  return enough;
}

/** The sequences of a load that are served at a time, as far as the load tells. */
export const sequencesTogether = ({ load, users }: InputGroup): number =>
  load === 'closed' || load === 'static' ? Number(users) : 1;

/** Whether chips hold a model and as many sequences as they can't do without. */
export const fits = (reply: Reply): boolean => reply.ok && reply.answers.servingFits === 'yes';

/**
 * Whether chips hold so many sequences at a time, keep up with the load, and keep to targets if there
 * are any.
 */
export const holdsLoad = (reply: Reply, sequences: number): boolean =>
  reply.ok &&
  fits(reply) &&
  reply.answers.saturated !== 'yes' &&
  reply.answers.meetsTargets !== 'no' &&
  Number(reply.answers.maxSequences) >= sequences;
