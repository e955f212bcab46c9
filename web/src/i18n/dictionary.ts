import { loaders } from 'virtual:texts';
import type en from '../../../shared/text/en.json';
import type { Language } from './language.ts';
import { Lazy } from '../engine/lazy.ts';
import type { parts } from './parts.ts';

// English defines the keys; the build fails if another language's keys differ.
type File = typeof en;

/** Texts that are loaded when they are first needed. */
export type Part = Extract<(typeof parts)[number], keyof File>;

/** The texts of a part. */
export type PartTexts<P extends Part> = File[P];

/** The texts of plans load with them and are merged into the base dictionary. */
export type Dictionary = Omit<File, Part | 'language' | 'shell'> & File['plan'];

const load = async (language: Language, file: string): Promise<object> =>
  (await loaders[file]![language]!()).default;

/** All texts but the parts; of these, those of plans where they are asked for. */
export async function loadDictionary(language: Language, plans = true): Promise<Dictionary> {
  const [first, others] = await Promise.all([
    load(language, 'first'),
    plans ? load(language, 'plan') : {},
  ]);
  return merged(first, others) as Dictionary;
}

const lazies = new Map<string, Lazy<unknown>>();

/** The one `Lazy` by that name. */
function lazy<T>(name: string, make: () => Promise<T>): Lazy<T> {
  const found = lazies.get(name) ?? new Lazy<unknown>(make);
  lazies.set(name, found);
  return found as Lazy<T>;
}

/** All texts but the parts, and those of plans where they are asked for. */
export const dictionaryOf = (language: Language, plans: boolean): Lazy<Dictionary> =>
  lazy(`${language} ${plans}`, () => loadDictionary(language, plans));

/** A part of the texts, which loads on first use. */
export const partOf = <P extends Part>(language: Language, part: P): Lazy<PartTexts<P>> =>
  lazy(`${language} ${part}`, () => loadPart(language, part));

/** A part of the texts. */
export async function loadPart<P extends Part>(language: Language, part: P): Promise<File[P]> {
  return (await load(language, part)) as File[P];
}

function merged(one: object, other: object): object {
  const result: Record<string, unknown> = { ...one };
  for (const [key, value] of Object.entries(other)) {
    const before = result[key];
    result[key] = typeof before === 'object' ? merged(before!, value as object) : value;
  }
  return result;
}
