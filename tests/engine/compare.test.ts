// Causes of changed answers: attributed exactly, whatever was edited.

import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { createEngine } from '../../web/src/engine/index.ts';
import type {
  CoreQuestion,
  Derivation,
  Derivations,
  Engine,
  Expression,
  FieldInfo,
  GroupName,
  Planner,
  Step,
} from '../../web/src/engine/index.ts';
import { reasonOf } from '../../web/src/compare/causes.ts';
import { isSameReason, type Cause, type Reason, type Tells } from '../../web/src/compare/reason.ts';
import { meanOf } from '../../web/src/compare/weights.ts';
import { exchanged, keeping, kept, released } from '../../web/src/compare/pinned.ts';
import { differences } from '../../web/src/compare/inputs.ts';
import { initialState, type State } from '../../web/src/model/state.ts';
import { ask, bases, change, explain, matters, places, questions, type Input } from './inputs.ts';

let engine: Engine;
let derivations: Derivations;
let planner: Planner;

beforeAll(async () => {
  engine = await createEngine();
  [derivations, planner] = await Promise.all([engine.derivations(), engine.planner()]);
});

// --- formulas by hand ---

const number = (value: number, unit = ''): Expression => ({ op: 'number', value, unit });
const input = (key: string, value: number): Expression => ({ op: 'input', key, value, unit: '' });
const ref = (key: string, value: number): Expression => ({ op: 'step', key, value, unit: '' });

const operations: Partial<Record<Expression['op'], (...args: number[]) => number>> = {
  add: (...args) => args.reduce((a, b) => a + b),
  subtract: (a, b) => a! - b!,
  multiply: (...args) => args.reduce((a, b) => a * b),
  divide: (a, b) => a! / b!,
  max: Math.max,
  min: Math.min,
  ceil: Math.ceil,
  sqrt: Math.sqrt,
};
const make = (op: Expression['op'], ...args: Expression[]): Expression => ({
  op,
  args,
  value: operations[op]!(...args.map(({ value }) => value)),
  unit: '',
});

const step = (key: string, expression: Expression, choice?: string): Step => ({
  key,
  symbol: '',
  unit: '',
  value: expression.value,
  source: '',
  expression,
  ...(choice !== undefined && { choice }),
});

const derivation = (...steps: Step[]): Derivation => ({ key: steps[0]!.key, steps });

/** The reason for the change of an answer that is one formula. */
const between = (before: Expression, after: Expression): Reason =>
  reasonOf(derivation(step('answer', before)), derivation(step('answer', after)))!;

/** The factor by which a cause alone multiplies the answer; all together give its ratio. */
const factorOf = ({ from, to }: Reason, { difference }: Cause): number =>
  Math.exp(difference / meanOf(from, to));

const shares = ({ causes }: Reason): Record<string, number> =>
  Object.fromEntries(
    causes.map(({ kind, key, successor, difference }) => [
      [kind, key, successor?.key].filter(Boolean).join(' '),
      Number(difference.toPrecision(9)),
    ]),
  );

describe('formulas', () => {
  test('a product: each factor its own part of the ratio', () => {
    const at = (x: number, y: number) =>
      make('multiply', number(2), input('run.x', x), input('run.y', y));
    const reason = between(at(3, 5), at(12, 2.5));
    expect(reason.causes.map(({ key }) => key)).toEqual(['run.x', 'run.y']);
    expect(factorOf(reason, reason.causes[0]!)).toBeCloseTo(4, 12);
    expect(factorOf(reason, reason.causes[1]!)).toBeCloseTo(0.5, 12);
  });

  test('a quotient: what is below the line works the other way', () => {
    const at = (x: number, y: number) => make('divide', input('run.x', x), input('run.y', y));
    const reason = between(at(10, 2), at(20, 8));
    const factors = reason.causes.map((cause) => [cause.key, factorOf(reason, cause).toFixed(9)]);
    expect(Object.fromEntries(factors)).toEqual({ 'run.x': '2.000000000', 'run.y': '0.250000000' });
  });

  test('changes that cancel each other are both told', () => {
    const at = (x: number, y: number) => make('multiply', input('run.x', x), input('run.y', y));
    const reason = between(at(2, 8), at(8, 2));
    expect(shares(reason)).toEqual({ 'input run.x': 22.1807098, 'input run.y': -22.1807098 });
  });

  test('a sum: the difference of each term', () => {
    const at = (x: number, y: number, z: number) =>
      make('subtract', make('add', input('run.x', x), input('run.y', y)), input('run.z', z));
    expect(shares(between(at(1, 2, 3), at(4, 2, 1)))).toEqual({
      'input run.x': 3,
      'input run.z': 2,
    });
  });

  test('factors that are 0, before or after', () => {
    const at = (x: number, y: number) => make('multiply', input('run.x', x), input('run.y', y));
    expect(shares(between(at(0, 3), at(2, 5)))).toEqual({ 'input run.x': 8, 'input run.y': 2 });
    expect(shares(between(at(-1, 3), at(2, 3)))).toEqual({ 'input run.x': 9 });
  });

  test('the longest of several: only what was or is it counts', () => {
    const at = (x: number, y: number) => make('max', input('run.x', x), input('run.y', y));
    expect(shares(between(at(5, 1), at(4, 3)))).toEqual({ 'input run.x': -1 });
    const taken = between(at(5, 1), at(2, 3));
    // The mean of both ways: x falls by 3 and y lifts by 1, or y rises unseen and x falls by 2.
    expect(shares(taken)).toEqual({ 'input run.x': -2.5, 'input run.y': 0.5 });
    expect(taken.takeovers).toEqual([{ before: { key: 'run.x' }, after: { key: 'run.y' } }]);
    expect(shares(between(at(2, 1), at(1, 4)))).toEqual({
      'input run.y': 2.5,
      'input run.x': -0.5,
    });
  });

  test('a limit that one side lacks holds while the rest moves', () => {
    const free = (x: number) => make('multiply', input('run.x', x), number(2));
    const held = (x: number, y: number) => make('min', free(x), input('run.y', y));
    // Without the limit, x alone would have lifted the answer to 2e9.
    expect(shares(between(free(2), held(1e9, 64)))).toEqual({ 'input run.x': 60 });
    expect(shares(between(held(1e9, 64), free(2)))).toEqual({ 'input run.x': -60 });
    expect(shares(between(free(50), held(50, 64)))).toEqual({ 'input run.y': -36 });
    expect(shares(between(held(50, 64), free(50)))).toEqual({ 'input run.y': 36 });
  });

  test('which limit took over, by the rates in it', () => {
    const at = (flops: number) =>
      make(
        'max',
        make('divide', input('run.x', flops), input('chip.peakBf16', 10)),
        make('divide', input('run.y', 30), input('chip.memoryBandwidth', 10)),
      );
    expect(between(at(40), at(20)).takeovers).toEqual([
      { before: { resource: 'compute' }, after: { resource: 'memory' } },
    ]);
    expect(between(at(40), at(35)).takeovers).toEqual([]);
  });

  test('rounding up: along the line', () => {
    const at = (x: number, y: number) =>
      make('ceil', make('divide', input('run.x', x), input('run.y', y)));
    expect(shares(between(at(10, 4), at(20, 4)))).toEqual({ 'input run.x': 2 });
    expect(shares(between(at(10, 4), at(11, 4)))).toEqual({});
  });

  test('a term more or less is told as that, a factor too', () => {
    const [x, y] = [input('run.x', 6), input('run.y', 2)];
    expect(between(x, make('add', x, y)).causes).toEqual([
      { kind: 'input', key: 'run.y', to: 2, unit: '', difference: 2 },
    ]);
    expect(between(make('add', x, ref('part', 4)), x).causes).toEqual([
      { kind: 'step', key: 'part', from: 4, unit: '', difference: -4 },
    ]);
    expect(shares(between(x, make('multiply', x, y)))).toEqual({ 'input run.y': 6 });
    // An input that is what it was did not move anything: the formula is another.
    const still = reasonOf(
      derivation(step('answer', x)),
      derivation(step('answer', make('add', x, y))),
      ({ key }) => key !== 'run.y',
    )!;
    expect(shares(still)).toEqual({ 'formula answer': 2 });
  });

  test('one thing in the place of another, and another formula', () => {
    const rate = (key: string, value: number) => ({ ...input(key, value), unit: 'FLOPs/s/chip' });
    const by = (peak: Expression) => make('divide', input('run.x', 8), peak);
    const peaks = [by(rate('chip.peakBf16', 2)), by(rate('chip.peakFp8', 4))] as const;
    expect(between(...peaks).causes).toEqual([
      {
        kind: 'input',
        key: 'chip.peakBf16',
        successor: { kind: 'input', key: 'chip.peakFp8' },
        from: 2,
        to: 4,
        unit: 'FLOPs/s/chip',
        difference: expect.closeTo(-2, 12),
      },
    ]);
    expect(shares(between(make('sqrt', number(16)), make('add', number(1), number(2))))).toEqual({
      'formula answer': -1,
    });
  });

  test('steps are followed to their inputs, and told as terms besides', () => {
    const at = (x: number, y: number): Derivation => {
      const part = make('multiply', input('run.x', x), input('run.y', y));
      const named = ref('part', part.value);
      return derivation(
        step('answer', make('divide', make('add', named, named), input('run.x', x))),
        step('part', part),
      );
    };
    const reason = reasonOf(at(2, 3), at(4, 3))!;
    // 2xy/x does not depend on x: both ways cancel.
    expect(reason.causes.map(({ key }) => key)).toEqual(['run.x'].slice(0, reason.causes.length));
    expect(sum(reason.causes)).toBeCloseTo(0, 9);
    expect(reason.terms.map(({ kind, key }) => `${kind} ${key}`)).toEqual([
      'step part',
      'input run.x',
    ]);
    expect(sum(reason.terms)).toBeCloseTo(0, 9);
    expect(shares(reasonOf(at(2, 3), at(2, 6))!)).toEqual({ 'input run.y': 6 });
  });

  test('steps that tell nothing are not named, but those that they are part of', () => {
    const at = (other: boolean): Derivation => {
      const least = other ? make('add', input('run.x', 2), number(4)) : make('sqrt', number(16));
      const middle = make('multiply', ref('least', least.value), input('run.y', 3));
      return derivation(
        step('answer', make('add', ref('middle', middle.value), number(1))),
        step('middle', middle),
        step('least', least),
      );
    };
    const causes = (tells?: Tells) =>
      reasonOf(at(false), at(true), tells)!.causes.map(({ kind, key }) => `${kind} ${key}`);
    expect(causes()).toEqual(['step least']);
    expect(causes(({ key }) => key !== 'least')).toEqual(['step middle']);
    // Nothing tells: then the answer is made otherwise.
    expect(causes(() => false)).toEqual(['formula answer']);
  });

  test('a choice: the comparison that came out otherwise', () => {
    const at = (tokens: number): Derivation => {
      const per = make('divide', input('run.batchTokens', tokens), number(4));
      const decided = per.value < 10 ? 2 : 0;
      return derivation(
        step(
          'bound',
          {
            op: 'chooseIfBelow',
            args: [ref('perChip', per.value), number(10)],
            value: decided,
            unit: '',
          },
          decided ? 'network' : 'compute',
        ),
        step('perChip', per),
      );
    };
    const { verdicts, causes } = reasonOf(at(80), at(20))!;
    expect(causes).toEqual([]);
    expect(verdicts).toHaveLength(1);
    expect(verdicts[0]).toMatchObject({
      left: { key: 'perChip', from: 20, to: 5, causes: [{ key: 'run.batchTokens' }] },
      right: { from: 10, to: 10, causes: [] },
      below: true,
    });
  });

  test('what has no value has no reason', () => {
    const some = derivation(step('answer', number(1)));
    expect(reasonOf(some, { key: 'answer', steps: [] })).toBeUndefined();
    expect(reasonOf({ key: 'answer', steps: [] }, some)).toBeUndefined();
  });

  test('the logarithmic mean', () => {
    expect(meanOf(7, 7)).toBe(7);
    expect(meanOf(1, Math.E)).toBeCloseTo(Math.E - 1, 12);
    expect(meanOf(-1, -Math.E)).toBeCloseTo(1 - Math.E, 12);
    expect(meanOf(5, 5 * (1 + 1e-9))).toBeCloseTo(5, 7);
    const near = 5 * (1 + 1.0001e-4);
    expect(meanOf(5, near)).toBeCloseTo((near - 5) / Math.log1p(near / 5 - 1), 9);
  });
});

// --- the engine's own derivations ---

const sum = (causes: readonly { difference: number }[]): number =>
  causes.reduce((total, { difference }) => total + difference, 0);

/** Expects all shares to add up to the change, and factors to multiply to the ratio. */
function expectExact(reason: Reason, name: string): void {
  const { from, to } = reason;
  for (const causes of [reason.causes, reason.terms]) {
    const extent = causes.reduce((total, { difference }) => total + Math.abs(difference), 0);
    const size = Math.max(Math.abs(from), Math.abs(to), extent);
    expect(Math.abs(sum(causes) - (to - from)), `${name} ${from} ${to}`).toBeLessThanOrEqual(
      1e-9 * size,
    );
    // One expectation of all: there are many causes, and it takes longer than what it is about.
    expect(
      causes.filter(({ difference }) => !Number.isFinite(difference)),
      name,
    ).toEqual([]);
    if (from * to <= 0) continue;
    const logarithm = causes.reduce((total, cause) => total + Math.log(factorOf(reason, cause)), 0);
    expect(logarithm, name).toBeCloseTo(Math.log(to / from), 5);
  }
}

/** Another value that a field may have, near the one it has where that is a number. */
function otherValue(field: FieldInfo, value: unknown): fc.Arbitrary<unknown> {
  if (field.kind === 'choice') return fc.constantFrom(...field.choices);
  if (field.kind === 'flag') return fc.boolean();
  if (field.kind === 'text') return fc.constant(value);
  const near = typeof value === 'number' && value > 0 ? value : Math.max(1, field.min);
  return fc.constantFrom(1 / 4, 1 / 2, 0.9, 1.3, 2, 3, 8).map((times) => {
    const moved = Math.min(field.max, Math.max(field.min, near * times));
    return field.kind === 'count' ? Math.round(moved) : moved;
  });
}

/** An input and the same with a few fields edited. */
const edited = (question: CoreQuestion): fc.Arbitrary<[Input, Input]> =>
  fc.constantFrom(...bases[question]).chain((base) => {
    const description = engine.describe();
    const fields = places(description, question).filter((place) =>
      matters(description, base, place),
    );
    const edit = fc.constantFrom(...fields).chain(({ group, field }) =>
      otherValue(field, base[group]?.[field.key] ?? field.default).map((value) => ({
        group,
        key: field.key,
        value,
      })),
    );
    return fc
      .array(edit, { minLength: 1, maxLength: 4 })
      .map((edits): [Input, Input] => [
        base,
        edits.reduce((now, { group, key, value }) => change(now, group, key, value), base),
      ]);
  });

function reasons(question: CoreQuestion, before: Input, after: Input): [string, Reason][] {
  return engine.describe().questions[question].answers.flatMap(({ key }) => {
    const [was, is] = [before, after].map((input) => explain(derivations, question, input, key));
    if (!was?.ok || !is?.ok) return [];
    const reason = reasonOf(was.derivation, is.derivation);
    return reason ? [[key, reason]] : [];
  });
}

const choiceKeys = (question: CoreQuestion | 'plan'): ReadonlySet<string> =>
  new Set(
    engine
      .describe()
      .questions[question].answers.filter(({ kind }) => kind === 'choice')
      .map(({ key }) => key),
  );

describe('the engine', () => {
  test.each(questions)('%s: shares add up to the change, after any edits', (question) => {
    const choices = choiceKeys(question);
    let told = 0;
    fc.assert(
      fc.property(edited(question), ([before, after]) => {
        fc.pre(ask(engine, question, after).ok);
        for (const [key, reason] of reasons(question, before, after)) {
          if (choices.has(key)) continue;
          expectExact(reason, key);
          if (reason.causes.length > 0) told += 1;
        }
      }),
      { numRuns: 40 },
    );
    expect(told).toBeGreaterThan(20);
  });

  test.each(questions)('%s: nothing moves where nothing was edited', (question) => {
    for (const base of bases[question]) {
      for (const [key, reason] of reasons(question, base, base)) {
        expect(reason, key).toMatchObject({ causes: [], terms: [], takeovers: [], verdicts: [] });
      }
    }
  });
});

// --- what readers are told ---

/** The causes of the change of an answer when fields are edited. */
function told(
  question: CoreQuestion | 'plan',
  before: Input,
  key: string,
  ...edits: [group: GroupName, key: string, value: unknown][]
): Reason {
  const after = edits.reduce(
    (now, [group, field, value]) => change(now, group, field, value),
    before,
  );
  const [was, is] = [before, after].map((input) =>
    derivations.explain(question as 'plan', input as never, key as never),
  );
  if (!was?.ok || !is?.ok) throw new Error('not explained');
  return reasonOf(was.derivation, is.derivation)!;
}

const factors = (reason: Reason): Record<string, string> =>
  Object.fromEntries(
    reason.causes.map((cause) => [cause.key, `×${factorOf(reason, cause).toFixed(2)}`]),
  );

describe('reasons', () => {
  const training = bases.training[0]!;

  test('are the same where one answer is made of the other, and not where more came to it', () => {
    const edits: [GroupName, string, unknown][] = [
      ['run', 'mfu', 0.5],
      ['run', 'tokens', 3e12],
    ];
    const [time, cost] = ['trainingTime', 'cost'].map((key) =>
      told('training', training, key, ...edits),
    ) as [Reason, Reason];
    expect(time.causes.length).toBeGreaterThan(1);
    expect(isSameReason(time, cost)).toBe(true);
    const dearer = told('training', training, 'cost', ...edits, ['chip', 'price', 2.1]);
    expect(isSameReason(time, dearer)).toBe(false);
    // The same causes, but not for the same share.
    const [one, other] = [
      between(input('a', 2), input('a', 3)),
      between(input('a', 2), input('a', 5)),
    ];
    expect(isSameReason(one, other)).toBe(true);
    const sum = (a: number, b: number) => make('add', input('a', a), input('b', b));
    expect(isSameReason(between(sum(1, 1), sum(2, 3)), between(sum(1, 1), sum(3, 2)))).toBe(false);
  });

  test('training on half the chips, at half the price and more MFU', () => {
    const edits: [GroupName, string, unknown][] = [
      ['run', 'chips', 4480],
      ['chip', 'price', 2.1],
      ['run', 'mfu', 0.5],
    ];
    const time = told('training', training, 'trainingTime', ...edits);
    expect(factors(time)).toEqual({ 'run.chips': '×2.00', 'run.mfu': '×0.80' });
    const cost = told('training', training, 'cost', ...edits);
    expect(factors(cost)).toMatchObject({ 'chip.price': '×0.50', 'run.mfu': '×0.80' });
    expect(cost.terms.map(({ key }) => key)).toEqual(['chip.price', 'chipHours']);
  });

  test('memory by its parts', () => {
    const memory = told('training', training, 'totalMemory', ['run', 'optimizerBytes', 12]);
    expect(memory.causes).toMatchObject([
      { kind: 'input', key: 'run.optimizerBytes', from: 8, to: 12 },
    ]);
    expect(memory.terms).toMatchObject([{ kind: 'step', key: 'optimizerMemory' }]);
    // Formats are constants of the formula: the part is named that they made smaller.
    const weights = told('training', training, 'totalMemory', ['run', 'weightFormat', 'int8']);
    expect(weights.causes).toMatchObject([{ kind: 'step', key: 'weightMemory' }]);
    expect(weights.causes[0]!.to).toBe(weights.causes[0]!.from! / 2);
  });

  test('the bound: what fell below what', () => {
    const { verdicts } = told('training', training, 'bound', ['run', 'batchTokens', 4e5]);
    expect(verdicts).toMatchObject([
      {
        left: { key: 'tokensPerChip', causes: [{ key: 'run.batchTokens' }] },
        right: { key: 'mixedThreshold', causes: [] },
        below: true,
      },
    ]);
  });

  test('an operation: computing takes over from moving', () => {
    const matmul = bases.operation[3]!;
    const time = told('operation', matmul, 'lowerBound', ['operation', 'batch', 4096]);
    expect(time.takeovers).toEqual([
      { before: { key: 'communicationTime' }, after: { key: 'mathTime' } },
    ]);
    const bound = told('operation', matmul, 'bound', ['operation', 'batch', 4096]);
    expect(bound.verdicts).toMatchObject([
      { left: { key: 'mathTime' }, right: { key: 'memoryTime' }, below: false },
    ]);
  });

  const plan: Input = {
    ...bases.training[1]!,
    model: bases.training[0]!.model!,
    run: { chips: 512, batchTokens: 2 ** 21 },
    layout: { tensor: 8 },
  };

  test('a plan: other ways of parallelism', () => {
    const ways: [GroupName, string, unknown][] = [
      ['layout', 'tensor', 4],
      ['layout', 'pipeline', 2],
    ];
    const step = told('plan', plan, 'stepExpected', ...ways);
    expectExact(step, 'stepExpected');
    expect(step.terms.map(({ key }) => key)).toContain('timeBubble');
    const memory = told('plan', plan, 'memoryUsed', ['layout', 'sharding', 'optimizer']);
    expectExact(memory, 'memoryUsed');
    expect(memory.causes.map(({ key }) => key)).toContain('shardWays');
  });

  test('a limit that only one of two chips has takes no share beyond the change', () => {
    // Random edits found it: the answer fell by 4,163 tokens, and two shares were 1e10.
    const reason = told(
      'training',
      bases.training[4]!,
      'mixedThreshold',
      ['chip', 'peakInt4', 1e6],
      ['run', 'computeFormat', 'int4'],
    );
    expectExact(reason, 'mixedThreshold');
    const most = Math.max(...reason.causes.map(({ difference }) => Math.abs(difference)));
    expect(most).toBeLessThan(2 * reason.from);
  });

  test('plans: shares add up for every answer, after any edit of the layout', () => {
    const choices = choiceKeys('plan');
    const fields = engine
      .describe()
      .groups.layout.filter(({ key }) => !['shardGroup', 'expertNodes'].includes(key));
    const edit = fc
      .constantFrom(...fields)
      .chain((field) =>
        otherValue(field, (plan.layout as Record<string, unknown>)[field.key] ?? field.default).map(
          (value): [GroupName, string, unknown] => ['layout', field.key, value],
        ),
      );
    const keys = [...engine.describe().questions.plan.answers].map(({ key }) => key);
    const numbers = keys.filter((key) => !choices.has(key));
    let told = 0;
    fc.assert(
      fc.property(
        fc.array(edit, { minLength: 1, maxLength: 3 }),
        fc.constantFrom(...numbers),
        (edits, key) => {
          const after = edits.reduce((now, each) => change(now, ...each), plan);
          fc.pre(planner.estimate(after as never).ok);
          const [was, is] = [plan, after].map((input) =>
            derivations.explain('plan', input as never, key as never),
          );
          if (!was?.ok || !is?.ok) throw new Error('not explained');
          const reason = reasonOf(was.derivation, is.derivation);
          if (!reason) return;
          expectExact(reason, key);
          told += reason.causes.length;
        },
      ),
      { numRuns: 150 },
    );
    expect(told).toBeGreaterThan(20);
  });
});

describe('states', () => {
  const state = (edits: Partial<State['edits']> = {}, others: Partial<State> = {}): State => ({
    ...initialState,
    ...others,
    edits: { ...initialState.edits, ...edits },
  });
  const told = (before: State, now: State) => {
    const { things, fields, follow } = differences(engine.describe(), before, now);
    return {
      things,
      fields: fields.map(({ id }) => id),
      follow: Object.fromEntries(follow.map(({ thing, fields: list }) => [thing, list.length])),
    };
  };

  test('kept, exchanged, let go', () => {
    const before = state({ run: { chips: 64 } }, { charts: { chart: 'sweep' } });
    const now = { ...kept(before), model: 'llama-3-8b' };
    expect(now.pinned).toEqual(state({ run: { chips: 64 } }));
    const there = exchanged(now);
    expect(there).toMatchObject({ model: 'llama-3-70b', pinned: { model: 'llama-3-8b' } });
    expect(exchanged(there)).toEqual({ ...now, charts: {} });
    // A kept state keeps none itself.
    expect(kept(kept(before)).pinned?.pinned).toBeUndefined();
    expect(released(now)).toEqual({ ...before, model: 'llama-3-8b' });
    expect(exchanged(before)).toBe(before);
    expect(keeping(before, now)).toEqual({ ...before, pinned: now.pinned });
    expect(keeping(before, before)).toBe(before);
  });

  test('differences: presets, what the reader set, and what presets bring', () => {
    expect(told(state(), state())).toEqual({ things: [], fields: [], follow: {} });
    expect(told(state(), state({ chip: { price: 1 }, run: { chips: 64 } }))).toEqual({
      things: [],
      fields: ['chip.price', 'run.chips'],
      follow: {},
    });
    const other = told(state({ chip: { price: 1 } }), state({}, { chip: 'h100-sxm' }));
    expect(other).toMatchObject({ things: ['chip'], fields: [] });
    expect(other.follow['chip']).toBeGreaterThan(5);
    const optimizer = told(state(), state({ run: { mfu: 0.5 } }, { optimizer: 'megatron' }));
    expect(optimizer).toMatchObject({ things: ['optimizer'], fields: ['run.mfu'] });
    expect(optimizer.follow['optimizer']).toBeGreaterThan(0);
    const figures = told(state(), state({}, { figures: 'vendor' }));
    expect(figures.things).toEqual(['figures']);
    expect(figures.follow['figures']).toBeGreaterThan(0);
    const named = state({}, { names: { chip: 'Mine' } });
    expect(told(state(), named).things).toEqual(['chip']);
  });

  test('differences: only fields that matter', () => {
    const rule = { checkpointRule: 'korthikantiNone' };
    const unused = { ...rule, checkpointsPerLayer: 9 };
    expect(told(state({ run: rule }), state({ run: unused })).fields).toEqual([]);
    expect(told(state(), state({ run: { checkpointsPerLayer: 9 } })).fields).toEqual([
      'run.checkpointsPerLayer',
    ]);
    // A collective has no model.
    const collective = { view: 'collective', model: 'llama-3-8b' } as const;
    expect(told(state({}, { view: 'collective' }), state({}, collective)).things).toEqual([]);
  });
});
