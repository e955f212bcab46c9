// The rows of an overview: the present question for each preset.

import type { AnswerInfo } from '../../engine/index.ts';
import { ask, type Answer, type Reply } from '../../state/ask.ts';
import { chips, models } from '../../state/presets.ts';
import { withPreset, type State } from '../../state/state.ts';
import type { Scope } from '../scope.ts';

export type Which = 'chip' | 'model';

/** Of whom there is a row. */
export interface Subject {
  id: string;
  name: string;
  /** The vendor, or the organisation. */
  maker: string;
  /** What the present state has. */
  own: boolean;
}

/** All presets in their order; the reader's own before them. */
export function subjects(scope: Scope, which: Which): Subject[] {
  const presets =
    which === 'chip'
      ? chips.map(({ id, name, vendor }) => ({ id, name, maker: vendor }))
      : models.map(({ id, name, organisation }) => ({ id, name, maker: organisation }));
  const id = scope.state[which];
  const listed = presets.map((each) => ({ ...each, own: each.id === id }));
  if (listed.some(({ own }) => own)) return listed;
  return [{ id, name: scope.called(which), maker: '', own: true }, ...listed];
}

/** The present state on another chip, or for another model. */
export const stateFor = (state: State, which: Which, { id, own }: Subject): State =>
  own ? state : withPreset(state, which, id);

/** What of a frame asking may take [ms]. */
const budget = 8;

/** Asks for one row after another, as many in each frame as fit. */
export class Asking {
  private replies = new Map<string, Reply>();
  private waiting: Subject[] = [];
  private state: State | undefined;
  private frame = 0;

  /** `told` is called after each frame's work. */
  constructor(private readonly told: () => void) {}

  /** Answers to the state before stay until those to this one are there. */
  begin(scope: Scope, which: Which, list: readonly Subject[]): void {
    if (scope.state === this.state) return;
    this.stop();
    this.state = scope.state;
    this.waiting = [...list];
    this.work(scope, which);
  }

  stop(): void {
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    this.state = undefined;
  }

  of = (id: string): Reply | undefined => this.replies.get(id);

  get left(): number {
    return this.waiting.length;
  }

  private work(scope: Scope, which: Which): void {
    const end = performance.now() + budget;
    for (let next = this.waiting[0]; next; next = this.waiting[0]) {
      this.replies.set(next.id, ask(scope.engine, stateFor(scope.state, which, next)));
      this.waiting.shift();
      if (performance.now() >= end) break;
    }
    if (this.waiting.length === 0) return;
    this.frame = requestAnimationFrame(() => {
      this.work(scope, which);
      this.told();
    });
  }
}

/** By what rows stand in order: a column, or as they are listed. */
export interface Order {
  column: string;
  descending: boolean;
}

export const nameColumn = 'name';
export const makerColumn = 'maker';

export interface Row {
  subject: Subject;
  reply: Reply | undefined;
}

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
  const valueOf = ({ subject, reply }: Row): number | string | undefined => {
    if (column === nameColumn) return subject.name;
    if (column === makerColumn) return subject.maker;
    const answer: Answer | undefined = reply?.ok ? reply.answers[column] : undefined;
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
