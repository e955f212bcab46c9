import { svg, type TemplateResult } from 'lit';
import { normal } from './axes.ts';
import { px } from './shape.ts';
import type { Measure } from './text.ts';

/** Height above a plot and the name of its axis, for a cursor's handle and its value. */
export const cursorRoom = 22;

/** The handle of a vertical cursor, and its value. */
export function cursorHead(
  x: number,
  top: number,
  value: string,
  width: number,
  measure: Measure,
): TemplateResult {
  const side = x + 22 + measure(value, 600, normal) < width ? 1 : -1;
  return svg`<path class="handle" transform="translate(${x} ${top})" d="M0 0l6 -7v-6h-12v6z" />
    <path class="grip" data-transient transform="translate(${x} ${top - 8})" d="M-10 -4l-4 4l4 4M10 -4l4 4l-4 4" />
    <text class="strong halo ${side > 0 ? 'start' : 'end'}" x=${px(x + side * 20)} y=${top - 4}>${value}</text>`;
}
