// The links of one level of switches, or of one axis of a torus, as a collective's machine shows them.

import type { Frame, Sheet } from '../marks.ts';

/** What a collective does with links: they bind it, it uses them, or it leaves them alone. */
export type Use = 'binds' | 'used' | 'idle';

export interface LinkSet {
  /** The answer that says how long they are busy. */
  key: string;
  /** `between domains`. */
  label: string;
  /** How fast each is, or the shape of the axis; empty where that is not known. */
  note: string;
  says: string;
  /** The line's width [px]. */
  thick: number;
  use: Use;
}

/** Draws links, and what lights up where these are pointed at: `d` has `count` of them. */
export function drawLinks(
  sheet: Sheet,
  { key, thick, use }: LinkSet,
  { d, count }: { d: string; count: number },
  mostThick = Infinity,
): void {
  if (count === 0) return;
  const wide = use === 'idle' ? 1 : Math.min(thick, mostThick);
  sheet.path(d, `wire ${use}`, { count, thick: wide, part: key });
  if (use === 'idle') return;
  sheet.light(key, [{ kind: 'path', d, look: 'wire pointed', thick: wide, count }]);
}

/** The name of links with their note, if both have room; returns where it ends. */
export function nameLinks(sheet: Sheet, { x, y, width }: Frame, links: LinkSet): number {
  const { key, label, note, says, use } = links;
  const fits = sheet.widthOf(label, note) <= width;
  const weight = use === 'binds' ? 600 : 400;
  const named = sheet.text(x, y, label, { look: 'halo', weight, part: key });
  let right = x + named.width;
  if (note && fits) {
    right += sheet.text(right + 5, y, note, { look: 'halo quiet', part: key }).width + 5;
  }
  sheet.part(key, { x, y: y - 12, width: right - x, height: 16 }, says);
  return right;
}
