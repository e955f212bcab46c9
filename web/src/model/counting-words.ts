// What programs are told of how questions are counted: by a prediction, or as the book does.

import type { Question } from './views.ts';

/** What the two ways are, of a question that has both. */
export const sayCounting =
  'predicted: at the MFU that the best layout reaches, with failures; book: at the MFU that is assumed (run.mfu), without';

const others: Partial<Record<Question, string>> = {
  training:
    'Counts as the book does, with an assumed MFU and no failures; “plan” predicts the same.',
  plan: 'Predicts what “training” counts as the book does.',
};

/** The sentence of a question, with how it is counted where another counts otherwise. */
export const withCounting = (question: Question, sentence: string): string =>
  [sentence, others[question]].filter(Boolean).join(' ');
