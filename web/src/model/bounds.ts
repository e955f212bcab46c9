// Answers that bound others, as the core says.

import type { BoundKind, QuestionInfo } from '../engine/index.ts';
import type { Answers } from './evaluate.ts';

/** The answer that bounds another of its question in this way; none where there is no such. */
export const boundOf = (
  { answers }: QuestionInfo,
  key: string,
  kind: BoundKind,
): string | undefined =>
  answers.find(({ bounds }) => bounds?.answer === key && bounds.kind === kind)?.key;

/** The range in which 9 of 10 measurements of an answer lie, where it is known. */
export function rangeOf(
  question: QuestionInfo,
  answers: Answers,
  key: string,
): readonly [low: number, high: number] | undefined {
  const [low, high] = (['low', 'high'] as const).map((kind) => {
    const bound = boundOf(question, key, kind);
    return bound === undefined ? undefined : answers[bound];
  });
  return typeof low === 'number' && typeof high === 'number' ? [low, high] : undefined;
}
