// The changes that meet a target, as states that the reader can go to.

import type { Engine, FieldValue, Target, TargetQuestion, Turn } from '../../../engine/index.ts';
import { inputsOf } from '../../../model/evaluate.ts';
import type { FieldId } from '../../../model/fields.ts';
import { withField, type State } from '../../../model/state.ts';
import type { Found, Reply } from '../../kit/forward.ts';
import type { RenderContext } from '../../kit/render-context.ts';

/** A turn with the state that it leads to. */
export interface Way {
  turn: Turn;
  field: FieldId;
  state: State;
}

/** Solves the targets of a question that takes more than one call; `told` is called on news. */
export interface Solver {
  solve(ctx: RenderContext, target: Target, told: () => void): Found;
  stop(): void;
}

/** Solves a target in one call, and keeps the solution while the question stays. */
export class AtOnce implements Solver {
  private kept: { state: State; target: Target; reply: Reply } | undefined;

  solve({ engine, state }: RenderContext, target: Target): Found {
    const { kept } = this;
    const same = kept && isAlike(kept.state, state) && isSame(kept.target, target);
    const reply = same
      ? kept.reply
      : engine
          .loaded('targets')!
          .solve(state.view as TargetQuestion, inputsOf(engine, state) as never, target);
    this.kept = { state, target, reply };
    return { reply, busy: false };
  }

  stop(): void {}
}

/** Whether two states ask the same, whatever they show. */
export const isAlike = (one: State, other: State): boolean =>
  one === other ||
  (['view', 'chip', 'model', 'figures', 'optimizer', 'edits', 'layout', 'found'] as const).every(
    (key) => one[key] === other[key],
  );

export const isSame = (one: Target, other: Target): boolean =>
  one.answer === other.answer && one.wanted === other.wanted && one.value === other.value;

/** The state with a turn made. */
function turned(engine: Engine, state: State, { field, value, slices }: Turn): State {
  const description = engine.describe();
  const places: [FieldId, FieldValue][] = [[field as FieldId, value]];
  if (slices !== undefined) places.push(['run.slices', slices]);
  return places.reduce((before, [id, each]) => withField(description, before, id, each), state);
}

/** Whether a field of the chip is one of its price: what a reader can ask for otherwise. */
export const isPriced = (field: string): boolean => prices.includes(field);
const prices: readonly string[] = [
  'price',
  'purchase',
  'years',
  'utilisation',
  'tariff',
  'hosting',
].map((key) => `chip.${key}`);

/** The groups in the order in which readers think of them: what a run is, before what a chip is. */
const rank = ({ field }: Turn): number => {
  if (isPriced(field)) return 1;
  return field.startsWith('chip.') ? 2 : 0;
};

/** The turns with an effect: those that meet the target, and those that fall short. */
export function waysOf(
  { engine, state }: RenderContext,
  { turned: also = (each) => each }: Found,
  turns: readonly Turn[],
  effect: Turn['effect'],
): Way[] {
  return turns
    .filter((turn) => turn.effect === effect)
    .map((turn) => ({
      turn,
      field: turn.field as FieldId,
      state: also(turned(engine, state, turn), turn),
    }))
    .sort((one, other) => rank(one.turn) - rank(other.turn));
}
