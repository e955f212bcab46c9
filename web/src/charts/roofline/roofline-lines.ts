// The lines of a roofline: roofs, slopes, and the ridges where they meet.

import type { Formatter } from '../../number/format.ts';
import type { Peak, RooflineData, Slope } from '../kit/data.ts';
import type { Candidate, Dot } from '../kit/labels.ts';
import type { Scale } from '../kit/scale.ts';
import { px } from '../kit/shape.ts';
import type { Beside } from './roofline-domains.ts';

/** The point at which a slope meets a roof, with its intensity. */
export interface Ridge {
  kind: string;
  dot: Dot;
  text: string;
  at: Candidate | undefined;
}

export interface Roof {
  kind: string;
  text: string;
  path: string;
  /** Its flat part starts at the first and ends at the last. */
  dots: [Dot, Dot];
  /** The left end of the room for its name. */
  from: number;
  /** The slope that leads to it, where that has no name of its own. */
  slope?: [Dot, Dot];
}

export function layRoofs(
  data: RooflineData,
  peaks: readonly Peak[],
  chips: readonly Beside[],
  x: Scale,
  y: Scale,
  format: Formatter,
): Roof[] {
  const fastest = Math.max(0, ...data.slopes.map(({ bandwidth }) => bandwidth));
  const right = x.range[1];
  const flat = (from: number, rate: number): [Dot, Dot] => {
    const height = y.place(rate);
    return [
      { x: fastest > 0 ? x.place(from) : x.range[0], y: height },
      { x: right, y: height },
    ];
  };
  const own = peaks.map(({ label, rate, own }): Roof => {
    const dots = flat(rate / fastest, rate);
    return {
      kind: own ? 'roof own' : 'roof',
      // The axis tells the others' rates.
      text: own ? `${label} ${format.say(rate, data.y.unit)}` : label,
      path: `M${px(dots[0].x)} ${px(dots[0].y)}H${right}`,
      dots,
      from: dots[0].x,
    };
  });
  const others = chips.map(({ label, rate, bandwidth, index }): Roof => {
    const { from, to } = rise(bandwidth, rate, x, y);
    return {
      kind: otherKind(index),
      text: label,
      path: `M${px(from.x)} ${px(from.y)}L${px(to.x)} ${px(to.y)}H${right}`,
      dots: flat(rate / bandwidth, rate),
      from: to.x,
      slope: [from, to],
    };
  });
  return [
    ...own.filter(({ kind }) => kind === 'roof own'),
    ...own.filter(({ kind }) => kind !== 'roof own'),
    ...others,
  ];
}

/** The ridges: ends of zones on the roof above the reader's operation, and starts of other roofs. */
export function layRidges(
  { slopes, zones }: RooflineData,
  peaks: readonly Peak[],
  chips: readonly Beside[],
  x: Scale,
  y: Scale,
  format: Formatter,
): Ridge[] {
  const ridge = (kind: string, rate: number, bandwidth: number): Ridge[] => {
    const intensity = rate / bandwidth;
    if (intensity < x.domain[0] || intensity > x.domain[1]) return [];
    const dot = { x: px(x.place(intensity)), y: px(y.place(rate)) };
    return [{ kind, dot, text: format.number(intensity), at: undefined }];
  };
  return [
    ...peaks
      .filter(({ own }) => own)
      .flatMap(({ rate }) =>
        slopes
          .filter(({ bandwidth }) => zones.some(({ until }) => isNear(until, rate / bandwidth)))
          .flatMap(({ bandwidth, own }) => ridge(own ? 'own' : '', rate, bandwidth)),
      ),
    ...chips.flatMap(({ rate, bandwidth, index }) => ridge(otherKind(index), rate, bandwidth)),
  ];
}

const isNear = (one = NaN, other: number): boolean => Math.abs(one / other - 1) < 1e-9;

export const otherKind = (index: number): string => `other chip-${index % 4}`;

/** Up the slope and along the roof that the reader's operation is under. */
export function ownPath({ peaks, slopes }: RooflineData, x: Scale, y: Scale): string {
  const peak = peaks.find(({ own }) => own);
  const slope = slopes.find(({ own }) => own);
  if (!peak || !slope) return '';
  const { from, to } = rise(slope.bandwidth, peak.rate, x, y);
  return `M${px(from.x)} ${px(from.y)}L${px(to.x)} ${px(to.y)}H${x.range[1]}`;
}

/** A slope from where it enters the plot up to a rate, or to the plot's right edge. */
function rise(bandwidth: number, rate: number, x: Scale, y: Scale): { from: Dot; to: Dot } {
  const start = Math.max(x.domain[0], y.domain[0] / bandwidth);
  const end = Math.max(start, Math.min(x.domain[1], rate / bandwidth));
  const dot = (at: number): Dot => ({ x: x.place(at), y: y.place(at * bandwidth) });
  return { from: dot(start), to: dot(end) };
}

export function slopeEnds(
  slopes: readonly Slope[],
  peaks: readonly Peak[],
  x: Scale,
  y: Scale,
): { slope: Slope; from: Dot; to: Dot }[] {
  const top = Math.max(...peaks.map(({ rate }) => rate), y.domain[0]);
  return slopes.map((slope) => ({ slope, ...rise(slope.bandwidth, top, x, y) }));
}

const dotEvery = 6;

export function dotsAlong(from: Dot, to: Dot): Dot[] {
  const count = Math.ceil(Math.hypot(to.x - from.x, to.y - from.y) / dotEvery);
  return Array.from({ length: count + 1 }, (_, index) => ({
    x: from.x + ((to.x - from.x) * index) / (count || 1),
    y: from.y + ((to.y - from.y) * index) / (count || 1),
  }));
}
