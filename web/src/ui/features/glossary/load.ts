import { Lazy, type Waiting } from '../../../engine/lazy.ts';

export const terms = new Lazy(async () => (await import('./glossary.ts')).mark);

/** Loads the explanations when the browser has nothing better to do; the page is complete without. */
export function loadTerms(page: Waiting): void {
  const idle = window.requestIdleCallback ?? ((then: () => void) => setTimeout(then, 200));
  idle(() => void terms.use(page));
}
