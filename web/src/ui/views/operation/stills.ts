// The drawing of an operation where it stands still: on a card that is shared, and on paper.

import { cardSize, layCard, measureIn, still } from '../../../charts/drawn/index.ts';
import { heights, layRace } from '../../../charts/drawn/race/index.ts';
import { onCard } from '../../parts/picture/on-card.ts';
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
  { titles, name, links }: CardWords,
  host: HTMLElement,
): SVGSVGElement {
  const verdicts = verdictOf(ctx, results);
  const drawing = drawingOf(ctx, results);
  const measure = measureIn(host);
  const layers = layCard(measure, {
    titles,
    name,
    links,
    largest: verdicts.slice(0, 2).map(onCard),
    others: verdicts.slice(2).map(onCard),
    picture: ({ x, y, width, height }) => [
      {
        sheet: layRace(
          measure,
          { x: 0, y: 0, width: width / scale, height: height / scale },
          drawing,
          'wide',
        ),
        x,
        y,
        scale,
      },
    ],
  });
  return still(host, layers, cardSize, drawing.title);
}

/** Units that are 8 points on paper where letters are 12. */
const paper = 760;

export function picture(ctx: RenderContext, results: Results, host: HTMLElement): SVGSVGElement {
  const drawing = drawingOf(ctx, results);
  const frame = { x: 0, y: 0, width: paper, height: heights.wide };
  const sheet = layRace(measureIn(host), frame, drawing, 'wide');
  return still(host, [{ sheet, x: 0, y: 0, scale: 1 }], frame, drawing.title);
}
