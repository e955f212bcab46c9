// The terms of the glossary as an index: which have a picture and a number, which chapters speak of
// them, and how readers find them.

import file from '../../../../../shared/concepts.json';
import { chapters } from '../../../model/chapters.ts';
import type { FieldId } from '../../../model/fields.ts';
import type { Question } from '../../../model/views.ts';
import type { Term } from './words.ts';

/** The terms of a language by their keys. */
export type Terms = Readonly<Record<string, Term>>;

/** The answer that a concept shows, and what it is asked of. */
export interface ConceptNumber {
  view: Question;
  /** Key of the answer. */
  answer: string;
  /** Parts of links, set over the reader's state: the first with an answer counts. */
  ask?: readonly string[];
  /** The part of a link that undoes the concept. */
  than?: string;
  /** Degrees above 1 that the reader has chosen stay. */
  keep?: readonly string[];
  /** A field that the layers of the fullest stage have to divide by. */
  divides?: FieldId;
  /** The field without which a model has no such thing, or a chip no units for it. */
  needs?: FieldId;
  /** The field that it has to exceed: no chip gains by a format in which it is no faster. */
  over?: FieldId;
  /** The state that is asked where the reader's own has no answer: a key of `others`. */
  other: string;
}

export interface Concept {
  /** Key of its term. */
  id: string;
  group: Group;
  /** Other words for it, in any language. */
  find?: readonly string[];
  number: ConceptNumber;
}

/** The sections of the index, in their order. */
export const groups = [
  'states',
  'parallelism',
  'pipelines',
  'serving',
  'collectives',
  'measures',
] as const;
export type Group = (typeof groups)[number];

/** A chapter or an article, with the terms that it speaks of. */
export interface Reading {
  id: string;
  kind: 'book' | 'article';
  url?: string;
  concepts: readonly string[];
}

export const concepts = file.concepts as readonly Concept[];
export const others: Readonly<Record<string, string>> = file.others;

/** Chapters with worked questions say themselves of what kind they are, and where they stand. */
export const readings: readonly Reading[] = (
  file.readings as (Omit<Reading, 'kind'> & { kind?: Reading['kind'] })[]
).map((reading) => {
  const chapter = chapters.find(({ id }) => id === reading.id);
  const { kind = 'book', url } = { ...chapter, ...reading } as Partial<Reading>;
  return { id: reading.id, concepts: reading.concepts, kind, ...(url && { url }) };
});

/** What readers may call a term, and what is told of it, in all languages. */
export interface Called {
  readonly names: readonly string[];
  readonly told: readonly string[];
}

/** The same of all terms, by their keys. */
export function calledOf(languages: readonly Terms[]): ReadonlyMap<string, Called> {
  const keys = new Set(languages.flatMap((terms) => Object.keys(terms)));
  const more = new Map(concepts.map(({ id, find }) => [id, find ?? []]));
  return new Map(
    [...keys].map((key) => {
      const all = languages.flatMap((terms) => terms[key] ?? []);
      const words = all.flatMap(({ words = '' }) => words.split('|').filter(Boolean));
      const names = [...all.map(({ name }) => name), ...words, ...(more.get(key) ?? [])];
      return [key, { names, told: all.map(({ says }) => says) }];
    }),
  );
}

const small = (text: string): string => text.normalize('NFKC').toLowerCase();
/** Readers type `zero 3`, `Zero-3` and `zero3`. */
const bare = (text: string): string => small(text).replace(/[\s\-_/·]+/g, '');
const isLetter = (character: string | undefined): boolean =>
  character !== undefined && /[\p{L}\p{N}]/u.test(character) && !/\p{Script=Han}/u.test(character);

/** Whether a word of the text begins so; Chinese has no gaps between words. */
function begins(text: string, typed: string): boolean {
  for (let at = text.indexOf(typed); at >= 0; at = text.indexOf(typed, at + 1)) {
    if (!isLetter(text[at - 1]) || !isLetter(typed[0])) return true;
  }
  return false;
}

/** Whether a term is what was typed, or each of its words. */
export function isMeant(called: Called | undefined, typed: string): boolean {
  const text = small(typed).trim();
  if (text === '') return true;
  if (!called) return false;
  const isCalled = (word: string): boolean =>
    called.names.some((name) => bare(name).startsWith(bare(word)) || begins(small(name), word));
  // So few letters begin too many words of sentences.
  const isTold = (word: string): boolean =>
    (word.length > 2 || !isLetter(word[0])) &&
    called.told.some((says) => begins(small(says), word));
  const is = (word: string): boolean => isCalled(word) || isTold(word);
  return is(text) || text.split(/\s+/).every(is);
}
