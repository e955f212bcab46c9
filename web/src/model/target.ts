// The reader's target of an answer, as links have it.

import type { AnswerInfo, Target } from '../engine/index.ts';
import { targetBefore } from './charts.ts';

/** `trainingTime:atMost:1209600`, as links have it. */
export const writeTarget = ({ answer, wanted, value }: Target): string =>
  `${answer}:${wanted}:${value}`;

/** A target from a link; undefined where the answers have no such target. */
export function readTarget(
  answers: readonly AnswerInfo[],
  text: string | undefined,
): Target | undefined {
  const [said = '', wanted, value = '', ...others] = text?.split(':') ?? [];
  const info =
    answers.find(({ key }) => key === said) ??
    answers.find(({ key }) => targetBefore[key] === said);
  if (!info || others.length > 0) return undefined;
  const answer = info.key;
  if (info.kind === 'choice') {
    return wanted === 'is' && info.choices.includes(value) ? { answer, wanted, value } : undefined;
  }
  const number = Number(value);
  if (value === '' || !Number.isFinite(number) || number < 0) return undefined;
  return wanted === 'atMost' || wanted === 'atLeast'
    ? { answer, wanted, value: number }
    : undefined;
}

/** Whether a number is what is wanted, which is no choice. */
export const isMetBy = (wanted: 'atMost' | 'atLeast', value: number, answered: number): boolean =>
  wanted === 'atMost' ? answered <= value : answered >= value;
