// Terms of the trade have a short explanation at hand, once the glossary has loaded; until then, and
// in elements on other pages, which ship without it, texts stand as they are.

import type { RenderContext } from '../kit/render-context.ts';

/**
 * Marks the terms in a text: the first use of a term in each section. `drawing` is an object that
 * is made anew with text that is drawn again without a new render context.
 */
export type Mark = (ctx: RenderContext, text: string, section: string, drawing?: object) => unknown;

let mark: Mark | undefined;

/** The glossary tells here how to mark terms, once it has loaded. */
export const markTermsBy = (how: Mark): void => void (mark = how);

/** A text in which terms that the reader may not know can be asked for. */
export const withTerms: Mark = (ctx, text, ...place) => mark?.(ctx, text, ...place) ?? text;
