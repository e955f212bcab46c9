// The card of a training: question, verdict and drawing on 1200 x 630 pixels, as feeds show pictures of
// links. A report shows the drawing alone.

import { wrapBy } from '../kit/wrap.ts';
import type { DrawingData, Reading } from './drawing-data.ts';
import { Sheet, type Frame } from './marks.ts';
import { heights, layMachines, layTime } from './training.ts';
import type { Measure } from '../kit/text.ts';

/** A sheet and where it lies on the picture. */
export interface Layer {
  sheet: Sheet;
  x: number;
  y: number;
  scale: number;
  /** The answers are those of a layout that does not fit. */
  isFaint?: boolean;
}

export interface Verdict {
  large: string;
  /** Stands before it. */
  sign?: string;
  look: string;
  /** The first that has room is written. */
  notes: readonly string[];
}

export interface CardData {
  /** The question: the first that has room is written. */
  titles: readonly string[];
  /** Time and cost, which are largest, then what stands beside them. */
  largest: readonly Verdict[];
  others: readonly Verdict[];
  /** The calculator's name, and its link: the first that has room is written. */
  name: string;
  links: readonly string[];
  drawing: DrawingData;
  /** Stands over the bar. */
  goes: string;
}

export const cardSize = { width: 1200, height: 630 };

/** The reading that says most to most: money, else days. */
export const readingOf = ({ readings }: DrawingData): Reading =>
  ['cost', 'days'].flatMap((key) => readings.find((each) => each.key === key) ?? [])[0] ??
  readings[0]!;

/** Heights of the parts of the picture [px]. */
const title = 18;
const between = 8;
const bar = 98;
/** What the bar takes below the machines [px]. */
export const barHeight = between + title + bar;
const { machines: most, time: withRuler, tank } = heights.wide;

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
  const time = title + (reading.ruler ? withRuler : bar);
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

const margin = 48;
const inner = cardSize.width - 2 * margin;
const right = cardSize.width - margin;
const gap = 44;
/** Sizes of letters. */
const note = 17;
const small = 14;
/** Baselines and lines. */
const at = { one: 72, two: [48, 78], large: 162, note: 200, others: [130, 178], rule: 216 };
const foot = { picture: 578, text: 606 };

/** A question in one line or two; where it is longer still, what it begins with. */
function question(sheet: Sheet, titles: readonly string[]): void {
  const linesOf = (text: string, size: number): string[] =>
    wrapBy((each) => sheet.measure(each, 400, size), text, inner);
  for (const [lines, sizes] of [
    [1, [30, 27]],
    [2, [24, 21]],
  ] as const) {
    for (const title of titles) {
      for (const size of sizes) {
        const found = linesOf(title, size);
        if (found.length <= lines) {
          write(found, size);
          return;
        }
      }
    }
  }
  const [first = '', second = ''] = linesOf(titles.at(-1)!, 21);
  let cut = second;
  while (cut && sheet.measure(`${cut}…`, 400, 21) > inner) cut = cut.slice(0, -1);
  write([first, `${cut}…`], 21);

  function write(lines: readonly string[], size: number): void {
    lines.forEach((line, index) =>
      sheet.text(margin, lines.length === 1 ? at.one : at.two[index]!, line, { size }),
    );
  }
}

const said = ({ sign, large }: Verdict): string => (sign ? `${sign} ${large}` : large);

/** The verdicts, as large as there is room. */
function verdicts(sheet: Sheet, { largest, others }: CardData): void {
  const wide = (text: string, size: number): number => sheet.measure(text, 700, size);
  const noted = ({ notes: [first = ''] }: Verdict): number => sheet.measure(first, 400, note);
  const columns = (size: number): number[] =>
    largest.map((each) => Math.max(wide(said(each), size), Math.min(noted(each), size * 4)) + gap);
  const left = (size: number): number => columns(size).reduce((sum, each) => sum + each, margin);
  const beside = (size: number): number =>
    Math.max(...others.map((each) => wide(said(each), size) + 12 + noted(each)));
  const sizes = [72, 68, 64, 60, 56, 52, 48, 44].flatMap((size) =>
    [34, 30, 26, 22].map((other) => [size, other] as const),
  );
  const [size, other] =
    sizes.find(([size, other]) => left(size) + beside(other) <= right) ?? sizes.at(-1)!;
  const fitting = (notes: readonly string[], room: number): string =>
    notes.find((each) => sheet.measure(each, 400, note) <= room) ?? '';
  let x = margin;
  largest.forEach((each, index) => {
    const column = columns(size)[index]!;
    sheet.text(x, at.large, said(each), { size, weight: 700, look: each.look });
    const below = fitting(each.notes, column - 12);
    if (below) sheet.text(x, at.note, below, { size: note, look: 'quiet' });
    x += column;
  });
  others.forEach((each, index) => {
    const y = at.others[index]!;
    const { width } = sheet.text(x, y, said(each), { size: other, weight: 700, look: each.look });
    const from = x + width + 12;
    const behind = fitting(each.notes, right - from);
    if (behind) sheet.text(from, y, behind, { size: note, look: 'quiet' });
  });
}

export function layCard(measure: Measure, data: CardData): Layer[] {
  const sheet = new Sheet(measure);
  question(sheet, data.titles);
  verdicts(sheet, data);
  sheet.path(`M${margin} ${at.rule}H${right}`, 'rule');
  const name = sheet.text(margin, foot.text, data.name, { size: small, weight: 600 });
  const room = inner - name.width - gap;
  const link = data.links.find((each) => measure(each, 400, small) <= room);
  if (link) sheet.text(right, foot.text, link, { size: small, look: 'quiet', anchor: 'end' });
  const { drawing } = data;
  const frame = { x: margin, y: at.rule + 18, width: inner, height: foot.picture - at.rule - 18 };
  const { ruler: _, ...reading } = readingOf(drawing);
  // One chip's drawing is low, and so has room to be large.
  const scale = drawing.replica ? 1.2 : 1.5;
  return [
    { sheet, x: 0, y: 0, scale: 1 },
    ...layPicture(measure, frame, scale, drawing, reading, data.goes),
  ];
}
