import type { Formatter } from '../number/format.ts';
import { isBytes, isRate } from '../number/unit.ts';
import { aside } from '../text/language.ts';
import type { Axis } from './data.ts';
import type { Range } from './scale.ts';

export interface Ticks {
  at: number[];
  labels: string[];
  /** The axis' name with the unit that the labels are in. */
  title: string;
}

/** Few decades are parted at 2 and 5 too. */
const partedUpTo = 2;
/** Powers of ten within these are written out: 0.01, 100,000. */
const plainFrom = -2;
const plainTo = 5;

/** Powers of ten within a range: every one, or every second, third, … so that at most `most` are. */
function powers([from, to]: Range, most: number): number[] {
  const low = Math.ceil(Math.log10(from) - 1e-9);
  const high = Math.floor(Math.log10(to) + 1e-9);
  const step = Math.max(1, Math.ceil((high - low + 1) / Math.max(1, most)));
  const exponents: number[] = [];
  for (let exponent = Math.ceil(low / step) * step; exponent <= high; exponent += step) {
    exponents.push(exponent);
  }
  return exponents;
}

/** 10⁻³ */
function power(exponent: number): string {
  const raised = [...String(exponent)].map((digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(digit)] ?? '⁻');
  return `10${raised.join('')}`;
}

/** A step of 1, 2 or 5 times a power of ten, for about `most` steps and no more. */
export function niceStep(span: number, most: number): number {
  const least = span / Math.max(1, most);
  const size = 10 ** Math.floor(Math.log10(least));
  return ([1, 2, 5, 10].find((factor) => factor * size >= least * (1 - 1e-9)) ?? 10) * size;
}

/** What is said without digits that say nothing: 50 for 50.0. */
const short = (text: string): string =>
  text.replace(/(\.\d*?)0+(?!\d)/, '$1').replace(/\.(?!\d)/, '');

const hour = 3600;
const day = 24 * hour;

const unitName = (format: Formatter, unit: string): string => format.read(2, unit).unit;
const titled = ({ label }: Axis, unit: string): string => (unit ? aside(label, unit) : label);
/** Short units of time and percent stand with each number, others once in the title. */
const standsWithNumber = (unit: string): boolean => unit === 's' || unit === '%';

export function logTicks(axis: Axis, range: Range, most: number, format: Formatter): Ticks {
  const { unit } = axis;
  // Powers of ten of seconds are no round times; of days, they are.
  if (unit === 's' && range[0] >= hour) {
    const inDays: Range = [range[0] / day, range[1] / day];
    const { at, labels } = logTicks({ ...axis, unit: '' }, inDays, most, format);
    return {
      at: at.map((days) => days * day),
      labels,
      title: titled(axis, format.read(2 * day, unit).unit),
    };
  }
  const span = Math.log10(range[1] / range[0]);
  const say = (value: number): string =>
    short(standsWithNumber(unit) ? format.say(value, unit) : format.count(value));
  const title = titled(axis, standsWithNumber(unit) ? '' : unitName(format, unit));
  if (span <= partedUpTo && 3 * span + 1 <= most) {
    const at = powers([range[0] / 10, range[1]], Infinity)
      .flatMap((exponent) => [1, 2, 5].map((factor) => factor * 10 ** exponent))
      .filter((value) => value >= range[0] * (1 - 1e-9) && value <= range[1] * (1 + 1e-9));
    return { at, labels: at.map(say), title };
  }
  const exponents = powers(range, most);
  const plain =
    standsWithNumber(unit) ||
    exponents.every((exponent) => exponent >= plainFrom && exponent <= plainTo);
  return {
    at: exponents.map((exponent) => 10 ** exponent),
    labels: exponents.map((exponent) =>
      plain || exponent === 0 || exponent === 1 ? say(10 ** exponent) : power(exponent),
    ),
    title,
  };
}

const durations = [1e-9, 1e-6, 1e-3, 1, 60, 3600, 86400, 365.25 * 86400];

/** One unit for all numbers up to `most`: 0.5 and 1.5 ms, not 500 µs and 1.50 ms. */
function commonUnit(unit: string, most: number, format: Formatter): { size: number; name: string } {
  if (unit === '%') return { size: 0.01, name: '%' };
  if (unit === 's') {
    const { unit: name } = format.read(most, unit);
    return { size: durations.find((size) => format.read(2 * size, unit).unit === name) ?? 1, name };
  }
  const thousands = Math.floor(Math.log10(most) / 3 + 1e-9);
  const prefixed = isRate(unit) || isBytes(unit);
  const size = prefixed ? 1000 ** Math.min(6, Math.max(0, thousands)) : 1;
  return { size, name: format.read(2 * size, unit).unit };
}

/** Numbers of an axis, all in the unit that its title names. */
export function inOneUnit(
  axis: Axis,
  most: number,
  format: Formatter,
): { say: (value: number) => string; title: string } {
  const { size, name } = commonUnit(axis.unit, most, format);
  return { say: (value) => format.number(value / size), title: titled(axis, name) };
}

export function linearTicks(axis: Axis, range: Range, most: number, format: Formatter): Ticks {
  const step = niceStep(range[1] - range[0], most);
  const first = Math.ceil(range[0] / step - 1e-9);
  const last = Math.floor(range[1] / step + 1e-9);
  const at = Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step);
  const { size, name } = commonUnit(axis.unit, Math.max(...range.map(Math.abs)), format);
  // What is not exactly representable (3 * 0.1) is said as it is meant.
  const labels = at.map((value) => short(format.count(Number((value / size).toPrecision(12)))));
  return { at, labels, title: titled(axis, name) };
}
