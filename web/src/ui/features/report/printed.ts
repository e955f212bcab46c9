import type { Results } from '../../parts/answers/results.ts';
import type { Scope } from '../../kit/scope.ts';

/** What is printed, and where it is drawn for that. */
export interface Printed {
  scope: Scope;
  results: Results;
  root: ShadowRoot;
}
