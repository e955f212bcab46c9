import type { Numbers } from './data.ts';

export type Range = readonly [from: number, to: number];

/** Maps numbers to pixels. Values outside, or that are no number, are put at the nearest edge. */
export interface Scale {
  readonly log: boolean;
  readonly domain: Range;
  readonly range: Range;
  place(value: number): number;
}

export function scale(log: boolean, domain: Range, range: Range): Scale {
  const from = log ? Math.log(domain[0]) : domain[0];
  const span = (log ? Math.log(domain[1]) : domain[1]) - from;
  const [start, end] = range;
  return {
    log,
    domain,
    range,
    place(value) {
      const part = ((log ? Math.log(value) : value) - from) / span;
      // The comparison is negated so that NaN does not pass.
      if (!(part > 0)) return start;
      return part < 1 ? start + part * (end - start) : end;
    },
  };
}

const usable = (log: boolean, value: number): boolean =>
  Number.isFinite(value) && (!log || value > 0);

/** The least and the greatest number that can be drawn; undefined if there is none. */
export function hull(log: boolean, ...lists: Numbers[]): [number, number] | undefined {
  let least = Infinity;
  let most = -Infinity;
  for (const list of lists) {
    for (let i = 0; i < list.length; ++i) {
      const value = list[i]!;
      if (!usable(log, value)) continue;
      if (value < least) least = value;
      if (value > most) most = value;
    }
  }
  return least <= most ? [least, most] : undefined;
}

/** Whole powers of ten around a hull, so that marks move rather than the axis. */
export function decades([from, to]: Range): [number, number] {
  const low = Math.floor(Math.log10(from) + 1e-9);
  const high = Math.ceil(Math.log10(to) - 1e-9);
  return [10 ** low, 10 ** Math.max(high, low + 1)];
}

/** The range extended to 1, 2 or 5 times a power of ten. */
export function rounded([from, to]: Range): [number, number] {
  const low = 10 ** Math.floor(Math.log10(from) + 1e-9);
  const high = 10 ** Math.floor(Math.log10(to) + 1e-9);
  const down = [5, 2, 1].find((factor) => factor * low <= from * (1 + 1e-9)) ?? 1;
  const up = [1, 2, 5, 10].find((factor) => factor * high >= to * (1 - 1e-9)) ?? 10;
  return [down * low, up * high];
}

/** The index of the value nearest to `pixel` where each value is drawn. `values` ascend. */
export function nearest(count: number, place: (index: number) => number, pixel: number): number {
  let low = 0;
  let high = count - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (place(middle) < pixel) low = middle + 1;
    else high = middle;
  }
  return low > 0 && pixel - place(low - 1) < place(low) - pixel ? low - 1 : low;
}
