// Rivals, such as chips for the same training, as rows on one axis for each amount: a bar of what is
// expected and over it the likely range. Where ranges reach into that of the best, which is best can't be
// told: that range is a grey zone across the rows, and the bars that reach into it are hatched.

import { px } from '../../kit/shape.ts';
import type { Measure } from '../../kit/text.ts';
import type { FigureData } from '../figure.ts';
import type { Form } from '../form.ts';
import { clipped } from '../heads.ts';
import { letters, Sheet, type Frame } from '../marks.ts';

/** Which of the rivals an amount makes the best: it alone, or that can't be told. */
export type Standing = 'best' | 'alike' | 'other';

export interface Amount {
  key: string;
  value: number;
  /** The range in which it is likely to lie, where that is known, and in words. */
  likely?: readonly [low: number, high: number] | undefined;
  range: string;
  said: string;
  /** The same as it is drawn: its axis may name the unit. */
  short: string;
  says: string;
  standing: Standing;
}

/** Stands in place of an amount that there is none of. */
export interface Lack {
  key: string;
  /** Why there is none. */
  lacks: string;
  says: string;
}

export interface Rival {
  name: string;
  /** None where that is not known yet. */
  chips: number;
  /** The number of chips in words. */
  onChips: string;
  /** The month of its prices, where those of others differ; stands where there is room. */
  priced?: string | undefined;
  /** One for each axis. */
  amounts: readonly (Amount | Lack)[];
  /** Its amounts lead to its own question, rather than to their reasons. */
  goes: boolean;
}

export const isKnown = (amount: Amount | Lack): amount is Amount => Object.hasOwn(amount, 'value');

export interface Axis {
  label: string;
  /** What is best, or that it can't be told. */
  told: string;
  /** The likely range of the best, where others reach into it. */
  zone?: readonly [low: number, high: number] | undefined;
}

export interface RivalsData extends FigureData {
  axes: readonly Axis[];
  rivals: readonly Rival[];
}

/** The height of the words over an axis [px]. */
const head = 38;
/** From row to row [px]: of two lines of words, or of one. */
const pitch = { wide: { one: 32, two: 44 }, narrow: { one: 40, two: 40 } } as const;
/** Between axes that stand below each other [px]. */
const between = 10;
/** Between the columns of a row [px]. */
const gap = 28;
/** Between a bar and its words [px]. */
const beside = 8;

/** Chips that are the same for all stand in the question. */
const areAlike = ({ rivals }: RivalsData): boolean =>
  rivals.every(({ onChips }) => onChips === rivals[0]!.onChips);

/** From row to row: below names and bars are the chips and the ranges, if there are any. */
const pitchOf = (data: RivalsData, form: Form): number => {
  const hasRanges = data.rivals.some(({ amounts }) =>
    amounts.some((each) => isKnown(each) && each.range),
  );
  return pitch[form][areAlike(data) && !hasRanges ? 'one' : 'two'];
};

const heightWith = (rivals: number, axes: number, pitch: number, form: Form): number => {
  const rows = head + rivals * pitch;
  return form === 'wide' ? rows : axes * rows + (axes - 1) * between;
};

/** The height of the drawing [px]. */
export const heightOf = (data: RivalsData, form: Form): number =>
  heightWith(data.rivals.length, data.axes.length, pitchOf(data, form), form);

/** The least height of so many rivals [px]. */
export const leastHeightOf = (rivals: number, axes: number, form: Form): number =>
  heightWith(rivals, axes, pitch[form].one, form);

/** Likely ranges move the end of an axis at most so far, as a multiple of the longest bar. */
const mostReach = 1.5;

/** The end of an axis. */
export function axisEnd({ rivals }: RivalsData, axis: number): number {
  const amounts = rivals.map(({ amounts }) => amounts[axis]!).filter(isKnown);
  const longest = Math.max(0, ...amounts.map(({ value }) => value));
  const reach = Math.max(0, ...amounts.map(({ likely }) => likely?.[1] ?? 0));
  return Math.max(longest, Math.min(mostReach * longest, reach)) || 1;
}

/** The side of the square whose area is the chips of a rival, of the most that any has. */
export const sideOf = (chips: number, most: number, whole: number): number =>
  chips > 0 ? Math.max(2, whole * Math.sqrt(chips / most)) : 0;

/** What rows of an axis have in common. */
interface Scale {
  /** The place of the axis itself, with the words behind its bars. */
  frame: Frame;
  axis: number;
  at(value: number): number;
  end: number;
  rows: { y: number; height: number; pitch: number };
}

/** An axis in a frame that leaves room behind its bars for the longest words. */
function scaleOf(
  sheet: Sheet,
  frame: Frame,
  data: RivalsData,
  axis: number,
  rows: Scale['rows'],
): Scale {
  const end = axisEnd(data, axis);
  const words = data.rivals.map(({ amounts }) => {
    const amount = amounts[axis]!;
    return isKnown(amount) ? sheet.measure(amount.short, 600, letters) : 0;
  });
  const width = Math.max(40, frame.width - Math.max(...words) - beside - 6);
  const at = (value: number): number => frame.x + (Math.min(value, end) / end) * width;
  return { frame, axis, at, end, rows };
}

/** The words over an axis; where it can't be told which is best, with a swatch of such bars. */
function layHead(sheet: Sheet, { x, y, width }: Frame, { label, told, zone }: Axis): void {
  sheet.text(x, y + 12, clipped(sheet, label, 600, width), { weight: 600 });
  if (zone) sheet.rect({ x, y: y + 18, width: 10, height: 10 }, 'rival alike');
  const from = x + (zone ? 16 : 0);
  sheet.text(from, y + 27, clipped(sheet, told, 400, x + width - from), { look: 'quiet' });
}

/** The zone in which it can't be told which is best, across all rows. */
function layZone(sheet: Sheet, { at, rows }: Scale, { zone }: Axis, count: number): void {
  if (!zone) return;
  const [from, to] = zone.map(at) as [number, number];
  const height = (count - 1) * rows.pitch + rows.height + 8;
  sheet.rect({ x: from, y: rows.y - 4, width: Math.max(2, to - from), height }, 'untold');
}

function layAmount(sheet: Sheet, scale: Scale, rival: Rival, index: number, form: Form): void {
  const { frame, axis, at, end, rows } = scale;
  const y = rows.y + index * rows.pitch;
  const { height } = rows;
  const amount = rival.amounts[axis]!;
  if (!isKnown(amount)) {
    const { key: part, lacks } = amount;
    // What was said of one axis is not said again beside it.
    const before = form === 'wide' ? rival.amounts[axis - 1] : undefined;
    const isSaid = before && !isKnown(before) && before.lacks === lacks;
    sheet.rect({ x: frame.x, y, width: frame.width, height }, 'lane unknown', part);
    if (isSaid) return;
    const text = clipped(sheet, lacks, 400, frame.width - 2 * beside);
    sheet.text(frame.x + beside, y + height / 2 + 4, text, { look: 'quiet halo', part });
    return;
  }
  const { key, value, likely, short, range, standing } = amount;
  const to = at(value);
  sheet.rect({ x: frame.x, y, width: to - frame.x, height }, `rival ${standing}`, key);
  let right = to;
  if (likely) {
    const [low, high] = likely.map(at) as [number, number];
    const middle = y + height / 2;
    const tip =
      likely[1] > end
        ? `M${px(high - 5)} ${px(middle - 4)}l5 4l-5 4`
        : `M${px(high)} ${px(middle - 5)}v10`;
    const line = `M${px(low)} ${px(middle - 5)}v10M${px(low)} ${px(middle)}H${px(high)}${tip}`;
    // A lighter line around it keeps it in sight on a dark bar.
    sheet.path(line, 'likely around');
    sheet.path(line, 'likely', { part: key });
    right = Math.max(right, high);
  }
  const base = y + height / 2 + 4;
  sheet.text(right + beside, base, short, { weight: 600, look: 'halo', part: key });
  if (form === 'wide' && range && sheet.measure(range, 400, letters) <= frame.width) {
    sheet.text(frame.x, y + height + 14, range, { look: 'quiet halo', part: key });
  }
}

/** The line below a name. */
const noteOf = ({ onChips, priced }: Rival): string =>
  [onChips, priced].filter(Boolean).join(' · ');

/** Names with their chips at the left, and an axis beside the other: squares, names and bars on one
 * line. */
function layWide(sheet: Sheet, frame: Frame, data: RivalsData): void {
  const { rivals, axes } = data;
  const tile = areAlike(data) ? 0 : 26;
  const before = tile > 0 ? tile + 10 : 0;
  const most = Math.max(...rivals.map(({ chips }) => chips));
  const longest = Math.max(
    ...rivals.map((rival) =>
      Math.max(sheet.measure(rival.name, 600, letters), sheet.measure(noteOf(rival), 400, letters)),
    ),
  );
  const words = Math.min(0.26 * frame.width, longest);
  const column = before + words;
  const wide = (frame.width - column) / axes.length - gap;
  const rows = { y: frame.y + head + 2, height: 16, pitch: pitchOf(data, 'wide') };
  const scales = axes.map((each, axis) => {
    const x = frame.x + column + gap + axis * (wide + gap);
    layHead(sheet, { x, y: frame.y, width: wide, height: head }, each);
    const scale = scaleOf(sheet, { ...frame, x, width: wide }, data, axis, rows);
    layZone(sheet, scale, each, rivals.length);
    return scale;
  });
  rivals.forEach((rival, index) => {
    const y = rows.y + index * rows.pitch;
    const side = sideOf(rival.chips, most, tile);
    const part = rival.amounts[0]!.key;
    const [aside, over] = [(tile - side) / 2, (rows.height - side) / 2];
    if (tile > 0) {
      sheet.rect({ x: frame.x + aside, y: y + over, width: side, height: side }, 'tile', part);
    }
    const x = frame.x + before;
    const name = clipped(sheet, rival.name, 600, words);
    sheet.text(x, y + 12, name, { weight: 600, part });
    if (tile > 0) {
      const note = sheet.fitting([noteOf(rival)], words, 400, letters);
      const below = note ?? clipped(sheet, rival.onChips, 400, words);
      sheet.text(x, y + 28, below, { look: 'quiet', part });
    }
    for (const scale of scales) {
      layAmount(sheet, scale, rival, index, 'wide');
      const from = scale.axis === 0 ? frame.x : scale.frame.x;
      const width = scale.frame.x + wide - from;
      const { key, says } = rival.amounts[scale.axis]!;
      const { goes } = rival;
      sheet.part(key, { x: from, y: y - 4, width, height: rows.pitch - 4 }, says, { goes });
    }
  });
}

/** Names over their bars, and an axis below the other. */
function layNarrow(sheet: Sheet, frame: Frame, data: RivalsData): void {
  const { rivals, axes } = data;
  const tile = areAlike(data) ? 0 : 12;
  const high = pitchOf(data, 'narrow');
  const most = Math.max(...rivals.map(({ chips }) => chips));
  axes.forEach((each, axis) => {
    const top = frame.y + axis * (head + rivals.length * high + between);
    layHead(sheet, { ...frame, y: top, height: head }, each);
    const rows = { y: top + head + 17, height: 14, pitch: high };
    const scale = scaleOf(sheet, frame, data, axis, rows);
    layZone(sheet, scale, each, rivals.length);
    rivals.forEach((rival, index) => {
      const y = rows.y + index * rows.pitch;
      const { key: part, says } = rival.amounts[axis]!;
      const side = sideOf(rival.chips, most, tile);
      if (tile > 0) {
        sheet.rect({ x: frame.x, y: y - 4 - side, width: side, height: side }, 'tile', part);
      }
      const x = frame.x + (tile > 0 ? tile + 6 : 0);
      const right = frame.x + frame.width;
      const onChips = tile > 0 ? clipped(sheet, rival.onChips, 400, frame.width / 2) : '';
      const left = right - sheet.measure(onChips, 400, letters) - 12;
      const name = clipped(sheet, rival.name, 600, left - x);
      sheet.text(x, y - 5, name, { weight: 600, look: 'halo', part });
      sheet.text(right, y - 5, onChips, { look: 'quiet halo', anchor: 'end', part });
      layAmount(sheet, scale, rival, index, 'narrow');
      const { goes } = rival;
      sheet.part(part, { ...frame, y: y - 18, height: rows.pitch - 2 }, says, { goes });
    });
  });
}

/** All of it, in the frame. */
export function layRivals(measure: Measure, frame: Frame, data: RivalsData, form: Form): Sheet {
  const sheet = new Sheet(measure);
  if (data.rivals.length === 0) return sheet;
  if (form === 'wide') layWide(sheet, frame, data);
  else layNarrow(sheet, frame, data);
  return sheet;
}
