// The verdict and the drawing of a view where they stand still: on a card that is shared, and on paper.

import {
  cardSize,
  layCard,
  measureIn,
  still,
  type Layer,
  type Sheet,
  type Verdict,
} from '../../../charts/drawn/index.ts';
import type { Frame } from '../../../charts/drawn/marks.ts';
import type { Measure } from '../../../charts/kit/text.ts';
import type { RenderContext } from '../../kit/render-context.ts';
import type { Results } from '../../kit/results.ts';
import type { CardWords, Stills } from '../../kit/view.ts';
import { notesOf, withInterval, type Slot } from './picture.ts';

type Lay<Laid> = (measure: Measure, frame: Frame) => Laid;

/** A part of the verdict as a card says it. */
function onCard(slot: Slot): Verdict {
  const told = { ...slot, ...slot.onCard };
  const { large, sign, bound, isGhost } = told;
  const all = notesOf(told);
  const look = isGhost ? 'quiet' : bound ? `said ${bound}` : '';
  const notes = [all.join(' · '), all[0] ?? ''];
  return { large, look, notes, ...(sign && { sign }) };
}

/** A drawing of one sheet, a pixel of which is so large that `needed` of them find room. */
const inOneSheet =
  (most: number, needed: number, lay: Lay<Sheet>): Lay<Layer[]> =>
  (measure, { x, y, width, height }) => {
    const scale = Math.min(most, height / needed);
    const frame = { x: 0, y: 0, width: width / scale, height: height / scale };
    return [{ sheet: lay(measure, frame), x, y, scale }];
  };

/** A card with the question, the verdict and the drawing, which is called `title`. */
export function cardOf(
  ctx: RenderContext,
  host: HTMLElement,
  words: CardWords,
  verdicts: readonly Slot[],
  title: string,
  lay: Lay<Layer[]>,
): SVGSVGElement {
  const measure = measureIn(host);
  const slots = withInterval(ctx, verdicts).map(onCard);
  const layers = layCard(measure, {
    ...words,
    largest: slots.slice(0, 2),
    others: slots.slice(2),
    picture: (frame) => lay(measure, frame),
  });
  return still(host, layers, cardSize, title);
}

/** Units that are 8 points on paper where letters are 12. */
const paper = 760;

/** The drawing on paper, `height` units high. */
export function pictureOf(
  host: HTMLElement,
  title: string,
  height: number,
  lay: Lay<Layer[]>,
): SVGSVGElement {
  const frame = { x: 0, y: 0, width: paper, height };
  return still(host, lay(measureIn(host), frame), frame, title);
}

/** What a view tells of a drawing that is one sheet. */
interface OneSheet<Drawing extends { title: string }> {
  drawingOf(ctx: RenderContext, results: Results): Drawing;
  verdictOf(ctx: RenderContext, results: Results): readonly Slot[];
  lay(measure: Measure, frame: Frame, drawing: Drawing): Sheet;
  /** Units that it is high on paper. */
  heightOf(drawing: Drawing): number;
  /** A pixel of the drawing on a card at most, which has little else to show. */
  scale: number;
}

/** Card and picture of a drawing that is one sheet. */
export function stillsOf<Drawing extends { title: string }>({
  drawingOf,
  verdictOf,
  lay,
  heightOf,
  scale,
}: OneSheet<Drawing>): Stills<RenderContext> {
  const laid = (drawing: Drawing, most: number): Lay<Layer[]> =>
    inOneSheet(most, heightOf(drawing), (measure, frame) => lay(measure, frame, drawing));
  return {
    card(ctx, results, words, host) {
      const drawing = drawingOf(ctx, results);
      return cardOf(ctx, host, words, verdictOf(ctx, results), drawing.title, laid(drawing, scale));
    },
    picture(ctx, results, host) {
      const drawing = drawingOf(ctx, results);
      return pictureOf(host, drawing.title, heightOf(drawing), laid(drawing, 1));
    },
  };
}
