// Explains why a step took longer or shorter than predicted.

import type { Answers } from '../../../../model/evaluate.ts';

/** The ways in which a part of a step may differ from its prediction. */
export type How = 'shows' | 'doubles' | 'vanishes' | 'slower' | 'faster' | 'oneByOne' | 'allAtOnce';

/** A part with what it is worth: by how much the answer would differ, in its unit. */
export interface Worth {
  /** The answer that says what the part takes, or another name. */
  readonly key: string;
  readonly how: How;
  readonly worth: number;
}

const transfers = ['Data', 'Tensor', 'Context', 'Expert', 'Pipeline', 'Host'];
const others = ['timeBubble', 'timeRecompute', 'timeOptimizer', 'timeLaunch', 'timeOverhead'];
/** Computing that is so much slower or faster: clocks, temperature, other kernels. */
export const tenth = 0.1;

/** A share of the whole that is not worth a word. */
const hardly = 0.001;

/** The parts that are large enough to name, the greatest first. */
export const greatest = (all: readonly Worth[], whole: number): Worth[] =>
  all.filter(({ worth }) => worth > hardly * whole).sort((a, b) => b.worth - a.worth);

export const secondsOf = (answers: Answers, key: string): number => {
  const value = answers[key];
  return typeof value === 'number' && value > 0 ? value : 0;
};

/**
 * The seconds that each part of a predicted step could add, if `longer`, or save, the greatest
 * first. Traffic that hides behind computing can show; other waiting can double; and each can take
 * no time.
 */
export function worths(answers: Answers, longer: boolean): Worth[] {
  const computing = secondsOf(answers, 'timeForward') + secondsOf(answers, 'timeBackward');
  const all: Worth[] = [
    { key: 'computing', how: longer ? 'slower' : 'faster', worth: tenth * computing },
    ...transfers.map((name): Worth => {
      const shown = secondsOf(answers, `exposed${name}`);
      const hidden = Math.max(0, secondsOf(answers, `time${name}`) - shown);
      const key = `time${name}`;
      return longer ? { key, how: 'shows', worth: hidden } : { key, how: 'vanishes', worth: shown };
    }),
    ...others.map((key): Worth => {
      return { key, how: longer ? 'doubles' : 'vanishes', worth: secondsOf(answers, key) };
    }),
  ];
  return greatest(all, secondsOf(answers, 'stepExpected'));
}
