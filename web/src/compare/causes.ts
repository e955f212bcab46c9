// The causes of an answer's change: the terms of its derivation that moved, and how far each moved
// the answer.

import { toldOf } from '../engine/told.ts';
import type { Derivation } from '../engine/index.ts';
import { Decomposition, othersAtMost } from './decomposition.ts';
import type { Reason, Tells } from './reason.ts';
import { verdictsOf } from './verdicts.ts';

/** The reason for a change; undefined where one of the two has no value, and so no derivation. */
export function reasonOf(
  before: Derivation,
  after: Derivation,
  tells: Tells = () => true,
): Reason | undefined {
  const [was, is] = [before.steps[0], after.steps[0]];
  if (!was || !is) return undefined;
  const whole = new Decomposition(before, after, tells);
  const values = { key: is.key, ...toldOf(is), from: was.value, to: is.value };
  if (is.choice !== undefined) {
    return {
      ...values,
      causes: [],
      terms: [],
      takeovers: [],
      verdicts: verdictsOf(whole, was, is),
    };
  }
  const shares = whole.ofStep(was.key, was, is);
  const terms = new Decomposition(before, after, tells, true).ofStep(was.key, was, is);
  // A change without named causes is better explained by the terms, if these have names.
  const named = [shares, terms].map((each) => each.unnamed(tells) <= othersAtMost * each.extent);
  return {
    ...values,
    causes: (named[1] && !named[0] ? terms : shares).sorted(was.key),
    terms: terms.sorted(was.key),
    takeovers: shares.toldTakeovers(Math.max(Math.abs(was.value), Math.abs(is.value))),
    verdicts: [],
  };
}
