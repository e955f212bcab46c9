// The questions that stand side by side: each a state of its own.

import { bare } from '../../../../engine/bare.ts';
import type { RenderContext } from '../../../kit/render-context.ts';
import { chipsOf, nameOfQuestion } from '../../../kit/title.ts';
import { FieldLinks } from '../../../../link/field-links.ts';
import { readAddress, writeAddress } from '../../../../link/address.ts';
import { valueFits, type FieldId } from '../../../../model/fields.ts';
import {
  initialState,
  withField,
  withLayoutBest,
  withPreset,
  type State,
} from '../../../../model/state.ts';
import { views } from '../../../../model/views.ts';
import type { Asked, Tries } from '../asking.ts';
import { viewOf } from '../../../parts/view.ts';
import { basisOf, onBasis } from '../prices.ts';
import { chipsIn, holds, keepsLimits, ownSides } from './facts.ts';
import { fewerChips, fewestChips, limitsOf, type Most } from './limits.ts';
import { isThing, type Along, type Sides } from './setting.ts';
import { joined, onWholeMachines, type Which } from '../subjects.ts';
import { present } from '../usual-chips.ts';

/** One of those that stand side by side. */
export interface Side {
  /** The id that links have. */
  id: string;
  name: string;
  /** The question; finding the fewest chips of servers takes a while. */
  state(): State;
  /** Tries other numbers of chips after its first answer, and stays on those that it needs. */
  tries(first: Asked): Tries;
}

/** A question as it is asked alone: without what is drawn of it, divided the best way. */
export function alone(ctx: RenderContext, state: State): State {
  const asked: State = {
    ...state,
    pinned: undefined,
    found: undefined,
    ways: undefined,
    charts: bare({}),
  };
  return views[asked.view].searched ? withLayoutBest(ctx.description, asked) : asked;
}

/** The chip or the model of a state as a link says it, whatever the rest. */
export function writeThing(ctx: RenderContext, state: State, which: Which): string {
  const { names, edits } = state;
  const name = names[which];
  return writeAddress(
    ctx.description,
    {
      ...initialState,
      view: 'operation',
      [which]: state[which],
      names: name === undefined ? {} : { [which]: name },
      edits: { ...initialState.edits, [which]: edits[which] },
    },
    false,
  );
}

/** The state with the chip or the model that a link names. */
function withThing(ctx: RenderContext, state: State, which: Which, link: string): State {
  const there = readAddress(ctx.description, link).state;
  const next = withPreset(state, which, there[which]);
  const name = there.names[which];
  return {
    ...next,
    names: { ...next.names, ...(name !== undefined && { [which]: name }) },
    edits: { ...next.edits, [which]: { ...next.edits[which], ...there.edits[which] } },
  };
}

export function sidesOf(ctx: RenderContext, { along, items }: Sides): Side[] {
  const base = alone(ctx, ctx.state);
  return items.map((id): Side => {
    const { name, state } = sideOf(ctx, base, along, id);
    let made: State | undefined;
    const stateNow = (): State => (made ??= onBasis(state(), basisOf(ctx.state)));
    return {
      id,
      name,
      state: stateNow,
      *tries(first) {
        const asked = yield* neededChips(ctx, along, stateNow(), first);
        if (asked !== first) made = onChips(ctx, stateNow(), chipsIn(ctx, asked.state));
        return asked;
      },
    };
  });
}

function sideOf(
  ctx: RenderContext,
  base: State,
  along: Sides['along'],
  item: string,
): { name: string; state: () => State } {
  const { description, engine } = ctx;
  if (along === 'kept') {
    const state = alone(ctx, readAddress(description, item).state);
    return { name: nameOfQuestion(ctx.at(state)), state: () => state };
  }
  if (isThing(along)) {
    const own = item === present || item === ctx.state[along];
    const there = own
      ? base
      : item.includes('=')
        ? withThing(ctx, base, along, item)
        : withPreset(base, along, item);
    const other = along === 'chip' && !own;
    const state = (): State => (other ? onWholeMachines(engine, there) : there);
    return { name: ctx.called(along, there), state: () => needed(ctx, along, there) ?? state() };
  }
  const value = FieldLinks.of(description).read(along, item)!;
  const there = withField(description, base, along, value);
  return {
    name: sayValue(ctx, along, value as number | string),
    state: () => needed(ctx, along, there) ?? joined(engine, there),
  };
}

/** A side on the chips that what it asks needs, where those follow, unless sides differ in those. */
function needed(ctx: RenderContext, along: Along, there: State): State | undefined {
  const { onFewestChips } = viewOf(ctx);
  if (!onFewestChips || !takesNeeded(ctx, along, {})) return undefined;
  // A number that no server has stays, and is told.
  const isNumber = valueFits(ctx.info(chipsOf(there)), ctx.at(there).value(chipsOf(there)));
  return isNumber ? onFewestChips(ctx.engine, there) : there;
}

/** Whether sides stand on the chips that they need, unless they differ in those: always where these
 * follow, else where there is a limit. */
export function takesNeeded(ctx: RenderContext, along: Along, limits: Most): boolean {
  if (along === 'kept' || along === chipsOf(ctx.state)) return false;
  const follow = viewOf(ctx).onFewestChips !== undefined;
  return follow || limits.time !== undefined || limits.cost !== undefined;
}

/** The chips that a side needs for the limits: the fewest in time; or no more than money is enough for. */
function* neededChips(ctx: RenderContext, along: Along, state: State, first: Asked): Tries {
  const limits = limitsOf(ctx);
  if (!ownSides(ctx).keepsLimits || !takesNeeded(ctx, along, limits)) return first;
  const on = (chips: number): State => onChips(ctx, state, chips);
  const meets = (limit: Most) => (asked: Asked) =>
    holds(ctx, asked) && keepsLimits(ctx, asked, limit);
  const { time } = limits;
  return time === undefined
    ? yield* fewerChips(first, chipsIn(ctx, state), on, meets(limits))
    : yield* fewestChips(first, chipsIn(ctx, state), on, meets({ time }));
}

export const sayValue = (ctx: RenderContext, id: FieldId, value: number | string): string => {
  const said = ctx.say(id, value);
  const { unit } = ctx.info(id);
  return unit && typeof value === 'number' ? ctx.format.say(value, unit) : said;
};

/** The most by which numbers of chips differ from a side's own, along its curve. */
const doublings = 3;

/** A side on other numbers of chips. */
export interface Sized {
  id: string;
  side: Side;
  chips: number;
  own: boolean;
}

/** Each of the sides on fewer chips and on more; those that differ in their chips are one curve. */
export function sizesOf(
  ctx: RenderContext,
  sides: readonly Side[],
  along: Sides['along'],
): Sized[] {
  return sides.flatMap((side) => {
    const state = side.state();
    const chips = chipsIn(ctx, state);
    const factors = along === chipsOf(ctx.state) ? [0] : range(-doublings, doublings);
    return factors
      .map((factor) => chips * 2 ** factor)
      .filter((n) => n >= 1 && Number.isInteger(n))
      .map((n): Sized => ({ id: `${side.id} on ${n}`, side, chips: n, own: n === chips }));
  });
}

export const sizedState = (ctx: RenderContext, { side, chips }: Sized): State =>
  onChips(ctx, side.state(), chips);

/** The state on another number of chips. */
function onChips({ description, engine }: RenderContext, state: State, chips: number): State {
  return joined(engine, withField(description, state, chipsOf(state), chips));
}

const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);
