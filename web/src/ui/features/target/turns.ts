// The changes that meet a target, as states that the reader can go to.

import type { Engine, FieldValue, Target, TargetQuestion, Turn } from '../../../engine/index.ts';
import { decidesDefaults } from '../../../engine/defaults.ts';
import { inputsOf } from '../../../model/evaluate.ts';
import { splitId, type FieldId } from '../../../model/fields.ts';
import {
  baseOf,
  isPlanned,
  withField,
  type InputGroups,
  type State,
} from '../../../model/state.ts';
import type { Found } from '../../kit/forward.ts';
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
  private kept: { state: State; target: Target; found: Found } | undefined;

  solve({ engine, state }: RenderContext, target: Target): Found {
    const { kept } = this;
    const same = kept && isAlike(kept.state, state) && isSame(kept.target, target);
    const found = same ? kept.found : solved(engine, state, target);
    this.kept = { state, target, found };
    return found;
  }

  stop(): void {}
}

function solved(engine: Engine, state: State, target: Target): Found {
  const question = state.view as TargetQuestion;
  const inputs = inputsOf(engine, state);
  const reply = engine.loaded('targets')!.solve(question, inputs as never, target);
  if (!isPlanned(state) || !reply.ok) return { reply, busy: false };
  // At the MFU of a plan, what changes the plan changes that too.
  const turns = reply.turns.filter(({ field }) => field === mfu || leavesPlan(field));
  return {
    reply: { ...reply, turns },
    busy: false,
    before: { [mfu]: Number(inputs.run?.['mfu']) },
    turned: (next, { field }) => (field === mfu ? state : next),
    explains: ({ field, value }) => [question, withValue(inputs, field, value), target],
  };
}

const mfu = 'run.mfu';

/** Whether the layout and its step are the same, whatever a field is. */
const leavesPlan = (field: string): boolean => isPriced(field) || field.startsWith('budget.');

function withValue(inputs: InputGroups, field: string, value: FieldValue): InputGroups {
  const [group, key] = splitId(field as FieldId);
  return { ...inputs, [group]: { ...inputs[group], [key]: value } };
}

/** Whether two states ask the same, whatever they show. */
export const isAlike = (one: State, other: State): boolean =>
  one === other ||
  (
    [
      'view',
      'chip',
      'model',
      'figures',
      'optimizer',
      'edits',
      'layout',
      'found',
      'counting',
    ] as const
  ).every((key) => one[key] === other[key]);

export const isSame = (one: Target, other: Target): boolean =>
  one.answer === other.answer && one.wanted === other.wanted && one.value === other.value;

/** The state with a turn made, and all else as it was, whatever has another default then. */
export function turned(engine: Engine, state: State, { field, value, slices }: Turn): State {
  const description = engine.describe();
  const next = withField(description, state, field as FieldId, value);
  const places: [FieldId, FieldValue][] = slices === undefined ? [] : [['run.slices', slices]];
  const [group, key] = splitId(field as FieldId);
  const before = baseOf(description, state, group);
  for (const each of description.groups[group]) {
    const isSaid = Object.hasOwn(state.edits[group], each.key);
    if (!isSaid && decidesDefaults([each], key))
      places.push([`${group}.${each.key}`, before[each.key]!]);
  }
  return places.reduce((last, [id, each]) => withField(description, last, id, each), next);
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

/** The turns with an effect: those that meet the target, those that fall short, those that keep it. */
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
