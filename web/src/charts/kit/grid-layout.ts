import type { Formatter } from '../../number/format.ts';
import { below, small } from './axes.ts';
import { cursorRoom } from './cursor.ts';
import type { MapAxis, MapData, Numbers } from './data.ts';
import type { Box } from './labels.ts';
import { hull, nearest, scale, type Range } from './scale.ts';
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
  /** Edges of columns from left to right and of rows from the bottom up: one more than cells. */
  columns: number[];
  rows: number[];
  xTicks: Ticks;
  yTicks: Ticks;
  placeX: (value: number) => number;
  placeY: (value: number) => number;
}

export function layGrid(data: MapData, width: number, format: Formatter, measure: Measure): Grid {
  const wanted = Math.round(Math.min(460, Math.max(280, width * 0.62)));
  const height = Math.min(wanted, top + below + tallest * Math.max(2, data.y.values.length));
  const plot: Box = { left: 0, right: width - 16, top, bottom: height - below };
  const room = Math.floor((plot.bottom - plot.top) / (data.y.names ? small + 3 : 32));
  const yTicks = ticksOf(data.y, room, format);
  plot.left = Math.ceil(Math.max(0, ...yTicks.labels.map((text) => measure(text, 400, small)))) + 9;
  const x = layAxis(data.x, [plot.left, plot.right]);
  const y = layAxis(data.y, [plot.bottom, plot.top]);
  return {
    height,
    plot,
    columns: x.edges,
    rows: y.edges,
    xTicks: ticksOf(
      data.x,
      data.x.names ? Infinity : Math.floor((plot.right - plot.left) / 52),
      format,
    ),
    yTicks,
    placeX: x.place,
    placeY: y.place,
  };
}

/** A rectangle in pixels. */
interface CellBox {
  left: number;
  top: number;
  width: number;
  height: number;
}

export function cellBox({ columns, rows }: Grid, x: number, y: number): CellBox {
  const left = columns[x]!;
  const top = rows[y + 1]!;
  return { left, top, width: columns[x + 1]! - left, height: rows[y]! - top };
}

interface PlacedCells {
  edges: number[];
  place: (value: number) => number;
}

/** Numbers stand where the scale has them, and cells part halfway between them; names stand evenly. */
function layAxis({ values, names, scale: kind }: MapAxis, range: Range): PlacedCells {
  const [from, to] = range;
  const count = Math.max(1, values.length);
  if (names || values.length < 2) {
    const each = (to - from) / count;
    const indexOf = (value: number): number => nearest(count, (index) => values[index] ?? 0, value);
    return {
      edges: Array.from({ length: count + 1 }, (_, index) => from + each * index),
      place: (value) => px(from + each * (indexOf(value) + 0.5)),
    };
  }
  const { place } = scale(kind === 'log', [values[0]!, values[count - 1]!], range);
  const middle = (index: number): number => (place(values[index - 1]!) + place(values[index]!)) / 2;
  return {
    edges: Array.from({ length: count + 1 }, (_, index) =>
      index === 0 ? from : index === count ? to : middle(index),
    ),
    place: (value) => px(place(value)),
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

/** One path for each category: a rectangle for each run of it in a row. */
export function runs(
  { cells, absent }: Pick<MapData, 'cells' | 'absent'>,
  count: number,
  { columns, rows }: Pick<Grid, 'columns' | 'rows'>,
): { paths: string[]; absent: string } {
  // The last one is of cells without a value.
  const paths = new Array<string>(count + 1).fill('');
  const across = columns.length - 1;
  for (let row = 0; row < rows.length - 1; ++row) {
    const at = row * across;
    let start = 0;
    let current = -1;
    for (let column = 0; column <= across; ++column) {
      const next = column === across ? -1 : kindOf(cells, absent, at + column, count);
      if (next === current) continue;
      if (current >= 0) {
        const [left, top] = [px(columns[start]!), px(rows[row + 1]!)];
        paths[current] += `M${left} ${top}H${px(columns[column]!)}V${px(rows[row]!)}H${left}z`;
      }
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
