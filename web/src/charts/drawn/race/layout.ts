// What an operation needs of each resource, as rows on one axis of time: the longest binds. Below them
// what is expected, which begins where the lower bound ends.

import { px } from '../../kit/shape.ts';
import type { Measure } from '../../kit/text.ts';
import type { FigureData } from '../figure.ts';
import type { Form } from '../form.ts';
import { letters, Sheet, type Frame } from '../marks.ts';
import type { Told } from '../reading.ts';

export type Resource = 'compute' | 'memory' | 'network' | 'latency';

export interface Racer {
  key: string;
  resource: Resource;
  /** Tells it apart without colour. */
  sign: string;
  label: string;
  /** Seconds; absent where they are not known. */
  value?: number | undefined;
  said: string;
  /** The rate that makes its time, where there is room. */
  note: string;
  says: string;
  isBound: boolean;
}

/** A time on the same axis. */
interface Mark {
  key: string;
  value: number;
  label: string;
  said: string;
  says: string;
}

export interface RaceData extends FigureData {
  racers: readonly Racer[];
  /** Stands by the row that binds. */
  binds: string;
  lower?: Mark | undefined;
  /** Only where it is known; how many times the lower bound it is. */
  expected?: (Mark & { times: string }) | undefined;
  /** What it tells besides its rows, for those who can't see it. */
  told: readonly Told[];
  /** The times of the rows before the reader's change, in their order. */
  ghosts?: readonly (number | undefined)[] | undefined;
}

/** The height of the line over the rows [px]. */
const head = 24;
/** The least and the largest distance from row to row [px]. */
const pitch = { wide: [36, 44], narrow: [38, 46] } as const;
/** Heights of the drawing [px], which are the same whatever it shows: there is room for four rows. */
export const heights = {
  wide: head + 4 * pitch.wide[0],
  narrow: head + 4 * pitch.narrow[0],
};

/** What is expected moves the end of the axis at most so far, as a multiple of the longest row. */
const mostReach = 2.5;

const longestOf = ({ racers, lower }: RaceData): number =>
  Math.max(0, lower?.value ?? 0, ...racers.map(({ value }) => value ?? 0));

/** The end of the axis [s]. */
export function raceEnd(data: RaceData): number {
  const longest = longestOf(data);
  const reach = Math.min(mostReach * longest, data.expected?.value ?? 0);
  return 1.04 * Math.max(longest, reach) || 1;
}

/** Where a row has its words and where its bar. */
interface Lane {
  words: Frame;
  bar: Frame;
}

/** The rows of the drawing, the expected time as the last one. */
const rowsOf = ({ racers, expected }: RaceData): number => racers.length + (expected ? 1 : 0);

const clamp = (value: number, [least, most]: readonly [number, number]): number =>
  Math.max(least, Math.min(most, value));

/** Words at the left of bars. */
function lanesWide(measure: Measure, { x, y, width, height }: Frame, data: RaceData): Lane[] {
  const count = rowsOf(data);
  const each = clamp((height - head) / count, pitch.wide);
  const wide = [...data.racers, ...(data.expected ? [named(data.expected)] : [])].map((row) =>
    Math.max(
      widthOfName(measure, row.said, row.label) + (Object.hasOwn(row, 'sign') ? signWidth : 0),
      measure(row.note, 400, letters),
    ),
  );
  const column = Math.min(0.4 * width, Math.max(...wide)) + 20;
  return Array.from({ length: count }, (_, index) => {
    const top = y + head + index * each;
    return {
      words: { x, y: top, width: column - 20, height: 32 },
      bar: { x: x + column, y: top + 4, width: width - column, height: 24 },
    };
  });
}

/** Words over bars. */
function lanesNarrow({ x, y, width, height }: Frame, data: RaceData): Lane[] {
  const count = rowsOf(data);
  const each = clamp((height - head) / count, pitch.narrow);
  return Array.from({ length: count }, (_, index) => {
    const top = y + head + index * each;
    return {
      words: { x, y: top, width, height: 16 },
      bar: { x, y: top + 17, width, height: 14 },
    };
  });
}

const signWidth = 16;
const gap = 5;

const widthOfName = (measure: Measure, said: string, label: string): number =>
  measure(label, 400, letters) + gap + measure(said, 600, letters);

interface Named {
  key: string;
  label: string;
  said: string;
  note: string;
}

/** What is expected as a row: the verdict says the time. */
const named = ({ key, label, times }: NonNullable<RaceData['expected']>): Named => ({
  key,
  label,
  said: times,
  note: '',
});

/** The name of a row with its time, and its note below or behind them, if there is room. */
function name(sheet: Sheet, { words }: Lane, row: Named & Partial<Racer>, isNarrow: boolean): void {
  const { key, sign, label, said, note } = row;
  const y = words.y + 12;
  let { x } = words;
  if (sign) {
    sheet.text(x, y, sign, { look: `said ${row.resource}`, part: key });
    x += signWidth;
  }
  x += sheet.text(x, y, label, { part: key }).width + gap;
  x += sheet.text(x, y, said, { weight: 600, part: key }).width;
  const wide = sheet.measure(note, 400, letters);
  if (!isNarrow) {
    if (note && wide <= words.width)
      sheet.text(words.x, y + 16, note, { look: 'quiet', part: key });
  } else if (note && x + 12 + wide <= words.x + words.width) {
    sheet.text(words.x + words.width, y, note, { look: 'quiet', anchor: 'end', part: key });
  }
}

function layRacer(
  sheet: Sheet,
  lane: Lane,
  racer: Racer,
  end: number,
  { binds, ghost, isNarrow }: { binds: string; ghost?: number | undefined; isNarrow: boolean },
): void {
  const { key, value, resource, isBound } = racer;
  const { bar } = lane;
  name(sheet, lane, racer, isNarrow);
  if (value === undefined) {
    sheet.rect(bar, 'lane unknown', key);
    return;
  }
  const width = (value / end) * bar.width;
  sheet.rect({ ...bar, width }, `lane ${resource}${isBound ? ' longest' : ''}`, key);
  sheet.part(key, partOf(lane), racer.says);
  if (ghost !== undefined) {
    const x = bar.x + (Math.min(ghost, end) / end) * bar.width;
    sheet.path(`M${px(x)} ${px(bar.y - 3)}v${bar.height + 6}`, 'ghost');
  }
  if (!isBound) return;
  const wide = sheet.measure(binds, 600, letters);
  const y = bar.y + bar.height / 2 + 4;
  if (width + 10 + wide <= bar.width) {
    sheet.text(bar.x + width + 10, y, binds, { weight: 600, look: 'halo', part: key });
  } else if (wide + 16 <= width) {
    sheet.text(bar.x + width - 8, y, binds, { weight: 600, look: 'on', anchor: 'end', part: key });
  }
}

/** A row as a place to point at. */
const partOf = ({ words, bar }: Lane): Frame => ({
  x: words.x,
  y: words.y,
  width: bar.x + bar.width - words.x,
  height: Math.max(words.y + words.height, bar.y + bar.height) - words.y,
});

/** The lower bound across all rows, with its words over them. */
function layLower(sheet: Sheet, frame: Frame, lanes: readonly Lane[], data: RaceData): void {
  const { lower } = data;
  const [first, last] = [lanes[0]!, lanes.at(-1)!];
  if (!lower) return;
  const { bar } = first;
  const x = bar.x + (lower.value / raceEnd(data)) * bar.width;
  // Words over the bars are left to be read.
  const stacked = bar.y > first.words.y + 10;
  const lines = stacked
    ? lanes.map((lane) => `M${px(x)} ${px(lane.bar.y - 2)}V${px(lane.bar.y + lane.bar.height + 2)}`)
    : [`M${px(x)} ${px(bar.y - 4)}V${px(last.bar.y + last.bar.height + 4)}`];
  sheet.path(lines.join(''), 'limit', { part: lower.key });
  // The verdict says the time.
  const text = lower.label;
  const wide = sheet.measure(text, 400, letters);
  const y = frame.y + 12;
  const right = bar.x + bar.width;
  // It ends at its line, or begins there where it would leave the axis.
  const begins = Math.min(Math.max(bar.x, x - wide), right - wide);
  sheet.text(begins, y, text, { look: 'quiet', part: lower.key });
  sheet.part(lower.key, { x: begins, y: y - 12, width: wide, height: 16 }, lower.says);
}

/** From the lower bound to what is expected, as a bracket; an arrow where that lies beyond the axis. */
function layExpected(sheet: Sheet, lane: Lane, data: RaceData, isNarrow: boolean): void {
  const { expected, lower } = data;
  if (!expected) return;
  const end = raceEnd(data);
  const { bar } = lane;
  const at = (value: number): number => bar.x + (Math.min(value, end) / end) * bar.width;
  const [from, to] = [at(lower?.value ?? 0), at(expected.value)];
  const y = bar.y + bar.height / 2;
  const tip =
    expected.value > end ? `M${px(to - 6)} ${px(y - 5)}l6 5l-6 5` : `M${px(to)} ${px(y - 6)}v12`;
  sheet.path(`M${px(from)} ${px(y - 6)}v12M${px(from)} ${px(y)}H${px(to)}${tip}`, 'range', {
    part: expected.key,
  });
  name(sheet, lane, named(expected), isNarrow);
  sheet.part(expected.key, partOf(lane), expected.says);
}

/** All of it, in the frame of a sheet that may show other things, too. */
export function drawRace(sheet: Sheet, frame: Frame, data: RaceData, form: Form): void {
  const isNarrow = form === 'narrow';
  const { measure } = sheet;
  const lanes = isNarrow ? lanesNarrow(frame, data) : lanesWide(measure, frame, data);
  const end = raceEnd(data);
  data.racers.forEach((racer, index) =>
    layRacer(sheet, lanes[index]!, racer, end, {
      binds: data.binds,
      ghost: data.ghosts?.[index],
      isNarrow,
    }),
  );
  layExpected(sheet, lanes.at(-1)!, data, isNarrow);
  layLower(sheet, frame, lanes, data);
}

/** The same on a sheet of its own. */
export function layRace(measure: Measure, frame: Frame, data: RaceData, form: Form): Sheet {
  const sheet = new Sheet(measure);
  drawRace(sheet, frame, data, form);
  return sheet;
}
