// Finds the points of frontiers that are the best for a target or a budget.

import type { ServingPoint } from '../../../engine/index.ts';
import type { State } from '../../../model/state.ts';

/** A point with the chip that it is of. */
export interface Placed {
  readonly state: State;
  readonly chip: string;
  readonly line: number;
  readonly point: ServingPoint;
}

/** The cheapest of the points that take no longer than this [s]. */
export const cheapestWithin = (points: readonly Placed[], time: number): Placed | undefined =>
  least(
    points.filter(({ point }) => point.timePerToken <= time),
    ({ costAll }) => costAll,
  );

/** The fastest of the points whose million tokens cost no more than this [USD]. */
export const fastestWithin = (points: readonly Placed[], cost: number): Placed | undefined =>
  least(
    points.filter(({ point }) => (point.costAll ?? Infinity) <= cost),
    ({ timePerToken }) => timePerToken,
  );

export function least(
  points: readonly Placed[],
  by: (point: ServingPoint) => number | undefined,
): Placed | undefined {
  let best: Placed | undefined;
  for (const each of points) {
    const value = by(each.point);
    if (value === undefined) continue;
    if (!best || value < by(best.point)!) best = each;
  }
  return best;
}
