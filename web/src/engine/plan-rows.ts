// The planner's rows of numbers as objects.

import { partedRows, rowsOf } from './rows.ts';
import type { RawPlanner, RawStages, RawTimeline } from './search-module.ts';
import type { Description, Plan, StageMemories, Timeline } from './types.ts';

type Names = ReturnType<RawPlanner['names']>;

/** Reads plans from rows of numbers. */
export function planReader(
  names: Names,
  { groups }: Description,
): (numbers: Float64Array) => Plan[] {
  const { layout, plan, parts, again, bounds, memoryStates } = names;
  const choices = new Map(groups.layout.map(({ key, choices }) => [key, choices]));
  const valueOf = ([key, number]: [string, number]) =>
    [key, choices.get(key)!.at(number) ?? number] as const;
  return (numbers) =>
    partedRows({ layout, plan, parts, again }, numbers).map((row): Plan => {
      const { bound, nextBound, fits, memoryState } = row.plan;
      return {
        ...row.plan,
        // Its stages are spread evenly.
        layout: {
          ...Object.fromEntries(Object.entries(row.layout).map(valueOf)),
          stageLayers: '',
        } as Plan['layout'],
        bound: bounds[bound]!,
        nextBound: bounds[nextBound]!,
        fits: fits > 0,
        memoryState: memoryStates[memoryState]!,
        parts: row.parts,
        again: Object.fromEntries(Object.entries(row.again).filter(([, share]) => share > 0)),
      };
    });
}

export function readStages(raw: RawStages, { memoryKinds, tensors: kinds }: Names): StageMemories {
  const { stages, all, bytes, tensors, capacity, limit } = raw;
  return {
    stages,
    all,
    kinds: memoryKinds,
    bytes: bytes.slice(),
    tensors: rowsOf(kinds, tensors)[0]!,
    capacity,
    limit,
  };
}

export function readTimeline(raw: RawTimeline, names: Names): Timeline {
  const { byStage, lanes, drawn, microBatches, end, steadyFrom, steadyTo } = raw;
  return {
    byStage,
    lanes: byStage ? Array.from({ length: lanes }, (_, stage) => String(stage)) : names.lanes,
    drawn,
    microBatches,
    end,
    cuts: rowsOf(names.cuts, raw.cuts),
    ...(steadyTo > 0 && { steady: { start: steadyFrom, end: steadyTo } }),
    events: rowsOf(names.events, raw.events).map((event) => ({
      ...event,
      kind: names.timelineKinds[event.kind]!,
    })),
  };
}
