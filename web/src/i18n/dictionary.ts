import { loaders } from 'virtual:texts';
import type en from '../../../shared/text/en.json';
import type { Language } from './language.ts';
import { bare } from '../engine/bare.ts';
import { Lazy } from '../engine/lazy.ts';
import { viewParts, type parts } from './parts.ts';

// English defines the keys; the build fails if another language's keys differ.
type Texts = typeof en;

type Labels = Record<string, { label: string }>;

/** A language as it loads: words of fields and answers by what shows them. */
interface File extends Omit<
  Texts,
  'fields' | 'choices' | 'answers' | 'answerChoices' | 'steps' | 'groups' | 'questions' | 'sources'
> {
  fields: Record<string, Labels>;
  choices: Record<string, Record<string, Record<string, string>>>;
  answers: Labels;
  answerChoices: Record<string, Record<string, string>>;
  /** The sentences of fields, for those who open their panels. */
  help: Record<string, Record<string, string>>;
  /** Titles of sources, and the sentences of answers, for those who ask why. */
  sources: Texts['sources'] & { answers: Record<string, string> };
}

/** Texts that are loaded when they are first needed. */
export type Part = Extract<(typeof parts)[number], keyof File>;

/** The texts of a part. */
export type PartTexts<P extends Part> = File[P];

export type ViewPart = (typeof viewParts)[number];

/** The texts of a view are merged into the base dictionary when the view is opened, the titles of
 *  sources when an answer is explained. */
export type Dictionary = Omit<File, Part | 'language' | 'shell'> &
  Merged<ViewPart> & { sources?: File['sources'] };

/** The texts of all these parts, but for what they have together with others. */
type Merged<P extends ViewPart> = (
  P extends unknown ? (texts: Omit<File[P], 'units' | 'targets'>) => void : never
) extends (texts: infer All) => void
  ? All
  : never;

const load = async (language: Language, file: string): Promise<object> =>
  bare((await loaders[file]![language]!()).default);

const mergedParts = new WeakMap<Dictionary, readonly ViewPart[]>();

/** Loads all texts but the parts, and merges these parts of views into them. */
export async function loadDictionary(
  language: Language,
  wanted: readonly ViewPart[] = viewParts,
): Promise<Dictionary> {
  const [first, ...others] = await Promise.all(
    ['first', ...wanted].map((file) => load(language, file)),
  );
  const dictionary = others.reduce(merged, first!) as Dictionary;
  mergedParts.set(dictionary, wanted);
  return dictionary;
}

/** Whether these parts are merged into a dictionary. */
export const hasParts = (dictionary: Dictionary, wanted: readonly ViewPart[] = []): boolean =>
  wanted.every((part) => mergedParts.get(dictionary)?.includes(part));

const lazies = new Map<string, Lazy<unknown>>();

/** The one `Lazy` by that name. */
function lazy<T>(name: string, make: () => Promise<T>): Lazy<T> {
  const found = lazies.get(name) ?? new Lazy<unknown>(make);
  lazies.set(name, found);
  return found as Lazy<T>;
}

/** The dictionary with these parts of views. */
export const dictionaryOf = (
  language: Language,
  wanted: readonly ViewPart[] = [],
): Lazy<Dictionary> =>
  lazy(`${language} + ${wanted.join()}`, () => loadDictionary(language, wanted));

/** A part of the texts, which loads on first use. */
export const partOf = <P extends Part>(language: Language, part: P): Lazy<PartTexts<P>> =>
  lazy(`${language} ${part}`, () => loadPart(language, part));

/** A part of the texts. */
export async function loadPart<P extends Part>(language: Language, part: P): Promise<File[P]> {
  return (await load(language, part)) as File[P];
}

function merged(one: object, other: object): object {
  const result: Record<string, unknown> = bare({ ...one });
  for (const [key, value] of Object.entries(other)) {
    const before = result[key];
    result[key] = typeof before === 'object' ? merged(before!, value as object) : value;
  }
  return result;
}
