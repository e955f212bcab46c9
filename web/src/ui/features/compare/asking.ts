// Asks for many states, one after the other: each with the layout that is best for it.

import type { Description, Engine } from '../../../engine/index.ts';
import {
  evaluate,
  makeFinder,
  type Finder,
  type Finders,
  type Reply,
} from '../../../model/evaluate.ts';
import { own } from '../../../model/presets.ts';
import { inputOf, type State } from '../../../model/state.ts';
import { FrameScheduler } from '../../kit/behind-frames.ts';

/** Whether these chips are several, and it is known that nothing joins them. */
function isUnjoined(description: Description, state: State): boolean {
  const { groups } = description.questions[state.view];
  if (!groups.includes('run')) return false;
  const isKnown = state.chip !== own || Object.hasOwn(state.edits.chip, 'network');
  const { network } = inputOf(description, state, 'chip');
  return isKnown && network === 'none' && Number(inputOf(description, state, 'run').chips) > 1;
}

/** The outcome of a row: the state that was asked, and its answers; nothing where no network
 * joins its chips, which are then no machine. */
export interface Asked {
  state: State;
  reply: Reply | undefined;
}

/** Asks for one state after another in the place of one; gives the one that stands there. */
export type Tries = Generator<State, Asked, Asked>;

/** One of those that are asked about. */
interface One {
  id: string;
}

/** Time budget behind each frame [ms]. */
const budget = 8;

/** Asks for one row after another, as many behind each frame as fit. */
export class Asking<Subject extends One = One> {
  private readonly replies = new Map<string, Asked>();
  private waiting: Subject[] = [];
  private finder: Finder | undefined;
  /** Whether the layout of the first that waits is being found. */
  private finding = false;
  private ask: (subject: Subject) => Asked | undefined = () => undefined;
  /** The tries for the first that waits, after its first answer. */
  private tries: { of: Tries; state: State } | undefined;
  private state: State | undefined;
  private key: unknown;
  private readonly frames: FrameScheduler;

  /** `told` is called after each part of the work. */
  constructor(told: () => void) {
    const more = (): boolean => this.left > 0 && !this.finding;
    this.frames = new FrameScheduler({ more, work: () => this.work(), told });
  }

  /**
   * Asks of each subject `stateOf` it, behind the next frame: whoever begins may be drawing. Answers
   * to the state before stay until those to this one are there; `key`: what else they hang on;
   * `triesOf`: what else is asked of one that has its answer.
   */
  begin(
    { state, engine, views }: { state: State; engine: Engine; views: Finders },
    list: readonly Subject[],
    stateOf: (subject: Subject) => State,
    key: unknown,
    triesOf?: (subject: Subject, first: Asked) => Tries,
  ): void {
    if (state === this.state && key === this.key) return;
    this.stop();
    this.state = state;
    this.key = key;
    this.waiting = [...list];
    this.ask = (subject) => {
      const asked = this.asked(engine, views, this.tries?.state ?? stateOf(subject));
      if (!asked) return undefined;
      const of = this.tries?.of ?? triesOf?.(subject, asked);
      const next = this.tries ? this.tries.of.next(asked) : of?.next();
      this.tries = of && next && !next.done ? { of, state: next.value } : undefined;
      if (this.tries) return this.ask(subject);
      return next?.done ? next.value : asked;
    };
    this.frames.next(false);
  }

  stop(): void {
    this.frames.stop();
    this.finding = false;
    this.tries = undefined;
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

  private work(): void {
    const end = performance.now() + budget;
    let worked = false;
    for (let next = this.waiting[0]; next; next = this.waiting[0]) {
      const asked = this.ask(next);
      this.finding = asked === undefined;
      if (!asked) break;
      worked = true;
      this.replies.set(next.id, asked);
      this.waiting.shift();
      if (performance.now() >= end) break;
    }
    this.frames.next(worked);
  }

  /** Undefined while the layout that is best there is being found. */
  private asked(engine: Engine, views: Finders, state: State): Asked | undefined {
    if (isUnjoined(engine.describe(), state)) return { state, reply: undefined };
    this.finder ??= makeFinder(engine, views, () => {
      this.finding = false;
      this.work();
    });
    const complete = this.finder.complete(state);
    return complete && { state: complete, reply: evaluate(engine, complete) };
  }
}
