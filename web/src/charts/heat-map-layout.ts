import type { Formatter } from '../number/format.ts';
import { normal, small } from './axes.ts';
import type { Category, HeatMapData } from './data.ts';
import { kindOf, layGrid, runs, type Grid } from './grid-layout.ts';
import { glyphs, px } from './shape.ts';
import type { Measure } from './text.ts';

export interface Region {
  category: Category;
  /** In cells: rows of runs. Empty where the category does not occur. */
  d: string;
  text: string;
  /** Where its name stands, in the largest square of it that has room. */
  name: { x: number; y: number } | undefined;
}

export interface HeatMapLayout extends Grid {
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
  const grid = layGrid(data, width, format, measure);
  const columns = data.x.values.length;
  const rows = data.y.values.length;
  const { paths, absent } = runs(data, data.categories.length, columns, rows);
  const squares = largestSquares(data, columns, rows);
  return {
    ...grid,
    regions: data.categories.map((category, index) => {
      const text = category.bound ? `${glyphs[category.bound]} ${category.label}` : category.label;
      return {
        category,
        d: paths[index]!,
        text,
        name: nameIn(squares[index], measure(text, 600, normal), grid, data, index),
      };
    }),
    absent,
  };
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
  { cell, plot }: Grid,
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
