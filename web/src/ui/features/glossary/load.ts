import { Lazy, type Waiting } from '../../../engine/lazy.ts';
import { markTermsBy } from '../../parts/term.ts';

const glossary = new Lazy(async () => {
  const { mark } = await import('./glossary.ts');
  markTermsBy(mark);
  return true;
});

/** Loads the explanations when the browser has nothing better to do; the page is complete without. */
export function loadTerms(page: Waiting): void {
  const idle = window.requestIdleCallback ?? ((then: () => void) => setTimeout(then, 200));
  idle(() => void glossary.use(page));
}
