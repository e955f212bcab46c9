import { afterPresets, Feature } from '../../kit/lazily.ts';
import type { RenderContext } from '../../kit/render-context.ts';

const page = new Feature((ctx) => afterPresets(ctx, () => import('./all/evidence.ts')), 'evidence');

/** All measured runs. */
export const evidencePage = (ctx: RenderContext): unknown =>
  page.show(ctx, (words, { evidence }) => evidence(ctx, words));
