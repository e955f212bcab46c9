// The width of text before it is drawn.

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

/**
 * Wraps text into lines of at most `most` pixels, broken at spaces and, where there are none,
 * between Chinese characters, but not before a stop or a closing bracket.
 */
export function wrap(text: string, font: string, most: number): string[] {
  const pieces = text.match(
    /(?:[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]|[^\s\u2e80-\u9fff\uf900-\uffef]+)[、。，：；！？）】》」』]*\s*|\s+/g,
  );
  const lines: string[] = [];
  let line = '';
  for (const piece of pieces ?? []) {
    if (line && widthOf((line + piece).trimEnd(), font) > most) {
      lines.push(line.trimEnd());
      line = piece;
    } else line += piece;
  }
  return [...lines, line.trimEnd()].filter(Boolean);
}
