// The subjects of a table: chips or models, the reader's own among them.

import type { Description, Engine } from '../../../engine/index.ts';
import { evaluateNearby } from '../../../model/evaluate.ts';
import { chips, models } from '../../../model/presets.ts';
import { inputOf, withField, withPreset, type State } from '../../../model/state.ts';
import type { RenderContext } from '../../kit/render-context.ts';
import { viewOf } from '../../parts/view.ts';
import { wholeMachines } from '../../parts/question/machines.ts';
import type { Asked } from './asking.ts';

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
  const { options, current, stateWith } = ctx.features.customPresets ?? {};
  const now = current?.(ctx, which);
  return (options?.(ctx, which) ?? []).flatMap(({ id, name }) => {
    const kept = stateWith!(ctx, which, id);
    return kept ? [{ id, name, maker, own: id === now, kept }] : [];
  });
}

/**
 * The present state on another chip, or for another model. Of another chip the core
 * takes as many slices as it needs; servers take the fewest chips that hold their load.
 */
export function stateFor(ctx: RenderContext, which: Which, subject: Subject): State {
  const { state } = ctx;
  if (subject.own) return state;
  const there = subject.kept ?? withPreset(state, which, subject.id);
  if (which !== 'chip') return there;
  return (viewOf(ctx).onFewestChips ?? onWholeMachines)(ctx.engine, there);
}

/** The slices are left to the core, which takes the fewest that join so many chips. */
const withOpenSlices = (engine: Engine, state: State): State =>
  withField(engine.describe(), state, 'run.slices', 1);

/** The state on no fewer of its chips than it has, in whole machines: other chips come in others. */
export function onWholeMachines(engine: Engine, state: State): State {
  const description = engine.describe();
  const { groups } = description.questions[state.view];
  if (!groups.includes('run')) return state;
  const there = withOpenSlices(engine, state);
  const chips = Number(inputOf(description, state, 'run').chips);
  const whole = wholeMachines(inputOf(description, state, 'chip'), chips);
  const reply = evaluateNearby(engine, withField(description, there, 'run.chips', whole));
  const shape = reply.ok ? undefined : reply.issues.find(({ code }) => code === 'noSliceShape');
  return withField(description, there, 'run.chips', shape?.arguments['above'] || whole);
}

/** The state as it is where the reader's slices join so many chips; else in as many as they need. */
export function joined(engine: Engine, state: State): State {
  if (!Object.hasOwn(state.edits.run, 'slices')) return state;
  const reply = evaluateNearby(engine, state);
  const areFew = !reply.ok && reply.issues.some(({ code }) => ofSlices.includes(code));
  return areFew ? withOpenSlices(engine, state) : state;
}

/** The codes of issues that more slices would mend. */
const ofSlices: readonly string[] = ['moreChipsThanNetwork', 'noSliceShape'];

/** The number of slices in which chips lie, if they are several; else 0. */
export function slicesOf(description: Description, { state, reply }: Asked): number {
  const notices = reply?.ok ? reply.notices : [];
  const taken = notices.find(({ code }) => code === 'slicesJoined')?.arguments['slices'];
  const slices =
    taken ??
    (Object.hasOwn(state.edits.run, 'slices') ? inputOf(description, state, 'run').slices : 1);
  return Number(slices) > 1 ? Number(slices) : 0;
}
