// Finds the best of several, where that can be told at all.

/** A value with the range in which it is likely to lie, if that is known. */
export interface Estimate {
  value: number;
  band?: readonly [low: number, high: number] | undefined;
}

export interface Contest<One> {
  /** The one with the least value, or the most. */
  best: One;
  /** Others of which the likely ranges reach into that of the best: which is best can't be told. */
  alike: readonly One[];
}

/** The least of those that are estimated, or the most; nothing if there are none. */
export function contestOf<One extends Estimate>(
  all: readonly One[],
  most = false,
): Contest<One> | undefined {
  const sign = most ? -1 : 1;
  const best = all.reduce<One | undefined>(
    (found, each) => (found && sign * found.value <= sign * each.value ? found : each),
    undefined,
  );
  if (!best) return undefined;
  /** The end of its range at which one is better, or worse. */
  const end = ({ value, band }: One, better: boolean): number =>
    sign * (band?.[better === most ? 1 : 0] ?? value);
  const worst = end(best, false);
  return { best, alike: all.filter((each) => each !== best && end(each, true) <= worst) };
}
