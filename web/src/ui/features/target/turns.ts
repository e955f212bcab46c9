// What meets a target, as states that the reader can go to.

import type {
  Engine,
  FieldValue,
  Result,
  Solution,
  Target,
  TargetQuestion,
  Turn,
} from '../../../engine/index.ts';
import { inputsOf, loadedTargets } from '../../../model/evaluate.ts';
import type { FieldId } from '../../../model/fields.ts';
import { withField, type State } from '../../../model/state.ts';

/** A turn with the state that it leads to. */
export interface Way {
  turn: Turn;
  field: FieldId;
  state: State;
}

const asked: readonly string[] = ['training', 'operation', 'collective', 'budget'];

/** Whether targets can be set for the answers of a state's question. */
export const isAsked = ({ view }: State): boolean => asked.includes(view);

/** Solves a target for the question of a state. */
export const solve = (engine: Engine, state: State, target: Target): Result<Solution> =>
  loadedTargets().solve(state.view as TargetQuestion, inputsOf(engine, state) as never, target);

/** The state with a turn made. */
export function turned(engine: Engine, state: State, { field, value, slices }: Turn): State {
  const description = engine.describe();
  const places: [FieldId, FieldValue][] = [[field as FieldId, value]];
  if (slices !== undefined) places.push(['run.slices', slices]);
  return places.reduce((before, [id, each]) => withField(description, before, id, each), state);
}

/** The groups in the order in which readers think of them: what a run is, before what a chip is. */
const rank = ({ field }: Turn): number => {
  if (field === 'chip.price') return 1;
  return field.startsWith('chip.') ? 2 : 0;
};

/** The turns with an effect: those that meet the target, and those that fall short. */
export function waysOf(
  engine: Engine,
  state: State,
  turns: readonly Turn[],
  effect: Turn['effect'],
): Way[] {
  return turns
    .filter((turn) => turn.effect === effect)
    .map((turn) => ({
      turn,
      field: turn.field as FieldId,
      state: turned(engine, state, turn),
    }))
    .sort((one, other) => rank(one.turn) - rank(other.turn));
}
