// The rows of an overview: the present question for each preset.

import type { AnswerInfo, Description, Engine } from '../../../engine/index.ts';
import {
  evaluate,
  makeFinder,
  evaluateNearby,
  type Answer,
  type Answers,
  type Finder,
  type Reply,
} from '../../../model/evaluate.ts';
import { fewestChips } from '../../../model/fewest-chips.ts';
import { chips, models, own, type Price } from '../../../model/presets.ts';
import { inputOf, withField, withOpenWays, withPreset, type State } from '../../../model/state.ts';
import type { RenderContext } from '../../kit/render-context.ts';

export type Which = 'chip' | 'model';

/** The chip or model of one table row. */
export interface Subject {
  id: string;
  name: string;
  /** The vendor, or the organisation. */
  maker: string;
  /** Whether the present state has it. */
  own: boolean;
}

/** All presets in their order; the reader's own before them. */
export function subjects(ctx: RenderContext, which: Which): Subject[] {
  const presets =
    which === 'chip'
      ? chips.map(({ id, name, vendor }) => ({ id, name, maker: vendor }))
      : models.map(({ id, name, organisation }) => ({ id, name, maker: organisation }));
  const id = ctx.state[which];
  const listed = presets.map((each) => ({ ...each, own: each.id === id }));
  if (listed.some(({ own }) => own)) return listed;
  return [{ id, name: ctx.called(which), maker: '', own: true }, ...listed];
}

/** Slices to try beyond the fewest that hold the chips: some numbers have a shape in none of them. */
const mostSlices = 64;

/**
 * The present state on another chip, or for another model. Another chip takes the fewest slices in
 * which it has a network of so many.
 */
export function stateFor(engine: Engine, state: State, which: Which, subject: Subject): State {
  if (subject.own) return state;
  const there = withPreset(state, which, subject.id);
  if (which === 'chip' && state.view === 'serving') return onFewest(engine, there);
  const description = engine.describe();
  const asks = description.questions[state.view].groups.includes('run');
  if (which !== 'chip' || !asks) return there;
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

/** Whether these chips hold all that is asked of them at a time, keep up with it, and keep to targets
 * if there are any. */
function holds(reply: Reply, users: number): boolean {
  if (!reply.ok) return false;
  const { servingFits, saturated, meetsTargets, maxSequences } = reply.answers;
  const works = servingFits === 'yes' && saturated !== 'yes' && meetsTargets !== 'no';
  return works && Number(maxSequences) >= users;
}

/**
 * The state on the fewest chips that hold its load, divided the best way there; as it is, where none
 * do.
 */
function onFewest(engine: Engine, state: State): State {
  const description = engine.describe();
  const open = withOpenWays(state);
  const { load, users } = inputOf(description, open, 'serving');
  const together = load === 'closed' || load === 'static' ? Number(users) : 1;
  const on = (chips: number): State => withField(description, open, 'serving.chips', chips);
  const fewest = fewestChips((chips) => holds(evaluateNearby(engine, on(chips)), together));
  return fewest === undefined ? open : on(fewest);
}

/** The fewest slices of so many chips, where they don't lie in those that they are given. */
function slicesNeeded(reply: Reply): number | undefined {
  if (reply.ok) return undefined;
  for (const { code, arguments: found } of reply.issues) {
    if (code === 'moreChipsThanNetwork') return Number(found.slices);
    if (code === 'noSliceShape') return 1;
  }
  return undefined;
}

/** Whether these chips are several, and it is known that nothing joins them. */
function isUnjoined(description: Description, state: State): boolean {
  const { groups } = description.questions[state.view];
  if (!groups.includes('run')) return false;
  const isKnown = state.chip !== own || 'network' in state.edits.chip;
  const { network } = inputOf(description, state, 'chip');
  return isKnown && network === 'none' && Number(inputOf(description, state, 'run').chips) > 1;
}

/** What became of a row: the state that was asked, and what was answered; nothing where no network
 * joins its chips, which are then no machine. */
interface Asked {
  state: State;
  reply: Reply | undefined;
}

/** Time budget in each frame [ms]. */
const budget = 8;

/** Asks for one row after another, as many in each frame as fit. */
export class Asking {
  private readonly replies = new Map<string, Asked>();
  private waiting: Subject[] = [];
  private finder: Finder | undefined;
  private found = (): void => {};
  private state: State | undefined;
  private key: unknown;
  private frame = 0;

  /** `told` is called after each frame's work. */
  constructor(private readonly told: () => void) {}

  /**
   * Asks of each subject `stateOf` it. Answers to the state before stay until those to this one are
   * there; `key`: what else they hang on.
   */
  begin(
    ctx: RenderContext,
    list: readonly Subject[],
    stateOf: (subject: Subject) => State,
    key: unknown,
  ): void {
    if (ctx.state === this.state && key === this.key) return;
    this.stop();
    this.state = ctx.state;
    this.key = key;
    this.waiting = [...list];
    this.work(ctx, stateOf);
  }

  stop(): void {
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    this.state = undefined;
    this.finder?.stop();
  }

  of = (id: string): Asked | undefined => this.replies.get(id);

  get left(): number {
    return this.waiting.length;
  }

  private work(ctx: RenderContext, stateOf: (subject: Subject) => State): void {
    const end = performance.now() + budget;
    const again = (): void => {
      this.work(ctx, stateOf);
      this.told();
    };
    for (let next = this.waiting[0]; next; next = this.waiting[0]) {
      const asked = this.ask(ctx.engine, stateOf(next), again);
      // The layout that is best there is being found.
      if (!asked) return;
      this.replies.set(next.id, asked);
      this.waiting.shift();
      if (performance.now() >= end) break;
    }
    if (this.waiting.length === 0) return;
    this.frame = requestAnimationFrame(again);
  }

  private ask(engine: Engine, state: State, found: () => void): Asked | undefined {
    if (isUnjoined(engine.describe(), state)) return { state, reply: undefined };
    this.found = found;
    this.finder ??= makeFinder(engine, () => this.found());
    const complete = this.finder.complete(state);
    return complete && { state: complete, reply: evaluate(engine, complete) };
  }
}

/** By what rows stand in order: a column, or as they are listed. */
export interface Order {
  column: string;
  descending: boolean;
}

export const nameColumn = 'name';
export const makerColumn = 'maker';
export const priceColumn = 'chip price';
export const providerColumn = 'chip price provider';
export const dateColumn = 'chip price date';

export interface Row {
  subject: Subject;
  /** Once it has been asked. */
  asked: Asked | undefined;
  /** The price of the chip, if prices are compared. */
  price?: Price | undefined;
}

/** The answers of a row, if it has any. */
export const answersOf = ({ asked }: Row): Answers | undefined =>
  asked?.reply?.ok ? asked.reply.answers : undefined;

/** Rows in order; those that have nothing in the column come last. */
export function sorted(
  rows: readonly Row[],
  order: Order | undefined,
  infos: ReadonlyMap<string, AnswerInfo>,
  language: string,
): Row[] {
  if (!order) return [...rows];
  const { column, descending } = order;
  const direction = descending ? -1 : 1;
  const words = new Intl.Collator(language, { numeric: true });
  const valueOf = (row: Row): number | string | undefined => {
    const { subject, price } = row;
    if (column === nameColumn) return subject.name;
    if (column === makerColumn) return subject.maker;
    if (column === priceColumn) return price?.value;
    if (column === providerColumn) return price?.provider;
    if (column === dateColumn) return price?.date;
    const answer: Answer | undefined = answersOf(row)?.[column];
    if (typeof answer === 'number') return answer;
    // Choices stand in the order in which they are declared.
    return typeof answer === 'string' ? infos.get(column)?.choices.indexOf(answer) : undefined;
  };
  return [...rows].sort((one, other) => {
    const [a, b] = [valueOf(one), valueOf(other)];
    if (a === undefined || b === undefined)
      return Number(a === undefined) - Number(b === undefined);
    if (typeof a === 'string' && typeof b === 'string') return direction * words.compare(a, b);
    return direction * (Number(a) - Number(b));
  });
}

/** Whether the words that were typed are all in a row's name or its maker's. */
export function fitsFilter({ name, maker }: Subject, typed: string): boolean {
  const text = `${maker} ${name}`.toLowerCase();
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
