// What "Use this" hands out: a state of the calculator in words and numbers, whatever the format.

/** An input or an answer. */
export interface Line {
  /** As programs name it: `run.chips`, `trainingTime`. */
  key: string;
  /** As readers name it. */
  label: string;
  /** As the page says it: `44.3 days`. */
  said: string;
  /** In the unit, with all its digits; text for choices; null where there is none. */
  value: number | string | boolean | null;
  unit: string;
}

export interface Shared {
  /** Where the calculator lies, without what follows ? and #. */
  address: string;
  /** What follows #; empty for the state that it starts with. */
  link: string;
  /** The page's language as documents name it: `en`, `zh-Hans`. */
  language: string;
  /** The calculator's name. */
  name: string;
  /** What is asked, in a sentence. */
  question: string;
  /** What was edited besides what the question names. */
  given: Line[];
  /** The answers that stand large. */
  headlineAnswers: Line[];
  /** Every input and every answer. */
  inputs: Line[];
  answers: Line[];
  /** Of the program and of its data. */
  version: string;
  data: string;
  /** The day, as `2026-11-21`. */
  date: string;
  words: Words;
}

/** What formats say by themselves, in the reader's language. */
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
  /** What was edited: `With {edits}.` */
  given: string;
  /** Between one and the next. */
  between: string;
  /** Before the day on which it was looked at. */
  accessed: string;
  version: string;
  data: string;
  link: string;
}

/** How a page that holds the calculator shows it: attributes of the element, with their values. */
export type Shown = Readonly<
  Partial<Record<'view' | 'answer' | 'controls' | 'theme' | 'reveal', string>>
>;

/** What is asked, with all that it rests on. */
export function caption({ question, given, words }: Shared): string {
  if (given.length === 0) return question;
  const edits = given.map(({ label, said }) => `${label}\u00a0${said}`).join(words.between);
  // After a Chinese full stop there is no space.
  const space = question.at(-1)! < '\u2e80' ? ' ' : '';
  return question + space + words.given.replace('{edits}', () => edits);
}
