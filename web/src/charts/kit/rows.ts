import { svg, type TemplateResult } from 'lit';
import { normal, small } from './axes.ts';
import { px } from './shape.ts';
import type { Measure } from './text.ts';

/** Horizontal bars, one below another, with their names beside them or, where that leaves too little, above. */
export interface Rows {
  /** The left edge of bars in pixels. */
  left: number;
  height: number;
  /** The height of a bar. */
  thick: number;
  top: (row: number) => number;
  names: { row: number; text: string; x: number; y: number; end: boolean }[];
}

/** The intended height of all bars together, if each stays visible. */
const wanted = 400;
const thinnest = 7;
const thickest = 30;
/** The part of the width that names may take. */
const share = 0.3;
const mostAbove = 16;

export function layRows(
  names: readonly string[],
  top: number,
  width: number,
  measure: Measure,
): Rows {
  const count = Math.max(1, names.length);
  const longest = Math.max(0, ...names.map((name) => measure(name, 400, small)));
  const above = longest > width * share && count <= mostAbove;
  const head = above ? small + 6 : 0;
  const pitch = Math.min(thickest + 8 + head, Math.max(thinnest + 2 + head, wanted / count));
  const between = pitch - head < 14 ? 2 : pitch - head < 24 ? 4 : 8;
  const thick = Math.floor(pitch - head - between);
  const step = thick + between + head;
  const each = above ? 1 : Math.ceil((normal + 1) / step);
  const start = (row: number): number => top + row * step + head;
  return {
    left: longest === 0 || above ? 0 : Math.ceil(Math.min(longest, width * share)) + 9,
    height: count * step,
    thick,
    top: start,
    names: names.flatMap((text, row) => {
      if (!text || row % each > 0) return [];
      const beside = px(start(row) + thick / 2 + small * 0.35);
      const x = Math.min(longest, width * share);
      return [{ row, text, x: above ? 0 : px(x), y: above ? start(row) - 5 : beside, end: !above }];
    }),
  };
}

/** The row at a height; undefined outside. */
export function rowAt({ top, thick }: Rows, count: number, y: number): number | undefined {
  const step = top(1) - top(0);
  const row = Math.floor((y - top(0) + (step - thick) / 2) / step);
  return row >= 0 && row < count ? row : undefined;
}

export const rowNames = ({ names }: Rows): TemplateResult[] =>
  names.map(
    ({ text, x, y, end }) =>
      svg`<text class="quiet ${end ? 'end' : ''}" x=${x} y=${y}>${text}</text>`,
  );
