import type { Engine } from '../engine/index.ts';
import { ask, type Answers, type Reply } from './ask.ts';
import { initialState, type Question, type State } from './state.ts';

/** A state that has answers. */
export interface Finding {
  readonly state: State;
  readonly answers: Answers;
}

export type Change = 'up' | 'down';

/** What was asked and answered: of each question the last valid state, while the present is not. */
export class Findings {
  /** To the present state. */
  reply: Reply | undefined;
  /** How each answer moved at the last change. */
  changes: ReadonlyMap<string, Change> = new Map();
  /** Flips with each change, so that its mark starts anew. */
  beat = false;
  private readonly last: Partial<Record<Question, Finding>> = {};

  of(state: State): Finding | undefined {
    return this.last[state.view];
  }

  look(engine: Engine, state: State): void {
    const before = this.last[state.view];
    this.reply = ask(engine, state);
    // A link that is wrong from the start: show what it would give without what is wrong.
    const now = this.reply.ok
      ? { state, answers: this.reply.answers }
      : (before ?? nearest(engine, state, this.reply));
    if (now) this.last[state.view] = now;
    if (!before || !now || before.answers === now.answers) return;
    this.beat = !this.beat;
    this.changes = differences(before.answers, now.answers);
  }
}

function nearest(engine: Engine, state: State, reply: Reply & { ok: false }): Finding | undefined {
  const wrong = new Set(reply.issues.map(({ field }) => field));
  const edits = Object.entries(state.edits).map(([group, fields]) => [
    group,
    Object.fromEntries(Object.entries(fields).filter(([key]) => !wrong.has(`${group}.${key}`))),
  ]);
  const mended: State = { ...state, edits: Object.fromEntries(edits) as State['edits'] };
  const bare = { ...state, edits: initialState.edits };
  for (const candidate of [mended, bare, { ...initialState, view: state.view }]) {
    const tried = ask(engine, candidate);
    if (tried.ok) return { state: candidate, answers: tried.answers };
  }
  return undefined;
}

function differences(before: Answers, now: Answers): Map<string, Change> {
  const changes = new Map<string, Change>();
  for (const [key, value] of Object.entries(now)) {
    const old = before[key];
    if (typeof value !== 'number' || typeof old !== 'number' || value === old) continue;
    changes.set(key, value > old ? 'up' : 'down');
  }
  return changes;
}
