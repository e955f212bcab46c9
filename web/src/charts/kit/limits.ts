import { svg, type TemplateResult } from 'lit';
import type { Formatter } from '../../number/format.ts';
import { normal } from './axes.ts';
import type { Limit } from './data.ts';
import type { Scale } from './scale.ts';
import { px } from './shape.ts';
import type { Measure } from './text.ts';

/** Height of the line with each limit's name, above the plot. */
export const limitLine = 17;

export interface PlacedLimit {
  soft: boolean;
  x: number;
  /** The upper end of the line, below its name. */
  top: number;
  text: string;
  at: number;
}

export const usable = (limits: readonly Limit[]): Limit[] =>
  limits.filter(({ value }) => Number.isFinite(value) && value > 0);

/** The least that should not be passed. */
export const hardLimit = (limits: readonly Limit[]): number =>
  Math.min(...usable(limits).flatMap(({ value, soft }) => (soft ? [] : [value])));

/** Lines across the whole height of a plot, each with its name on a line of its own. */
export function layLimits(
  limits: readonly Limit[],
  unit: string,
  place: Scale['place'],
  top: number,
  width: number,
  format: Formatter,
  measure: Measure,
): PlacedLimit[] {
  return usable(limits).map(({ label, value, soft = false }, index) => {
    const text = `${label} ${format.say(value, unit)}`;
    const x = px(place(value));
    const half = measure(text, soft ? 400 : 600, normal) / 2;
    const at = px(Math.max(half, Math.min(width - half, x)));
    return { soft, x, top: top + index * limitLine, text, at };
  });
}

export const limitLines = (
  placed: readonly PlacedLimit[],
  bottom: number,
  top: number,
): TemplateResult[] =>
  placed.map(({ soft, x, top: from, text, at }) => {
    return svg`<line class="limit ${soft ? 'soft' : ''}" x1=${x} x2=${x} y1=${top - 4} y2=${bottom} />
      <text class="halo middle ${soft ? 'quiet' : 'strong'}" x=${at} y=${from}>${text}</text>`;
  });
