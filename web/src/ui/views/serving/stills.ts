// The drawing of servers where it stands still: on a card that is shared, and on paper.

import { cardSize, layCard, measureIn, still } from '../../../charts/drawn/index.ts';
import {
  layServingOnCard,
  layServingOnPaper,
  paperHeight,
} from '../../../charts/drawn/serving/index.ts';
import { onCard } from '../../parts/picture/on-card.ts';
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
  { titles, name, links }: CardWords,
  host: HTMLElement,
): SVGSVGElement {
  const verdicts = verdictOf(ctx, results);
  const drawing = dataOf(ctx, results);
  const measure = measureIn(host);
  const layers = layCard(measure, {
    titles,
    name,
    links,
    largest: verdicts.slice(0, 2).map(onCard),
    others: verdicts.slice(2).map(onCard),
    picture: (frame) => layServingOnCard(measure, frame, scale, drawing),
  });
  return still(host, layers, cardSize, drawing.title);
}

/** Units that are 8 points on paper where letters are 12. */
const paper = 760;

export function picture(ctx: RenderContext, results: Results, host: HTMLElement): SVGSVGElement {
  const drawing = dataOf(ctx, results);
  const frame = { x: 0, y: 0, width: paper, height: paperHeight(drawing) };
  const layers = layServingOnPaper(measureIn(host), frame, drawing);
  return still(host, layers, frame, drawing.title);
}
