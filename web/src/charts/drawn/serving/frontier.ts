// The frontier of throughput and latency, small, with the reader's own point on or below it.

import { circle, px } from '../../kit/shape.ts';
import { heading } from '../heads.ts';
import type { Frame, Sheet } from '../marks.ts';

export interface FrontierData {
  key: string;
  titles: readonly string[];
  says: string;
  /** Seconds of a request by its output tokens, and tokens a second of a chip. */
  points: readonly { x: number; y: number }[];
  own: { x: number; y: number };
  x: string;
  y: string;
  sayX(value: number): string;
  sayY(value: number): string;
  you: string;
}

/** From one line of words to the next [px]. */
const line = 15;

/** The ends of a logarithmic scale. */
const endsOf = (all: readonly number[]): [number, number] => [
  Math.min(...all) / 1.15,
  Math.max(...all) * 1.15,
];

export function layFrontier(sheet: Sheet, frame: Frame, data: FrontierData): void {
  const { points, own, key } = data;
  heading(sheet, frame, data.titles, key);
  const [xs, ys] = [[...points, own].map(({ x }) => x), [...points, own].map(({ y }) => y)];
  const [low, high] = [Math.min(...ys), Math.max(...ys)];
  const said = [data.sayY(low), data.sayY(high)];
  const left = frame.x + Math.max(...said.map((each) => sheet.measure(each, 400, 12))) + 6;
  // The ends of the horizontal axis, and its name between them or, where it has no room, below.
  const [first, last] = [data.sayX(Math.min(...xs)), data.sayX(Math.max(...xs))];
  const wide = (text: string): number => sheet.measure(text, 400, 12);
  const [width, taken] = [frame.x + frame.width - left, wide(first) + wide(last)];
  const isBelow = taken + wide(data.x) + 24 > width;
  const feet = 18 + (isBelow ? line : 0);
  const plot = { x: left, y: frame.y + 38, width, height: frame.height - 38 - feet };
  const scale = ([from, to]: [number, number], value: number): number =>
    Math.log(value / from) / Math.log(to / from);
  const [xEnds, yEnds] = [endsOf(xs), endsOf(ys)];
  const at = ({ x, y }: { x: number; y: number }): { x: number; y: number } => ({
    x: plot.x + scale(xEnds, x) * plot.width,
    y: plot.y + (1 - scale(yEnds, y)) * plot.height,
  });
  const bottom = plot.y + plot.height;
  sheet.path(`M${px(plot.x)} ${px(plot.y)}V${px(bottom)}H${px(plot.x + plot.width)}`, 'axis');
  sheet.part(key, plot, data.says);
  if (sheet.measure(data.y, 400, 12) <= frame.width) {
    sheet.text(frame.x, frame.y + 29, data.y, { look: 'quiet' });
  }
  const [top, foot] = [at({ x: own.x, y: high }).y + 4, at({ x: own.x, y: low }).y + 4];
  sheet.text(left - 6, top, said[1]!, { look: 'quiet', anchor: 'end' });
  if (foot - top > 16) sheet.text(left - 6, foot, said[0]!, { look: 'quiet', anchor: 'end' });
  const base = bottom + 14;
  const right = plot.x + plot.width;
  if (taken + 12 <= width) sheet.text(plot.x, base, first, { look: 'quiet' });
  sheet.text(right, base, last, { look: 'quiet', anchor: 'end' });
  const middle = (plot.x + wide(first) + right - wide(last)) / 2;
  if (isBelow) sheet.text(right, base + line, data.x, { look: 'quiet', anchor: 'end' });
  else sheet.text(middle, base, data.x, { look: 'quiet', anchor: 'middle' });
  const sorted = [...points].sort((a, b) => a.x - b.x).map(at);
  const curve = sorted.map(({ x, y }) => `${px(x)} ${px(y)}`).join('L');
  if (curve) sheet.path(`M${curve}`, 'curve', { part: key });
  const dots = sorted.map(({ x, y }) => circle(x, y, 2.5)).join('');
  sheet.path(dots, 'point', { count: sorted.length, part: key });
  const you = at(own);
  sheet.path(circle(you.x, you.y, 5), 'own', { part: key });
  const isRight = you.x + 9 + sheet.measure(data.you, 600, 12) <= right;
  sheet.text(you.x + (isRight ? 9 : -9), Math.min(you.y + 4, bottom - 4), data.you, {
    weight: 600,
    look: 'halo',
    anchor: isRight ? 'start' : 'end',
    part: key,
  });
}
