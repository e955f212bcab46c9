import type en from '../../../shared/text/en.json';
import type { Language } from './language.ts';

type File = typeof en;
/** What is said of plans alone comes with them; the rest of the page finds it where the like is. */
type First = Omit<File, 'plan'>;
export type Dictionary = First & File['plan'];

// A text that one language lacks does not compile here.
const loaders: Record<Language, () => Promise<{ default: First }>> = {
  en: () => import('../../../shared/text/en.json'),
  zh: () => import('../../../shared/text/zh.json'),
};
const planLoaders: Record<Language, () => Promise<{ default: File['plan'] }>> = {
  en: () => import('../../../shared/text/en.json?plan'),
  zh: () => import('../../../shared/text/zh.json?plan'),
};

/** All texts, or all but those that only plans need. */
export async function loadDictionary(language: Language, plans = true): Promise<Dictionary> {
  const [first, others] = await Promise.all([
    loaders[language](),
    plans ? planLoaders[language]() : undefined,
  ]);
  return merged(first.default, others?.default ?? {}) as Dictionary;
}

function merged(one: object, other: object): object {
  const result: Record<string, unknown> = { ...one };
  for (const [key, value] of Object.entries(other)) {
    const before = result[key];
    result[key] = typeof before === 'object' ? merged(before!, value as object) : value;
  }
  return result;
}
