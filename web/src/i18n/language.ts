import { languages as files } from 'virtual:texts';

/** The name of a file in shared/text/, without its ending: what links and storage hold. */
export type Language = string;

export type TimeUnit = 'ns' | 'us' | 'ms' | 'seconds' | 'minutes' | 'hours' | 'days' | 'years';

/** The properties of a language. */
export interface LanguageInfo {
  /** The language's name for itself. */
  name: string;
  /** The tag in documents, e.g. for simplified Chinese. */
  tag: string;
  /** Words for powers of ten, from the greatest on: `T12 B9 M6 K3`, `万亿12 亿8 万4`. */
  scales: string;
  /** The percent sign, with the space before it where there is one. */
  percent: string;
  /** Numerals that can be combined, with their powers of ten, such as `万4 亿8`; may be empty. */
  numerals: string;
  /** Words that are read after a number; alternatives are separated by spaces. */
  typed: {
    times: Readonly<Record<TimeUnit, string>>;
    bytes: string;
    dollars: string;
    /** Words after counts, which change nothing. */
    counted: string;
    perSecond: string;
  };
  /** Said where its texts could not be had, and how to try again. */
  notLoaded: string;
  retry: string;
}

export const languages: readonly Language[] = Object.keys(files);

/** Said in place of a language that there is no file for. */
const fallback = 'en';

export const languageInfo = (language: Language): LanguageInfo =>
  files[language] ?? files[fallback]!;

/** The language's tag in documents. */
export const tagOf = (language: Language): string => languageInfo(language).tag;

type Scales = readonly (readonly [power: number, word: string])[];

/** Splits `万4 亿8` into words and their powers of ten. */
const powersIn = (text: string): Scales =>
  text
    .split(' ')
    .filter(Boolean)
    .map((scale) => [Number(scale.replace(/^\D+/, '')), scale.replace(/\d+$/, '')]);

const scales = new Map(
  languages.map((language): [Language, Scales] => [
    language,
    powersIn(languageInfo(language).scales),
  ]),
);

/** The combinable numerals of all languages. */
export const numerals: Scales = languages.flatMap((language) =>
  powersIn(languageInfo(language).numerals),
);

/** The words of all languages that `pick` takes from what a language reads after numbers. */
export const wordsTyped = (pick: (typed: LanguageInfo['typed']) => string): string[] =>
  languages.flatMap((language) => pick(languageInfo(language).typed).split(' '));

/** The words for powers of ten, from the greatest on. */
export const scalesOf = (language: Language): Scales =>
  scales.get(language) ?? scales.get(fallback)!;

const han = /\p{Script=Han}/u;
/** Chinese numerals such as 万 and 亿 take no space before a Chinese unit. */
const closes = /\p{Script=Han}$/u;

/** Puts a space before what follows a name, unless it starts with a full-width bracket. */
export const following = (text: string): string => (text.startsWith('（') ? text : ` ${text}`);

/** A text and an aside to it, in the brackets of its script. */
export const aside = (text: string, said: string): string =>
  han.test(text + said) ? `${text}（${said}）` : `${text} (${said})`;

/** Joins a list with the comma of its script. */
export const listed = (items: readonly string[]): string =>
  items.join(items.some((item) => han.test(item)) ? '、' : ', ');

/** A number and its unit in one line, without a break in it. */
export const joined = (number: string, unit: string, language: Language): string => {
  if (unit === '%') return number + languageInfo(language).percent.replace(' ', '\u00a0');
  return unit === '' || (closes.test(number) && !/^\w/.test(unit))
    ? number + unit
    : `${number}\u00a0${unit}`;
};

/** Numbers are typed on keys of digits, where words for powers of ten need no keys of their own. */
export const inputMode = (language: Language): 'text' | 'decimal' =>
  scalesOf(language).some(([, word]) => han.test(word)) ? 'text' : 'decimal';

/** The first of `wishes` (`zh`, `zh-CN`, …) that there are texts for, else English. */
export function chooseLanguage(...wishes: (string | null | undefined)[]): Language {
  for (const wish of wishes) {
    const tag = wish?.toLowerCase() ?? '';
    const found = [tag, tag.split('-')[0]].map((name) =>
      languages.find((language) => language.toLowerCase() === name),
    );
    const language = found.find(Boolean);
    if (language) return language;
  }
  return fallback;
}
