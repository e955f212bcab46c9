import { languages, numerals, scalesOf, wordsTyped, type TimeUnit } from '../i18n/language.ts';
import { decimalOf } from './decimal.ts';
import { type Notation } from './unit.ts';

export type Parsed =
  { ok: true; value: number } | { ok: false; reason: 'empty' | 'notANumber' | 'tooLarge' };

/** Powers of ten by letter. `B` is billion, except where the unit is bytes. */
const letters: Record<string, number> = { k: 3, m: 6, g: 9, b: 9, t: 12, p: 15, e: 18 };
const characters: Record<string, number> = Object.fromEntries(
  numerals.map(([power, character]) => [character, power]),
);

/** Words for powers of ten in other languages, the longest first: what a control writes, it reads. */
const words = new Map(
  languages
    .flatMap((language) => scalesOf(language))
    .map(([power, word]) => [word.toLowerCase(), power] as const)
    .filter(([word]) =>
      [...word].some(
        (letter) => !Object.hasOwn(letters, letter) && !Object.hasOwn(characters, letter),
      ),
    )
    .sort(([one], [other]) => other.length - one.length),
);
const spelled = [...words.keys()].map((word) => `${escaped(word)}|`).join('');

const pattern = new RegExp(
  '^([+-]?)' +
    // Digits, bare or in groups of three; a lone comma is no decimal point, so "1,5" is refused.
    "(\\d{1,3}(?:[,_' ]\\d{3})+(?!\\d)|\\d*)(?:\\.(\\d*))?" +
    '(?:e([+-]?\\d{1,4}))?' +
    ` ?(${spelled}[kmgtpe]i|[kmgbtpe]|[${Object.keys(characters).join('')}]+)?` +
    ' ?(%)?$',
  'i',
);

/**
 * A number as people write one: `4M`, `15T`, `1e12`, `4 194 304`, `40%`, `4Mi`, `15万亿`, `80 GB`. A
 * percent field reads 40 %, 40 and 0.4 as the same.
 */
export function parseNumber(text: string, { unit, percent: inPercent }: Notation): Parsed {
  const trimmed = text.normalize('NFKC').replace(/\s/g, ' ').replace(/[−–]/g, '-').trim();
  if (trimmed === '') return { ok: false, reason: 'empty' };
  const [bare, seconds] = unit === 's' ? withoutTime(trimmed) : [withoutUnit(trimmed, unit), 0];
  const match = pattern.exec(bare);
  const [, sign = '', grouped = '', fraction = '', exponent = '0', suffix = '', percent] =
    match ?? [];
  const whole = grouped.replace(/\D/g, '');
  if (!match || whole + fraction === '') return { ok: false, reason: 'notANumber' };

  let power = Number(exponent) - (percent ? 2 : 0);
  let factor = 1;
  if (/^[a-z]i$/i.test(suffix)) {
    factor = 2 ** ((letters[suffix.charAt(0).toLowerCase()]! / 3) * 10);
  } else if (words.has(suffix.toLowerCase())) {
    power += words.get(suffix.toLowerCase())!;
  } else {
    for (const letter of suffix.toLowerCase()) power += letters[letter] ?? characters[letter]!;
  }
  // Scaling in decimal keeps 4.1M exactly 4,100,000.
  const value = Number(`${sign}${whole || '0'}.${fraction || '0'}e${power + seconds}`) * factor;
  if (!Number.isFinite(value)) return { ok: false, reason: 'tooLarge' };
  if (value === 0) return { ok: true, value: 0 };
  if (inPercent && !percent && Math.abs(value) > 1) {
    return parseNumber(`${trimmed}%`, { unit, percent: true });
  }
  return { ok: true, value };
}

/** A round number of thousands, millions ... taken as powers of two: 8,192 of 8,000. */
export function inPowersOfTwo(value: number): number | undefined {
  const scale = Math.floor((Math.log10(value) + 1e-9) / 3);
  const meant = (value / 1000 ** scale) * 1024 ** scale;
  const isRound = decimalOf(value).digits.length <= 3;
  return scale >= 1 && isRound && Number.isInteger(meant) ? meant : undefined;
}

/** Escapes a word for a regular expression. */
function escaped(word: string): string {
  return word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

const alternatives = (words: readonly string[]): string =>
  [...words]
    .sort((one, other) => other.length - one.length)
    .map(escaped)
    .join('|');

/** Powers of ten by the words for a unit of time. */
const times = new Map(
  (
    [
      ['ns', -9],
      ['us', -6],
      ['ms', -3],
      ['seconds', 0],
    ] as [TimeUnit, number][]
  ).flatMap(([unit, power]) =>
    wordsTyped(({ times }) => times[unit]).map((word) => [word.toLowerCase(), power] as const),
  ),
);
const time = new RegExp(`^(.*?) ?(${alternatives([...times.keys()])})$`, 'i');

/** A time without its unit, and the power of ten that the unit stands for. */
function withoutTime(text: string): [string, number] {
  const [, bare = text, name = 's'] = time.exec(text) ?? [];
  return [bare, times.get(name.toLowerCase()) ?? 0];
}

const perSecond = alternatives(wordsTyped(({ perSecond }) => perSecond));
const dollars = new RegExp(
  `^(US)?\\$ ?|(${alternatives(wordsTyped(({ dollars }) => dollars))})$`,
  'g',
);
const bytes = new RegExp(
  ` ?(${alternatives(wordsTyped(({ bytes }) => bytes))})(${perSecond}|ps)?$`,
  'i',
);
const counted = new RegExp(
  ` ?(${alternatives(wordsTyped(({ counted }) => counted))})(${perSecond})?$`,
  'i',
);

function withoutUnit(text: string, unit: string): string {
  if (unit === '') return text;
  const bare = text.replace(dollars, '');
  return bare.replace(unit.startsWith('B') ? bytes : counted, '').trimEnd();
}
