// Searches for layouts. The module has room for one: the others are copied out of it while they wait.

import type { RawPlanner } from './search-module.ts';
import type { Plan, PlanMap, PlanSearch } from './types.ts';

/** The state of a search while another one is in the module. */
interface Suspended {
  state?: Uint8Array;
  ended?: boolean;
}

/** The search that is in the module. */
let inModule: Suspended | undefined;

/** Copies the search in the module out of it, so that another one can start. */
export function suspend(module: RawPlanner): void {
  if (inModule) inModule.state = module.searchState().slice();
  inModule = undefined;
}

/** Puts a search back into the module, unless it is there. */
function resume(module: RawPlanner, search: Suspended): void {
  if (search.ended) throw new Error('the search has ended');
  if (inModule === search) return;
  suspend(module);
  module.searchState().set(search.state!);
  delete search.state;
  inModule = search;
}

/** The search that the module has just started. */
export function begin(
  module: RawPlanner,
  readPlans: (numbers: Float64Array) => Plan[],
): PlanSearch {
  const own: Suspended = {};
  inModule = own;
  const here = <T>(ask: () => T): T => {
    resume(module, own);
    return ask();
  };
  return {
    advance: (count) => here(() => module.advance(count)),
    best: () => here(() => readPlans(module.best())),
    chosen: () => here(() => readPlans(module.chosen())[0]),
    roomy: () => here(() => readPlans(module.roomy())[0]),
    front: () => here(() => readPlans(module.front())),
    lower: () => here(() => module.lower()),
    limit: () => here(() => module.limit()),
    map: () => here(() => sortedMap(module.bestMap())),
    end: () => {
      own.ended = true;
      delete own.state;
      if (inModule === own) inModule = undefined;
    },
  };
}

/** The map with both axes in ascending order; the module lists values as it meets them. */
function sortedMap({ x, y, seconds }: ReturnType<RawPlanner['bestMap']>): PlanMap {
  const order = (values: Float64Array): number[] =>
    [...values.keys()].sort((a, b) => values[a]! - values[b]!);
  const columns = order(x);
  const rows = order(y);
  return {
    x: columns.map((column) => x[column]!),
    y: rows.map((row) => y[row]!),
    seconds: Float64Array.from(
      rows.flatMap((row) => columns.map((column) => seconds[row * x.length + column]!)),
    ),
  };
}
