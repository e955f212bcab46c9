// A card: question, verdict and drawing on 1200 x 630 pixels, as feeds show pictures of links.

import { wrapBy } from '../kit/wrap.ts';
import { Sheet, type Frame } from './marks.ts';
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
  /** The calculator's name, its link, and what prices rest on with the day: of each the first that has
   * room is written. */
  name: string;
  links: readonly string[];
  made: readonly string[];
  /** Draws below them. */
  picture(frame: Frame): Layer[];
}

export const cardSize = { width: 1200, height: 630 };

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
  const least = ({ notes }: Verdict): number => sheet.measure(notes.at(-1) ?? '', 400, note);
  // Notes have all the room where nothing stands beside them.
  const usual = (size: number): number => (others.length > 0 ? size * 4 : inner / 2 - gap);
  const columnsWith = (size: number, most: number): number[] =>
    largest.map((each) => Math.max(wide(said(each), size), Math.min(noted(each), most)) + gap);
  const sum = (columns: readonly number[]): number => columns.reduce((all, each) => all + each, 0);
  const beside = (size: number, noteOf: (each: Verdict) => number): number =>
    Math.max(0, ...others.map((each) => wide(said(each), size) + 12 + noteOf(each)));
  const sizes = [72, 68, 64, 60, 56, 52, 48, 44, 40].flatMap((size) =>
    [34, 30, 26, 22].map((other) => [size, other] as const),
  );
  const [size, other] =
    sizes.find(
      ([size, other]) => sum(columnsWith(size, usual(size))) + beside(other, noted) <= inner,
    ) ?? sizes.at(-1)!;
  // The notes below take the room that is left.
  const roomy = columnsWith(size, Infinity);
  const columns =
    sum(roomy) + beside(other, least) <= inner ? roomy : columnsWith(size, usual(size));
  const fitting = (notes: readonly string[], room: number): string =>
    sheet.fitting(notes, room, 400, note) ?? '';
  let x = margin;
  largest.forEach((each, index) => {
    const column = columns[index]!;
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
  let room = inner - name.width - gap;
  const quiet = { size: small, look: 'quiet' };
  // Nothing else tells whose prices these are.
  const made = sheet.fitting(data.made, room, 400, small);
  if (made) room -= sheet.text(margin + name.width + gap, foot.text, made, quiet).width + gap;
  const link = sheet.fitting(data.links, room, 400, small);
  if (link) sheet.text(right, foot.text, link, { ...quiet, anchor: 'end' });
  const frame = { x: margin, y: at.rule + 18, width: inner, height: foot.picture - at.rule - 18 };
  return [{ sheet, x: 0, y: 0, scale: 1 }, ...data.picture(frame)];
}
