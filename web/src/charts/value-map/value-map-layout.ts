import type { Formatter } from '../../number/format.ts';
import { small } from '../kit/axes.ts';
import type { ValueMapData } from '../kit/data.ts';
import { cellBox, layGrid, runs, type Grid } from '../kit/grid-layout.ts';
import { hull, scale, type Range } from '../kit/scale.ts';
import { glyphs, px } from '../kit/shape.ts';
import type { Measure } from '../kit/text.ts';
import { inOneUnit } from '../kit/ticks.ts';

/** Shades from the least to the greatest value. */
const shadeCount = 7;
/** The darkness of each shade; numbers are legible on all of them. */
export const shades = Array.from({ length: shadeCount }, (_, index) => 0.04 + 0.075 * index);
const widest = 48;
const legendRoom = 56;

export interface Legend {
  /** The baseline of the line that names the shades; they are below it. */
  baseline: number;
  /** The width of a shade in the key. */
  width: number;
  title: string;
  /** The text behind the title, on its line. */
  after: number;
  /** The number of shades; 1 if all cells have one value. */
  count: number;
  /** Numbers at the shades' edges. */
  labels: { x: number; text: string; anchor: 'start' | 'middle' | 'end' }[];
}

export interface ValueMapLayout extends Grid {
  /** One path for each shade. */
  shaded: string[];
  /** Cells without a value. */
  absent: string;
  legend: Legend;
  /** If all cells have room for theirs. */
  numbers: { at: number; x: number; y: number; text: string }[];
}

export const hasValue = ({ cells, absent }: ValueMapData, at: number): boolean =>
  !absent?.[at] && Number.isFinite(cells[at]);

export function layValueMap(
  data: ValueMapData,
  width: number,
  format: Formatter,
  measure: Measure,
): ValueMapLayout {
  const grid = layGrid(data, width, format, measure);
  const log = data.value.scale === 'log';
  const values = Array.from(data.cells).filter((_, at) => hasValue(data, at));
  const range = hull(log, values) ?? [1, 1];
  const { place } = scale(log, range, [0, shadeCount]);
  const cells = Array.from(data.cells, (value, at) =>
    hasValue(data, at) ? Math.min(shadeCount - 1, Math.floor(place(value))) : shadeCount,
  );
  const { paths, absent } = runs({ cells }, shadeCount, grid);
  return {
    ...grid,
    height: grid.height + legendRoom,
    shaded: paths,
    absent,
    legend: layLegend(data, range, grid.height, width, format, measure),
    numbers: numbersIn(data, range, grid, format, measure),
  };
}

function layLegend(
  { value }: ValueMapData,
  [from, to]: Range,
  top: number,
  width: number,
  format: Formatter,
  measure: Measure,
): Legend {
  const { say, title } = inOneUnit(value, to, format);
  const across = Math.min(widest, Math.floor((width - 24) / shadeCount));
  const count = from < to ? shadeCount : 1;
  const texts = Array.from({ length: count + 1 }, (_, index) => {
    const part = index / count;
    return say(value.scale === 'log' ? from * (to / from) ** part : from + (to - from) * part);
  });
  // The legend names only the ends if the labels would overlap.
  const fit = texts.every((text) => 1.5 * measure(text, 400, small) < across - 4);
  return {
    baseline: top + small + 6,
    width: across,
    title,
    after: px(measure(title, 400, small) + 28),
    count,
    labels: texts.slice(0, from < to ? undefined : 1).flatMap((text, index): Legend['labels'] => {
      const anchor = index === 0 ? 'start' : index === count ? 'end' : 'middle';
      return fit || anchor !== 'middle' ? [{ x: index * across, text, anchor }] : [];
    }),
  };
}

/** The number of each cell, if all have room; with the shape of what binds, if that has room too. */
function numbersIn(
  data: ValueMapData,
  range: Range,
  grid: Grid,
  format: Formatter,
  measure: Measure,
): ValueMapLayout['numbers'] {
  const { cells, kinds, categories, x } = data;
  const { say } = inOneUnit(data.value, range[1], format);
  const columns = x.values.length;
  const boxes = Array.from(cells, (_, at) => cellBox(grid, at % columns, Math.floor(at / columns)));
  const narrowest = Math.min(...boxes.map(({ width }) => width));
  const lowest = Math.min(...boxes.map(({ height }) => height));
  if (lowest < small + 6 || narrowest < 2 * small) return [];
  const found = Array.from(cells).flatMap((value, at) => {
    if (!hasValue(data, at)) return [];
    const bound = categories?.[kinds?.[at] ?? -1]?.bound;
    const text = say(value);
    return [{ at, text, long: bound ? `${glyphs[bound]} ${text}` : text }];
  });
  const key = (['long', 'text'] as const).find((key) =>
    found.every((number) => measure(number[key], 600, small) + 6 < narrowest),
  );
  if (!key) return [];
  return found.map(({ at, [key]: text }) => {
    const { left, top, width, height } = boxes[at]!;
    return { at, x: px(left + width / 2), y: px(top + height / 2 + small * 0.35), text };
  });
}
