import file from '../../../../../shared/examples.json';
import type { AnswerInfo, Description } from '../../../engine/index.ts';
import type { PartTexts } from '../../../i18n/dictionary.ts';
import { wordsTyped, type TimeUnit } from '../../../i18n/language.ts';
import { parseNumber, type Parsed } from '../../../number/parse.ts';
import { readAddress, writeAddress } from '../../../link/address.ts';
import { notationOf } from '../../../model/presentation.ts';
import { chapters, type Chapter } from '../../../model/chapters.ts';
import type { State } from '../../../model/state.ts';

/** The published answer. */
export interface Published {
  /** A number in `unit`, or in the answer's own; of an answer that is a choice, its name. */
  value: number | string;
  unit?: Unit;
  /** The relative tolerance of the printed number, which is rounded. */
  tolerance?: number;
  /** The heading in the chapter. */
  where: string;
  /** False: an exercise without a printed answer; the value follows from the book's formulas. */
  printed?: false;
}

interface Example {
  id: string;
  chapter: string;
  /** The state that answers it, as a link holds it. */
  link: string;
  /** Key of the answer. */
  answer: string;
  published: Published;
  /** The printed answer is wrong: by which ratio to the exact one. */
  erratum?: { ratio: number };
  /** The printed answer was measured or assumed, and lies between our bounds: its ratio to ours. */
  between?: { ratio: number };
}

/** A question with the state that its link stands for. */
export type WorkedExample = Example & { state: State; info: AnswerInfo };

const year = 365.25 * 86400;
/** Units in which answers are printed, in those that the core counts in. */
const units = {
  ns: 1e-9,
  us: 1e-6,
  ms: 1e-3,
  seconds: 1,
  minutes: 60,
  hours: 3600,
  days: 86400,
  years: year,
  kB: 1e3,
  MB: 1e6,
  GB: 1e9,
  TB: 1e12,
  KiB: 2 ** 10,
  MiB: 2 ** 20,
  GiB: 2 ** 30,
  'GB/s': 1e9,
  'TB/s': 1e12,
  '%': 0.01,
};
export type Unit = keyof typeof units;

/** Texts of chapters and questions by their ids: the part `worked`. */
export interface Words {
  /** Texts that all questions share. */
  words: PartTexts<'workedExamples'>['words'];
  chapters: Record<string, string>;
  /** Texts by question; `erratum` says why the printed answer is wrong. */
  questions: Record<string, { question: string; erratum?: string; note?: string }>;
}

const read = new WeakMap<Description, WorkedExample[]>();

/** The examples, each with its state and the one link that states like it have. */
export function readExamples(description: Description): WorkedExample[] {
  let examples = read.get(description);
  if (!examples) {
    examples = (file.examples as Example[]).map((example) => {
      const { state } = readAddress(description, example.link);
      const info = description.questions[state.view].answers.find(
        ({ key }) => key === example.answer,
      )!;
      return { ...example, state, info, link: writeAddress(description, state) };
    });
    read.set(description, examples);
  }
  return examples;
}

/** The examples by chapter, in the order of the file. */
export function byChapter(
  examples: readonly WorkedExample[],
): { chapter: Chapter; examples: WorkedExample[] }[] {
  return chapters.map((chapter) => ({
    chapter,
    examples: examples.filter((example) => example.chapter === chapter.id),
  }));
}

/** The printed answer in the unit of ours. */
export function publishedValue({ value, unit }: Published): number | string {
  if (typeof value !== 'number' || !unit) return value;
  // Divided, it is the number that reading `41 %` gives.
  return unit === '%' ? value / 100 : value * units[unit];
}

const timeUnits: readonly TimeUnit[] = [
  'ns',
  'us',
  'ms',
  'seconds',
  'minutes',
  'hours',
  'days',
  'years',
];
/** Words for times after a number, in all languages. */
const timeWords = timeUnits.map((unit) => [unit, wordsTyped(({ times }) => times[unit])] as const);

/** Words for times with their seconds, the longest first; `own` are those of the reader's language. */
const timesIn = (own: Partial<Record<Unit, string>>): { word: string; factor: number }[] =>
  [...timeWords, ...Object.entries(own).map(([unit, words]) => [unit, words.split('|')] as const)]
    .flatMap(([unit, words]) =>
      words.map((word) => ({
        word: word.normalize('NFKC').toLowerCase(),
        factor: units[unit as Unit],
      })),
    )
    .sort((one, other) => other.word.length - one.word.length);

const powers = { thousand: 'e3', million: 'e6', billion: 'e9', trillion: 'e12' };
const spelled = new RegExp(` ?(${Object.keys(powers).join('|')})`, 'i');

/**
 * A guess as people write one: `44 days`, `1.2 ms`, `4M`, `2.4 GB`. A bare number is in the unit of
 * the printed answer; `names` are those of the unit in the reader's language, `timeNames` of times.
 */
export function parseGuess(
  text: string,
  { published, info }: WorkedExample,
  names: readonly string[] = [],
  timeNames: Partial<Record<Unit, string>> = {},
): Parsed {
  const written = text
    .normalize('NFKC')
    .trim()
    .replace(spelled, (_, word: string) => powers[word.toLowerCase() as keyof typeof powers]);
  const own = published.unit && published.unit !== '%' ? units[published.unit] : 1;
  if (info.unit === 's') {
    const time = timesIn(timeNames).find(({ word }) => written.toLowerCase().endsWith(word));
    const number = time ? written.slice(0, -time.word.length) : written;
    return positive(parseNumber(number, plain), time ? time.factor : own);
  }
  const name = names.find((word) => written.endsWith(word)) ?? '';
  const number = written.slice(0, written.length - name.length);
  const bare = /^[\d\s.,_'e+−-]+$/i.test(number);
  return positive(parseNumber(number, notationOf(info)), bare ? own : 1);
}

const plain = { unit: '', percent: false };

/** Refuses 0 and less: answers are positive, and a ratio to 0 has no value. */
function positive(parsed: Parsed, factor: number): Parsed {
  if (!parsed.ok) return parsed;
  if (parsed.value <= 0) return { ok: false, reason: 'notANumber' };
  return { ok: true, value: parsed.value * factor };
}

/** The deviation of a guess. */
export interface Verdict {
  kind: 'exact' | 'near' | 'off' | 'far';
  side: 'low' | 'high';
  /** The deviation as a fraction of the answer. */
  share: number;
  /** The greater of guess and answer over the less. */
  factor: number;
  /** Powers of ten between them, to the nearest. */
  orders: number;
}

/** The factors up to which a guess is right, is off by a share, and is off by a factor. */
const kinds = [
  ['exact', 1.01],
  ['near', 1.5],
  ['off', 10],
  ['far', Infinity],
] as const;

/** Judges a positive guess by a positive answer. */
export function judge(guess: number, answer: number): Verdict {
  const factor = Math.max(guess / answer, answer / guess);
  return {
    kind: kinds.find(([, most]) => factor < most)![0],
    side: guess < answer ? 'low' : 'high',
    share: Math.abs(guess / answer - 1),
    factor,
    orders: Math.round(Math.log10(factor)),
  };
}
