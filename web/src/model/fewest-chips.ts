// The fewest chips that serve a load.

import type { Description, Engine } from '../engine/index.ts';
import { evaluateNearby, type Reply } from './evaluate.ts';
import { inputOf, networkOf, withField, type State } from './state.ts';

type Holds = (reply: Reply) => boolean;

/** Chips beyond which nothing is tried. */
const mostChips = 2 ** 16;

/**
 * Puts a state on the fewest chips of which `holds` is true; undefined if none are. Chips on a torus
 * come in slices of powers of two, as all do if the caller says so.
 */
export function onFewestChips(
  engine: Engine,
  state: State,
  holds: Holds,
  inSlices = networkOf(state) === 'torus',
): State | undefined {
  const on = (chips: number): State => withField(engine.describe(), state, 'serving.chips', chips);
  const fewest = fewestOf(inSlices, (chips) => holds(evaluateNearby(engine, on(chips))));
  return fewest === undefined ? undefined : on(fewest);
}

/**
 * Doubles a number until `works` is true, and then halves the gap, unless only powers of two count:
 * more chips never hold less, as some may stay idle.
 */
function fewestOf(inPowersOfTwo: boolean, works: (number: number) => boolean): number | undefined {
  let enough = 1;
  while (!works(enough)) {
    enough *= 2;
    if (enough > mostChips) return undefined;
  }
  if (inPowersOfTwo) return enough;
  let tooFew = enough / 2;
  while (enough - tooFew > 1) {
    const middle = Math.floor((tooFew + enough) / 2);
    if (works(middle)) enough = middle;
    else tooFew = middle;
  }
  return enough;
}

/** Whether chips hold a model and as many sequences as they can't do without. */
export const fits: Holds = (reply) => reply.ok && reply.answers.servingFits === 'yes';

/** Whether chips that hold a model keep up with the load, and keep to targets if there are any. */
export const keepsUp: Holds = (reply) =>
  reply.ok &&
  fits(reply) &&
  reply.answers.saturated !== 'yes' &&
  reply.answers.meetsTargets !== 'no';

/** Tells whether chips hold all of a state's load at a time, and keep up with it. */
export function holdsLoadOf(description: Description, state: State): Holds {
  const { load, users } = inputOf(description, state, 'serving');
  const together = load === 'closed' || load === 'static' ? Number(users) : 1;
  return (reply) => reply.ok && keepsUp(reply) && Number(reply.answers.maxSequences) >= together;
}
