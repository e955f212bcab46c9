// The drawing of servers where it stands still: on a card that is shared, and on paper.

import {
  layServingOnCard,
  layServingOnPaper,
  paperHeight,
} from '../../../charts/drawn/serving/index.ts';
import { cardOf, pictureOf } from '../../parts/picture/stills.ts';
import type { Results } from '../../kit/results.ts';
import type { CardWords } from '../../kit/view.ts';
import type { RenderContext } from '../../kit/render-context.ts';
import { drawingOf } from './drawn.ts';
import { findPoints } from './frontier-points.ts';
import { verdictOf } from './slots.ts';

/** A pixel of the drawing on a card, where letters are 13. */
const scale = 13 / 12;

const dataOf = (ctx: RenderContext, results: Results): ReturnType<typeof drawingOf> =>
  drawingOf(
    ctx,
    results,
    results.choice('servingFits') === 'yes' ? findPoints(ctx, ctx.state) : undefined,
  );

export function card(
  ctx: RenderContext,
  results: Results,
  words: CardWords,
  host: HTMLElement,
): SVGSVGElement {
  const drawing = dataOf(ctx, results);
  return cardOf(ctx, host, words, verdictOf(ctx, results), drawing.title, (measure, frame) =>
    layServingOnCard(measure, frame, scale, drawing),
  );
}

export function picture(ctx: RenderContext, results: Results, host: HTMLElement): SVGSVGElement {
  const drawing = dataOf(ctx, results);
  return pictureOf(host, drawing.title, paperHeight(drawing), (measure, frame) =>
    layServingOnPaper(measure, frame, drawing),
  );
}
