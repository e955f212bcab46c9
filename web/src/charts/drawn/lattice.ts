// Chips of a torus as they are drawn: rows from left to right and down, and what lies behind them to the
// right and up, between two that are beside each other.

import { px } from '../kit/shape.ts';
import type { Frame } from './marks.ts';

export type Three<T> = readonly [x: T, y: T, z: T];
/** A chip, by its places along the axes of what is drawn. */
export type Place = Three<number>;

export interface Axis {
  /** Chips along it. */
  length: number;
  /** Whether the last one is joined to the first. */
  isRing: boolean;
}

/** The most chips whose links can be told apart. */
const most = 64;
/** The least and the largest distances of neighbours across and down [px]. */
const least = 12;
const largest = { across: 120, down: 52 };
/** The least distances of those behind each other to the right and up, and what all of them may take of
 * the distance of neighbours. */
const leastBehind = { right: 8, up: 6 };
const depth = 0.85;
/** What chips of the edge and the ways around take, in distances of neighbours. */
const edges = 0.7;
/** The largest distances in a ring that is folded, and its largest chip [px]. */
const folded = { across: 190, down: 130, size: 34 };
const largestChip = 15;
/** A link between neighbours. */
export interface Link {
  from: Place;
  to: Place;
  /** Its path: the way around a ring leads aside of the chips between. */
  d: string;
}

export class Lattice {
  /** Chips along each axis. */
  readonly lengths: Place;
  /** Whether chips and links can be told apart. */
  readonly isClear: boolean;
  readonly size: number;
  /** The ends of what is drawn, to the right and down [px]. */
  readonly right: number;
  readonly foot: number;
  private readonly across: number;
  private readonly down: number;
  /** From one chip to the one behind it, to the right and up. */
  private readonly behind: { right: number; up: number };
  private readonly left: number;
  private readonly top: number;
  /** The last chip of the first row: that of a folded ring lies in its middle. */
  readonly turn: number;

  /** The largest distances at which chips fit. `folds` lays a ring that stands alone in two rows, there
   * and back. */
  constructor(
    private readonly axes: Three<Axis>,
    { x, y, width, height }: Frame,
    folds = false,
  ) {
    this.lengths = axes.map(({ length }) => length) as unknown as Place;
    const [nx, ny, nz] = this.lengths;
    const deep = nz > 1 ? depth : 0;
    this.across = Math.min(largest.across, width / (nx - 1 + deep + edges));
    this.down = Math.min(largest.down, height / (ny - 1 + deep + edges));
    this.behind = { right: (deep * this.across) / nz, up: (deep * this.down) / nz };
    const isFolded = folds && axes[0].isRing && nx > 3 && ny * nz === 1;
    this.turn = isFolded ? Math.ceil(nx / 2) - 1 : nx - 1;
    if (isFolded) {
      this.across = Math.min(folded.across, width / (this.turn + edges));
      this.down = Math.min(folded.down, height / (1 + edges));
    }
    const { across, down, behind } = this;
    const isDense = nz > 1 && (behind.right < leastBehind.right || behind.up < leastBehind.up);
    this.isClear = this.count <= most && Math.min(across, down) >= least && !isDense;
    const flat = 0.42 * Math.min(across, down);
    const room = nz > 1 ? Math.min(flat, 0.7 * Math.max(behind.right, behind.up)) : flat;
    this.size = Math.max(3, Math.min(isFolded ? folded.size : largestChip, room));
    const margin = this.size / 2 + 1;
    this.left = x + margin;
    this.top = y + margin + (nz - 1) * behind.up;
    const low = this.centre(isFolded ? [nx - 1, 0, 0] : [0, ny - 1, 0])[1];
    const [end] = this.centre([this.turn, 0, nz - 1]);
    this.right = end + Math.max(this.size / 2, axes[1].isRing ? this.aside(1)[0] : 0);
    this.foot = low + Math.max(this.size / 2, axes[0].isRing && !isFolded ? this.aside(0)[1] : 0);
  }

  get count(): number {
    const [x, y, z] = this.lengths;
    return x * y * z;
  }

  centre([i, j, k]: Place): [x: number, y: number] {
    const { left, top, across, down, behind, turn } = this;
    if (i > turn) return [left + (this.lengths[0] - 1 - i) * across, top + down];
    return [left + i * across + k * behind.right, top + j * down - k * behind.up];
  }

  /** The square of a chip, so much larger on all sides. */
  chip(place: Place, by = 0): Frame {
    const [x, y] = this.centre(place);
    const half = this.size / 2 + by;
    return { x: x - half, y: y - half, width: 2 * half, height: 2 * half };
  }

  /** All chips, from the back to the front. */
  places(): Place[] {
    const [nx, ny, nz] = this.lengths;
    return Array.from({ length: this.count }, (_, at): Place => {
      const layer = Math.floor(at / (nx * ny));
      return [at % nx, Math.floor(at / nx) % ny, nz - 1 - layer];
    });
  }

  /** The links along an axis. */
  links(axis: number): Link[] {
    const { length: count, isRing } = this.axes[axis]!;
    return this.places().flatMap((from): Link[] => {
      const at = from[axis]!;
      const isLast = at === count - 1;
      if (isLast && !(isRing && count > 2)) return [];
      const to = placed(from, axis, isLast ? 0 : at + 1);
      return [{ from, to, d: this.path(from, to, axis, isLast) }];
    });
  }

  /** The line between two chips along an axis, or the way around those between. */
  path(from: Place, to: Place, axis: number, isAround = false): string {
    const [[x, y], [toX, toY]] = [this.centre(from), this.centre(to)];
    if (!isAround || this.turn < this.lengths[0] - 1)
      return `M${px(x)} ${px(y)}L${px(toX)} ${px(toY)}`;
    const [outX, outY] = this.aside(axis);
    return `M${px(x)} ${px(y)}C${px(x + outX)} ${px(y + outY)} ${px(toX + outX)} ${px(toY + outY)} ${px(toX)} ${px(toY)}`;
  }

  /** How far the ways around lead aside of the chips of an axis. */
  private aside(axis: number): readonly [number, number] {
    const { across, down, behind } = this;
    const isDeep = this.lengths[2] > 1;
    if (axis === 0) return [0, isDeep ? 0.9 * behind.up : 0.45 * down];
    if (axis === 1) return [isDeep ? 0.9 * behind.right : Math.min(0.45 * across, down), 0];
    return [0.45 * behind.right, 0.45 * behind.up];
  }
}

/** The same place, but for one axis. */
export const placed = (place: Place, axis: number, at: number): Place =>
  place.map((each, index) => (index === axis ? at : each)) as unknown as Place;
