// Whether an answer meets a target, for questions that are asked forward until it does.

import type { Solution, Target, Turn } from '../../../engine/index.ts';

/** A solution with some turns, while the target is not met. */
export const open = (turns: Turn[]): { ok: true } & Solution => ({
  ok: true,
  absent: null,
  met: false,
  turns,
});

export function meets({ wanted, value }: Target, answer: unknown): boolean {
  if (wanted === 'is') return answer === value;
  if (typeof answer !== 'number') return false;
  return wanted === 'atMost' ? answer <= value : answer >= value;
}
