// The fewest chips that serve a load: those that trying one after the other finds.

import { beforeAll, describe, expect, test } from 'vitest';
import type { Engine } from '../../web/src/engine/index.ts';
import { evaluate, inputsOf, type Answers, type Reply } from '../../web/src/model/evaluate.ts';
import {
  fits,
  holdsLoadOf,
  keepsUp,
  onFewestChips,
} from '../../web/src/ui/views/serving/fewest-chips.ts';
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
const nodesUpTo = (most: number): number[] => upTo(most).filter((n) => n % 8 === 0);

describe('the fewest chips', () => {
  test.each([
    ['cards, any number', 'l40s&serve.users=8', upTo(40)],
    ['nodes of 8', 'h100-sxm&serve.users=256', nodesUpTo(80)],
    ['nodes of 8, a larger load', 'a100-sxm-80gb&serve.users=500', nodesUpTo(160)],
    ['a torus, powers of two', 'tpu-v5e&serve.users=64', powersUpTo(128)],
  ])('that hold a load: %s', (_, chip, tried) => {
    const state = stateOf(`${serving}&chip=${chip}`);
    const holds = holdsLoadOf(engine.describe(), state);
    const first = tried.find((chips) => holds(ask(on(state, chips))));
    expect(first).toBeGreaterThan(1);
    expect(chipsOf(onFewestChips(engine, state, holds))).toBe(first);
  });

  test.each([
    ['h200-sxm', 1, 8],
    ['h200-sxm', 17, 24],
    ['gb200-nvl72', 5, 72],
    ['tpu-v6e', 5, 8],
    ['rtx-4090', 5, 5],
  ])('are what can be bought: %s, %i', (chip, least, most) => {
    const { chip: figures } = inputsOf(engine, stateOf(`${serving}&chip=${chip}`));
    expect(engine.loaded('serving')!.bought({ chip: figures } as never, least)).toBe(most);
  });

  test('are whole within a limit, too', () => {
    const { chip: figures } = inputsOf(engine, stateOf(`${serving}&chip=h200-sxm`));
    const { bought } = engine.loaded('serving')!;
    expect(bought({ chip: figures } as never, 23, true)).toBe(16);
    expect(bought({ chip: figures } as never, 7, true)).toBeUndefined();
  });

  test('are none of a chip that can not be', () => {
    const { bought } = engine.loaded('serving')!;
    expect(bought({ chip: { memory: -1 } } as never, 8)).toBeUndefined();
    expect(bought({ chip: null } as never, 8)).toBeUndefined();
  });

  test('hold all sequences of a load, not only one', () => {
    const state = stateOf(`${serving}&chip=h100-sxm&serve.users=1024`);
    const one = Number(chipsOf(onFewestChips(engine, state, fits)));
    const all = chipsOf(onFewestChips(engine, state, holdsLoadOf(engine.describe(), state)));
    expect(all).toBeGreaterThan(one);
  });

  // 1,000 users, 2 s and 50 ms were answered by 40 chips in 8 servers of 5, and by 5 of another.
  test.each(['h200-sxm', 'b200-sxm', 'h100-sxm'])(
    'that meet targets are whole nodes: %s',
    (chip) => {
      const state = stateOf(
        `view=serving&model=qwen3-235b-a22b&chip=${chip}&serve.users=1000&serve.firstTarget=2&serve.tokenTarget=0.05`,
      );
      const found = onFewestChips(engine, state, keepsUp)!;
      const chips = Number(chipsOf(found));
      const reply = ask(found);
      expect(chips % 8).toBe(0);
      const { servers, serverChips, nodes, chipsBought } = (reply.ok && reply.answers) as Answers;
      expect(Number(servers) * Number(serverChips)).toBe(chips);
      expect(Number(serverChips) % 8 === 0 || 8 % Number(serverChips) === 0).toBe(true);
      expect([nodes, chipsBought]).toEqual([chips / 8, chips]);
    },
  );

  test('are none for targets that no number meets, and for no other reason', () => {
    const state = stateOf(`${serving}&chip=h100-sxm&serve.users=1&serve.tokenTarget=1e-5`);
    expect(chipsOf(onFewestChips(engine, state, fits))).toBeDefined();
    expect(onFewestChips(engine, state, keepsUp)).toBeUndefined();
  });
});
