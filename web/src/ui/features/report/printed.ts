import type { Results } from '../../parts/answers/results.ts';
import type { RenderContext } from '../../kit/render-context.ts';

/** What is printed, and where it is drawn for that. */
export interface Printed {
  ctx: RenderContext;
  results: Results;
  root: ShadowRoot;
}
