// The drawable part of the data, and the domains of the axes.

import type { OtherChip, Peak, RooflineData } from '../kit/data.ts';
import { decades, hull, rounded, type Range } from '../kit/scale.ts';

/** Space beyond the outermost ridges and points, as a factor. */
const margin = 2;
/** Space above the highest roof, for its name, as a factor. */
const headroom = 3;
/** The least reach of the axes on both sides of the ridges, as a factor. */
const reachBelow = 100;
const reachAbove = 10;
/** Points further out than this stand at the edge. */
const mostBeyond = 1e5;
/** Points lower than this below the highest roof stand at the bottom edge. */
const mostDecades = 10;

/** The data without roofs and slopes of a speed that is none. */
export function drawable(data: RooflineData): RooflineData {
  return {
    ...data,
    peaks: data.peaks.filter(({ rate }) => positive(rate)),
    slopes: data.slopes.filter(({ bandwidth }) => positive(bandwidth)),
  };
}

/** Quotients of these stay numbers, too. */
const positive = (value: number): boolean => value > 1e-100 && value < 1e100;

/** A chip beside the reader's, with its place in the list, by which it has its colour. */
export interface Beside extends OtherChip {
  index: number;
}

export const drawableChips = ({ chips = [] }: RooflineData): Beside[] =>
  chips
    .map((chip, index) => ({ ...chip, index }))
    .filter(({ rate, bandwidth }) => positive(rate) && positive(bandwidth));

/** Roofs of one rate are one roof. */
export function merged(peaks: readonly Peak[]): Peak[] {
  const byRate = new Map<number, Peak>();
  for (const peak of peaks) {
    const same = byRate.get(peak.rate);
    const both = same && {
      ...same,
      label: `${same.label}, ${peak.label}`,
      own: Boolean(same.own || peak.own),
    };
    byRate.set(peak.rate, both ?? peak);
  }
  return [...byRate.values()];
}

/** The domains of both axes: the ridges with room around them, and all points. */
export function domains(
  data: RooflineData,
  peaks: readonly Peak[],
  chips: readonly OtherChip[],
): { xDomain: Range; yDomain: Range } {
  const { points, slopes, zones } = data;
  const steps = data.track?.steps ?? [];
  const moving = [...points, ...steps, ...(data.measured?.points ?? [])];
  const rates = [...peaks, ...chips].map(({ rate }) => rate);
  const ridges = [
    ...zones.flatMap(({ until }) => until ?? []),
    ...chips.map(({ rate, bandwidth }) => rate / bandwidth),
    ...peaks.flatMap(({ rate, own }) =>
      slopes.flatMap((slope) => (own || slope.own ? rate / slope.bandwidth : [])),
    ),
  ];
  const bend = hull(true, ridges) ?? [1, 100];
  const reached = hull(
    true,
    moving.map(({ intensity }) => intensity),
  );
  const xDomain = decades([
    Math.max(
      Math.min(bend[0] / reachBelow, (reached?.[0] ?? Infinity) / margin),
      bend[0] / mostBeyond,
    ),
    Math.min(Math.max(bend[1] * reachAbove, (reached?.[1] ?? 0) * margin), bend[1] * mostBeyond),
  ]);
  const [, top] = hull(true, rates) ?? [1, 1e12];
  const lows = [
    ...moving.map(({ achieved }) => achieved),
    ...slopes.map(({ bandwidth }) => bandwidth * bend[0] * 0.1),
  ];
  const [low] = hull(true, lows) ?? [top / 1e4];
  const yDomain = rounded([
    Math.max(Math.min(low, top) / margin, top / 10 ** mostDecades),
    top * headroom,
  ]);
  return { xDomain, yDomain };
}
