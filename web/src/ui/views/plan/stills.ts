// The drawing of a plan where it stands still: on a card that is shared, and on paper.

import {
  barHeight,
  heights,
  layOnCard,
  layPicture,
  readingOf,
} from '../../../charts/drawn/index.ts';
import { cardOf, pictureOf } from '../../parts/picture/stills.ts';
import type { Results } from '../../kit/results.ts';
import type { CardWords } from '../../kit/view.ts';
import type { RenderContext } from '../../kit/render-context.ts';
import { drawingOf } from './drawn.ts';
import { verdictOf } from './slots.ts';

export function card(
  ctx: RenderContext,
  results: Results,
  words: CardWords,
  host: HTMLElement,
): SVGSVGElement {
  const drawing = drawingOf(ctx, results);
  // The notes of memory and bound take more room than there is for ranges.
  const verdicts = verdictOf(ctx, results).map((each, place) =>
    place < 2 ? each : { ...each, range: '' },
  );
  const goes = goesOf(ctx, readingOf(drawing).label);
  return cardOf(ctx, host, words, verdicts, drawing.title, (measure, frame) =>
    layOnCard(measure, frame, drawing, goes),
  );
}

/** The height of cluster, replica and chip on paper. */
const machinesOnPaper = 150;

export function picture(ctx: RenderContext, results: Results, host: HTMLElement): SVGSVGElement {
  const drawing = drawingOf(ctx, results);
  // The page has room for the bar, and for what hides behind it none.
  const { ruler: _, ...reading } = readingOf(drawing);
  const machines = drawing.replica ? machinesOnPaper : heights.wide.tank;
  const goes = goesOf(ctx, reading.label);
  return pictureOf(host, drawing.title, machines + barHeight, (measure, frame) =>
    layPicture(measure, frame, 1, drawing, reading, goes),
  );
}

const goesOf = (ctx: RenderContext, whole: string): string =>
  ctx.fill(ctx.text.planner.drawn.goesTo, { whole });
