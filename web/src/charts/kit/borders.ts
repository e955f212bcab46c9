import type { HeatMapData } from './data.ts';
import { kindOf } from './grid-layout.ts';
import type { Dot } from './labels.ts';
import { px } from './shape.ts';

/** The shapes of a map: an area for each category, and the lines between them. */
export interface Areas {
  /** Paths in pixels, one for each category, and one for what has no value. */
  paths: string[];
  absent: string;
  border: string;
}

interface Places {
  /** Pixels of each column's and row's value. */
  xs: readonly number[];
  ys: readonly number[];
  placeX: (value: number) => number;
  placeY: (value: number) => number;
}

/** A corner of a square between four values, or a place on its edge where the category changes. */
interface Turn extends Dot {
  /** The category at a corner. */
  kind?: number;
}

/**
 * Marching squares over the values of a map: between four of them, the border goes straight from one
 * place where the category changes to the other, or from three and more to their middle.
 */
export function areasOf(data: HeatMapData, places: Places): Areas {
  const { cells, absent, categories, right, up } = data;
  const { xs, ys, placeX, placeY } = places;
  const count = categories.length;
  const across = data.x.values.length;
  // A single column is as wide as the plot, a single row as high.
  const columns = xs.length;
  const rows = ys.length;
  const sampleAt = (column: number, row: number): number =>
    Math.min(row, data.y.values.length - 1) * across + Math.min(column, across - 1);
  const kindAt = (column: number, row: number): number =>
    kindOf(cells, absent, sampleAt(column, row), count);
  const paths = new Array<string>(count + 1).fill('');
  const segments: [Dot, Dot][] = [];

  /** The place at which the category changes between two neighbours. */
  const change = (column: number, row: number, isUp: boolean): Dot => {
    const [x, y] = [xs[column]!, ys[row]!];
    const at = (isUp ? up : right)?.get(sampleAt(column, row));
    if (isUp) return { x, y: px(at === undefined ? (y + ys[row + 1]!) / 2 : placeY(at)) };
    return { x: px(at === undefined ? (x + xs[column + 1]!) / 2 : placeX(at)), y };
  };

  for (let row = 0; row + 1 < rows; ++row) {
    let start = 0;
    let same = -1;
    const close = (column: number): void => {
      if (same >= 0) {
        paths[same] += `M${xs[start]!} ${ys[row + 1]!}H${xs[column]!}V${ys[row]!}H${xs[start]!}z`;
      }
      same = -1;
    };
    for (let column = 0; column + 1 < columns; ++column) {
      const kind = kindAt(column, row);
      const isWhole =
        kind === kindAt(column + 1, row) &&
        kind === kindAt(column + 1, row + 1) &&
        kind === kindAt(column, row + 1);
      if (isWhole) {
        if (kind !== same) {
          close(column);
          [start, same] = [column, kind];
        }
        continue;
      }
      const corners: [column: number, row: number][] = [
        [column, row],
        [column + 1, row],
        [column + 1, row + 1],
        [column, row + 1],
      ];
      const kinds = corners.map(([c, r]) => kindAt(c, r));
      close(column);
      const turns: Turn[] = corners.flatMap(([c, r], side): Turn[] => {
        const corner = { x: xs[c]!, y: ys[r]!, kind: kinds[side]! };
        if (kinds[side] === kinds[(side + 1) % 4]) return [corner];
        // The first of the two is the one on the left or below.
        const place = [
          () => change(column, row, false),
          () => change(column + 1, row, true),
          () => change(column, row + 1, false),
          () => change(column, row, true),
        ][side]!();
        return [corner, place];
      });
      part(turns, count, paths, segments);
    }
    close(columns - 1);
  }
  return { paths, absent: paths.pop()!, border: joined(segments) };
}

/** Parts a square at the places on its edges. */
function part(
  turns: readonly Turn[],
  count: number,
  paths: string[],
  segments: [Dot, Dot][],
): void {
  const isPlace = ({ kind }: Turn): boolean => kind === undefined;
  const places = turns.filter(isPlace);
  const middle =
    places.length > 2
      ? {
          x: px(places.reduce((sum, { x }) => sum + x, 0) / places.length),
          y: px(places.reduce((sum, { y }) => sum + y, 0) / places.length),
        }
      : undefined;
  const first = turns.findIndex(isPlace);
  const round = [...turns.slice(first), ...turns.slice(0, first + 1)];
  // The area of one category lies between one place and the next.
  let area: Turn[] = [];
  const kinds: number[] = [];
  for (const turn of round) {
    area.push(turn);
    if (!isPlace(turn) || area.length === 1) continue;
    const { kind } = area[1]!;
    kinds.push(kind!);
    const outline = middle ? [...area, middle] : area;
    paths[kind!] += `M${outline.map(({ x, y }) => `${x} ${y}`).join('L')}z`;
    area = [turn];
  }
  // A border beside a missing value is unknown.
  places.forEach((place, index) => {
    const beside = [kinds[index]!, kinds[(index + places.length - 1) % places.length]!];
    if (beside.some((kind) => kind === count)) return;
    if (middle) segments.push([place, middle]);
    else if (index === 0) segments.push([place, places[1]!]);
  });
}

const keyOf = ({ x, y }: Dot): string => `${x} ${y}`;

/** Segments as lines that are as long as may be. */
function joined(segments: readonly [Dot, Dot][]): string {
  const ends = new Map<string, [Dot, Dot][]>();
  for (const segment of segments) {
    for (const dot of segment) {
      const key = keyOf(dot);
      const those = ends.get(key);
      if (those) those.push(segment);
      else ends.set(key, [segment]);
    }
  }
  const left = new Set(segments);
  /** Goes on from a dot while there is one way on. */
  const follow = (from: Dot): Dot[] => {
    const line = [from];
    for (let at = from; ;) {
      const next = ends.get(keyOf(at))!.find((segment) => left.has(segment));
      if (!next) return line;
      left.delete(next);
      at = keyOf(next[0]) === keyOf(at) ? next[1] : next[0];
      line.push(at);
    }
  };
  let path = '';
  const draw = (from: Dot): void => {
    path += `M${follow(from).map(keyOf).join('L')}`;
  };
  // Lines that end somewhere begin there; what is left goes round.
  for (const segment of segments) {
    for (const dot of segment) {
      if (left.has(segment) && ends.get(keyOf(dot))!.length !== 2) draw(dot);
    }
  }
  for (const segment of segments) if (left.has(segment)) draw(segment[0]);
  return path;
}
