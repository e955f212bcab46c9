import type { Results } from '../../kit/results.ts';
import type { RenderContext } from '../../kit/render-context.ts';

/** The state to print, and the tree to draw it in. */
export interface Printed {
  ctx: RenderContext;
  results: Results;
  root: ShadowRoot;
}

/** The part of the page that is open where readers want derivations on paper, too. */
export const inFull = 'report in full';
