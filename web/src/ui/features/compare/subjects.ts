// The subjects of a table: chips or models, the reader's own among them.

import type { Description, Engine } from '../../../engine/index.ts';
import { evaluateNearby, type Reply } from '../../../model/evaluate.ts';
import { chips, models } from '../../../model/presets.ts';
import { fits, holdsLoadOf, onFewestChips } from '../../../model/fewest-chips.ts';
import { inputOf, withField, withOpenWays, withPreset, type State } from '../../../model/state.ts';
import { customPresets } from '../../parts/question/preset-choice.ts';
import type { RenderContext } from '../../kit/render-context.ts';

export type Which = 'chip' | 'model';

/** The chip or model of one row. */
export interface Subject {
  id: string;
  name: string;
  /** The vendor, or the organisation. */
  maker: string;
  /** Whether the present state has it. */
  own: boolean;
  /** The present state with it, where it is one of the reader's own. */
  kept?: State;
}

/** Says that a chip can't be had yet, and that its figures are its maker's announcement. */
export const sayAnnounced = ({ text }: RenderContext, id: string): string[] =>
  chips.some((chip) => chip.id === id && chip.announced) ? [text.ui.announced] : [];

/** All presets in their order; the reader's own before them. */
export function subjects(ctx: RenderContext, which: Which): Subject[] {
  const presets =
    which === 'chip'
      ? chips.map(({ id, name, vendor }) => ({ id, name, maker: vendor }))
      : models.map(({ id, name, organisation }) => ({ id, name, maker: organisation }));
  const { state, text } = ctx;
  const present = state.names[which] === undefined ? state[which] : undefined;
  const listed = presets.map((each) => ({ ...each, own: each.id === present }));
  const { group } = text.ui.own;
  const kept = keptSubjects(ctx, which, group);
  if ([...listed, ...kept].some(({ own }) => own)) return [...kept, ...listed];
  const id = listed.some((each) => each.id === state[which]) ? 'present' : state[which];
  return [{ id, name: ctx.called(which), maker: '', own: true }, ...kept, ...listed];
}

/** The chips or models that the reader keeps. */
function keptSubjects(ctx: RenderContext, which: Which, maker: string): Subject[] {
  const { options, current, stateWith } = customPresets() ?? {};
  const now = current?.(ctx, which);
  return (options?.(ctx, which) ?? []).flatMap(({ id, name }) => {
    const kept = stateWith!(ctx, which, id);
    return kept ? [{ id, name, maker, own: id === now, kept }] : [];
  });
}

/** Slices to try beyond the fewest that hold the chips: some numbers have a shape in none of them. */
const mostSlices = 64;

/**
 * The present state on another chip, or for another model. Another chip takes the fewest slices in
 * which it has a network of so many; servers take the fewest chips that hold their load.
 */
export function stateFor(engine: Engine, state: State, which: Which, subject: Subject): State {
  if (subject.own) return state;
  const there = subject.kept ?? withPreset(state, which, subject.id);
  if (which !== 'chip') return there;
  return there.view === 'serving' ? onFewestForLoad(engine, there) : placed(engine, there);
}

/** The state on the fewest chips that hold its load and keep to its targets, divided the best way; if
 * none do, on those that hold its model. */
export function onFewestForLoad(engine: Engine, state: State): State {
  const open = withOpenWays(state);
  return (
    onFewestChips(engine, open, holdsLoadOf(engine.describe(), open)) ?? onEnough(engine, open)
  );
}

/**
 * The state on chips that are joined: a training in the fewest slices in which they have a network of
 * so many, servers on the fewest that hold the model and can be bought.
 */
export function placed(engine: Engine, there: State): State {
  if (there.view === 'serving') return onEnough(engine, there);
  const description = engine.describe();
  if (!description.questions[there.view].groups.includes('run')) return there;
  const { chips: all } = inputOf(description, there, 'run');
  const inSlices = (slices: number): State => withField(description, there, 'run.slices', slices);
  const one = inSlices(1);
  const fewest = slicesNeeded(evaluateNearby(engine, one));
  if (fewest === undefined) return one;
  for (let slices = fewest; slices < fewest + mostSlices; ++slices) {
    if (Number(all) % slices !== 0) continue;
    const candidate = inSlices(slices);
    if (slicesNeeded(evaluateNearby(engine, candidate)) === undefined) return candidate;
  }
  return one;
}

/** The state as it is where its slices join so many chips; else in the fewest slices that do. */
export const joined = (engine: Engine, state: State): State =>
  slicesNeeded(evaluateNearby(engine, state)) === undefined ? state : placed(engine, state);

/** The state on as many chips as it has, or on the fewest that hold it and can be bought. */
function onEnough(engine: Engine, state: State): State {
  const reply = evaluateNearby(engine, state);
  return !reply.ok || fits(reply) ? state : (onFewestChips(engine, state, fits) ?? state);
}

/** The fewest slices of so many chips, where they don't lie in those that they are given. */
function slicesNeeded(reply: Reply): number | undefined {
  for (const { code, arguments: found } of reply.ok ? reply.notices : reply.issues) {
    if (code === 'moreChipsThanNetwork' || code === 'slicesJoined') return Number(found.slices);
    if (code === 'noSliceShape') return 1;
  }
  return undefined;
}

/** The number of slices, if the chips of a state lie in more than its own; else 0. */
export function slicesOf(description: Description, state: State): number {
  if (!('slices' in state.edits.run)) return 0;
  const n = Number(inputOf(description, state, 'run').slices);
  return n > 1 ? n : 0;
}
