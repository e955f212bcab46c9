import { svg, nothing, type TemplateResult } from 'lit';
import type { Box } from './labels.ts';
import { px } from './shape.ts';
import type { Measure } from './text.ts';
import type { Ticks } from './ticks.ts';

interface PlacedAxis {
  ticks: Ticks;
  /** The place of a tick in pixels. */
  place: (value: number) => number;
}

/** Sizes of the texts of a drawing; nothing is smaller. */
export const small = 12;
export const normal = 13;

const tick = 4;
const labelGap = 8;

/** Room below a plot for its axis. */
export const below = tick + 2 * small + 12;

/** Numbers below their ticks, moved inwards at the edges; what comes too near to the one before is left out. */
function numbers(
  { ticks, place }: PlacedAxis,
  width: number,
  measure: Measure,
): (number | undefined)[] {
  let end = -Infinity;
  return ticks.at.map((value, index) => {
    const half = measure(ticks.labels[index]!, 400, small) / 2;
    const at = Math.min(width - half, Math.max(half, place(value)));
    if (at - half < end) return undefined;
    end = at + half + labelGap;
    return px(at);
  });
}

/** The frame of a plot: a baseline with ticks below, numbers on the left, faint lines across. */
export function axes(
  plot: Box,
  x: PlacedAxis,
  y: PlacedAxis,
  width: number,
  measure: Measure,
  grid = true,
): TemplateResult {
  const { left, right, bottom } = plot;
  const places = numbers(x, width, measure);
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
      const number = places[index];
      return svg`<line class="tick" x1=${at} x2=${at} y1=${bottom} y2=${bottom + tick} />
        ${
          number === undefined
            ? nothing
            : svg`<text class="middle" x=${number} y=${bottom + tick + small + 1}>${x.ticks.labels[index]}</text>`
        }`;
    })}
    <text x="0" y=${small}>${y.ticks.title}</text>
    <text class="end" x=${right} y=${bottom + tick + 2 * small + 6}>${x.ticks.title}</text>
  </g>`;
}
