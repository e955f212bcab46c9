// The drawing of a training where it stands still: on a card, and alone in a report.

import type { Measure } from '../kit/text.ts';
import type { Layer } from './card.ts';
import type { DrawingData, Reading } from './drawing-data.ts';
import { Sheet, type Frame } from './marks.ts';
import { heights, layMachines, layTime, timeHeight } from './training.ts';

/** The reading that says most to most: money, else days. */
export const readingOf = ({ readings }: DrawingData): Reading =>
  ['cost', 'days'].flatMap((key) => readings.find((each) => each.key === key) ?? [])[0] ??
  readings[0]!;

/** Heights of the parts of the picture [px]. */
const title = 18;
const between = 8;
const { machines: most, tank, step: bar } = heights.wide;
/** What the bar takes below the machines [px]. */
export const barHeight = between + title + bar;

/** Machines above the step's bar, in a frame of the height that they may take. */
export function layPicture(
  measure: Measure,
  { x, y, width, height }: Frame,
  scale: number,
  drawing: DrawingData,
  reading: Reading,
  goes: string,
): Layer[] {
  const [wide, all] = [width / scale, height / scale];
  const time = title + timeHeight('wide', reading);
  const high = drawing.replica ? Math.min(most, all - time - between) : tank;
  const heading = new Sheet(measure);
  heading.text(0, 12, goes, { size: 13, weight: 600 });
  const below = y + (high + between) * scale;
  return [
    { sheet: layMachines(measure, wide, drawing, high), x, y, scale },
    { sheet: heading, x, y: below, scale },
    {
      sheet: layTime(measure, wide, reading),
      x,
      y: below + title * scale,
      scale,
      isFaint: drawing.ghostly,
    },
  ];
}

/** The same on a card, where one chip's drawing, which is low, has room to be large. */
export function layOnCard(
  measure: Measure,
  frame: Frame,
  drawing: DrawingData,
  goes: string,
): Layer[] {
  const { ruler: _, ...reading } = readingOf(drawing);
  return layPicture(measure, frame, drawing.replica ? 1.2 : 1.5, drawing, reading, goes);
}
