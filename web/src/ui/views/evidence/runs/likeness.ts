// The rule by which measured runs are like a plan: chips of the same generation, all parameters or
// experts, matmuls in the same format, the same kind of load if they serve, the same parameters
// trained if they train, and sizes within the factors below.

import type { Run, Traits } from './run.ts';

/** Largest ratios of the numbers of chips and of parameters between similar runs. */
export const within = { chips: 8, parameters: 4 } as const;
/** Fewer say nothing of what nine of ten do. */
export const fewest = 5;

export const isNear = (one: number, other: number, factor: number): boolean =>
  one <= other * factor && other <= one * factor;

export const isLike = (run: Traits, plan: Traits): boolean =>
  run.generation === plan.generation &&
  run.kind === plan.kind &&
  run.format === plan.format &&
  run.load === plan.load &&
  run.trained === plan.trained &&
  isNear(run.chips, plan.chips, within.chips) &&
  isNear(run.parameters, plan.parameters, within.parameters);

/** How often one number is to be doubled or halved to give the other; 0 where one is not known. */
const doublings = (one: number | undefined, other: number | undefined): number =>
  one && other ? Math.abs(Math.log2(one / other)) : 0;

/** The distance of sizes on a logarithmic scale; another chip of the generation is further than a
 * doubling. */
const distance = (run: Run, plan: Traits & { chip: string }): number =>
  doublings(run.chips, plan.chips) +
  2 * doublings(run.parameters, plan.parameters) +
  doublings(run.users, plan.users) +
  (run.chip === plan.chip ? 0 : 1.5);

/** The runs like a plan, the nearest first; of equally near ones the newest, which is listed last. */
export function likeRuns<R extends Run>(all: readonly R[], plan: Traits & { chip: string }): R[] {
  return all
    .filter((run) => isLike(run, plan))
    .map((run, place) => ({ run, place, far: distance(run, plan) }))
    .sort((one, other) => one.far - other.far || other.place - one.place)
    .map(({ run }) => run);
}
