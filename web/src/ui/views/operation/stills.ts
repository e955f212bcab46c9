// The drawing of an operation where it stands still: on a card that is shared, and on paper.

import { measureIn, still } from '../../../charts/drawn/index.ts';
import { heights, layRace } from '../../../charts/drawn/race/index.ts';
import { cardOf } from '../../parts/picture/on-card.ts';
import type { Results } from '../../kit/results.ts';
import type { CardWords } from '../../kit/view.ts';
import type { RenderContext } from '../../kit/render-context.ts';
import { drawingOf } from './drawn.ts';
import { verdictOf } from './slots.ts';

/** A pixel of the drawing on a card, which has little else to show. */
const scale = 1.8;

export function card(
  ctx: RenderContext,
  results: Results,
  words: CardWords,
  host: HTMLElement,
): SVGSVGElement {
  const drawing = drawingOf(ctx, results);
  return cardOf(host, words, verdictOf(ctx, results), drawing.title, scale, (measure, frame) =>
    layRace(measure, frame, drawing, 'wide'),
  );
}

/** Units that are 8 points on paper where letters are 12. */
const paper = 760;

export function picture(ctx: RenderContext, results: Results, host: HTMLElement): SVGSVGElement {
  const drawing = drawingOf(ctx, results);
  const frame = { x: 0, y: 0, width: paper, height: heights.wide };
  const sheet = layRace(measureIn(host), frame, drawing, 'wide');
  return still(host, [{ sheet, x: 0, y: 0, scale: 1 }], frame, drawing.title);
}
