// The number of a concept for the reader's own state: an answer of the engine, with the state that it
// is an answer to, which is also the way into the calculator.

import type { AnswerInfo, Description, Engine, GroupName, Issue } from '../../../engine/index.ts';
import { FieldLinks } from '../../../link/field-links.ts';
import { readAddress } from '../../../link/address.ts';
import { evaluate, type Answer } from '../../../model/evaluate.ts';
import { splitId, type FieldId } from '../../../model/fields.ts';
import {
  applies,
  inputOf,
  withField,
  withLayoutFixed,
  withView,
  type State,
} from '../../../model/state.ts';
import { bare } from '../../../engine/bare.ts';
import { others, type ConceptNumber } from './concepts.ts';

/** An answer that can be said. */
export type Value = number | string;

export interface Found {
  /** The state that has the concept: what its link opens. */
  readonly state: State;
  /** The fields that were set for it. */
  readonly set: readonly FieldId[];
  readonly value: Value;
  /** The answer without the concept, where there is one. */
  readonly before?: Value;
  /** The reader's own state has no such number: this is of another. */
  readonly isOther: boolean;
}

/** Why there is no number. */
export interface Missing {
  readonly state: State;
  readonly issues: readonly Issue[];
}

export const isFound = (outcome: Found | Missing): outcome is Found =>
  Object.hasOwn(outcome, 'value');

export const infoOf = ({ questions }: Description, { view, answer }: ConceptNumber): AnswerInfo =>
  questions[view].answers.find(({ key }) => key === answer)!;

/** The reader's state at a question, with what a search found of its layout, and without the index. */
export function asked(description: Description, state: State, view: State['view']): State {
  const { concept: _, reading: __, target: ___, sides: ____, ...charts } = state.charts;
  const there = withView({ ...state, charts: bare(charts), pinned: undefined }, view);
  if (view === 'plan') return withLayoutFixed(description, there);
  return view === 'budget' ? { ...there, counting: 'book' } : there;
}

/** A state with a part of a link set over it; a field in braces stands for its value. */
export function withPart(
  description: Description,
  state: State,
  part: string,
  keep: readonly string[] = [],
): { state: State; set: FieldId[] } | undefined {
  const links = FieldLinks.of(description);
  const valueOf = (at: State, id: FieldId) => {
    const [group, key] = splitId(id);
    return inputOf(description, at, group)[key] ?? null;
  };
  const set: FieldId[] = [];
  let next = state;
  for (const [key, text] of new URLSearchParams(part)) {
    const id = links.find(key);
    if (!id) return undefined;
    const named = /^\{(.+)\}$/.exec(text)?.[1];
    const value = named ? valueOf(state, named as FieldId) : links.read(id, text);
    if (value === undefined || value === null) return undefined;
    set.push(id);
    if (keep.includes(id) && Number(valueOf(state, id)) > 1) continue;
    next = withField(description, next, id, value);
  }
  return { state: next, set };
}

/** Whether the state has what the concept needs. */
function has(description: Description, state: State, { needs, over }: ConceptNumber): boolean {
  const amountOf = (id: FieldId): number => {
    const [group, key] = splitId(id);
    const values = inputOf(description, state, group as GroupName);
    return applies(description, id, values) ? Number(values[key] ?? 0) : 0;
  };
  return !needs || amountOf(needs) > (over ? amountOf(over) : 0);
}

const isValue = (answer: Answer | undefined): answer is Value =>
  typeof answer === 'number' || typeof answer === 'string';

/** Puts servers that don't hold their load on the fewest chips that do. */
export type OnFewestChips = (engine: Engine, state: State) => State;

/** The numbers of concepts for a reader's state, in which the layout of its plan is known. */
export class Numbers {
  private readonly bases = new Map<string, Base>();

  constructor(
    private readonly engine: Engine,
    private readonly reader: State,
    private readonly onFewestChips: OnFewestChips = (_, state) => state,
  ) {}

  of(number: ConceptNumber): Found | Missing {
    const description = this.engine.describe();
    const own = this.base('', number.view);
    const other = this.base(number.other, number.view);
    let missing: Missing | undefined;
    for (const base of [own, other]) {
      if (!has(description, base.state, number)) continue;
      for (const part of number.ask ?? ['']) {
        const made = withPart(description, base.state, part, number.keep);
        if (!made) continue;
        const { value, issues } = answerTo(this.engine, number, made.state);
        if (isValue(value) && !this.divides(number, base.state, made.state)) continue;
        if (!isValue(value)) {
          missing ??= { state: made.state, issues };
          continue;
        }
        const before = this.before(number, made.state);
        return {
          state: made.state,
          set: [...base.set, ...made.set],
          value,
          ...(isValue(before) && { before }),
          isOther: base === other,
        };
      }
    }
    return missing ?? { state: own.state, issues: [] };
  }

  /** Chunks that do not divide a stage work as fewer do; those of the reader's own are as they are. */
  private divides({ divides }: ConceptNumber, own: State, made: State): boolean {
    if (!divides) return true;
    const [group, key] = splitId(divides);
    const [before, by] = [own, made].map((state) =>
      Number(inputOf(this.engine.describe(), state, group)[key]),
    ) as [number, number];
    const { value } = answerTo(this.engine, { answer: 'fullestLayers' }, made);
    return by === before || Number(value) % by === 0;
  }

  private before(number: ConceptNumber, state: State): Answer | undefined {
    if (number.than === undefined) return undefined;
    const description = this.engine.describe();
    const without = withPart(description, state, number.than);
    return without && answerTo(this.engine, number, without.state).value;
  }

  /** The state of a view that concepts are set over: the reader's own, or one of `others`. */
  private base(other: string, view: State['view']): Base {
    const key = `${view} ${other}`;
    const known = this.bases.get(key);
    if (known) return known;
    const description = this.engine.describe();
    const from = other ? readAddress(description, others[other]!).state : this.reader;
    const state = asked(description, from, view);
    const base = view === 'serving' ? this.thatFits(state) : { state, set: [] };
    this.bases.set(key, base);
    return base;
  }

  private thatFits(state: State): Base {
    const reply = evaluate(this.engine, state);
    if (!reply.ok || reply.answers['servingFits'] !== 'no') return { state, set: [] };
    return { state: this.onFewestChips(this.engine, state), set: ['serving.chips'] };
  }
}

/** A state, and the fields in which it differs from that which it stands for. */
interface Base {
  readonly state: State;
  readonly set: readonly FieldId[];
}

function answerTo(
  engine: Engine,
  { answer }: Pick<ConceptNumber, 'answer'>,
  state: State,
): { value: Answer | undefined; issues: readonly Issue[] } {
  const reply = evaluate(engine, state);
  return reply.ok
    ? { value: reply.answers[answer], issues: [] }
    : { value: undefined, issues: reply.issues };
}
