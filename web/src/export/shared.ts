// The content of "Share": a state of the calculator in words and numbers, for any format.

/** An input or an answer. */
export interface Line {
  /** The name in programs: `run.chips`, `trainingTime`. */
  key: string;
  /** The label for readers. */
  label: string;
  /** The value as on the page: `44.3 days`. */
  said: string;
  /** The number in the unit, with all its digits; text for choices; null if there is none. */
  value: number | string | boolean | null;
  unit: string;
  /** The range in which the number is likely to lie, as on the page, where that is known. */
  range?: string | undefined;
}

export interface Shared {
  /** The address of the calculator without query and hash. */
  address: string;
  /** The part after #; empty for the initial state. */
  link: string;
  /** The page's language as documents name it: `en`, `zh-Hans`. */
  language: string;
  /** The calculator's name. */
  name: string;
  /** The question as a sentence. */
  question: string;
  /** Edited fields that the question does not name. */
  given: Line[];
  /** The answers that stand large. */
  headlineAnswers: Line[];
  /** Every input and every answer. */
  inputs: Line[];
  answers: Line[];
  /** The version of the program and of its data. */
  version: string;
  data: string;
  /** The day, as `2026-11-21`. */
  date: string;
  words: Words;
}

/** The formats' own texts, in the reader's language. */
export interface Words {
  /** Text of the link to the calculator. */
  open: string;
  /** Headings of tables. */
  input: string;
  answer: string;
  value: string;
  unit: string;
  key: string;
  name: string;
  kind: string;
  reading: string;
  about: string;
  /** Lists the edits: `With {edits}.` */
  given: string;
  /** The separator between two edits. */
  between: string;
  /** Whose prices costs rest on: `Prices: {from}`. */
  prices: string;
  /** Names the ranges. */
  interval: string;
  /** The words before the day on which it was looked at. */
  accessed: string;
  version: string;
  data: string;
  link: string;
}

/** Attributes of the element, by which a page shows the calculator. */
export type Shown = Readonly<
  Partial<Record<'view' | 'answer' | 'controls' | 'theme' | 'reveal', string>>
>;

/** The question with everything that it rests on. */
export function caption({ question, given, words }: Shared): string {
  if (given.length === 0) return question;
  const edits = given.map(({ label, said }) => `${label}\u00a0${said}`).join(words.between);
  // A Chinese full stop has no space after it.
  const space = question.at(-1)! < '\u2e80' ? ' ' : '';
  return question + space + words.given.replace('{edits}', () => edits);
}
