// Finds the best of several, where that can be told at all.

/** A value with the range in which it is likely to lie, if that is known. */
export interface Estimate {
  value: number;
  band?: readonly [low: number, high: number] | undefined;
}

export interface Contest<One> {
  /** The one with the least value. */
  best: One;
  /** Others of which the likely ranges reach into that of the best: which is the least can't be told. */
  alike: readonly One[];
}

/** The least of those that are estimated; nothing if there are none. */
export function contestOf<One extends Estimate>(all: readonly One[]): Contest<One> | undefined {
  const best = all.reduce<One | undefined>(
    (least, each) => (least && least.value <= each.value ? least : each),
    undefined,
  );
  if (!best) return undefined;
  const high = best.band?.[1] ?? best.value;
  const low = ({ value, band }: One): number => band?.[0] ?? value;
  return { best, alike: all.filter((each) => each !== best && low(each) <= high) };
}
