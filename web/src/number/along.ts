// Steps along numbers that go with others.

import type { Along } from './step.ts';

/** Farther from where a step leads than this is not looked. */
const farthest = 4096;

/** Along those that `goes` takes: the nearest to where a step leads, or none. */
export const alongWhich =
  (goes: (value: number) => boolean): Along =>
  (from, to) => {
    const direction = Math.sign(to - from);
    for (let away = 0; away < farthest; ++away) {
      const beyond = to + direction * away;
      const before = to - direction * away;
      if (beyond >= 1 && goes(beyond)) return beyond;
      if (direction * (before - from) > 0 && goes(before)) return before;
    }
    return from;
  };

/** Along these, which come in ascending order: one by one, or as far as large steps lead. */
export const alongThese =
  (values: () => readonly number[]): Along =>
  (from, to, large) => {
    const up = to > from;
    const ahead = values().filter((value) => (up ? value > from : value < from));
    if (!up) ahead.reverse();
    const within = large ? ahead.filter((value) => (up ? value <= to : value >= to)) : [];
    return within.at(-1) ?? ahead[0] ?? from;
  };

/** Along multiples, from one of them. */
export const alongMultiples =
  (unit: number): Along =>
  (from, to) => {
    if (from % unit !== 0) return to;
    const count = Math.round(to / unit);
    return unit * Math.max(1, count * unit === from ? count + Math.sign(to - from) : count);
  };

/** All divisors of a whole number, in ascending order. */
export function divisorsOf(whole: number): number[] {
  const found = new Set<number>();
  for (let n = 1; n * n <= whole; ++n) if (whole % n === 0) found.add(n).add(whole / n);
  return [...found].sort((a, b) => a - b);
}
