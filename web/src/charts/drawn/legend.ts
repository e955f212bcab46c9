// A list of what a bar is made of, in the bar's order.

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
  look: string;
}

const row = 18;
const swatch = 10;

/** In as many columns as there is room for; what finds none is left out, the smallest first. */
export function legend(sheet: Sheet, frame: Frame, entries: readonly Entry[]): void {
  const widths = entries.map(({ said, label }) => sheet.widthOf(said, label) + swatch + 22);
  const columns = Math.max(1, Math.min(3, Math.floor(frame.width / Math.max(1, ...widths))));
  const rows = Math.floor(frame.height / row);
  const kept = [...entries].sort((a, b) => b.value - a.value).slice(0, columns * rows);
  entries
    .filter((entry) => kept.includes(entry))
    .forEach(({ key, look, said, label }, index) => {
      const x = frame.x + ((index % columns) * frame.width) / columns;
      const y = frame.y + Math.floor(index / columns) * row;
      sheet.rect({ x, y: y + 3, width: swatch, height: swatch }, `${look} swatch`, key);
      sheet.pair(x + swatch + 6, y + 12, said, label, key);
    });
}
