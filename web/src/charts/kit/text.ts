// The width of text before it is drawn.

import { wrapBy } from './wrap.ts';

/** The width of a text in pixels. */
export type Measure = (text: string, weight: number, size: number) => number;

const context = new OffscreenCanvas(1, 1).getContext('2d')!;
const widths = new Map<string, number>();
/** The number of kept widths: dragged numbers ask for ever new texts. */
const mostKept = 4000;

/** `font` as in CSS: `600 13px system-ui`. */
export function widthOf(text: string, font: string): number {
  const key = font + text;
  let width = widths.get(key);
  if (width === undefined) {
    if (widths.size >= mostKept) widths.clear();
    if (context.font !== font) context.font = font;
    width = context.measureText(text).width;
    widths.set(key, width);
  }
  return width;
}

/** Measures texts in the fonts of a family. */
export const measureBy =
  (family: () => string): Measure =>
  (text, weight, size) =>
    widthOf(text, `${weight} ${size}px ${family()}`);

/** Wraps text that is set in `font` into lines of at most `most` pixels. */
export const wrap = (text: string, font: string, most: number): string[] =>
  wrapBy((each) => widthOf(each, font), text, most);
