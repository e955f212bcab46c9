// Inputs of the tests of "Share".

import fc from 'fast-check';
import type { Line, Shared } from '../../web/src/export/shared.ts';

/** An input or an answer. */
export const line = (
  key: string,
  label: string,
  said: string,
  value: Line['value'],
  unit = '',
): Line => ({
  key,
  label,
  said,
  value,
  unit,
});

export const shared: Shared = {
  address: 'https://calc.example/scaling/',
  link: 'chip=h100-sxm&mfu=40%25',
  language: 'en',
  name: 'Scaling Calculator',
  question: 'Train Llama 3 70B on 8,960 × H100 with 15T tokens.',
  given: [],
  headlineAnswers: [
    line('trainingTime', 'Training time', '44.3\u00a0days', 3827520, 's'),
    line('cost', 'Cost', '$40.0M', 4e7, '$'),
  ],
  inputs: [
    line('chip.memory', 'Memory (HBM)', '80 GB', 8e10, 'B/chip'),
    line('run.chips', 'Chips', '8,960', 8960, 'chips'),
    line('run.price', 'Price', 'not given', null, '$'),
    line('operation.kind', 'Operation', 'matmul', 'matmul'),
  ],
  answers: [
    line('trainingTime', 'Training time', '44.3\u00a0days', 3827520, 's'),
    line('bound', 'Bound', 'compute', 'compute'),
    line('fewest', 'Fewest chips', 'never', null, 'chips'),
  ],
  version: '1234abcd',
  data: '2026-09-ab12',
  date: '2026-11-21',
  words: {
    open: 'Open in the Scaling Calculator',
    input: 'Input',
    answer: 'Answer',
    value: 'Value',
    unit: 'Unit',
    key: 'Key',
    name: 'Name',
    kind: 'Kind',
    reading: 'In words',
    about: 'About',
    given: 'With {edits}.',
    between: ', ',
    prices: 'Prices: {from}',
    interval: '90% interval',
    accessed: 'Accessed',
    version: 'version',
    data: 'data',
    link: 'Link',
  },
};

/** Replaces every text. */
export const saying = (text: string): Shared => ({
  ...shared,
  name: text,
  question: text,
  headlineAnswers: [line('a', text, text, text)],
  given: [line('b', text, text, text)],
  inputs: [line('run.a', text, text, text, text)],
  answers: [line('a', text, text, text, text)],
  words: Object.fromEntries(
    Object.keys(shared.words).map((key) => [key, text]),
  ) as unknown as Shared['words'],
});

/** Any text, often with signs that mean something somewhere. */
export const texts = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc
    .array(
      fc.constantFrom(
        ...['<', '>', '&', '"', "'", '{{', '}}', '{%', '%}', '|', '\\', '`', '*', '_', '#', '$'],
        ...['</scaling-calculator>', '<script>', ']]>', '-->', '=', '+', '-', '@', ',', '\n', '\r'],
        ...['~', '^', '%', '[', ']', '²', '⁻⁴', '×', '中', 'a', ' ', '\u00a0', '\u0000', '😀'],
      ),
      { maxLength: 20 },
    )
    .map((pieces) => pieces.join('')),
);
