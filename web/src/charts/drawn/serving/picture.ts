// The drawing of servers where it stands still: on a card, and alone in a report.

import type { Measure } from '../../kit/text.ts';
import type { Layer } from '../card.ts';
import type { Frame } from '../marks.ts';
import {
  heights,
  layRequest,
  layRequestBrief,
  layServers,
  type ServingDrawingData,
} from './layout.ts';
import { lifeHeights } from './life.ts';

/** Between servers and a request [px]. */
const between = 8;

/** Servers above a request, which gets the height that it takes. */
function above(
  measure: Measure,
  { x, y, width, height }: Frame,
  scale: number,
  data: ServingDrawingData,
  lay: typeof layRequest,
  request: number,
): Layer[] {
  const [wide, all] = [width / scale, height / scale];
  const time = data.life ? request + between : 0;
  const high = Math.min(heights.wide.machines, all - time);
  return [
    { sheet: layServers(measure, wide, data, high), x, y, scale },
    ...(data.life
      ? [{ sheet: lay(measure, wide, data), x, y: y + (high + between) * scale, scale }]
      : []),
  ];
}

/** On a card, as large as its letters have to be. */
export const layServingOnCard = (
  measure: Measure,
  frame: Frame,
  scale: number,
  data: ServingDrawingData,
): Layer[] => above(measure, frame, scale, data, layRequest, heights.wide.life);

/** A report has all times in words, and room for the length of a request only. */
export const layServingOnPaper = (
  measure: Measure,
  frame: Frame,
  data: ServingDrawingData,
): Layer[] => above(measure, frame, 1, data, layRequestBrief, lifeHeights.axis);

/** The height that it takes on paper [px]. */
export const paperHeight = ({ life }: ServingDrawingData): number =>
  150 + (life ? between + lifeHeights.axis : 0);
