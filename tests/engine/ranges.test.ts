// Answers that take their range from another change as that one does.

import { expect, test } from 'vitest';
import { evaluate, type Answers } from '../../web/src/model/evaluate.ts';
import { followed, rangeOf } from '../../web/src/model/bounds.ts';
import { calculating } from './calculating.ts';

const at = calculating((engine) => engine.reward());

test.each([
  ['plan', 'model=llama-3.1-70b&chips=64&layout.tensor=8&batch=1M', 12],
  ['serving', 'model=llama-3.1-70b&serve.chips=8&server.weights=fp8', 4],
  ['reward', 'model=llama-3.1-8b', 6],
] as const)('in proportion, or inverse to it: %s', (view, asked, least) => {
  const answersTo = (more: string): Answers => {
    const state = at.stateOf(`view=${view}&chip=h100-sxm&${asked}${more}`);
    const reply = evaluate(at.engine, state);
    expect(reply.ok).toBe(true);
    return reply.ok ? reply.answers : {};
  };
  // Only times change with it.
  const [now, slower] = [answersTo(''), answersTo('&chip.memoryBandwidth=1T')];
  const question = at.engine.describe().questions[view];
  const ratio = (key: string): number => Number(slower[key]) / Number(now[key]);
  const following = question.answers.filter(
    ({ key }) => followed(key) && typeof now[key] === 'number',
  );
  expect(following.length).toBeGreaterThanOrEqual(least);
  for (const { key } of following) {
    const { base, falls } = followed(key)!;
    expect(ratio(base), base).not.toBeCloseTo(1, 2);
    expect(falls ? 1 / ratio(key) : ratio(key), key).toBeCloseTo(ratio(base), 9);
    const [low, high] = rangeOf(question, now, key)!;
    const [from, to] = rangeOf(question, now, base)!;
    expect(high / low, key).toBeCloseTo(to / from, 9);
    expect(Number(now[key]), key).toBeGreaterThanOrEqual(low);
    expect(Number(now[key]), key).toBeLessThanOrEqual(high);
  }
});
