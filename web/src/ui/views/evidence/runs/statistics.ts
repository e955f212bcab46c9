// The errors of predictions.

import type { Range } from '../../../../model/bounds.ts';
import type { Pair as Measurement } from './run.ts';

/** A measurement with its prediction. */
export type Pair = Pick<Measurement, 'measured' | 'low' | 'expected' | 'high'>;

/** Errors are fractions of what was measured. */
export interface Errors {
  readonly count: number;
  readonly median: number;
  /** Nine of ten are at most so far off. */
  readonly ninth: number;
  /** The share of measurements within the band of their prediction. */
  readonly covered: number;
}

/** Interpolates linearly between the two nearest values; `values` need not be in order. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const place = share * (sorted.length - 1);
  const below = Math.floor(place);
  const from = sorted[below] ?? 0;
  return from + (place - below) * ((sorted[below + 1] ?? from) - from);
}

export const errorOf = ({ measured, expected }: Pair): number => expected / measured - 1;

export const isCovered = ({ measured, low, high }: Pair): boolean =>
  measured >= low && measured <= high;

/** How many were as near to their prediction as `range` reaches from `expected`. */
export const heldIn = (pairs: readonly Pair[], expected: number, [low, high]: Range): number =>
  pairs.filter((pair) => {
    const ratio = pair.measured / pair.expected;
    return ratio >= low / expected && ratio <= high / expected;
  }).length;

export function errorsOf(pairs: readonly Pair[]): Errors {
  const sizes = pairs.map((pair) => Math.abs(errorOf(pair)));
  return {
    count: pairs.length,
    median: quantile(sizes, 0.5),
    ninth: quantile(sizes, 0.9),
    covered: pairs.length === 0 ? 0 : pairs.filter(isCovered).length / pairs.length,
  };
}
