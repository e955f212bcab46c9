import type { Dictionary } from '../i18n/dictionary.ts';
import { joined, scalesOf, tagOf, type Language } from '../i18n/language.ts';
import { isBytes, isMoney, isRate, isTime, stepTime } from './unit.ts';

/** A number as people read it, apart from its unit, so that the page can set them in two sizes. */
export interface Reading {
  number: string;
  unit: string;
}

type Scale<Name = string> = readonly [size: number, name: Name];

/** Units of time by the names of their texts. */
export type TimeUnit = keyof Dictionary['units']['time'];

const significant = 3;
/** Whole numbers are written in full up to here: 35,840 chips. */
const fullBelow = 1e6;
/** Money is written in full up to here: no estimate has more digits than three. */
const moneyBelow = 1e4;
/** Numbers from here on, and below the least that three digits show, are powers of ten. */
const powerFrom = 1e15;
const powerBelow = 1e-3;
/** This stands in place of no number: a sum that overflows, or an answer that isn't there. */
const noNumber = '–';

const prefixes: Scale[] = [
  [1e18, 'E'],
  [1e15, 'P'],
  [1e12, 'T'],
  [1e9, 'G'],
  [1e6, 'M'],
  [1e3, 'k'],
];
const year = 365.25 * 86400;
/** A unit of time is said from `from` seconds on: two days are still 48 hours. */
const durations: { from: number; size: number; name: TimeUnit }[] = [
  { from: year, size: year, name: 'years' },
  { from: 2 * 86400, size: 86400, name: 'days' },
  { from: 3600, size: 3600, name: 'hours' },
  { from: 60, size: 60, name: 'minutes' },
  { from: 1, size: 1, name: 'seconds' },
  { from: 1e-3, size: 1e-3, name: 'ms' },
  { from: 1e-6, size: 1e-6, name: 'us' },
  { from: 0, size: 1e-9, name: 'ns' },
];

const inSeconds = durations.filter(({ size }) => size <= 1);

/** Steps are said in seconds up to here. */
const longStep = 7200;

/** The unit of time that `seconds` are said in, with its seconds. */
export const timeUnitOf = (seconds: number, unit: string): { size: number; name: TimeUnit } =>
  (unit === stepTime && Math.abs(seconds) < longStep ? inSeconds : durations).find(
    ({ from }) => Math.abs(seconds) >= from,
  ) ?? durations.at(-1)!;

/** Seconds in a unit of time. */
export const secondsIn = (unit: TimeUnit): number =>
  durations.find(({ name }) => name === unit)!.size;

const pluralForms: readonly Intl.LDMLPluralRule[] = ['zero', 'one', 'two', 'few', 'many', 'other'];

export class Formatter {
  private readonly formats = new Map<string, Intl.NumberFormat>();
  private readonly scales: Scale[];
  private readonly plurals: Intl.PluralRules;
  /** The plural forms of the language, in the order in which texts have them. */
  private readonly forms: Intl.LDMLPluralRule[];
  private readonly months: Intl.DateTimeFormat;

  constructor(
    readonly language: Language,
    readonly units: Dictionary['units'],
  ) {
    const tag = tagOf(language);
    this.scales = scalesOf(language)
      .map(([power, name]): Scale => [10 ** power, name])
      .filter(([size]) => size < powerFrom);
    this.plurals = new Intl.PluralRules(tag);
    const { pluralCategories } = this.plurals.resolvedOptions();
    this.forms = pluralForms.filter((form) => pluralCategories.includes(form));
    this.months = new Intl.DateTimeFormat(tag, {
      year: 'numeric',
      month: 'long',
      timeZone: 'UTC',
    });
  }

  /** The index of the language's plural form for the number. */
  plural(count: number): number {
    return this.forms.indexOf(this.plurals.select(count));
  }

  /** `2025-02` as people write it. */
  month(date: string): string {
    return this.months.format(new Date(date));
  }

  /** A value without a line break in it: `44.3 days`, `2.42 GB`, `$40.0M`, `6.30 × 10²⁴ FLOPs`. */
  say(value: number, unit: string): string {
    const { number, unit: name } = this.read(value, unit);
    return this.join(number, name);
  }

  /** A range of values: `64.5–88.0 days`, the unit once where both have the same. */
  range(low: number, high: number, unit: string): string {
    const [from, to] = [this.read(low, unit), this.read(high, unit)];
    const least = from.unit === to.unit ? from.number : this.join(from.number, from.unit);
    return `${least}–${this.join(to.number, to.unit)}`;
  }

  read(value: number, unit: string): Reading {
    if (!Number.isFinite(value)) return { number: noNumber, unit: '' };
    const name = this.nameOf(unit, value);
    if (isTime(unit)) return this.duration(value, unit);
    if (unit === 's/token') {
      const time = this.duration(value, 's');
      return { number: time.number, unit: time.unit + name };
    }
    if (unit === '%') return { number: this.number(value * 100), unit: '%' };
    if (unit === 'J') return this.prefixed(value / 3600, 'Wh');
    if (isMoney(unit)) return { number: this.money(value), unit: name };
    if (isBytes(unit) || isRate(unit) || unit === 'W/chip') return this.prefixed(value, name);
    if (unit.startsWith('FLOPs') && value >= 1e9) return { number: this.power(value), unit: name };
    return { number: this.count(value), unit: name };
  }

  /** A value with all its digits, for hover, focus and derivations. */
  exactly(value: number, unit: string): string {
    if (!Number.isFinite(value)) return noNumber;
    const size = Math.abs(value);
    const short = size === 0 || (size >= powerBelow && size < powerFrom);
    const number = short ? this.digits(value, 1, 12) : this.power(value, 12);
    return this.join(number, this.nameOf(unit, value));
  }

  /** Whole numbers in full while they are short, then K M B T or 万 亿 万亿, then powers of ten. */
  count(value: number): string {
    if (!Number.isFinite(value)) return noNumber;
    const size = Math.abs(value);
    if (Number.isInteger(value) && size < fullBelow) return this.write(value);
    return this.short(value);
  }

  /** Three digits of any number, with K M B T or 万 亿 万亿, or as a power of ten. */
  private short(value: number): string {
    const size = Math.abs(value);
    if (size >= powerFrom || size < powerBelow) return this.power(value);
    const [number, scale] = this.scaled(value, size < 1e4 ? [] : this.scales);
    return number + scale;
  }

  /** Three significant digits, and never fewer than all the whole ones. */
  number(value: number): string {
    if (!Number.isFinite(value)) return noNumber;
    const size = Math.abs(value);
    if (size === 0) return '0';
    if (size >= powerFrom || size < powerBelow) return this.power(value);
    if (size >= 10 ** significant) return this.write(value, { maximumFractionDigits: 0 });
    return this.digits(value, significant, significant);
  }

  private prefixed(value: number, name: string): Reading {
    if (Math.abs(value) >= 1e21) return { number: this.power(value), unit: name };
    const [number, prefix] = this.scaled(value, prefixes);
    return { number, unit: prefix + name };
  }

  private money(value: number): string {
    const sign = this.units.names.USD === '' ? '$' : '';
    const size = Math.abs(value);
    if (size >= moneyBelow) return sign + this.short(value);
    const cents = size < 1000 ? 2 : 0;
    const most = size < 1 ? 4 : cents;
    return sign + this.write(value, { minimumFractionDigits: cents, maximumFractionDigits: most });
  }

  /** The name of a unit of time where no number says how many. */
  timeName(unit: TimeUnit): string {
    return this.units.time[unit].split('|').at(-1)!;
  }

  private duration(value: number, unit: string): Reading {
    const { size, name } = timeUnitOf(value, unit);
    const amount = value / size;
    const number = Math.abs(amount) >= 1e4 ? this.count(amount) : this.number(amount);
    return { number, unit: this.timeName(amount === 0 ? 'seconds' : name) };
  }

  private scaled(value: number, scales: readonly Scale[]): [number: string, scale: string] {
    // 999.6M is said as 1.00B, not as 1,000M.
    const fitting = scales.find(
      ([size]) => Math.abs(Number((value / size).toPrecision(significant))) >= 1,
    );
    if (fitting) return [this.number(value / fitting[0]), fitting[1]];
    return [this.number(value), ''];
  }

  /** 6.30 × 10²⁴ */
  private power(value: number, most = significant): string {
    if (value === 0) return '0';
    const exponential = value.toExponential(Math.max(significant, most) - 1);
    const [mantissa = '', exponent = ''] = exponential.split('e');
    const raised = [...exponent.replace('+', '')].map(
      (digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(digit)] ?? '⁻',
    );
    const least = most === significant ? significant : 1;
    return `${this.digits(Number(mantissa), least, most)}\u00a0×\u00a010${raised.join('')}`;
  }

  private digits(value: number, least: number, most: number): string {
    return this.write(value, {
      minimumSignificantDigits: least,
      maximumSignificantDigits: most,
    });
  }

  private join(number: string, unit: string): string {
    return joined(number, unit, this.language);
  }

  /** Units have the plural forms of their language: `chip|chips`. */
  private nameOf(unit: string, value: number): string {
    const forms = this.formsOf(unit).split('|');
    return forms[this.plural(value)] ?? forms.at(-1)!;
  }

  /** The name of a unit in its plural forms; without one, the names of its parts. */
  private formsOf(unit: string): string {
    const names: Record<string, string> = this.units.names;
    return (
      names[unit] ?? unit.replace(/[^/·]+/g, (part) => (names[part] ?? part).split('|').at(-1)!)
    );
  }

  private write(value: number, options: Intl.NumberFormatOptions = {}): string {
    const key = JSON.stringify(options);
    const format = this.formats.get(key) ?? new Intl.NumberFormat(tagOf(this.language), options);
    this.formats.set(key, format);
    const text = format.format(value);
    // A number that rounds to 0 has no sign.
    return /[1-9]/.test(text) ? text : text.replace('-', '');
  }
}
