// The drawing of a training by reward where it stands still: on a card that is shared, and on paper.

import { measureIn, still } from '../../../charts/drawn/index.ts';
import { heightOf, layPools } from '../../../charts/drawn/pools/index.ts';
import { cardOf } from '../../parts/picture/on-card.ts';
import type { Results } from '../../kit/results.ts';
import type { CardWords } from '../../kit/view.ts';
import type { RenderContext } from '../../kit/render-context.ts';
import { drawingOf } from './drawn.ts';
import { verdictOf } from './slots.ts';

/** A pixel of the drawing on a card, which has little else to show. */
const scale = 1.3;

export function card(
  ctx: RenderContext,
  results: Results,
  words: CardWords,
  host: HTMLElement,
): SVGSVGElement {
  const drawing = drawingOf(ctx, results);
  return cardOf(host, words, verdictOf(ctx, results), drawing.title, scale, (measure, frame) =>
    layPools(measure, frame, drawing, 'wide'),
  );
}

/** Units that are 8 points on paper where letters are 12. */
const paper = 760;

export function picture(ctx: RenderContext, results: Results, host: HTMLElement): SVGSVGElement {
  const drawing = drawingOf(ctx, results);
  const height = heightOf(drawing.pools.length, 'wide');
  const frame = { x: 0, y: 0, width: paper, height };
  const sheet = layPools(measureIn(host), frame, drawing, 'wide');
  return still(host, [{ sheet, x: 0, y: 0, scale: 1 }], frame, drawing.title);
}
