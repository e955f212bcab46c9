// Explains why a step took longer or shorter than predicted.

import type { Answers } from '../../../model/evaluate.ts';

/** How a part of a step could be otherwise than predicted. */
export type How = 'shows' | 'doubles' | 'vanishes' | 'slower' | 'faster';

/** A part of a step with what it is worth: the seconds by which the step would differ. */
export interface Worth {
  /** The answer that says what the part takes. */
  readonly key: string;
  readonly how: How;
  readonly seconds: number;
}

const transfers = ['Data', 'Tensor', 'Context', 'Expert', 'Pipeline', 'Host'];
const others = ['timeBubble', 'timeRecompute', 'timeOptimizer', 'timeLaunch', 'timeOverhead'];
/** Computing that is so much slower or faster: clocks, temperature, other kernels. */
const tenth = 0.1;

/** A share of the step that is not worth a word. */
const hardly = 0.001;

const secondsOf = (answers: Answers, key: string): number => {
  const value = answers[key];
  return typeof value === 'number' && value > 0 ? value : 0;
};

/**
 * What each part of a predicted step could add, if `longer`, or save, the greatest first. Traffic that
 * hides behind computing can show; other waiting can double; and each can take no time.
 */
export function worths(answers: Answers, longer: boolean): Worth[] {
  const computing = secondsOf(answers, 'timeForward') + secondsOf(answers, 'timeBackward');
  const all: Worth[] = [
    { key: 'computing', how: longer ? 'slower' : 'faster', seconds: tenth * computing },
    ...transfers.map((name): Worth => {
      const shown = secondsOf(answers, `exposed${name}`);
      const hidden = Math.max(0, secondsOf(answers, `time${name}`) - shown);
      const key = `time${name}`;
      return longer
        ? { key, how: 'shows', seconds: hidden }
        : { key, how: 'vanishes', seconds: shown };
    }),
    ...others.map((key): Worth => {
      return { key, how: longer ? 'doubles' : 'vanishes', seconds: secondsOf(answers, key) };
    }),
  ];
  const least = hardly * secondsOf(answers, 'stepExpected');
  return all.filter(({ seconds }) => seconds > least).sort((a, b) => b.seconds - a.seconds);
}
