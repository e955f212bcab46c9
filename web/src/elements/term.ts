// Terms of the trade have a short explanation at hand. What it takes comes once the answers are
// there; until then, and where nobody brings it, texts stand as they are.

import type { Scope } from './scope.ts';

/**
 * Marks the terms in a text; of each section, the first use of a term. What is drawn again without a
 * new scope says what else is made anew with it.
 */
export type Mark = (scope: Scope, text: string, section: string, drawing?: object) => unknown;

let mark: Mark | undefined;

/** A text in which terms that the reader may not know can be asked for. */
export const withTerms: Mark = (scope, text, ...place) =>
  mark ? mark(scope, text, ...place) : text;

/** Brings the explanations when the browser has nothing better to do. */
export function bringTerms(brought: () => void): void {
  const idle = window.requestIdleCallback ?? ((then: () => void) => setTimeout(then, 200));
  idle(() => {
    // Without them the page is complete.
    import('./terms/glossary.ts').then(
      (glossary) => {
        mark = glossary.mark;
        brought();
      },
      () => undefined,
    );
  });
}
