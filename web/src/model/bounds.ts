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

/** The range in which an answer is likely to lie. */
export type Band = (
  answers: Answers,
  question: QuestionInfo,
) => readonly [low: number, high: number] | undefined;

/** The band of what is in proportion to another answer, whose range is known, or inverse to it. */
export const inProportion =
  (key: string, to: string, inverse = false): Band =>
  (answers, question) => {
    const band = rangeOf(question, answers, to);
    const [value, base] = [answers[key], answers[to]];
    if (!band || typeof value !== 'number' || typeof base !== 'number' || !base) return undefined;
    const [low, high] = band;
    if (!inverse) return [(value * low) / base, (value * high) / base];
    return low > 0 ? [(value * base) / high, (value * base) / low] : undefined;
  };
