// A list of what a bar is made of, in the bar's order.

import type { Part } from '../kit/looks.ts';
import type { Frame, Sheet } from './marks.ts';

/** A piece of a bar, with what is said of it. */
export interface Entry {
  key: string;
  value: number;
  label: string;
  /** Its value in words. */
  said: string;
  /** Its name with its values, where there is nothing beside it. */
  says: string;
  look: Part;
}

const row = 18;
const swatch = 10;

const between = 16;

/** The widths of so many columns; row by row, entries fill them. */
const widthsOf = (all: readonly number[], columns: number): number[] =>
  Array.from({ length: columns }, (_, column) =>
    Math.max(0, ...all.filter((_, index) => index % columns === column)),
  );

/** In as many columns as have room; what finds none is left out, the smallest first, and counted. */
export function legend(
  sheet: Sheet,
  frame: Frame,
  entries: readonly Entry[],
  more?: (count: number) => string,
): void {
  const rows = Math.floor(frame.height / row);
  const wide = ({ said, label }: Entry): number => sheet.widthOf(said, label) + swatch + 6;
  const largest = [...entries].sort((a, b) => b.value - a.value);
  for (let columns = 3; columns > 0; --columns) {
    const places = columns * rows;
    // The largest stays, though others can then not be counted.
    const most = entries.length > places && more ? Math.max(1, places - 1) : places;
    const kept = entries.filter((entry) => largest.indexOf(entry) < most);
    const left = entries.length - kept.length;
    const rest = left > 0 && most < places && more ? more(left) : '';
    const widths = widthsOf(
      [...kept.map(wide), ...(rest ? [sheet.measure(rest, 400, 12)] : [])],
      columns,
    );
    const whole = widths.reduce((sum, each) => sum + each + between, -between);
    if (whole > frame.width && columns > 1) continue;
    // Columns stand as far apart as there is room, up to even ones.
    const even = frame.width / columns;
    const at = (column: number): number => {
      const before = widths.slice(0, column).reduce((sum, each) => sum + each + between, 0);
      const fits = widths.every(
        (each, index) => index * even + each <= frame.width && each + between <= even,
      );
      return frame.x + (fits ? column * even : before);
    };
    const place = (index: number): { x: number; y: number } => ({
      x: at(index % columns),
      y: frame.y + Math.floor(index / columns) * row,
    });
    kept.forEach(({ key, look, said, label }, index) => {
      const { x, y } = place(index);
      sheet.rect({ x, y: y + 3, width: swatch, height: swatch }, `${look} swatch`, key);
      sheet.pair(x + swatch + 6, y + 12, said, label, key);
    });
    const { x, y } = place(kept.length);
    if (rest) sheet.text(x, y + 12, rest, { look: 'quiet' });
    return;
  }
}
