import type { Notation } from './unit.ts';

export interface Stepping extends Notation {
  whole: boolean;
  doubles: boolean;
  min: number;
  max: number;
  /** The next valid number from a number, if not all are valid. */
  along?: Along | undefined;
}

export type Along = (from: number, to: number, large: boolean) => number;

/**
 * The next value up (+1) or down (-1); ten steps at once with `large`. Large numbers move by a unit
 * of their second digit (8,960 to 9,000 to 9,100; 15T to 16T), so a step is always a few percent.
 */
export function step(value: number, direction: 1 | -1, large: boolean, rule: Stepping): number {
  const times = large ? 10 : 1;
  let next: number;
  if (rule.doubles && value >= 1) {
    // Three doublings are the nearest thing to ten steps.
    const power = Math.log2(value);
    const from = direction > 0 ? Math.floor(power) : Math.ceil(power);
    next = 2 ** (from + direction * (large ? 3 : 1));
  } else {
    const unit = unitOf(value, direction, rule) * times;
    const place = value / unit;
    const at = direction > 0 ? Math.floor(place + 1e-9) + 1 : Math.ceil(place - 1e-9) - 1;
    next = round(at * unit);
  }
  next = Math.min(rule.max, Math.max(rule.min, next));
  return next === value ? next : (rule.along?.(value, next, large) ?? next);
}

function unitOf(value: number, direction: 1 | -1, { percent, whole }: Stepping): number {
  if (percent) return 0.01;
  const size = Math.abs(value);
  if (size === 0) return whole ? 1 : 0.1;
  let digit = Math.floor(Math.log10(size) + 1e-12);
  // Going down from 10M is to 9.9M, not to 9M.
  if (direction < 0 && size <= 10 ** digit * (1 + 1e-12)) digit -= 1;
  const unit = 10 ** (digit - 1);
  return whole ? Math.max(1, unit) : unit;
}

const round = (value: number): number => Number(value.toPrecision(12));
