// Questions asked backward: what is found meets the target when it is asked forward, by the engine's
// own answers, and bad input is told as everywhere.

import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  createEngine,
  type Derivations,
  type Engine,
  type Outcome,
  type Target,
  type TargetQuestion,
  type TargetsModule,
  type Turn,
} from '../../web/src/engine/index.ts';
import { bases, operations, type Answers, type Input } from './inputs.ts';

const day = 86400;

let engine: Engine;
let targets: TargetsModule;
let derivations: Derivations;
beforeAll(async () => {
  engine = await createEngine();
  targets = await engine.targets();
  derivations = await engine.derivations();
});

const budgets: Input[] = bases.training.map(({ chip, model }, index) => ({
  chip: chip!,
  model: model!,
  budget:
    index % 2 === 0
      ? { law: 'hoffmann', uniqueTokens: 1e10 }
      : { kind: 'time', days: 14, servedTokens: 1e13 },
}));
const inputs: Record<TargetQuestion, Input[]> = { ...bases, budget: budgets };

function ask(question: TargetQuestion, input: Input): Outcome<Answers> {
  const methods = {
    training: engine.estimate,
    operation: operations.roofline,
    collective: operations.collective,
    budget: engine.budget,
  };
  return methods[question](input as never) as unknown as Outcome<Answers>;
}

function turned(input: Input, { field, value, slices, also = {} }: Turn): Input {
  const next = Object.entries({ [field]: value, ...also }).reduce((before, [id, each]): Input => {
    const [group, key] = id.split('.') as ['run', string];
    return { ...before, [group]: { ...before[group], [key]: each } };
  }, input);
  return slices === undefined ? next : { ...next, run: { ...next.run, slices } };
}

function meets({ wanted, value }: Target, answer: unknown): boolean {
  if (wanted === 'atMost') return typeof answer === 'number' && answer <= Number(value);
  if (wanted === 'atLeast') return typeof answer === 'number' && answer >= Number(value);
  return answer === value;
}

const solved = (question: TargetQuestion, input: Input, target: Target): Turn[] => {
  const told = targets.solve(question, input as never, target);
  if (!told.ok) throw new Error(JSON.stringify(told.issues));
  return told.turns;
};

const numbers = (question: TargetQuestion): string[] =>
  engine
    .describe()
    .questions[question].answers.filter(({ kind }) => kind === 'number')
    .map(({ key }) => key);

const questions: TargetQuestion[] = ['training', 'operation', 'collective', 'budget'];

describe('a target', () => {
  const training = bases.training[0]!;
  const time: Target = { answer: 'trainingTime', wanted: 'atMost', value: 14 * day };

  test('names the chips, the tokens, and what stands in the way', () => {
    const turns = solved('training', training, time);
    const of = (field: string): Turn => turns.find((turn) => turn.field === field)!;
    expect(of('run.chips')).toMatchObject({ effect: 'meets', slices: 4 });
    expect(of('run.tokens')).toMatchObject({ effect: 'meets' });
    expect(Number(of('run.tokens').value)).toBeLessThan(4.75e12);
    expect(of('run.mfu')).toMatchObject({ effect: 'fallsShort', value: 1 });
    expect(Number(of('run.mfu').reached)).toBeGreaterThan(14 * day);
    expect(of('run.batchTokens').effect).toBe('none');
  });

  test.each(questions)('that is met is met when asked forward: %s', (question) => {
    let met = 0;
    const factor = fc.constantFrom(0.1, 0.5, 0.97, 1.03, 2, 10);
    fc.assert(
      fc.property(
        fc.constantFrom(...inputs[question]),
        fc.constantFrom(...numbers(question)),
        factor,
        (input, answer, times) => {
          const outcome = ask(question, input);
          const now = outcome.ok ? outcome.answers[answer] : undefined;
          if (typeof now !== 'number') return;
          const wanted = times < 1 ? 'atMost' : 'atLeast';
          const target: Target = { answer, wanted, value: times * now };
          for (const turn of solved(question, input, target)) {
            const then = ask(question, turned(input, turn));
            if (!then.ok) throw new Error(`${turn.field} = ${turn.value}: not valid`);
            if (turn.effect === 'none') continue;
            expect(meets(target, then.answers[answer])).toBe(turn.effect !== 'fallsShort');
            expect(then.answers[answer]).toBe(turn.reached);
            if (turn.effect === 'meets') ++met;
          }
        },
      ),
      { numRuns: 80, seed: 17 },
    );
    expect(met).toBeGreaterThan(60);
  });

  test('is a choice, where the answer is one', () => {
    const matmul = { ...bases.operation[3]!, operation: { kind: 'matmul', batch: 8 } };
    const target: Target = { answer: 'bound', wanted: 'is', value: 'compute' };
    const turns = solved('operation', matmul, target);
    const batch = turns.find(({ field }) => field === 'operation.batch')!;
    expect(batch.effect).toBe('meets');
    const crossings = operations.crossings(
      'operation',
      matmul as never,
      { field: 'operation.batch', from: 8, to: 1e6 },
      'bound',
    );
    expect(crossings.ok && batch.value).toBe(crossings.ok && Math.ceil(crossings.crossings[0]!.at));
  });

  test('that is met already says how far it stays so', () => {
    const told = targets.solve('training', training as never, { ...time, value: 1e9 });
    expect(told).toMatchObject({ ok: true, absent: null, met: true });
    const turns = told.ok ? told.turns : [];
    expect(turns.map(({ effect }) => effect)).not.toContain('meets');
    const tokens = turns.find(({ field }) => field === 'run.tokens')!;
    expect(tokens.effect).toBe('keeps');
    expect(Number(tokens.reached)).toBeLessThanOrEqual(1e9);
    const further = ask(
      'training',
      turned(training, { ...tokens, value: 1.01 * Number(tokens.value) }),
    );
    expect(further.ok && Number(further.answers['trainingTime'])).toBeGreaterThan(1e9);
  });

  test('of an answer that is absent is told so', () => {
    const unpriced = { ...training, chip: { ...training.chip, price: null } };
    const told = targets.solve('training', unpriced as never, {
      answer: 'cost',
      wanted: 'atMost',
      value: 1,
    });
    expect(told).toMatchObject({ ok: true, absent: 'notListed', turns: [] });
  });

  test('of a wrong input is an issue; one that cannot be asked is the caller’s mistake', () => {
    const wrong = { ...training, run: { chips: 0 } };
    expect(targets.solve('training', wrong as never, time)).toMatchObject({
      ok: false,
      issues: [{ field: 'run.chips' }],
    });
    const bad: Target[] = [
      { answer: 'noSuch', wanted: 'atMost', value: 1 },
      { answer: 'trainingTime', wanted: 'is', value: 'compute' },
      { answer: 'bound', wanted: 'atMost', value: 1 },
      { answer: 'bound', wanted: 'is', value: 'noSuch' },
    ];
    for (const target of bad) {
      expect(() => targets.solve('training', training as never, target)).toThrow(RangeError);
    }
    expect(() => targets.solve('plan' as never, {} as never, time)).toThrow(RangeError);
  });

  test('survives any number', () => {
    fc.assert(
      fc.property(fc.double(), fc.constantFrom(...numbers('training')), (value, answer) => {
        const told = targets.solve('training', training as never, {
          answer,
          wanted: 'atMost',
          value,
        });
        if (!told.ok) throw new Error('an issue with a valid input');
        for (const turn of told.turns) expect(Number.isNaN(turn.reached)).toBe(false);
      }),
      { numRuns: 100, seed: 5 },
    );
  });

  test('is solved within a frame: a few thousand times as long as it takes to answer', () => {
    const least = (times: number, call: () => unknown): number => {
      const took = Array.from({ length: 12 }, () => {
        const start = performance.now();
        for (let i = 0; i < times; ++i) call();
        return (performance.now() - start) / times;
      });
      return Math.min(...took);
    };
    for (const question of questions) {
      const input = inputs[question][0]!;
      const answer = numbers(question).find((key) => {
        const outcome = ask(question, input);
        return outcome.ok && typeof outcome.answers[key] === 'number';
      })!;
      const target: Target = { answer, wanted: 'atMost', value: 1e-9 };
      const once = least(50, () => ask(question, input));
      expect(least(1, () => solved(question, input, target)) / once).toBeLessThan(4000);
    }
  });

  test('has its equation, solved for the field', () => {
    const turns = solved('training', training, time);
    const chips = turns.find(({ field }) => field === 'run.chips')!;
    const there = turned(training, chips);
    const told = derivations.explainTurn('training', there as never, time, 'run.chips');
    const [first] = told.ok ? told.derivation.steps : [];
    expect(first).toMatchObject({ key: 'chips', unit: 'chips' });
    expect(first!.value).toBeLessThanOrEqual(Number(chips.value));
    expect(first!.value).toBeGreaterThan(0.9 * Number(chips.value));
    expect(JSON.stringify(first!.expression)).toContain('"value":1209600');
  });
});

describe('a budget', () => {
  test('buys the tokens that a training of its cost has', () => {
    const input = inputs.budget[0]!;
    const budget = engine.budget(input as never);
    const { answers } = budget as unknown as { answers: Record<string, number> };
    const training = engine.estimate({
      ...(input as object),
      run: { tokens: Math.floor(answers['budgetTokens']!) },
    });
    expect(training.ok && Number(training.answers.cost)).toBeCloseTo(1e6, -1);
    expect(answers['largestTokens']! / answers['largestParameters']!).toBeCloseTo(20, 9);
  });

  test('is explained', () => {
    for (const { key } of engine.describe().questions.budget.answers) {
      const told = derivations.explain('budget', inputs.budget[0] as never, key as never);
      if (!told.ok) throw new Error(key);
      expect(told.derivation.key).toBe(key);
    }
  });
});
