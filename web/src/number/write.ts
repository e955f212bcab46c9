import { decimalOf, plainDigits } from './decimal.ts';
import { isBytes, isMoney, isRate, type Notation } from './unit.ts';
import { languageInfo, scalesOf, type Language } from '../i18n/language.ts';

// Controls and links write numbers exactly: reading them back gives the same number.

type Scales = readonly (readonly [power: number, name: string])[];

const latin: Scales = [
  [15, 'P'],
  [12, 'T'],
  [9, 'B'],
  [6, 'M'],
  [3, 'K'],
];
/** Numbers below this read best in plain digits. */
const plainBelow = 100_000;
/** A short form may have this many digits; longer ones are easier to read in full. */
const shortDigits = 4;
/** Names of scales end here: more of their numbers have no name, but an exponent. */
const exponentFrom = 1e21;
/** An exponent is easier to read than zeros above this many characters. */
const longestPlain = 24;

/** Writes a number for a link: `15T`, `4M`, `8960`, `40%`. */
export function writeForLink(value: number, { unit, percent }: Notation): string {
  if (percent) return `${scaled(value, -2)}%`;
  if (unit === 's') return inTime(value, 'us', '');
  const scale = scaleOf(value, latin);
  if (!scale) return scaled(value, 0);
  // The letter B stands for bytes there, so a billion is G.
  const letter = scale[1] === 'B' && unit.startsWith('B') ? 'G' : scale[1];
  return scaled(value, scale[0]) + letter;
}

/** Writes a number for a control: `15T`, `8,960`, `96 GB`, `32 GiB`, `40%`; in Chinese `15万亿`. */
export function writeForControl(value: number, notation: Notation, language: Language): string {
  const { unit, percent } = notation;
  if (percent) return grouped(scaled(value, -2)) + languageInfo(language).percent;
  if (unit !== 's' && Math.abs(value) >= exponentFrom) {
    const name = isBytes(unit) || isRate(unit) ? ` ${withoutChip(unit)}` : '';
    return value.toExponential().replace('+', '') + name;
  }
  if (isBytes(unit) || isRate(unit)) return withPrefix(value, unit);
  if (unit === 's') return inTime(value, 'µs', ' ');
  if (isMoney(unit)) return grouped(scaled(value, 0)).replace(/\.(\d)$/, '.$10');
  const scale = scaleOf(value, scalesOf(language));
  if (scale) return grouped(scaled(value, scale[0])) + scale[1];
  return grouped(scaled(value, 0));
}

/** A person writes few digits, or a power of two; more come from a computation. */
const typedDigits = 7;
const powerOfTwo = 1024;
const saidDigits = 3;

/** Writes a number to be read, not edited: one that a computation gave in short, `5.77T`. */
export function writeForReading(value: number, notation: Notation, language: Language): string {
  const computed =
    Math.abs(value) >= plainBelow &&
    decimalOf(value).digits.length > typedDigits &&
    value % powerOfTwo !== 0;
  const said = computed ? Number(value.toPrecision(saidDigits)) : value;
  return writeForControl(said, notation, language);
}

/** A time in the largest unit that it reaches: `1 µs`. */
function inTime(value: number, micro: string, space: string): string {
  const times: [number, string][] = [
    [0, 's'],
    [-3, 'ms'],
    [-6, micro],
    [-9, 'ns'],
  ];
  const reached = times.find(([from]) => Math.abs(value) >= 10 ** from);
  const [power, name] = reached ?? times.at(value === 0 ? 0 : -1)!;
  return scaled(value, power) + space + name;
}

const withoutChip = (unit: string): string => unit.replace(/\/chip$/, '');

function withPrefix(value: number, unit: string): string {
  const name = withoutChip(unit);
  const binary = [4, 3, 2, 1].find((power) => value % 1000 !== 0 && value % 1024 ** power === 0);
  if (binary && value > 0) return `${value / 1024 ** binary} ${'KMGT'.charAt(binary - 1)}i${name}`;
  const scale = latin.find(([power]) => Math.abs(value) >= 10 ** power);
  if (!scale) return `${scaled(value, 0)} ${name}`;
  const letter = { B: 'G', K: 'k' }[scale[1]] ?? scale[1];
  return `${grouped(scaled(value, scale[0]))} ${letter}${name}`;
}

/** The largest scale that keeps the number short. */
function scaleOf(value: number, scales: Scales): Scales[number] | undefined {
  if (Math.abs(value) < plainBelow || decimalOf(value).digits.length > shortDigits)
    return undefined;
  return scales.find(([power]) => Math.abs(value) >= 10 ** power);
}

function scaled(value: number, power: number): string {
  const decimal = decimalOf(value);
  const exponent = decimal.exponent - power;
  const plain = plainDigits({ ...decimal, exponent });
  if (plain.length <= longestPlain) return plain;
  return `${decimal.negative ? '-' : ''}${decimal.digits}e${exponent}`;
}

function grouped(digits: string): string {
  if (digits.includes('e')) return digits;
  const [whole = '', fraction] = digits.split('.');
  const groups = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return fraction === undefined ? groups : `${groups}.${fraction}`;
}
