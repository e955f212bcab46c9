import type { Formatter } from '../number/format.ts';
import { below, normal, small } from './axes.ts';
import { cursorRoom } from './cursor.ts';
import type { Category, HeatMapData, MapAxis, Numbers } from './data.ts';
import type { Box } from './labels.ts';
import { hull, nearest } from './scale.ts';
import { glyphs, px } from './shape.ts';
import type { Measure } from './text.ts';
import { linearTicks, logTicks, type Ticks } from './ticks.ts';

const top = small + cursorRoom;

export interface Region {
  category: Category;
  /** In cells: rows of runs. Empty where the category does not occur. */
  d: string;
  text: string;
  /** Where its name stands, in the largest square of it that has room. */
  name: { x: number; y: number } | undefined;
}

export interface HeatMapLayout {
  height: number;
  plot: Box;
  /** Pixels of a cell. */
  cell: { width: number; height: number };
  xTicks: Ticks;
  yTicks: Ticks;
  placeX: (value: number) => number;
  placeY: (value: number) => number;
  regions: Region[];
  /** Cells without a value. */
  absent: string;
}

export function layHeatMap(
  data: HeatMapData,
  width: number,
  format: Formatter,
  measure: Measure,
): HeatMapLayout {
  const height = Math.round(Math.min(460, Math.max(280, width * 0.62)));
  const plot: Box = { left: 0, right: width - 16, top, bottom: height - below };
  const yTicks = ticksOf(data.y, Math.floor((plot.bottom - plot.top) / 32), format);
  plot.left = Math.ceil(Math.max(0, ...yTicks.labels.map((text) => measure(text, 400, small)))) + 9;
  const columns = data.x.values.length;
  const rows = data.y.values.length;
  const cell = {
    width: (plot.right - plot.left) / Math.max(1, columns),
    height: (plot.bottom - plot.top) / Math.max(1, rows),
  };
  const { paths, absent } = runs(data, columns, rows);
  const squares = largestSquares(data, columns, rows);
  return {
    height,
    plot,
    cell,
    xTicks: ticksOf(data.x, Math.floor((plot.right - plot.left) / 52), format),
    yTicks,
    placeX: (value) => px(plot.left + cell.width * (positionOf(data.x, value) + 0.5)),
    placeY: (value) => px(plot.bottom - cell.height * (positionOf(data.y, value) + 0.5)),
    regions: data.categories.map((category, index) => {
      const text = category.bound ? `${glyphs[category.bound]} ${category.label}` : category.label;
      return {
        category,
        d: paths[index]!,
        text,
        name: nameIn(squares[index], measure(text, 600, normal), cell, plot, data, index),
      };
    }),
    absent,
  };
}

function ticksOf(axis: MapAxis, most: number, format: Formatter): Ticks {
  const { values, names, label, scale } = axis;
  if (names) return { at: Array.from(values), labels: names, title: label };
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

/** One path for each category: a rectangle for each run of it in a row. Rows go up. */
function runs(
  { cells, absent, categories }: HeatMapData,
  columns: number,
  rows: number,
): { paths: string[]; absent: string } {
  // The last one is of cells without a value.
  const paths = categories.map(() => '').concat('');
  for (let row = 0; row < rows; ++row) {
    const y = rows - 1 - row;
    const at = row * columns;
    let start = 0;
    let current = -1;
    for (let column = 0; column <= columns; ++column) {
      const next = column === columns ? -1 : kindOf(cells, absent, at + column, categories.length);
      if (next === current) continue;
      if (current >= 0) paths[current] += `M${start} ${y}h${column - start}v1H${start}z`;
      start = column;
      current = next;
    }
  }
  return { paths, absent: paths.pop()! };
}

/** The category of a cell; one past the last where it has no value. */
function kindOf(cells: Numbers, absent: Numbers | undefined, at: number, count: number): number {
  const kind = cells[at]!;
  return absent?.[at] || !(kind >= 0 && kind < count) ? count : kind;
}

interface Square {
  /** The cell at its end, to the right and up, and its side. */
  column: number;
  row: number;
  side: number;
}

/** The largest square of cells of each category: the side at a cell is one more than the least of its neighbours'. */
function largestSquares(
  { cells, absent, categories }: HeatMapData,
  columns: number,
  rows: number,
): (Square | undefined)[] {
  const best: (Square | undefined)[] = categories.map(() => undefined);
  let below = new Uint16Array(columns);
  let sides = new Uint16Array(columns);
  for (let row = 0; row < rows; ++row) {
    [below, sides] = [sides, below];
    for (let column = 0; column < columns; ++column) {
      const at = row * columns + column;
      const kind = kindOf(cells, absent, at, categories.length);
      const same =
        row > 0 &&
        column > 0 &&
        cells[at - 1] === kind &&
        cells[at - columns] === kind &&
        cells[at - columns - 1] === kind;
      const side = same ? 1 + Math.min(sides[column - 1]!, below[column]!, below[column - 1]!) : 1;
      sides[column] = side;
      if (kind < categories.length && side > (best[kind]?.side ?? 0)) {
        best[kind] = { column, row, side };
      }
    }
  }
  return best;
}

/** The middle of the run through a square's middle, if the name has room there. */
function nameIn(
  square: Square | undefined,
  width: number,
  cell: { width: number; height: number },
  plot: Box,
  { cells, x }: HeatMapData,
  category: number,
): Region['name'] {
  if (!square || square.side * cell.height < small + 6) return undefined;
  const columns = x.values.length;
  const row = square.row - (square.side - 1) / 2;
  const start = Math.floor(row) * columns;
  let from = square.column;
  let to = square.column;
  while (from > 0 && cells[start + from - 1] === category) --from;
  while (to < columns - 1 && cells[start + to + 1] === category) ++to;
  const room = (to - from + 1) * cell.width;
  if (room < width + 10) return undefined;
  const half = width / 2 + 6;
  const centre = plot.left + (square.column + 1 - square.side / 2) * cell.width;
  const leftmost = plot.left + from * cell.width + half;
  const rightmost = plot.left + (to + 1) * cell.width - half;
  return {
    x: px(Math.min(rightmost, Math.max(leftmost, centre))),
    y: px(plot.bottom - (row + 0.5) * cell.height + small * 0.35),
  };
}
