// The fewest chips that serve a load: those that trying one after the other finds.

import { beforeAll, describe, expect, test } from 'vitest';
import type { Engine } from '../../web/src/engine/index.ts';
import { evaluate, type Reply } from '../../web/src/model/evaluate.ts';
import { fits, holdsLoadOf, keepsUp, onFewestChips } from '../../web/src/model/fewest-chips.ts';
import { inputOf, withField, type State } from '../../web/src/model/state.ts';
import { calculating } from './calculating.ts';

const prepared = calculating();
const { stateOf } = prepared;
let engine: Engine;
beforeAll(() => void (engine = prepared.engine));

const ask = (state: State): Reply => evaluate(engine, state);
const on = (state: State, chips: number): State =>
  withField(engine.describe(), state, 'serving.chips', chips);
const chipsOf = (state: State | undefined): unknown =>
  state && inputOf(engine.describe(), state, 'serving')['chips'];

const serving = 'view=serving&model=llama-3.1-70b&serve.promptTokens=4096&serve.answerTokens=512';
const upTo = (most: number): number[] => Array.from({ length: most }, (_, index) => index + 1);
const powersUpTo = (most: number): number[] =>
  upTo(most).filter((n) => Number.isInteger(Math.log2(n)));

describe('the fewest chips', () => {
  test.each([
    ['a switch, any number', 'h100-sxm&serve.users=64', upTo(40)],
    ['a switch, another number', 'a100-sxm-80gb&serve.users=200', upTo(80)],
    ['a torus, powers of two', 'tpu-v5e&serve.users=64', powersUpTo(128)],
  ])('that hold a load: %s', (_, chip, tried) => {
    const state = stateOf(`${serving}&chip=${chip}`);
    const holds = holdsLoadOf(engine.describe(), state);
    const first = tried.find((chips) => holds(ask(on(state, chips))));
    expect(first).toBeGreaterThan(1);
    expect(chipsOf(onFewestChips(engine, state, holds))).toBe(first);
  });

  test('come in powers of two where the caller says so', () => {
    const state = stateOf(`${serving.replace('70b', '405b')}&chip=b200-sxm&serve.users=1`);
    const least = Number(chipsOf(onFewestChips(engine, state, fits)));
    const inPowers = chipsOf(onFewestChips(engine, state, fits, true));
    expect(inPowers).toBe(2 ** Math.ceil(Math.log2(least)));
    expect(least).not.toBe(inPowers);
  });

  test('hold all sequences of a load, not only one', () => {
    const state = stateOf(`${serving}&chip=h100-sxm&serve.users=256`);
    const one = Number(chipsOf(onFewestChips(engine, state, fits)));
    const all = chipsOf(onFewestChips(engine, state, holdsLoadOf(engine.describe(), state)));
    expect(all).toBeGreaterThan(one);
  });

  test('are none for targets that no number meets, and for no other reason', () => {
    const state = stateOf(`${serving}&chip=h100-sxm&serve.users=1&serve.tokenTarget=1e-5`);
    expect(chipsOf(onFewestChips(engine, state, fits))).toBeDefined();
    expect(onFewestChips(engine, state, keepsUp)).toBeUndefined();
  });
});
