// Terms of the trade have a short explanation at hand, once the glossary has loaded; until then, and
// in elements on other pages, which ship without it, texts stand as they are.

import type { Mark } from '../kit/features.ts';
import type { RenderContext } from '../kit/render-context.ts';

/** A text in which terms that the reader may not know can be asked for. */
export const withTerms: Mark<RenderContext> = (ctx, text, ...place) =>
  ctx.features.terms?.value?.(ctx, text, ...place) ?? text;
