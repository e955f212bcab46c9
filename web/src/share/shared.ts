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
  /** What the question names, and whatever else was edited. */
  asked: Line[];
  /** The answers that stand large. */
  told: Line[];
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
  kind: string;
  reading: string;
  about: string;
  /** Before the day on which it was looked at. */
  accessed: string;
  version: string;
  data: string;
  link: string;
}

/** What of the calculator a page shows that holds it. */
export interface Shown {
  /** One number, in place of all. */
  answer?: string;
  theme?: 'light' | 'dark';
  /** Starts once the reader asks for it. */
  reveal?: 'interaction';
}
