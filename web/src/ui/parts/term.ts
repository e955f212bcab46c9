// Terms of the trade have a short explanation at hand. What it takes loads once the answers are
// there; until then, and where nobody loads it, texts stand as they are.

import { Lazy, type Waiting } from '../../engine/lazy.ts';
import type { Scope } from '../kit/scope.ts';

/**
 * Marks the terms in a text; of each section, the first use of a term. What is drawn again without a
 * new scope says what else is made anew with it.
 */
export type Mark = (scope: Scope, text: string, section: string, drawing?: object) => unknown;

type Glossary = typeof import('../features/glossary/glossary.ts');

/** Made by who loads it: elements in other pages ship without. */
let glossary: Lazy<Glossary> | undefined;

/** A text in which terms that the reader may not know can be asked for. */
export const withTerms: Mark = (scope, text, ...place) =>
  glossary?.value?.mark(scope, text, ...place) ?? text;

/** Loads the explanations when the browser has nothing better to do; the page is complete without. */
export function loadTerms(page: Waiting): void {
  const idle = window.requestIdleCallback ?? ((then: () => void) => setTimeout(then, 200));
  const loading = (glossary ??= new Lazy(() => import('../features/glossary/glossary.ts')));
  idle(() => void loading.use(page));
}
