// The work of one call into the planner, adapted to the time that earlier calls took.

import type { PlanSearch, SearchProgress } from '../../../engine/index.ts';

/** A call should take about this long: the clock is looked at between calls [ms]. */
const slice = 1.5;
const leastAtOnce = 16;
const mostAtOnce = 1 << 20;

export class SearchPace {
  private count = 1024;

  /** Works on a search for about a slice of time. */
  advance(search: PlanSearch): SearchProgress {
    const start = performance.now();
    const progress = search.advance(this.count);
    const took = performance.now() - start;
    if (took > 2 * slice) this.count = Math.max(leastAtOnce, Math.floor(this.count / 2));
    else if (took < slice / 2) this.count = Math.min(mostAtOnce, this.count * 2);
    return progress;
  }
}
