// The drawing of an operation where it stands still: on a card that is shared, and on paper.

import { heights, layRace, type RaceData } from '../../../charts/drawn/race/index.ts';
import { cardOf, inOneSheet, pictureOf } from '../../parts/picture/stills.ts';
import type { Results } from '../../kit/results.ts';
import type { CardWords } from '../../kit/view.ts';
import type { RenderContext } from '../../kit/render-context.ts';
import { drawingOf } from './drawn.ts';
import { verdictOf } from './slots.ts';

/** A pixel of the drawing on a card, which has little else to show. */
const scale = 1.8;

const laid = (drawing: RaceData, scale: number): ReturnType<typeof inOneSheet> =>
  inOneSheet(scale, (measure, frame) => layRace(measure, frame, drawing, 'wide'));

export function card(
  ctx: RenderContext,
  results: Results,
  words: CardWords,
  host: HTMLElement,
): SVGSVGElement {
  const drawing = drawingOf(ctx, results);
  return cardOf(host, words, verdictOf(ctx, results), drawing.title, laid(drawing, scale));
}

export function picture(ctx: RenderContext, results: Results, host: HTMLElement): SVGSVGElement {
  const drawing = drawingOf(ctx, results);
  return pictureOf(host, drawing.title, heights.wide, laid(drawing, 1));
}
