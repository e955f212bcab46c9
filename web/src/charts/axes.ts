import { svg, nothing, type TemplateResult } from 'lit';
import type { Box } from './labels.ts';
import type { Scale } from './scale.ts';
import { px } from './shape.ts';
import type { Ticks } from './ticks.ts';

export interface PlacedAxis {
  ticks: Ticks;
  /** Where a tick is, in pixels. */
  place: (value: number) => number;
}

/** Sizes of the texts of a drawing; nothing is smaller. */
export const small = 12;
export const normal = 13;

const tick = 4;

/** The frame of a plot: a baseline with ticks below, numbers on the left, faint lines across. */
export function axes(plot: Box, x: PlacedAxis, y: PlacedAxis, grid = true): TemplateResult {
  const { left, right, bottom } = plot;
  return svg`<g class="axes">
    ${y.ticks.at.map((value, index) => {
      const at = px(y.place(value));
      return svg`${
        grid
          ? svg`<line class="grid" x1=${left} x2=${right} y1=${at} y2=${at} />`
          : svg`<line class="tick" x1=${left - tick} x2=${left} y1=${at} y2=${at} />`
      }<text class="end" x=${left - tick - 3} y=${px(at + small * 0.35)}>${y.ticks.labels[index]}</text>`;
    })}
    <line class="base" x1=${left} x2=${right} y1=${bottom} y2=${bottom} />
    ${x.ticks.at.map((value, index) => {
      const at = px(x.place(value));
      return svg`<line class="tick" x1=${at} x2=${at} y1=${bottom} y2=${bottom + tick} />
        <text class="middle" x=${at} y=${bottom + tick + small + 1}>${x.ticks.labels[index]}</text>`;
    })}
    ${y.ticks.title ? svg`<text class="axis" x="0" y=${small}>${y.ticks.title}</text>` : nothing}
    <text class="axis end" x=${right} y=${bottom + tick + 2 * small + 6}>${x.ticks.title}</text>
  </g>`;
}

/** Room below a plot for its axis. */
export const below = tick + 2 * small + 12;

export const placed = (ticks: Ticks, scale: Scale): PlacedAxis => ({
  ticks,
  place: (value) => scale.place(value),
});
