import type { Formatter } from '../../number/format.ts';
import { normal, small } from '../kit/axes.ts';
import { areasOf, type Areas } from '../kit/borders.ts';
import type { Category, HeatMapData, Numbers } from '../kit/data.ts';
import { kindOf, layGrid, runs, type Grid } from '../kit/grid-layout.ts';
import type { Range } from '../kit/scale.ts';
import { glyphs, px } from '../kit/shape.ts';
import type { Measure } from '../kit/text.ts';

interface Region {
  category: Category;
  /** Empty where the category does not occur. */
  d: string;
  text: string;
  /** The place of its name, in its largest square with room. */
  name: { x: number; y: number } | undefined;
}

export interface HeatMapLayout extends Grid {
  regions: Region[];
  /** Cells without a value. */
  absent: string;
  /** The lines between regions. */
  border: string;
}

export function layHeatMap(
  data: HeatMapData,
  width: number,
  format: Formatter,
  measure: Measure,
): HeatMapLayout {
  const grid = layGrid(data, width, format, measure);
  const { paths, absent, border } = areas(data, grid);
  const squares = largestSquares(data, grid);
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
    border,
  };
}

/** Finds regions: an axis of numbers parts them where the category changes; choices have a cell
 * each. */
function areas(data: HeatMapData, grid: Grid): Areas {
  if (data.x.names || data.y.names) {
    return { ...runs(data, data.categories.length, grid), border: '' };
  }
  const { plot, placeX, placeY } = grid;
  const places = (values: Numbers, place: (value: number) => number, ends: Range): number[] =>
    values.length > 1 ? Array.from(values, place) : values.length === 1 ? [...ends] : [];
  return areasOf(data, {
    xs: places(data.x.values, placeX, [plot.left, px(plot.right)]),
    ys: places(data.y.values, placeY, [plot.bottom, plot.top]),
    placeX,
    placeY,
  });
}

interface Square {
  /** The cell at its end, to the right and up, and its side. */
  column: number;
  row: number;
  side: number;
  /** The lesser of its sides in pixels. */
  room: number;
}

/** The largest square of cells of each category: the side at a cell is one more than the least of its neighbours'. */
function largestSquares(
  { cells, absent, categories }: HeatMapData,
  grid: Grid,
): (Square | undefined)[] {
  const columns = grid.columns.length - 1;
  const rows = grid.rows.length - 1;
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
      if (kind === categories.length) continue;
      const room = Math.min(
        grid.columns[column + 1]! - grid.columns[column + 1 - side]!,
        grid.rows[row + 1 - side]! - grid.rows[row + 1]!,
      );
      if (room > (best[kind]?.room ?? 0)) best[kind] = { column, row, side, room };
    }
  }
  return best;
}

/** The middle of the run through a square's middle, if the name has room there. */
function nameIn(
  square: Square | undefined,
  width: number,
  { columns, rows }: Grid,
  { cells }: HeatMapData,
  category: number,
): Region['name'] {
  if (!square) return undefined;
  const { column, side } = square;
  const below = square.row + 1 - side;
  const [bottom, top] = [rows[below]!, rows[square.row + 1]!];
  if (bottom - top < small + 6) return undefined;
  const middle = (bottom + top) / 2;
  const row = Math.max(below, rows.filter((edge) => edge >= middle).length - 1);
  const start = row * (columns.length - 1);
  let from = column;
  let to = column;
  while (from > 0 && cells[start + from - 1] === category) --from;
  while (to < columns.length - 2 && cells[start + to + 1] === category) ++to;
  if (columns[to + 1]! - columns[from]! < width + 10) return undefined;
  const half = width / 2 + 6;
  const centre = (columns[column + 1 - side]! + columns[column + 1]!) / 2;
  return {
    x: px(Math.min(columns[to + 1]! - half, Math.max(columns[from]! + half, centre))),
    y: px(middle + small * 0.35),
  };
}
