// The choice of the measured runs that are shown, and of their groups.

import { runChoices, type RunChoice, type RunFilter, type RunGroup } from './settings.ts';
import { isNear, within } from './likeness.ts';
import type { Run } from './run.ts';

const valuesOf: { readonly [Key in RunChoice]: (run: Run) => string } = {
  chip: ({ chip }) => chip,
  generation: ({ generation }) => generation,
  source: ({ citation }) => citation.group,
  model: ({ model }) => model,
  format: ({ format }) => format,
  kind: ({ kind }) => kind,
  load: ({ load }) => load ?? none,
  trained: ({ trained }) => trained ?? none,
  stack: ({ stack }) => stack ?? none,
};
/** The name of software that is not described. */
export const none = 'none';

export const valueOf = (run: Run, by: RunChoice): string => valuesOf[by](run);

/** Whether a run is shown; `but`: whatever it has of that. */
export const matches = (run: Run, filter: RunFilter, but?: RunChoice): boolean =>
  runChoices.every(
    (key) => key === but || filter[key] === undefined || valueOf(run, key) === filter[key],
  ) &&
  (filter.chips === undefined || isNear(run.chips, filter.chips, within.chips)) &&
  (filter.parameters === undefined || isNear(run.parameters, filter.parameters, within.parameters));

/** The values that runs have which are shown but for this filter, with how many have each. */
export function choicesOf(
  runs: readonly Run[],
  filter: RunFilter,
  by: RunChoice,
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const run of runs) {
    if (!matches(run, filter, by)) continue;
    const value = valueOf(run, by);
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return counts;
}

/** Runs by group, the largest group first. */
export function grouped(runs: readonly Run[], by: RunGroup): [value: string, runs: Run[]][] {
  const groups = new Map<string, Run[]>();
  for (const run of runs) {
    const value = valueOf(run, by);
    const group = groups.get(value);
    if (group) group.push(run);
    else groups.set(value, [run]);
  }
  return [...groups].sort(([, one], [, other]) => other.length - one.length);
}

/** A filter with one of its values changed, or without it. */
export function changed(
  filter: RunFilter,
  key: keyof RunFilter,
  value: string | number | undefined,
): RunFilter {
  const { [key]: _, ...others } = filter;
  return value === undefined ? others : { ...others, [key]: value };
}
