// Explains why servers were slower or faster than predicted.

import type { Answers } from '../../../../model/evaluate.ts';
import { greatest, secondsOf, tenth, type How, type Worth } from './worth.ts';

/** Parts of a decode step: those that a chip computes, and those that it waits for. */
const computed = ['decodeMatmuls', 'decodeExperts', 'decodeAttention', 'decodeHead'];
const waited = ['decodeNetwork', 'decodeElementwise', 'decodeLaunches'];

interface Part {
  key: string;
  seconds: number;
  /** Whether it may run at another rate, or else take twice as long or no time. */
  rate: boolean;
}

function worthOf({ key, seconds, rate }: Part, longer: boolean): Worth {
  const how: How = rate ? (longer ? 'slower' : 'faster') : longer ? 'doubles' : 'vanishes';
  return { key, how, worth: rate ? tenth * seconds : seconds };
}

/** The parts of the time for a token: of a decode step by what it brings forth, and the steps with
 * prompts of others. */
function tokenParts(answers: Answers): Part[] {
  const accepted = secondsOf(answers, 'tokensOfStep') || 1;
  const part = (rate: boolean) => (key: string) => ({
    key,
    seconds: secondsOf(answers, key) / accepted,
    rate,
  });
  const alone = secondsOf(answers, 'decodeStep') / accepted;
  const prompts = Math.max(0, secondsOf(answers, 'tokenTime') - alone);
  return [
    ...computed.map(part(true)),
    ...waited.map(part(false)),
    { key: 'prompts', seconds: prompts, rate: false },
  ];
}

/** The seconds that each part of the time for a token could add, if `longer`, or save. */
export const tokenWorths = (answers: Answers, longer: boolean): Worth[] =>
  greatest(
    tokenParts(answers).map((part) => worthOf(part, longer)),
    secondsOf(answers, 'tokenTime'),
  );

/** The same in tokens a second: sequences wait for each token as long as it takes. */
export function speedWorths(answers: Answers, faster: boolean): Worth[] {
  const speed = secondsOf(answers, 'outputSpeed');
  const token = secondsOf(answers, 'tokenTime');
  if (token === 0) return [];
  const after = (worth: number): number => (speed * token) / (token + (faster ? -worth : worth));
  return greatest(
    tokenWorths(answers, !faster)
      .filter(({ worth }) => worth < token)
      .map(({ worth, ...part }) => ({ ...part, worth: Math.abs(after(worth) - speed) })),
    speed,
  );
}

/** The seconds that could add to the time to the first token, if `longer`, or save of it. */
export function firstWorths(answers: Answers, longer: boolean): Worth[] {
  const first = secondsOf(answers, 'firstToken');
  const [spread, burst] = ['firstTokenSpread', 'firstTokenBurst'].map((key) =>
    secondsOf(answers, key),
  ) as [number, number];
  const parts: Part[] = [
    { key: 'prefillTime', seconds: secondsOf(answers, 'prefillTime'), rate: true },
    { key: 'queueTime', seconds: secondsOf(answers, 'queueTime'), rate: false },
    { key: 'placeTime', seconds: secondsOf(answers, 'placeTime'), rate: false },
    { key: 'transferTime', seconds: secondsOf(answers, 'transferTime'), rate: false },
  ];
  const coming: Worth[] =
    burst > 0
      ? [
          longer
            ? { key: 'arrivals', how: 'allAtOnce', worth: Math.max(0, burst - first) }
            : { key: 'arrivals', how: 'oneByOne', worth: Math.max(0, first - spread) },
        ]
      : [];
  return greatest([...parts.map((part) => worthOf(part, longer)), ...coming], first);
}
