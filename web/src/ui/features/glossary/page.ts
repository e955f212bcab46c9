import { afterPresets, Feature } from '../../kit/lazily.ts';
import type { RenderContext } from '../../kit/render-context.ts';

const page = new Feature(
  (ctx) => afterPresets(ctx, () => import('./concept-index.ts')),
  'concepts',
);

/** The index of all terms. */
export const conceptsPage = (ctx: RenderContext): unknown =>
  page.show(ctx, (words, { conceptIndex }) => conceptIndex(ctx, words));
