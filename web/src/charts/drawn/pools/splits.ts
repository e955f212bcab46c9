// The time of a step over the chips that generate, with the best split, and the level of chips that
// take turns.

import { circle, px } from '../../kit/shape.ts';
import { heading } from '../heads.ts';
import type { Frame, Sheet } from '../marks.ts';

export interface SplitsData {
  key: string;
  /** The longest first: the first that has room is written. */
  titles: readonly string[];
  says: string;
  /** From the fewest chips that generate to the most; none where none fits. */
  points: readonly SplitPoint[];
  best: number;
  /** The split that is asked about, where it is one of these. */
  own?: number | undefined;
  level?: { key: string; seconds: number; says: string } | undefined;
}

export interface SplitPoint {
  chips: number;
  seconds: number;
  /** The chips on each side, and the time. */
  name: string;
  count: string;
  said: string;
}

/** From the top to the plot, and from the plot to the bottom [px]. */
const around = { above: 34, below: 24 };
/** Beside letters [px]. */
const gap = 8;

export function laySplits(sheet: Sheet, frame: Frame, data: SplitsData): void {
  const { points, level, key } = data;
  heading(sheet, frame, data.titles, key);
  const seconds = [...points, ...(level ? [level] : [])].map((each) => each.seconds);
  if (points.length === 0) return;
  const [low, high] = [Math.min(...seconds), Math.max(...seconds)];
  const wide = (text: string): number => sheet.measure(text, 400, 12);
  const slowest = points.reduce((one, other) => (other.seconds > one.seconds ? other : one));
  const fastest = points.find(({ chips }) => chips === data.best) ?? points[0]!;
  const left = frame.x + Math.max(wide(slowest.said), wide(fastest.said)) + gap;
  const right = frame.x + frame.width - (level ? wide(level.says) + gap : 0);
  const [top, foot] = [frame.y + around.above, frame.y + frame.height - around.below];
  // The axis ends behind the last split that is drawn.
  const last = points.at(-1)!.chips;
  const x = (chips: number): number => left + (chips / last) * (right - left - 3 * gap);
  // A logarithmic scale, as a poor split takes many times as long.
  const span = Math.max(Math.log(high / low), 0.05);
  const y = (time: number): number => foot - 8 - (Math.log(time / low) / span) * (foot - top - 8);
  sheet.path(`M${px(left)} ${px(top)}V${px(foot)}H${px(right)}`, 'axis');
  sheet.part(key, { x: left, y: top, width: right - left, height: foot - top }, data.says);
  // The times of the slowest and the best, where these are apart.
  const quiet = { look: 'quiet', anchor: 'end' } as const;
  const bottom = y(fastest.seconds) + 4;
  sheet.text(left - gap, bottom, fastest.said, quiet);
  if (bottom - y(slowest.seconds) - 4 > 16) {
    sheet.text(left - gap, y(slowest.seconds) + 4, slowest.said, quiet);
  }
  if (level) {
    const at = y(level.seconds);
    sheet.path(`M${px(left)} ${px(at)}H${px(right)}`, 'level', { part: level.key });
    sheet.text(right + gap, at + 4, level.says, { part: level.key });
    sheet.part(
      level.key,
      { x: right + gap, y: at - 10, width: wide(level.says), height: 20 },
      level.says,
    );
  }
  const line = points.map((each) => `${px(x(each.chips))} ${px(y(each.seconds))}`).join('L');
  sheet.path(`M${line}`, 'curve', { part: key });
  const dots = points.map((each) => circle(x(each.chips), y(each.seconds), 3)).join('');
  sheet.path(dots, 'point', { count: points.length, part: key });
  for (const each of points) {
    if (each.chips === data.best) {
      sheet.path(circle(x(each.chips), y(each.seconds), 5), 'own', { part: key });
    } else if (each.chips === data.own) {
      sheet.path(circle(x(each.chips), y(each.seconds), 7), 'point', { part: key });
    }
  }
  counts(sheet, points, fastest, x, foot + 16, wide);
}

/** The chips that generate, below the axis: the best first, then all that leave room. */
function counts(
  sheet: Sheet,
  points: readonly SplitPoint[],
  best: SplitPoint,
  x: (chips: number) => number,
  base: number,
  wide: (text: string) => number,
): void {
  const taken: (readonly [from: number, to: number])[] = [];
  for (const each of [best, ...points.filter((point) => point !== best)]) {
    const half = wide(each.count) / 2 + gap / 2;
    const at = x(each.chips);
    if (taken.some(([from, to]) => at - half < to && at + half > from)) continue;
    taken.push([at - half, at + half]);
    sheet.text(at, base, each.count, {
      look: each === best ? '' : 'quiet',
      weight: each === best ? 600 : 400,
      anchor: 'middle',
    });
  }
}
