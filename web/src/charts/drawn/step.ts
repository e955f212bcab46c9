// One step as a bar of true shares: how long the chip's peak would take, what its kernels take beyond
// that, and what waits. The bar ends where the verdict does.

import { spreadRow } from '../kit/labels.ts';
import { lettersOn, looks } from '../kit/looks.ts';
import { px } from '../kit/shape.ts';
import { legend, type Entry } from './legend.ts';
import type { Frame, Sheet } from './marks.ts';

export interface StepData {
  /** They add up to the whole. */
  pieces: readonly Entry[];
  /** The range of the whole, where it is known, and what it is. */
  low?: number | undefined;
  high?: number | undefined;
  range: string;
  /** The answer that has the range, and its name with both. */
  ranged?: { key: string; says: string } | undefined;
  /** Names the MFU, whose length is that of the first piece; nothing where there is none. */
  mfu: string;
  /** The end that is asked for. */
  target?: { value: number; met: Met } | undefined;
  /** The end of the scale, where bars share one. */
  end?: number | undefined;
  /** Stands for pieces without a label: `+ 2 more`. */
  more(count: number): string;
  /** The whole before the reader's change. */
  ghost?: number | undefined;
}

/** Whether a target is met, by all of a range, or only by what is expected. */
export type Met = 'yes' | 'likely' | 'unlikely' | 'no';

export const wholeOf = ({ pieces }: StepData): number =>
  pieces.reduce((sum, { value }) => sum + value, 0);

/** The scale ends at most here, as a multiple of the whole; with a target, here. */
const mostReach = 1.3;
const mostTarget = 2.2;

/** The end of the scale. */
export function stepEnd(data: StepData): number {
  const whole = wholeOf(data);
  const { target } = data;
  if (data.end !== undefined) return data.end;
  return Math.max(
    Math.min(mostReach * whole, Math.max(1.06 * whole, 1.01 * (data.high ?? 0))),
    Math.min(mostTarget * whole, 1.02 * (target?.value ?? 0)),
  );
}

interface Placed {
  piece: Entry;
  place: Frame;
}

/** The heights of a bar and of what stands over and under it [px]. */
export const stepHeights = { over: 20, bar: 44 };

/** The bar with its brackets. */
function bar(sheet: Sheet, frame: Frame, data: StepData, height: number): Placed[] {
  const [whole, end] = [wholeOf(data), stepEnd(data)];
  const at = (value: number): number => frame.x + (value / end) * frame.width;
  const y = frame.y + stepHeights.over;
  let from = 0;
  const placed = data.pieces
    .filter(({ value }) => value > 0)
    .map((piece) => {
      const place = { x: at(from), y, width: at(from + piece.value) - at(from), height };
      from += piece.value;
      sheet.rect(place, piece.look, piece.key);
      sheet.part(piece.key, place, piece.says);
      return { piece, place };
    });
  sheet.path(`M${px(at(whole))} ${px(y - 6)}v${height + 12}`, 'end');
  if (data.ghost)
    sheet.path(`M${px(at(Math.min(data.ghost, end)))} ${y - 3}v${height + 6}`, 'ghost');
  if (data.target) flag(sheet, at(Math.min(data.target.value, end)), y, height, data.target, end);
  brackets(sheet, frame, data, at);
  return placed;
}

/** The target: a pole across the bar, with a pennant below it; an arrow where it lies beyond the scale. */
function flag(
  sheet: Sheet,
  x: number,
  y: number,
  height: number,
  { value, met }: NonNullable<StepData['target']>,
  end: number,
): void {
  const foot = y + height + 12;
  const look = `flag ${met}`;
  sheet.path(`M${px(x)} ${px(y - 4)}V${px(foot)}`, look);
  sheet.path(
    value > end ? `M${px(x - 6)} ${px(foot - 8)}l6 4l-6 4z` : `M${px(x)} ${px(foot - 8)}l-7 4l7 4z`,
    `${look} pennant`,
  );
}

/** Over the bar: how long the chip's peak takes, which is the MFU, and the range of the whole. */
function brackets(sheet: Sheet, frame: Frame, data: StepData, at: (value: number) => number): void {
  const [y, end] = [frame.y + stepHeights.over - 7, stepEnd(data)];
  const { pieces, low, high, ranged } = data;
  const [peak] = pieces;
  let taken = frame.x;
  if (peak && data.mfu) {
    const right = at(peak.value);
    const wide = sheet.measure(data.mfu, 600, 12);
    const middle = right - frame.x > wide + 24;
    const x = middle ? (frame.x + right - wide) / 2 : right + 6;
    const line = middle
      ? `M${px(frame.x + 0.5)} ${px(y)}H${px(x - 6)}M${px(x + wide + 6)} ${px(y)}H${px(right - 0.5)}`
      : `M${px(frame.x + 0.5)} ${px(y)}H${px(right - 0.5)}`;
    const caps = `M${px(frame.x + 0.5)} ${px(y - 4)}v8M${px(right - 0.5)} ${px(y - 4)}v8`;
    sheet.path(line + caps, 'bracket', { part: peak.key });
    sheet.text(x, y + 4, data.mfu, { weight: 600, part: peak.key });
    taken = Math.max(right, x + wide);
  }
  if (low === undefined || high === undefined) return;
  const [from, to] = [at(low), at(Math.min(high, end))];
  const tip = high > end ? `M${px(to - 5)} ${px(y - 4)}l5 4l-5 4` : `M${px(to)} ${px(y - 4)}v8`;
  // Where the range begins before the MFU ends, the line starts behind it.
  const begins = Math.max(from, taken + 8);
  const cap = begins === from ? `M${px(from)} ${px(y - 4)}v8` : '';
  if (begins < to) {
    sheet.path(`M${px(begins)} ${px(y)}H${px(to)}${cap}${tip}`, 'range', { part: ranged?.key });
    const place = { x: begins, y: y - 6, width: to - begins, height: 12 };
    if (ranged) sheet.part(ranged.key, place, ranged.says);
  }
  const wide = sheet.measure(data.range, 400, 12);
  const right = frame.x + frame.width;
  if (to + 8 + wide <= right) sheet.text(to + 8, y + 4, data.range, { look: 'quiet' });
  else if (begins - 8 - wide >= taken + 12) {
    sheet.text(begins - 8, y + 4, data.range, { look: 'quiet', anchor: 'end' });
  }
}

/** Pieces below this share of the whole are told together. */
const worth = 0.02;
/** Room that a label needs beside its text [px]. */
const padding = 16;
/** From the middle of a bar to the two lines of a label on it [px]. */
const lines = [-4, 11] as const;

/** The bar with its labels in it or below, each with a line to its piece. */
export function layStep(sheet: Sheet, frame: Frame, data: StepData): void {
  const { over, bar: height } = stepHeights;
  const placed = bar(sheet, frame, data, height);
  const middle = frame.y + over + height / 2;
  const outside = placed.filter(({ piece, place }) => !inside(sheet, place, middle, piece));
  const wide = ({ piece }: Placed): number => sheet.widthOf(piece.said, piece.label);
  const order = [...outside].sort((a, b) => b.piece.value - a.piece.value);
  let kept = order.filter(({ piece }) => piece.value >= worth * wholeOf(data));
  const rest = (): string => {
    const count = outside.length - kept.length;
    return count > 0 ? data.more(count) : '';
  };
  const room = (): number => {
    const left = rest();
    const more = left ? sheet.measure(left, 400, 12) + padding : 0;
    return frame.width - more - kept.reduce((sum, each) => sum + wide(each) + padding, 0);
  };
  // The largest keeps its label, and goes before the count of others.
  while (kept.length > 1 && room() < 0) kept = kept.slice(0, -1);
  const shown = outside.filter((each) => kept.includes(each));
  const left = room() < 0 ? '' : rest();
  const end = frame.x + frame.width - (left ? sheet.measure(left, 400, 12) + padding : 0);
  const places = spreadRow(
    shown.map(({ place }) => place.x + place.width / 2),
    shown.map(wide),
    padding,
    frame.x,
    end,
  );
  const [foot, base] = [frame.y + over + height, frame.y + over + height + 29];
  shown.forEach(({ piece, place }, index) => {
    const to = places[index]!;
    const from = place.x + place.width / 2;
    sheet.path(`M${px(from)} ${px(foot + 2)}v4L${px(to)} ${px(foot + 13)}v3`, 'leader', {
      part: piece.key,
    });
    sheet.pair(to - wide({ piece, place }) / 2, base, piece.said, piece.label, piece.key);
  });
  if (left) sheet.text(frame.x + frame.width, base, left, { look: 'quiet', anchor: 'end' });
}

/** What a plate has beside and over its letters [px]. */
const plate = { aside: 4, over: 13, under: 5 };

/** A label on its piece, in one line or two; tells whether it has room there. */
function inside(sheet: Sheet, place: Frame, middle: number, entry: Entry): boolean {
  const { said, label, key: part } = entry;
  const x = place.x + padding / 2;
  const { letters: look, plate: under } = lettersOn(looks[entry.look]);
  const [number, name] = [sheet.measure(said, 600, 12), sheet.measure(label, 400, 12)];
  const whole = sheet.widthOf(said, label);
  const isOne = whole + padding <= place.width;
  const wide = isOne ? whole : Math.max(number, name);
  if (wide + padding > place.width) return false;
  const [first, last] = isOne ? [middle + 4, middle + 4] : [middle + lines[0], middle + lines[1]];
  if (under) {
    const y = first - plate.over;
    const height = last + plate.under - y;
    const ground = { x: x - plate.aside, y, width: wide + 2 * plate.aside, height };
    sheet.rect(ground, `${entry.look} ${under}`);
  }
  const { width } = sheet.text(x, first, said, { weight: 600, look, part });
  sheet.text(isOne ? x + width + 5 : x, last, label, { look, part });
  return true;
}

/** The bar with a list below; its height is that of the frame. */
export function layStepNarrow(sheet: Sheet, frame: Frame, data: StepData): void {
  const height = 26;
  const placed = bar(sheet, frame, data, height);
  const y = frame.y + stepHeights.over + height + 10;
  legend(
    sheet,
    { x: frame.x, y, width: frame.width, height: frame.y + frame.height - y },
    placed.map(({ piece }) => piece),
    (count) => data.more(count),
  );
}
