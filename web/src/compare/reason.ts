// The reasons why an answer changed: its causes, limits that took over, comparisons that came out
// otherwise.

import type { Told } from '../engine/told.ts';

/** An input, `group.key`, or a step. */
export interface Named {
  kind: 'input' | 'step';
  key: string;
}

/** A cause of an answer's change. */
export interface Cause extends Told {
  /** An input; a step that is now made otherwise; or, of the answer's own formula, what is neither. */
  kind: 'input' | 'step' | 'formula';
  /** `group.key` of an input, the key of a step, else the key of the answer. */
  key: string;
  /** The input or step that replaces it, if any. */
  successor?: Named;
  /** The value before and after; undefined where the part does not exist. */
  from?: number;
  to?: number;
  /** Its share in the answer's change. */
  difference: number;
}

/** A change of the active branch of a maximum or minimum. */
export interface Takeover {
  before: Branch;
  after: Branch;
}

/** A branch of a limit: a step or an input by its key, or a resource of the chip. */
export interface Branch {
  key?: string;
  resource?: Resource;
}

export type Resource = 'compute' | 'memory' | 'network';

/** A comparison that came out otherwise: whether the left is below the right. */
export interface Verdict {
  left: Side;
  right: Side;
  below: boolean;
}

export interface Side extends Told {
  key?: string;
  kind?: 'input' | 'step';
  from?: number;
  to: number;
  /** Causes of its change; differences are those of its own value. */
  causes: Cause[];
}

export interface Reason extends Told {
  /** The answer's. */
  key: string;
  from: number;
  to: number;
  /** The causes: inputs, and the remainder that no input explains; the largest share first. A choice
   *  has verdicts instead. */
  causes: Cause[];
  /** The causes by the terms of the answer's own formula. */
  terms: Cause[];
  takeovers: Takeover[];
  verdicts: Verdict[];
}

/** What brought a change about: its largest cause that goes its way, and the largest that goes the
 *  other way where that would have been more; undefined where none is known. */
export function mainCauses(
  difference: number,
  causes: readonly Cause[],
): { main: Cause; against?: Cause } | undefined {
  const main = causes.find((cause) => cause.difference * difference > 0);
  const [largest] = causes;
  if (!main || !largest) return undefined;
  return largest === main ? { main } : { main, against: largest };
}

/** Shares of a change that differ by less are the same. */
const alike = 1e-6;

/** Whether two answers changed for the same causes, each with the same share of the change: one
 *  may be made of the other, as a cost is of a time. */
export function isSameReason(one: Reason, other: Reason): boolean {
  const [ones, others] = [one, other].map(({ causes, from, to }) => {
    const share = ({ difference }: Cause): number => difference / (to - from);
    return new Map(causes.map((cause) => [sharedIdOf(cause), share(cause)]));
  }) as [Map<string, number>, Map<string, number>];
  if (ones.size === 0 || ones.size !== others.size) return false;
  return [...ones].every(([id, share]) => Math.abs(share - (others.get(id) ?? NaN)) < alike);
}

/** Causes with the same id are one. */
export const idOf = ({ kind, key, successor }: Cause): string => `${kind} ${key} ${successor?.key}`;

/** Unnamed causes belong to the answer itself, so they count as alike. */
const sharedIdOf = (cause: Cause): string => (cause.kind === 'formula' ? 'formula' : idOf(cause));

/** Whether a part may be named as a cause where the formula became another: a step that means
 *  something to the reader, an input that is not what it was. */
export type Tells = (part: Named) => boolean;
