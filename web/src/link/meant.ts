// Suggests corrections for unknown parts of a link.

import type { Description } from '../engine/index.ts';
import { readAddress, writeAddress, type Problem, type Reading } from './address.ts';
import { FieldLinks } from './field-links.ts';
import { viewOfField } from './other-views.ts';
import { presetIds } from '../model/presets.ts';
import type { State } from '../model/state.ts';
import { pages, questions } from '../model/views.ts';

/** Signs that tell apart: `B200_SXM` and `b200-sxm` are one. */
const plainly = (word: string): string => word.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** The number of insertions, deletions, substitutions and transpositions between two words. */
function distance(one: string, other: string): number {
  let before: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let i = 1; i <= one.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const same = one[i - 1] === other[j - 1] ? 0 : 1;
      const swapped =
        i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]
          ? before[j - 2]! + 1
          : Infinity;
      row.push(Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + same, swapped));
    }
    [before, last] = [last, row];
  }
  return last[other.length]!;
}

/** Longer words are no slip. */
const longest = 40;
/** A slip in so many signs. */
const signsASlip = 4;
/** A part of a word stands for it if it is no less of it. */
const leastPart = 0.5;

/**
 * The word of `known` that is likest to `word`: one that is it but for its prefix, or begins with it,
 * or has it, or nearly is it. A few letters in the midst of a long word are no likeness.
 */
function nearest(word: string, known: Iterable<string>): string | undefined {
  const plain = plainly(word.slice(0, longest));
  if (plain.length < 2) return undefined;
  let found: string | undefined;
  let least = Infinity;
  for (const each of known) {
    const whole = plainly(each);
    const last = plainly(each.slice(each.lastIndexOf('.') + 1));
    const part = whole.includes(plain) && plain.length >= leastPart * whole.length;
    const kind = last === plain ? 0 : part ? (whole.startsWith(plain) ? 0 : 1) : 2;
    const slips = kind < 2 ? 0 : Math.min(distance(plain, whole), distance(plain, last));
    if (slips > Math.floor(plain.length / signsASlip)) continue;
    const rank = kind * 1000 + slips * 100 + whole.length;
    if (rank < least) [found, least] = [each, rank];
  }
  return found;
}

/** The words that a link can have behind a key. */
function valuesOf(links: FieldLinks, key: string): Iterable<string> {
  if (key === 'chip' || key === 'model' || key === 'optimizer') return presetIds[key];
  if (key === 'view') return [...questions, ...pages];
  const id = links.find(key);
  return id === undefined ? [] : links.info(id).choices;
}

/** The key and the value that were probably meant where `problem` was found. */
export function meantBy(
  description: Description,
  { reason, key, value, meant: alike }: Problem,
): readonly [key: string, value: string] | undefined {
  const links = FieldLinks.of(description);
  if (reason === 'tooLong') return undefined;
  if (alike !== undefined) return [alike, value];
  const id = links.find(key);
  if (reason === 'otherView') return id && ['view', viewOfField(id)];
  if (reason === 'unknownKey') {
    const meant = nearest(
      key,
      links.ids.map((id) => links.key(id)),
    );
    return meant === undefined ? undefined : [meant, value];
  }
  const meant = nearest(value, valuesOf(links, key));
  return meant === undefined ? undefined : [key, meant];
}

/**
 * What a link says with that in it: what it says of a preset's fields goes for the preset meant, and
 * what it said by a key of another view goes from there, unless that view is meant.
 */
export function meaning(
  description: Description,
  state: State,
  [key, value]: readonly [key: string, value: string],
  { reason, key: said }: Partial<Problem> = {},
): Reading {
  const pairs = new URLSearchParams(writeAddress(description, state, false));
  if (key === 'view') pairs.delete('also');
  else if (reason === 'otherView') pairs.delete(said!);
  pairs.set(key, value);
  return readAddress(description, pairs.toString());
}
