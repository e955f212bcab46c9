// The fewest chips that serve a load.

import type { Description, Engine, ServingModule } from '../../../engine/index.ts';
import { evaluateNearby, type Reply } from '../../../model/evaluate.ts';
import { inputOf, withField, withOpenWays, type State } from '../../../model/state.ts';

type Holds = (reply: Reply) => boolean;

/** Chips beyond which nothing is tried. */
const mostChips = 2 ** 16;

/** The nearest number of a state's chips that can be bought: no fewer, or no more if `within`. */
export const bought = (
  engine: Engine,
  state: State,
  chips: number,
  within = false,
): number | undefined =>
  engine
    .loaded('serving')!
    .bought(
      { chip: inputOf(engine.describe(), state, 'chip') } as Parameters<ServingModule['bought']>[0],
      chips,
      within,
    );

/**
 * Puts a state on the fewest chips of which `holds` is true, as they can be bought; undefined if none
 * are.
 */
export function onFewestChips(engine: Engine, state: State, holds: Holds): State | undefined {
  const description = engine.describe();
  const on = (chips: number): State => withField(description, state, 'serving.chips', chips);
  const fewest = fewestOf(
    (chips) => bought(engine, state, chips),
    (chips) => holds(evaluateNearby(engine, on(chips))),
  );
  return fewest === undefined ? undefined : on(fewest);
}

/**
 * Doubles a number until `works` is true, and then halves the gap, among the numbers to which `up`
 * rounds: more chips never hold less, as some may stay idle.
 */
function fewestOf(
  up: (number: number) => number | undefined,
  works: (number: number) => boolean,
): number | undefined {
  let enough = up(1);
  let tooFew = 0;
  while (enough !== undefined && !works(enough)) {
    tooFew = enough;
    enough = up(2 * enough);
    if (enough !== undefined && enough > mostChips) return undefined;
  }
  while (enough !== undefined && enough - tooFew > 1) {
    const middle = up(Math.floor((tooFew + enough) / 2));
    if (middle === undefined || middle >= enough) return enough;
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

/** The state on the fewest chips that hold its load and keep to its targets, divided the best way; if
 * none do, on those that hold its model. */
export function onFewestForLoad(engine: Engine, state: State): State {
  const description = engine.describe();
  const open = withOpenWays(description, state);
  return onFewestChips(engine, open, holdsLoadOf(description, open)) ?? onEnough(engine, open);
}

/** The state on as many chips as it has, or on the fewest that hold it and can be bought. */
function onEnough(engine: Engine, state: State): State {
  const reply = evaluateNearby(engine, state);
  return !reply.ok || fits(reply) ? state : (onFewestChips(engine, state, fits) ?? state);
}
