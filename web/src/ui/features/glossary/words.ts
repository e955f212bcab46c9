/** A term: its name, the words that stand for it in texts, parted by `|`, and what it means. */
export interface Term {
  name: string;
  /** None where the page's texts have no word for it. */
  words?: string;
  says: string;
}

/** The term of each word, in small letters. */
export function wordsOf(
  terms: Readonly<Record<string, Omit<Term, 'name'>>>,
): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(terms).flatMap(([key, { words }]) =>
      (words ?? '')
        .split('|')
        .filter(Boolean)
        .map((word) => [word.toLowerCase(), key] as const),
    ),
  );
}

const letter = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\d]/u;

/**
 * Parts a text at the words: each second piece is one, the longest of those that begin there; where
 * letters part words, only whole ones. Looks words up where one can begin: as one pattern they take
 * the browser many times as long, which is asked at each drawing.
 */
export class Words {
  /** Lengths of the words that begin with a character, the longest first. */
  private readonly lengths = new Map<string, number[]>();

  constructor(readonly keys: ReadonlyMap<string, string>) {
    const words = [...keys.keys()].sort((one, other) => other.length - one.length);
    for (const word of words) {
      const lengths = this.lengths.get(word.charAt(0)) ?? [];
      this.lengths.set(word.charAt(0), lengths);
      if (!lengths.includes(word.length)) lengths.push(word.length);
    }
  }

  part(text: string): string[] {
    const pieces: string[] = [];
    let last = 0;
    for (let at = 0; at < text.length; at += 1) {
      const length = this.lengthAt(text, at);
      if (length === 0) continue;
      pieces.push(text.slice(last, at), text.slice(at, at + length));
      last = at + length;
      at = last - 1;
    }
    return [...pieces, text.slice(last)];
  }

  /** The length of the word that begins here, or 0. */
  private lengthAt(text: string, at: number): number {
    const lengths = this.lengths.get(text.charAt(at).toLowerCase());
    if (!lengths) return 0;
    const isLetter = (index: number): boolean => letter.test(text.charAt(index));
    const goesOn = (index: number, step: 1 | -1): boolean =>
      isLetter(index) || (text.charAt(index) === '-' && isLetter(index + step));
    if (isLetter(at) && goesOn(at - 1, -1)) return 0;
    const ends = (end: number): boolean => !isLetter(end - 1) || !goesOn(end, 1);
    const isWord = (end: number): boolean => this.keys.has(text.slice(at, end).toLowerCase());
    return lengths.find((length) => isWord(at + length) && ends(at + length)) ?? 0;
  }
}
