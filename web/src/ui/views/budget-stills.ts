// The drawing of a budget where it stands still: on a card that is shared, and on paper.

import { heightOf, layRivals, type RivalsData } from '../../charts/drawn/rivals/index.ts';
import { drawingOf } from '../features/compare/rivals/budget.ts';
import type { RenderContext } from '../kit/render-context.ts';
import type { Results } from '../kit/results.ts';
import type { CardWords } from '../kit/view.ts';
import { cardOf, inOneSheet, pictureOf } from '../parts/picture/stills.ts';
import { verdictOf } from './budget/slots.ts';

/** A pixel of the drawing on a card, which has little else to show. */
const scale = 1.35;

const laid = (drawing: RivalsData, scale: number): ReturnType<typeof inOneSheet> =>
  inOneSheet(scale, (measure, frame) => layRivals(measure, frame, drawing, 'wide'));

export function card(
  ctx: RenderContext,
  results: Results,
  words: CardWords,
  host: HTMLElement,
): SVGSVGElement {
  const drawing = drawingOf(ctx);
  return cardOf(host, words, verdictOf(ctx, results), drawing.title, laid(drawing, scale));
}

export function picture(ctx: RenderContext, _: Results, host: HTMLElement): SVGSVGElement {
  const drawing = drawingOf(ctx);
  const height = heightOf(drawing.rivals.length, drawing.axes.length, 'wide');
  return pictureOf(host, drawing.title, height, laid(drawing, 1));
}
