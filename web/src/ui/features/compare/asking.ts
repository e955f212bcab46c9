// Asks for many states, one after the other: each with the layout that is best for it.

import type { Description, Engine } from '../../../engine/index.ts';
import { evaluate, makeFinder, type Finder, type Reply } from '../../../model/evaluate.ts';
import { own } from '../../../model/presets.ts';
import { inputOf, type State } from '../../../model/state.ts';

/** Whether these chips are several, and it is known that nothing joins them. */
function isUnjoined(description: Description, state: State): boolean {
  const { groups } = description.questions[state.view];
  if (!groups.includes('run')) return false;
  const isKnown = state.chip !== own || 'network' in state.edits.chip;
  const { network } = inputOf(description, state, 'chip');
  return isKnown && network === 'none' && Number(inputOf(description, state, 'run').chips) > 1;
}

/** The outcome of a row: the state that was asked, and its answers; nothing where no network
 * joins its chips, which are then no machine. */
export interface Asked {
  state: State;
  reply: Reply | undefined;
}

/** One of those that are asked about. */
interface One {
  id: string;
}

/** Time budget in each frame [ms]. */
const budget = 8;

/** Asks for one row after another, as many in each frame as fit. */
export class Asking<Subject extends One = One> {
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
    { state, engine }: { state: State; engine: Engine },
    list: readonly Subject[],
    stateOf: (subject: Subject) => State,
    key: unknown,
  ): void {
    if (state === this.state && key === this.key) return;
    this.stop();
    this.state = state;
    this.key = key;
    this.waiting = [...list];
    this.work(engine, stateOf);
  }

  stop(): void {
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    this.state = undefined;
    this.finder?.stop();
  }

  /** Forgets what was answered to other questions. */
  forget(): void {
    this.replies.clear();
  }

  of = (id: string): Asked | undefined => this.replies.get(id);

  get left(): number {
    return this.waiting.length;
  }

  private work(engine: Engine, stateOf: (subject: Subject) => State): void {
    const end = performance.now() + budget;
    const again = (): void => {
      this.work(engine, stateOf);
      this.told();
    };
    for (let next = this.waiting[0]; next; next = this.waiting[0]) {
      const asked = this.ask(engine, stateOf(next), again);
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
