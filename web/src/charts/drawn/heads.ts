// What stands over a part of a drawing, and below it.

import { cutBy } from '../kit/wrap.ts';
import { letters, type Frame, type Sheet } from './marks.ts';

/** The title over a part of the drawing; returns its width. */
export function heading(
  sheet: Sheet,
  { x, y, width }: Frame,
  titles: readonly string[],
  part: string,
): number {
  const title = sheet.fitting(titles, width, 600, 13) ?? titles.at(-1)!;
  return sheet.text(x, y + 12, title, { size: 13, weight: 600, part }).width;
}

/** From one hollow chip to the next, and the most that are drawn. */
const square = 11;
const mostSquares = 8;

/** What the drawing above can't say, in one line, as far as there is room; returns where it ends. */
export function notesLine(
  sheet: Sheet,
  frame: Frame,
  notes: readonly { says: string; key?: string; hollow?: number }[],
): number {
  let { x } = frame;
  let right = x;
  for (const { says, key, hollow = 0 } of notes) {
    const squares = Math.min(hollow, mostSquares);
    const before = squares > 0 ? squares * square + 4 : 0;
    const width = sheet.measure(says, 400, 12);
    if (x + before + width > frame.x + frame.width) break;
    for (let index = 0; index < squares; ++index) {
      const side = square - 3;
      sheet.rect({ x: x + index * square, y: frame.y - 9, width: side, height: side }, 'hollow');
    }
    x += before;
    sheet.text(x, frame.y, says, { look: 'quiet', part: key });
    if (key) sheet.part(key, { x, y: frame.y - 12, width, height: 16 }, says);
    right = x + width;
    x = right + 14;
  }
  return right;
}

/** A text in letters of that weight, which ends early where there is no room for all of it. */
export const clipped = (sheet: Sheet, text: string, weight: number, width: number): string =>
  cutBy((each) => sheet.measure(each, weight, letters), text, width);
