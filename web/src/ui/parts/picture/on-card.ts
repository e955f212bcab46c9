// A verdict and its drawing as a card shows them.

import {
  cardSize,
  layCard,
  measureIn,
  still,
  type Sheet,
  type Verdict,
} from '../../../charts/drawn/index.ts';
import type { Frame } from '../../../charts/drawn/marks.ts';
import type { Measure } from '../../../charts/kit/text.ts';
import type { CardWords } from '../../kit/view.ts';
import type { Slot } from './picture.ts';

/** A part of the verdict as a card says it. */
export function onCard({ large, sign, bound, isGhost, note = '', range = '' }: Slot): Verdict {
  const look = isGhost ? 'quiet' : bound ? `said ${bound}` : '';
  const notes = [[note, range].filter(Boolean).join(' · '), note || range];
  return { large, look, notes, ...(sign && { sign }) };
}

/** A card with a drawing of one sheet, a pixel of which is so large. */
export function cardOf(
  host: HTMLElement,
  { titles, name, links }: CardWords,
  verdicts: readonly Slot[],
  title: string,
  scale: number,
  lay: (measure: Measure, frame: Frame) => Sheet,
): SVGSVGElement {
  const measure = measureIn(host);
  const layers = layCard(measure, {
    titles,
    name,
    links,
    largest: verdicts.slice(0, 2).map(onCard),
    others: verdicts.slice(2).map(onCard),
    picture: ({ x, y, width, height }) => [
      {
        sheet: lay(measure, { x: 0, y: 0, width: width / scale, height: height / scale }),
        x,
        y,
        scale,
      },
    ],
  });
  return still(host, layers, cardSize, title);
}
