// What stays of a drawing where there is no answer: where its parts will stand, empty.

/** The empty place of a part: across in percent of the drawing's width, down in pixels. */
export interface Hole {
  x: number;
  width: number;
  y: number;
  height: number;
  /** A vessel, whose top is open. */
  isOpen?: boolean;
}

export interface Outline {
  wide: readonly Hole[];
  narrow: readonly Hole[];
}

/** Rows below each other. */
export const rowsOf = (first: Hole, count: number, pitch: number): Hole[] =>
  Array.from({ length: count }, (_, index) => ({ ...first, y: first.y + index * pitch }));

/** Cluster, replica and chip, above a step; of one chip its memory alone. */
export const outlineOfTraining = (chips: number): Outline => ({
  wide:
    chips === 1
      ? [
          { x: 0, width: 90, y: 30, height: 40 },
          { x: 0, width: 90, y: 178, height: 44 },
        ]
      : [
          { x: 0, width: 30, y: 40, height: 270 },
          { x: 33.5, width: 33, y: 40, height: 270 },
          { x: 70, width: 20, y: 24, height: 290, isOpen: true },
          { x: 0, width: 90, y: 396, height: 44 },
        ],
  narrow: [
    { x: 0, width: 96, y: 30, height: 30 },
    { x: 0, width: 90, y: 188, height: 26 },
    ...(chips === 1
      ? []
      : [
          { x: 0, width: 46, y: 390, height: 120 },
          { x: 52, width: 46, y: 390, height: 120 },
        ]),
  ],
});

/** Users and instances beside a chip, above a request and its first token and one token. */
export const outlineOfServing: Outline = {
  wide: [
    { x: 0, width: 62, y: 40, height: 180 },
    { x: 68, width: 20, y: 24, height: 200, isOpen: true },
    { x: 0, width: 90, y: 290, height: 30 },
    { x: 0, width: 60, y: 390, height: 40 },
  ],
  narrow: [
    { x: 0, width: 98, y: 40, height: 120 },
    { x: 0, width: 96, y: 220, height: 30 },
    { x: 0, width: 90, y: 360, height: 26 },
    { x: 0, width: 90, y: 500, height: 26 },
  ],
};

/** A row for each resource. */
export const outlineOfRace: Outline = {
  wide: rowsOf({ x: 18, width: 80, y: 28, height: 24 }, 3, 44),
  narrow: rowsOf({ x: 0, width: 98, y: 41, height: 14 }, 3, 46),
};

/** The machine beside a row for each level of its links. */
export const outlineOfCollective: Outline = {
  wide: [
    { x: 0, width: 52, y: 40, height: 180 },
    ...rowsOf({ x: 58, width: 42, y: 41, height: 14 }, 3, 46),
  ],
  narrow: [
    { x: 0, width: 98, y: 40, height: 150 },
    ...rowsOf({ x: 0, width: 98, y: 267, height: 14 }, 3, 46),
  ],
};

/** A row for each pool. */
export const outlineOfPools = (pools: number): Outline => ({
  wide: rowsOf({ x: 0, width: 90, y: 38, height: 44 }, pools, 118),
  narrow: rowsOf({ x: 0, width: 90, y: 38, height: 26 }, pools, 140),
});

/** A row for each rival, and two axes. */
export const outlineOfRivals = (rivals: number): Outline => ({
  wide: [15, 58].flatMap((x) => rowsOf({ x, width: 38, y: 40, height: 16 }, rivals, 32)),
  narrow: [55, 103 + 40 * rivals].flatMap((y) =>
    rowsOf({ x: 0, width: 80, y, height: 14 }, rivals, 40),
  ),
});
