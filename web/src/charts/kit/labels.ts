// Places labels: each in the best of its places, the more important first, none over another.

export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export interface Candidate {
  /** The anchor of the text. */
  x: number;
  y: number;
  anchor: 'start' | 'middle' | 'end';
  /** The boxes that it covers; more than one where it runs aslant. */
  boxes: Box[];
  /** The penalty against the best place; a covered square of 10 px costs 1. */
  cost: number;
  /** Far from what it names: a line leads from there to here. */
  leader?: { from: Dot; to: Dot };
}

export interface Dot {
  x: number;
  y: number;
}

const overlap = (a: Box, b: Box): number => {
  const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
  const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  return width > 0 && height > 0 ? width * height : 0;
};
const covers = (box: Box, { x, y }: Dot): boolean =>
  x > box.left && x < box.right && y > box.top && y < box.bottom;
const within = (inner: Box, outer: Box): boolean =>
  inner.left >= outer.left &&
  inner.right <= outer.right &&
  inner.top >= outer.top &&
  inner.bottom <= outer.bottom;

/** A line to a label that crosses another one, whichever was placed first. */
const crossingCost = 4;
const leaderParts = 8;

/** Dots that divide the way between two others into so many parts. */
export function* dotsBetween(from: Dot, to: Dot, parts: number): Generator<Dot> {
  for (let i = 1; i < parts; ++i) {
    const part = i / parts;
    yield { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part };
  }
}

/** Places that cover no line, and next to nothing of a mark, cost less than this. */
const freely = 1.4;

/** The ground that labels share. */
export class LabelPlacer {
  private readonly taken: Box[] = [];
  /** Dots along the lines that lead to labels. */
  private readonly led: Dot[] = [];

  constructor(
    private readonly edge: Box,
    /** Marks that are better not covered. */
    private readonly marks: readonly Box[] = [],
    /** Lines that are better not covered, as dots along them. */
    private readonly dots: readonly Dot[] = [],
    /** Lines of limits, which no label lies over if another place is free. */
    private readonly limits: readonly Box[] = [],
  ) {}

  /** Whether there is room at all, though another label may be there. */
  holds({ boxes }: Candidate): boolean {
    return boxes.every((box) => within(box, this.edge));
  }

  /**
   * The best place that covers no other label and costs less than `most`, if there is one. A strong
   * label may lie over lines: `lines` is what a dot of one costs.
   */
  place<C extends Candidate>(
    candidates: readonly C[],
    { most = Infinity, lines = 1.5 }: { most?: number; lines?: number } = {},
  ): C | undefined {
    let best: C | undefined;
    let least = most;
    for (const candidate of candidates) {
      if (candidate.cost >= least) continue;
      const cost = this.cost(candidate, lines, least);
      if (cost < least) [best, least] = [candidate, cost];
    }
    this.taken.push(...(best?.boxes ?? []));
    if (best?.leader) this.led.push(...dotsBetween(best.leader.from, best.leader.to, leaderParts));
    return best;
  }

  /** The best place right beside its mark that covers nothing. */
  placeFreely<C extends Candidate>(candidates: readonly C[]): C | undefined {
    const near = candidates.filter(({ leader }) => !leader);
    return this.place(near, { most: freely });
  }

  /** The cost of a place, if below `most`. */
  private cost({ boxes, cost, leader }: Candidate, lines: number, most: number): number {
    for (const box of boxes) {
      if (!within(box, this.edge)) return Infinity;
      for (const other of this.taken) if (overlap(box, other) > 0) return Infinity;
      for (const limit of this.limits) if (overlap(box, limit) > 0) cost += 99;
      for (const mark of this.marks) cost += overlap(box, mark) / 20;
      if (this.led.some((dot) => covers(box, dot))) cost += crossingCost;
      for (const dot of this.dots) {
        if (cost >= most) return cost;
        if (covers(box, dot)) cost += lines;
      }
    }
    if (leader) {
      for (const dot of dotsBetween(leader.from, leader.to, leaderParts)) {
        if (this.taken.some((box) => covers(box, dot))) cost += crossingCost;
      }
    }
    return cost;
  }
}

export const boxAround = ({ x, y }: Dot, radius: number): Box => ({
  left: x - radius,
  right: x + radius,
  top: y - radius,
  bottom: y + radius,
});

/** A line up a plot and one across it, as wide as labels keep clear of them; one at NaN is none. */
export const across = (plot: Box, x = NaN, y = NaN): Box[] => [
  { ...plot, left: x - 2, right: x + 2 },
  { ...plot, top: y - 2, bottom: y + 2 },
];

/** A text of one line whose baseline is at y. */
export function textBox(
  x: number,
  y: number,
  width: number,
  size: number,
  anchor: Candidate['anchor'],
): Box {
  const left = anchor === 'start' ? x : anchor === 'end' ? x - width : x - width / 2;
  return { left: left - 2, right: left + width + 2, top: y - size * 0.85, bottom: y + size * 0.25 };
}

export const lineHeight = (size: number): number => Math.round(size * 1.2);

const directions: [x: number, y: number, anchor: Candidate['anchor'], cost: number][] = [
  [1, 0, 'start', 0],
  [-1, 0, 'end', 0.4],
  [0, -1, 'middle', 0.5],
  [0, 1, 'middle', 0.6],
  [0.7, -0.7, 'start', 0.3],
  [0.7, 0.7, 'start', 0.3],
  [-0.7, -0.7, 'end', 0.7],
  [-0.7, 0.7, 'end', 0.7],
];
/** Distances from a mark's edge, the first clear of a larger mark there; from the second on with a
 * line that leads there. */
const distances = [9, 20, 36, 54, 80];

const clamp = (value: number, from: number, to: number): number =>
  Math.min(to, Math.max(from, value));
const nearestOn = (box: Box, { x, y }: Dot): Dot => ({
  x: clamp(x, box.left, box.right),
  y: clamp(y, box.top, box.bottom),
});

/** Places around a mark for lines of text, near ones first. `y` is the first line's baseline. */
export function around(
  dot: Dot,
  radius: number,
  width: number,
  size: number,
  { lines = 1, farCost = 2 }: { lines?: number; farCost?: number } = {},
): Candidate[] {
  const height = lines * lineHeight(size);
  return distances.flatMap((distance, ring) =>
    directions.map(([dx, dy, anchor, cost]) => {
      const x = dot.x + dx * (radius + distance);
      const middle = dot.y + dy * (radius + distance + height / 2);
      const { left, right } = textBox(x, 0, width, size, anchor);
      const box = { left, right, top: middle - height / 2, bottom: middle + height / 2 };
      const y = box.top + size * 0.95;
      const place: Candidate = { x, y, anchor, boxes: [box], cost: cost + ring * farCost };
      return ring === 0 ? place : { ...place, leader: { from: dot, to: nearestOn(box, dot) } };
    }),
  );
}

/** Moves places that ascend apart, as little as needed, so that each has `gap` to the next. */
export function spread(wanted: readonly number[], gap: number, from: number, to: number): number[] {
  const order = wanted.map((_, index) => index).sort((a, b) => wanted[a]! - wanted[b]!);
  const placed = order.map((index) => wanted[index]!);
  for (let i = 0; i < placed.length; ++i) {
    placed[i] = Math.max(placed[i]!, i === 0 ? from : placed[i - 1]! + gap);
  }
  for (let i = placed.length - 1; i >= 0; --i) {
    placed[i] = Math.min(placed[i]!, i === placed.length - 1 ? to : placed[i + 1]! - gap);
  }
  const result: number[] = [];
  order.forEach((index, rank) => (result[index] = placed[rank]!));
  return result;
}

/** Like `spread`, for texts of different widths in a row, each around its centre. */
export function spreadRow(
  centres: readonly number[],
  widths: readonly number[],
  gap: number,
  from: number,
  to: number,
): number[] {
  const placed = [...centres];
  for (let i = 0; i < placed.length; ++i) {
    const before = i === 0 ? from : placed[i - 1]! + widths[i - 1]! / 2 + gap;
    placed[i] = Math.max(placed[i]!, before + widths[i]! / 2);
  }
  for (let i = placed.length - 1; i >= 0; --i) {
    const after = i === placed.length - 1 ? to : placed[i + 1]! - widths[i + 1]! / 2 - gap;
    placed[i] = Math.min(placed[i]!, after - widths[i]! / 2);
  }
  return placed;
}
