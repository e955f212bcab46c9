import type { Formatter } from '../number/format.ts';
import { below, small } from './axes.ts';
import { cursorRoom } from './cursor.ts';
import type { MapAxis, MapData, Numbers } from './data.ts';
import type { Box } from './labels.ts';
import { hull, nearest } from './scale.ts';
import { px } from './shape.ts';
import type { Measure } from './text.ts';
import { linearTicks, logTicks, type Ticks } from './ticks.ts';

const top = small + cursorRoom;
/** A few rows need not fill the height. */
const tallest = 56;

/** Cells over two inputs. */
export interface Grid {
  height: number;
  plot: Box;
  /** Pixels of a cell. */
  cell: { width: number; height: number };
  xTicks: Ticks;
  yTicks: Ticks;
  placeX: (value: number) => number;
  placeY: (value: number) => number;
}

export function layGrid(data: MapData, width: number, format: Formatter, measure: Measure): Grid {
  const wanted = Math.round(Math.min(460, Math.max(280, width * 0.62)));
  const height = Math.min(wanted, top + below + tallest * Math.max(2, data.y.values.length));
  const plot: Box = { left: 0, right: width - 16, top, bottom: height - below };
  const rows = Math.floor((plot.bottom - plot.top) / (data.y.names ? small + 3 : 32));
  const yTicks = ticksOf(data.y, rows, format);
  plot.left = Math.ceil(Math.max(0, ...yTicks.labels.map((text) => measure(text, 400, small)))) + 9;
  const cell = {
    width: (plot.right - plot.left) / Math.max(1, data.x.values.length),
    height: (plot.bottom - plot.top) / Math.max(1, data.y.values.length),
  };
  return {
    height,
    plot,
    cell,
    xTicks: ticksOf(
      data.x,
      data.x.names ? Infinity : Math.floor((plot.right - plot.left) / 52),
      format,
    ),
    yTicks,
    placeX: (value) => px(plot.left + cell.width * (positionOf(data.x, value) + 0.5)),
    placeY: (value) => px(plot.bottom - cell.height * (positionOf(data.y, value) + 0.5)),
  };
}

function ticksOf(axis: MapAxis, most: number, format: Formatter): Ticks {
  const { values, names, label, scale } = axis;
  if (names) {
    // Columns leave out names that have no room themselves.
    const each = Math.max(1, Math.ceil(names.length / most));
    const named = names.flatMap((_, index) => (index % each > 0 ? [] : [index]));
    return {
      at: named.map((index) => values[index]!),
      labels: named.map((index) => names[index]!),
      title: label,
    };
  }
  const range = hull(scale === 'log', values);
  if (!range) return { at: [], labels: [], title: label };
  if (range[0] === range[1]) {
    return { at: [range[0]], labels: [format.say(range[0], axis.unit)], title: label };
  }
  return (scale === 'log' ? logTicks : linearTicks)(axis, range, most, format);
}

/** Where among the values a number lies, as an index with a fraction; at an end if outside. */
function positionOf({ values, scale }: MapAxis, value: number): number {
  const last = values.length - 1;
  if (!(value > values[0]!)) return 0;
  if (value >= values[last]!) return last;
  const at = nearest(values.length, (index) => values[index]!, value);
  const before = values[at]! > value ? at - 1 : at;
  const [low, high] = [values[before]!, values[before + 1]!];
  const share =
    scale === 'log' ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);
  return before + (Number.isFinite(share) ? share : 0);
}

/** Brings paths in cells, which are whole numbers, to their place and size. */
export const toPixels = ({ plot, cell }: Grid): string =>
  `translate(${plot.left} ${plot.top}) scale(${cell.width} ${cell.height})`;

/** One path for each category: a rectangle for each run of it in a row. Rows go up. */
export function runs(
  { cells, absent }: Pick<MapData, 'cells' | 'absent'>,
  count: number,
  columns: number,
  rows: number,
): { paths: string[]; absent: string } {
  // The last one is of cells without a value.
  const paths = new Array<string>(count + 1).fill('');
  for (let row = 0; row < rows; ++row) {
    const y = rows - 1 - row;
    const at = row * columns;
    let start = 0;
    let current = -1;
    for (let column = 0; column <= columns; ++column) {
      const next = column === columns ? -1 : kindOf(cells, absent, at + column, count);
      if (next === current) continue;
      if (current >= 0) paths[current] += `M${start} ${y}h${column - start}v1H${start}z`;
      start = column;
      current = next;
    }
  }
  return { paths, absent: paths.pop()! };
}

/** The category of a cell, of `count`; one past the last where it has no value. */
export function kindOf(
  cells: Numbers,
  absent: Numbers | undefined,
  at: number,
  count: number,
): number {
  const kind = cells[at]!;
  return absent?.[at] || !(kind >= 0 && kind < count) ? count : kind;
}
