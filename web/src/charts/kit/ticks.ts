import { secondsIn, timeUnitOf, type Formatter, type TimeUnit } from '../../number/format.ts';
import { isBytes, isRate, isTime } from '../../number/unit.ts';
import { aside, joined } from '../../i18n/language.ts';
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

/** The number without meaningless digits: 50 for 50.0. */
const short = (text: string): string =>
  text.replace(/(\.\d*?)0+(?!\d)/, '$1').replace(/\.(?!\d)/, '');

// ---- round times

const decimals = (factors: readonly number[], decades: number): number[] =>
  Array.from({ length: decades }, (_, power) =>
    factors.map((factor) => factor * 10 ** power),
  ).flat();

/** Round numbers of each unit of time up to the next unit. */
type Rounds = readonly (readonly [unit: TimeUnit, amounts: readonly number[]])[];

const parts = ['ns', 'us', 'ms'] as const;
const manyYears = 15;
/** The round times of logarithmic axes, many first. */
const roundTimes: readonly Rounds[] = [
  [
    ...parts.map((unit) => [unit, decimals([1, 2, 5], 3)] as const),
    ['seconds', [1, 2, 5, 10, 20, 30]],
    ['minutes', [1, 2, 5, 10, 20, 30]],
    ['hours', [1, 2, 4, 8, 12]],
    ['days', [1, 2, 5, 10, 20, 50, 100, 200]],
    ['years', decimals([1, 2, 5], manyYears)],
  ],
  [
    ...parts.map((unit) => [unit, decimals([1], 3)] as const),
    ['seconds', [1, 10]],
    ['minutes', [1, 10]],
    ['hours', [1, 6]],
    ['days', [1, 10, 100]],
    ['years', decimals([1], manyYears)],
  ],
  [
    ...parts.map((unit) => [unit, [1]] as const),
    ['seconds', [1]],
    ['minutes', [1]],
    ['hours', [1]],
    ['days', [1]],
    ['years', decimals([1], manyYears / 3).map((amount) => amount ** 3)],
  ],
];

/** Steps of linear axes in units of which ten are not the next one's round number. */
const steps: Partial<Record<TimeUnit, readonly number[]>> = {
  minutes: [0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 20, 30],
  hours: [0.1, 0.2, 0.5, 1, 2, 3, 4, 6, 12, 24],
};

/** `10 min`, `1 day`, `1M years`. */
export function roundTime(amount: number, unit: TimeUnit, format: Formatter): string {
  const forms = format.units.time[unit].split('|');
  const name = forms[format.plural(amount)] ?? forms.at(-1)!;
  return joined(short(format.count(amount)), name, format.language);
}

/** Round times within a range, each said in its unit: at most `most`, as many as may be. */
function timeTicks([from, to]: Range, most: number, format: Formatter): Omit<Ticks, 'title'> {
  const within = (value: number): boolean => value >= from * (1 - 1e-9) && value <= to * (1 + 1e-9);
  const found = roundTimes.map((rounds) =>
    rounds.flatMap(([unit, amounts]) =>
      amounts.flatMap((amount) => {
        const at = amount * secondsIn(unit);
        return within(at) ? [{ at, label: roundTime(amount, unit, format) }] : [];
      }),
    ),
  );
  const few = found.at(-1)!;
  const each = Math.ceil(few.length / Math.max(1, most));
  const ticks =
    found.find(({ length }) => length <= most) ?? few.filter((_, index) => index % each === 0);
  return { at: ticks.map(({ at }) => at), labels: ticks.map(({ label }) => label) };
}

const unitName = (format: Formatter, unit: string): string => format.read(2, unit).unit;
const titled = ({ label }: Axis, unit: string): string => (unit ? aside(label, unit) : label);
/** Short units of time and percent stand with each number, others once in the title. */
const standsWithNumber = (unit: string): boolean => isTime(unit) || unit === '%';

export function logTicks(axis: Axis, range: Range, most: number, format: Formatter): Ticks {
  const { unit } = axis;
  // Powers of ten of seconds are no round times.
  if (unit === 's' && range[0] >= secondsIn('ns')) {
    return { ...timeTicks(range, most, format), title: axis.label };
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

/** One unit for all numbers up to `most`: 0.5 and 1.5 ms, not 500 µs and 1.50 ms. */
function commonUnit(unit: string, most: number, format: Formatter): { size: number; name: string } {
  if (unit === '%') return { size: 0.01, name: '%' };
  if (isTime(unit)) {
    const { size, name } = timeUnitOf(most, unit);
    return { size, name: format.timeName(name) };
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

/** A step for about `most` steps of a length and no more, round in the unit of the axis' numbers. */
function stepOf({ unit }: Axis, [from, to]: Range, length: number, most: number): number {
  const step = niceStep(length, most);
  if (!isTime(unit)) return step;
  const { size, name } = timeUnitOf(Math.max(Math.abs(from), Math.abs(to)), unit);
  const least = length / size / Math.max(1, most);
  // Below the least of them, others are as round.
  const rounds = steps[name]?.filter((each) => each < 10 * least) ?? [];
  const round = rounds.find((each) => each >= least * (1 - 1e-9));
  return size * (round ?? niceStep(length / size, most));
}

/** Ticks of an axis, of which only `spans` may be shown: about `most` in all of them. */
export function linearTicks(
  axis: Axis,
  range: Range,
  most: number,
  format: Formatter,
  spans: readonly Range[] = [range],
): Ticks {
  const length = spans.reduce((sum, [from, to]) => sum + to - from, 0);
  const step = stepOf(axis, range, length, most);
  const at = spans.flatMap(([from, to]) => {
    const first = Math.ceil(from / step - 1e-9);
    const last = Math.floor(to / step + 1e-9);
    return Array.from(
      { length: Math.max(0, last - first + 1) },
      (_, index) => (first + index) * step,
    );
  });
  const { size, name } = commonUnit(axis.unit, Math.max(...range.map(Math.abs)), format);
  // A number without an exact representation (3 * 0.1) is written as intended.
  const labels = at.map((value) => short(format.count(Number((value / size).toPrecision(12)))));
  return { at, labels, title: titled(axis, name) };
}
