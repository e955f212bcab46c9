// Targets whose answers take a search each, as the page steps them: what is found is met when it is
// asked forward, to the last bit, by the same searches and questions.

import { beforeAll, describe, expect, test } from 'vitest';
import {
  createEngine,
  type Engine,
  type Inputs,
  type Planner,
  type ServingModule,
  type SolvingSteps,
  type Target,
  type Turn,
} from '../../web/src/engine/index.ts';
import { chip, model } from './inputs.ts';

let engine: Engine;
let planner: Planner;
let serving: ServingModule;
beforeAll(async () => {
  engine = await createEngine();
  planner = await engine.planner();
  serving = await engine.serving();
});

function all(steps: SolvingSteps, count: number): Turn[] {
  for (let calls = 0; calls < 1e6; ++calls) {
    const { done, turns } = steps.advance(count);
    if (done) return turns;
  }
  throw new Error('no end');
}

const ofField = (turns: readonly Turn[], field: string): Turn =>
  turns.find((turn) => turn.field === field)!;

function turned<T extends object>(input: T, { field, value }: Turn): T {
  const [group, key] = field.split('.') as [keyof T, string];
  return { ...input, [group]: { ...input[group], [key]: value } };
}

const plan = (): Inputs['plan'] => ({
  chip: chip('h100-sxm'),
  model: model('llama-3.1-8b'),
  run: { chips: 64, tokens: 1e12, batchTokens: 1048576, sequenceLength: 8192 },
});

/** The input with its best layout. */
function best(input: Inputs['plan']): Inputs['plan'] {
  const started = planner.search(input);
  if (!started.ok) throw new Error(JSON.stringify(started.issues));
  while (!started.search.advance(1e4).done);
  return { ...input, layout: { ...input.layout, ...started.search.chosen()!.layout } };
}

function planned(input: Inputs['plan'], answer: string): unknown {
  const outcome = planner.estimate(input);
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.issues));
  return outcome.answers[answer as 'cost'];
}

describe('a plan', () => {
  test('is met on the chips, the batch and the format that are found, each divided its best way', () => {
    const input = best(plan());
    const now = Number(planned(input, 'trainingTime'));
    const target: Target = { answer: 'trainingTime', wanted: 'atMost', value: 0.7 * now };
    const solved = planner.solve(input, target);
    if (!solved.ok) throw new Error(JSON.stringify(solved.issues));
    expect(solved).toMatchObject({ absent: null, met: false });
    const turns = all(solved.steps, 2000);
    for (const field of ['run.chips', 'run.tokens', 'run.mfu', 'layout.fp8Matmuls']) {
      const turn = ofField(turns, field);
      expect(turn, field).toBeDefined();
      if (turn.effect !== 'meets' || field === 'run.mfu') continue;
      const there = turned(input, turn);
      const reached = planned(field === 'run.tokens' ? there : best(there), 'trainingTime');
      expect(reached, field).toBe(turn.reached);
      expect(Number(reached)).toBeLessThanOrEqual(target.value);
    }
    expect(Number(ofField(turns, 'run.chips').value) % 8).toBe(0);
    expect(ofField(turns, 'layout.fp8Matmuls')).toMatchObject({ effect: 'meets', value: true });
  });

  test('is told where it is met, has no answer, or is wrong', () => {
    const input = best(plan());
    const easy = planner.solve(input, { answer: 'cost', wanted: 'atMost', value: 1e15 });
    expect(easy).toMatchObject({ ok: true, met: true, turns: [] });
    const unpriced = { ...input, chip: { ...input.chip, price: null } };
    const absent = planner.solve(unpriced, { answer: 'cost', wanted: 'atMost', value: 1 });
    expect(absent).toMatchObject({ ok: true, absent: 'notListed' });
    const wrong = { ...input, run: { ...input.run, chips: 0 } };
    const told = planner.solve(wrong, { answer: 'cost', wanted: 'atMost', value: 1 });
    expect(told).toMatchObject({ ok: false, issues: [{ field: 'run.chips' }] });
    expect(() => planner.solve(input, { answer: 'nothing', wanted: 'atMost', value: 1 })).toThrow(
      RangeError,
    );
  });

  test('is left when another is asked for, and disturbs no search', () => {
    const input = best(plan());
    const started = planner.search(input);
    if (!started.ok) throw new Error('no search');
    started.search.advance(500);
    const ask = (value: number): SolvingSteps => {
      const solved = planner.solve(input, { answer: 'trainingTime', wanted: 'atMost', value });
      if (!solved.ok) throw new Error('no target');
      return solved.steps;
    };
    const first = ask(1e5);
    first.advance(100);
    const second = ask(2e5);
    expect(first.advance(100).done).toBe(true);
    second.advance(1000);
    while (!started.search.advance(1e4).done);
    expect(started.search.chosen()).toEqual(
      (() => {
        const again = planner.search(input);
        if (!again.ok) throw new Error('no search');
        while (!again.search.advance(1e4).done);
        return again.search.chosen();
      })(),
    );
  });
});

describe('servers', () => {
  const input = (): Inputs['serving'] => ({
    chip: { ...chip('h100-sxm'), price: 2.5 },
    model: model('llama-3.1-8b'),
    serving: { chips: 8, users: 64, promptTokens: 2048, answerTokens: 256 },
  });
  const divided = (open: Inputs['serving']): Inputs['serving'] => {
    const ways = serving.divide(open);
    return {
      ...open,
      serving: { ...open.serving, ...ways.serving },
      server: { ...open.server, ...ways.server },
    };
  };
  const answer = (open: Inputs['serving'], key: string): unknown => {
    const outcome = serving.estimate(divided(open));
    if (!outcome.ok) throw new Error(JSON.stringify(outcome.issues));
    return outcome.answers[key as 'tokenTime'];
  };

  test.each([
    ['tokenTime', 0.7],
    ['costOutput', 0.6],
    ['firstToken', 0.5],
  ])('%s at %d of itself is met as it is found, divided the best way', (key, factor) => {
    const open = input();
    const value = factor * Number(answer(open, key));
    const solved = serving.solve(open, { answer: key, wanted: 'atMost', value });
    if (!solved.ok) throw new Error(JSON.stringify(solved.issues));
    const turns = all(solved.steps, 20);
    const met = turns.filter(({ effect }) => effect === 'meets');
    expect(met.length).toBeGreaterThan(0);
    for (const turn of met) {
      const reached = answer(turned(open, turn), key);
      expect(reached, turn.field).toBe(turn.reached);
      expect(Number(reached), turn.field).toBeLessThanOrEqual(value);
    }
    // Users are people: the next one is one too many.
    const users = ofField(turns, 'serving.users');
    if (users.effect === 'meets') {
      const more = { ...users, value: Number(users.value) + (Number(users.value) < 64 ? 1 : -1) };
      expect(Number(answer(turned(open, more), key))).toBeGreaterThan(value);
    }
  });

  test('have the equation of a price, solved for it', async () => {
    const open = input();
    const value = 0.6 * Number(answer(open, 'costOutput'));
    const target: Target = { answer: 'costOutput', wanted: 'atMost', value };
    const derivations = await engine.derivations('serving');
    const price = 2.5 * 0.6;
    const there = divided({ ...open, chip: { ...open.chip, price: 0.99 * price } });
    const told = derivations.explainServingTurn!(there as never, target, 'chip.price');
    if (!told.ok) throw new Error(JSON.stringify(told.issues));
    expect(told.derivation.steps[0]!.value).toBeCloseTo(price, 12);
  });
});
