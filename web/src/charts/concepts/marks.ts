// The few marks of which the pictures of concepts are made, and groups of them.

import type { Part } from '../kit/looks.ts';

/** The owner of a mark: a part as it looks in all drawings, one of the bounds, a place in the model's depth,
 * or none. */
export type Tone =
  | Part
  | 'compute'
  | 'memory'
  | 'network'
  | 'ink'
  | 'quiet'
  | 'empty'
  | 'depth0'
  | 'depth1'
  | 'depth2'
  | 'depth3';

export type Point = readonly [x: number, y: number];

interface Toned {
  readonly tone: Tone;
  /** 1: in full; less is paler. */
  readonly strength?: number;
}
export interface Box extends Toned {
  readonly kind: 'box';
  readonly at: Point;
  readonly size: Point;
  /** Nothing is in it: only its border is drawn. */
  readonly hollow?: boolean;
  readonly dashed?: boolean;
}
export interface Line extends Toned {
  readonly kind: 'line';
  readonly points: readonly Point[];
  /** The second of three points bends the line. */
  readonly bent?: boolean;
  readonly dashed?: boolean;
  readonly arrow?: boolean;
  readonly wide?: boolean;
}
export interface Dot extends Toned {
  readonly kind: 'dot';
  readonly at: Point;
  readonly radius: number;
  readonly hollow?: boolean;
}
export interface Word extends Toned {
  readonly kind: 'word';
  readonly at: Point;
  readonly says: string;
}
export type Mark = Box | Line | Dot | Word;
export type Picture = readonly Mark[];

/** All pictures have this size. */
export const width = 200;
export const height = 96;

type Style<M> = Partial<Omit<M, 'kind' | 'at' | 'size' | 'points' | 'tone'>>;

export const box = (
  x: number,
  y: number,
  w: number,
  h: number,
  tone: Tone,
  style: Style<Box> = {},
): Box => ({
  kind: 'box',
  at: [x, y],
  size: [w, h],
  tone,
  ...style,
});
export const line = (
  points: readonly Point[],
  tone: Tone = 'quiet',
  style: Style<Line> = {},
): Line => ({
  kind: 'line',
  points,
  tone,
  ...style,
});
export const arrow = (from: Point, to: Point, tone: Tone = 'network'): Line =>
  line([from, to], tone, { arrow: true });
export const bow = (
  from: Point,
  bend: Point,
  to: Point,
  tone: Tone,
  style: Style<Line> = {},
): Line => line([from, bend, to], tone, { bent: true, ...style });
export const dot = (x: number, y: number, tone: Tone = 'ink', style: Style<Dot> = {}): Dot => ({
  kind: 'dot',
  at: [x, y],
  radius: 3.2,
  tone,
  ...style,
});
export const word = (x: number, y: number, says: string, tone: Tone = 'quiet'): Word => ({
  kind: 'word',
  at: [x, y],
  says,
  tone,
});

/** A tone of the model's depth, from its first part to its last. */
export const depth = (part: number): Tone => `depth${(part % 4) as 0 | 1 | 2 | 3}`;

/** Marks of each number below `count`. */
export const each = (count: number, draw: (index: number) => Mark | Picture): Mark[] =>
  Array.from({ length: count }, (_, index) => draw(index)).flat();

/** A chip, or a server: what is in it stands on its floor. */
export const chip = (x: number, y: number, w: number, h: number): Box =>
  box(x, y, w, h, 'ink', { hollow: true });

/** Two axes, from left and from below. */
export const axes: Picture = [
  line([
    [18, 8],
    [18, 86],
    [192, 86],
  ]),
];

/** Corners within which a mark lies. */
export function extent(mark: Mark): readonly [Point, Point] {
  if (mark.kind === 'box') return [mark.at, [mark.at[0] + mark.size[0], mark.at[1] + mark.size[1]]];
  if (mark.kind === 'dot') {
    const { at, radius } = mark;
    return [
      [at[0] - radius, at[1] - radius],
      [at[0] + radius, at[1] + radius],
    ];
  }
  // Letters are at most this wide and high.
  if (mark.kind === 'word') {
    const { at, says } = mark;
    return [
      [at[0], at[1] - 10],
      [at[0] + says.length * 7, at[1] + 2],
    ];
  }
  const [xs, ys] = [mark.points.map(([x]) => x), mark.points.map(([, y]) => y)];
  return [
    [Math.min(...xs), Math.min(...ys)],
    [Math.max(...xs), Math.max(...ys)],
  ];
}
