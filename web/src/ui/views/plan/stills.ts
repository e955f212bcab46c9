// The drawing of a plan where it stands still: on a card that is shared, and on paper.

import {
  cardSize,
  barHeight,
  heights,
  layCard,
  layOnCard,
  layPicture,
  measureIn,
  readingOf,
  still,
} from '../../../charts/drawn/index.ts';
import { onCard } from '../../parts/picture/on-card.ts';
import type { Results } from '../../kit/results.ts';
import type { CardWords } from '../../kit/view.ts';
import type { RenderContext } from '../../kit/render-context.ts';
import { drawingOf } from './drawn.ts';
import { verdictOf } from './slots.ts';

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
    // What they rest on takes more room than there is for ranges.
    others: verdicts.slice(2).map((each) => onCard({ ...each, range: '' })),
    picture: (frame) => layOnCard(measure, frame, drawing, goesOf(ctx, readingOf(drawing).label)),
  });
  return still(host, layers, cardSize, drawing.title);
}

/** Units that are 8 points on paper where letters are 12. */
const paper = { width: 760, machines: 150 };

export function picture(ctx: RenderContext, results: Results, host: HTMLElement): SVGSVGElement {
  const drawing = drawingOf(ctx, results);
  // The page has room for the bar, and for what hides behind it none.
  const { ruler: _, ...reading } = readingOf(drawing);
  const machines = drawing.replica ? paper.machines : heights.wide.tank;
  const height = machines + barHeight;
  const frame = { x: 0, y: 0, width: paper.width, height };
  const goes = goesOf(ctx, reading.label);
  const layers = layPicture(measureIn(host), frame, 1, drawing, reading, goes);
  return still(host, layers, frame, drawing.title);
}

const goesOf = (ctx: RenderContext, whole: string): string =>
  ctx.fill(ctx.text.planner.drawn.goesTo, { whole });
