// Targets whose answers take a search each: what a view tells of one candidate, and what is known of
// all so far.

import type {
  Issue,
  Solution,
  Target,
  TargetSearch,
  Turn,
  TurnedQuestion,
} from '../../engine/index.ts';
import type { InputGroups, State } from '../../model/state.ts';

export type Answer = number | string;
export type Outcome = Answer | { absent: string } | undefined;

export type Reply = ({ ok: true } & Solution) | { ok: false; issues: Issue[] };

/** The knowledge of a target so far. */
export interface Found {
  reply: Reply;
  /** A search goes on. */
  busy: boolean;
  /** Turns the reader's state into that of a turn, where more than the turn's own fields differ. */
  turned?(state: State, turn: Turn): State;
  /** Values that stand for those of fields which the question does not have. */
  before?: Partial<Record<string, number>>;
  /** The question that has the equation of a turn. */
  explains?(
    turn: Turn,
  ): readonly [question: TurnedQuestion, input: InputGroups, target: Target] | null;
}

type Asks = NonNullable<TargetSearch['asks']>;

/** The forward evaluation of a question. */
export interface Forward {
  /** The answer as it is; undefined where the input is not valid. */
  now: Outcome;
  /** The answers that are known at once. */
  turns?: readonly Turn[];
  /** The answer to what the search asks for; yields after each part of the work. */
  ask(asks: Asks): Generator<undefined, Outcome>;
  /** The notes beside the turns. */
  found?: Omit<Found, 'reply' | 'busy'>;
}
