/** A term: the words that stand for it, parted by `|`, and what it means. */
export interface Term {
  words: string;
  says: string;
}

/** The term of each word, in small letters. */
export function wordsOf(terms: Record<string, Term>): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(terms).flatMap(([key, { words }]) =>
      words.split('|').map((word) => [word.toLowerCase(), key] as const),
    ),
  );
}

const escaped = (word: string): string => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Finds the words, the longest first; where letters part words, only whole ones. */
export function patternOf(keys: ReadonlyMap<string, string>): RegExp {
  const letter = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\d]/u;
  const apart = `(?!${letter.source}|-${letter.source})`;
  const words = [...keys.keys()]
    .sort((one, other) => other.length - one.length)
    .map(
      (word) =>
        (letter.test(word.charAt(0)) ? `(?<!${letter.source}|${letter.source}-)` : '') +
        escaped(word) +
        (letter.test(word.slice(-1)) ? apart : ''),
    );
  return new RegExp(`(${words.join('|')})`, 'iu');
}
