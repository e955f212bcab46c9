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

/** The range in which 9 of 10 measurements of an answer lie. */
export type Range = readonly [low: number, high: number];

/** The range of a value that is as sure as another, whose range is known. */
export const inProportion = (value: number, other: number, [low, high]: Range): Range => [
  (value * low) / other,
  (value * high) / other,
];

/** Answers in proportion to one whose range is known, and those inverse to it: all are as sure. */
const followers: Readonly<Record<string, { rise: readonly string[]; fall: readonly string[] }>> = {
  stepExpected: {
    rise: [
      ...['trainingTime', 'wallTime', 'chipHours', 'wallChipHours', 'energy'],
      ...['cost', 'wallCost', 'costPerStep'],
    ],
    fall: [
      ...['mfu', 'mfuExact', 'hfu', 'tokensPerSecond', 'tokensPerSecondPerChip'],
      ...['rewardSpeedPerChip', 'answersPerHour'],
    ],
  },
  outputSpeed: {
    rise: ['outputSpeedPerChip', 'requestSpeed', 'tokensPerJoule'],
    fall: ['costAll'],
  },
};

/** The answer that another follows, and whether it falls as that rises; undefined of others. */
export function followed(key: string): { base: string; falls: boolean } | undefined {
  for (const [base, { rise, fall }] of Object.entries(followers)) {
    if (rise.includes(key) || fall.includes(key)) return { base, falls: fall.includes(key) };
  }
  return undefined;
}

/** The range of an answer, where it is known: of its own bounds, or of the answer that it follows. */
export function rangeOf(question: QuestionInfo, answers: Answers, key: string): Range | undefined {
  const [low, high] = (['low', 'high'] as const).map((kind) => {
    const bound = boundOf(question, key, kind);
    return bound === undefined ? undefined : answers[bound];
  });
  if (typeof low === 'number' && typeof high === 'number') return [low, high];
  const { base = '', falls } = followed(key) ?? {};
  const [value, now] = [answers[key], answers[base]];
  const range = base ? rangeOf(question, answers, base) : undefined;
  if (!range || typeof value !== 'number' || typeof now !== 'number' || !now) return undefined;
  if (!falls) return inProportion(value, now, range);
  return range[0] > 0 ? [(value * now) / range[1], (value * now) / range[0]] : undefined;
}

/** Whether the range of an answer can be known. */
export const hasRange = (question: QuestionInfo, key: string): boolean =>
  [key, followed(key)?.base ?? key].some((each) => boundOf(question, each, 'low') !== undefined);
