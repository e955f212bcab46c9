import type { Engine } from '../engine/index.ts';
import { evaluate, type Answers, type Reply } from './evaluate.ts';
import { ownValue } from './own-value.ts';
import type { State } from './state.ts';
import type { Question } from './views.ts';

/** A state that has answers. */
interface EvaluatedState {
  readonly state: State;
  readonly answers: Answers;
}

export type Change = 'up' | 'down';

/** Evaluates states and keeps, for each question, the last valid one with its answers. */
export class Evaluation {
  /** The reply to the present state; undefined while it is unknown. */
  reply: Reply | undefined;
  /** The direction in which each answer moved at the last change. */
  changes: ReadonlyMap<string, Change> = new Map();
  /** Alternates with each change, which restarts the CSS animation that marks it. */
  parity = false;
  private readonly last = new Map<Question, EvaluatedState>();

  of(state: State): EvaluatedState | undefined {
    return this.last.get(state.view);
  }

  /** Forgets the reply while the present state is incomplete. */
  wait(): void {
    this.reply = undefined;
  }

  evaluate(engine: Engine, state: State): void {
    const before = this.last.get(state.view);
    this.reply = evaluate(engine, state);
    const now = this.reply.ok ? { state, answers: this.reply.answers } : before;
    if (now) this.last.set(state.view, now);
    if (!before || !now || before.answers === now.answers) return;
    this.parity = !this.parity;
    this.changes = differences(before.answers, now.answers);
  }
}

function differences(before: Answers, now: Answers): Map<string, Change> {
  const changes = new Map<string, Change>();
  for (const [key, value] of Object.entries(now)) {
    const old = ownValue(before, key);
    if (typeof value !== 'number' || typeof old !== 'number' || value === old) continue;
    changes.set(key, value > old ? 'up' : 'down');
  }
  return changes;
}
