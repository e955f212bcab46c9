// Formulas as they are laid out: no limit in a limit, whatever the answer.

import { beforeAll, describe, expect, test } from 'vitest';
import sourceFile from '../../shared/sources.json' with { type: 'json' };
import english from '../../shared/text/en.json' with { type: 'json' };
import { createEngine } from '../../web/src/engine/index.ts';
import type { Derivations, Engine, Expression } from '../../web/src/engine/index.ts';
import { isSum } from '../../web/src/math/formula.ts';
import { parted, sizeOf } from '../../web/src/math/parts.ts';
import { inRow } from '../../web/src/math/row.ts';
import { greek } from '../../web/src/math/symbol.ts';
import { bases, questions } from './inputs.ts';

const number = (value: number, unit = ''): Expression => ({ op: 'number', value, unit });
const made = (op: Expression['op'], value: number, ...args: Expression[]): Expression => ({
  op,
  value,
  unit: '',
  args,
});

const isLimit = ({ op }: Expression): boolean => op === 'max' || op === 'min';
const limitsBelow = (node: Expression): Expression[] =>
  (node.args ?? []).flatMap((arg) => [...(isLimit(arg) ? [arg] : []), ...limitsBelow(arg)]);

const sumsInside = (node: Expression): Expression[] =>
  (node.args ?? []).flatMap((arg) => [
    ...(isSum(arg) && !isSum(node) ? [arg] : []),
    ...sumsInside(arg),
  ]);

const isNumber = ({ op }: Expression): boolean => op === 'number';
const keysIn = ({ op, key, args = [] }: Expression): string[] => [
  ...(op === 'step' ? [key!] : []),
  ...args.flatMap(keysIn),
];

describe('parts of formulas', () => {
  test('the greatest of several, one the greatest of others, is one of them all', () => {
    const inner = made('max', 2, number(1), number(2));
    const { whole, parts } = parted(made('max', 3, inner, number(3)));
    expect(parts).toEqual([]);
    expect(whole.args!.map(({ value }) => value)).toEqual([1, 2, 3]);
  });

  test('one inside another is a step of its own, once, with its unit', () => {
    const inner = made('min', 2, number(2, 's'), number(3, 's'));
    const outer = made('max', 5, made('add', 5, inner, number(3, 's')), number(4, 's'));
    const { whole, parts } = parted(made('add', 7, outer, inner));
    expect(parts.map(({ symbol, unit }) => [symbol, unit])).toEqual([
      ['max_1', 's'],
      ['min_1', 's'],
    ]);
    expect(whole.args!.map(({ symbol, value }) => [symbol, value])).toEqual([
      ['max_1', 5],
      ['min_1', 2],
    ]);
    expect(parts[0]!.expression.args![0]!.args![0]).toMatchObject({ op: 'step', symbol: 'min_1' });
  });

  test.each([
    ['a share of a time', made('multiply', 1, number(0.5), number(2, 's')), 's'],
    ['bytes over a rate', made('divide', 1, number(1, 'B'), number(1, 'B/s')), 's'],
    ['work of a chip', made('divide', 1, number(1, 'FLOPs'), number(1, 'FLOPs/s/chip')), 's'],
    ['tokens by a time', made('multiply', 1, number(4, 'tokens'), number(2, 's')), 's'],
    ['bytes of a time', made('divide', 1, number(4, 'B'), number(2, 's')), 'B/s'],
    [
      'the root of a square',
      made('sqrt', 1, made('multiply', 1, number(1, 's'), number(1, 's'))),
      's',
    ],
    ['one of like units', made('divide', 1, number(1, 's'), number(1, 's')), ''],
    ['a square', made('multiply', 1, number(1, 's'), number(1, 's')), ''],
    ['tokens alone', made('multiply', 1, number(2), number(2, 'tokens')), 'tokens'],
  ])('the unit of %s is that of its result', (_, operand, unit) => {
    const inner = made('min', 1, operand, number(2));
    const { parts } = parted(made('max', 1, made('add', 1, inner, number(1)), number(0)));
    expect(parts[0]!.unit).toBe(unit);
  });

  test('a long sum inside a formula is a part of its own; as terms of the formula, lines', () => {
    const long = made('add', 30, ...Array.from({ length: 60 }, () => number(0.5, 's')));
    const { whole, parts } = parted(made('add', 90, made('multiply', 60, number(2), long), long));
    expect(parts).toMatchObject([{ symbol: 'sum_1', unit: 's', expression: long }]);
    expect(whole.args![0]!.args![1]).toMatchObject({ op: 'step', symbol: 'sum_1', value: 30 });
    expect(parted(long)).toEqual({ whole: long, parts: [] });
  });

  test('one alone, or beside others, stays where it is', () => {
    const limit = made('max', 2, number(1), number(2));
    for (const formula of [
      limit,
      made('add', 4, limit, limit),
      made('multiply', 6, limit, number(3)),
    ]) {
      expect(parted(formula)).toEqual({ whole: formula, parts: [] });
    }
  });
});

test('every Greek letter of a symbol is written as one', async () => {
  const { groups, questions: asked } = (await createEngine()).describe();
  const symbols = [
    ...Object.values(groups).flat(),
    ...Object.values(asked).flatMap(({ answers }) => answers),
  ].flatMap(({ symbol = '' }) => symbol.split(/[^A-Za-z]/));
  const letters =
    'alpha beta gamma delta epsilon zeta eta theta kappa lambda mu nu xi pi rho sigma tau phi chi psi omega';
  const found = symbols.filter((name) => letters.split(' ').includes(name.toLowerCase()));
  expect(found).toContain('eta');
  expect(found.filter((name) => !(name in greek))).toEqual([]);
});

describe('every derivation', () => {
  let engine: Engine;
  let derivations: Derivations;
  beforeAll(async () => {
    engine = await createEngine();
    derivations = await engine.derivations();
    await engine.planner();
  });

  test('takes numbers as given at its end: each once, with its text, its symbol and its source', () => {
    const { chip, model } = bases.training[0]!;
    const layout = { tensor: 8, context: 2, expert: 1 };
    const plan = { chip, model, run: { chips: 64 }, layout };
    const given = new Set<string>();
    for (const { key } of engine.describe().questions.plan.answers) {
      const told = derivations.explain('plan', plan as never, key as never);
      if (!told.ok) continue;
      const { steps } = told.derivation;
      expect(new Set(steps.map((step) => step.key)).size, key).toBe(steps.length);
      const first = steps.findIndex(({ expression }, place) => place > 0 && isNumber(expression));
      const last = first < 0 ? [] : steps.slice(first);
      expect(last.filter(({ expression }) => !isNumber(expression))).toEqual([]);
      for (const step of last) {
        given.add(step.key);
        expect(step.symbol, step.key).not.toBe('');
        expect(sourceFile.sources, step.key).toHaveProperty([step.source]);
        const [name, of] = step.key.split('#');
        const { first, operation, plan } = english.steps;
        const answers = { ...english.answers, ...first, ...operation, ...plan };
        const texts = step.key.startsWith('constants.') ? english.sources : answers;
        expect(texts, step.key).toHaveProperty(name!);
        if (name!.startsWith('constants.') && of) {
          expect(english.sources.constantsOf).toHaveProperty([of]);
        }
      }
      // Each given number is used by name in a formula.
      const used = new Set(steps.flatMap(({ expression }) => keysIn(expression)));
      expect(last.filter((step) => !used.has(step.key))).toEqual([]);
    }
    expect(given).toContain('constants.step.interference');
    expect(given).toContain('constants.matmul.efficiency#bf16');
  });

  test('has no limit inside a limit, and values stay', () => {
    const plan = { chip: bases.training[0]!.chip, model: bases.training[0]!.model };
    const layouts = [
      { tensor: 8, context: 2 },
      { tensor: 4, pipeline: 4 },
    ];
    const inputs = [
      ...questions.flatMap((question) =>
        bases[question].slice(0, 6).map((input) => [question, input] as const),
      ),
      ...layouts.map((layout) => ['plan', { ...plan, run: { chips: 64 }, layout }] as const),
    ];
    let nested = 0;
    let longest = 0;
    for (const [question, input] of inputs) {
      for (const { key } of engine.describe().questions[question].answers) {
        const told = derivations.explain(question as 'plan', input as never, key as never);
        if (!told.ok) continue;
        for (const step of told.derivation.steps) {
          const { whole, parts } = parted(step.expression);
          nested += parts.length;
          expect(whole.value).toBe(step.expression.value);
          for (const formula of [whole, ...parts.map(({ expression }) => expression)]) {
            const below = limitsBelow(formula);
            expect(isLimit(formula) ? below : below.flatMap(limitsBelow), step.key).toEqual([]);
            longest = Math.max(longest, ...sumsInside(formula).map(sizeOf));
          }
        }
      }
    }
    expect(nested).toBeGreaterThan(10);
    // A sum inside a product or a limit can be read in its line.
    expect(longest).toBeGreaterThan(20);
    expect(longest).toBeLessThanOrEqual(48);
  });
});

describe('formulas in a row', () => {
  const letter = (symbol: string): Expression => ({ op: 'input', value: 1, unit: '', symbol });
  const [a, b, c] = ['a', 'b', 'c'].map(letter) as [Expression, Expression, Expression];
  const node = (op: Expression['op'], ...args: Expression[]): Expression => made(op, 1, ...args);

  test.each([
    [node('multiply', node('add', a, b), c), '(a + b) · c'],
    [node('add', node('multiply', a, b), c), 'a · b + c'],
    [node('multiply', a, node('multiply', b, c)), 'a · b · c'],
    [node('multiply', a, node('divide', b, c)), 'a · (b / c)'],
    [node('divide', a, node('multiply', b, c)), 'a / (b · c)'],
    [node('divide', node('multiply', a, b), c), 'a · b / c'],
    [node('divide', node('divide', a, b), c), 'a / b / c'],
    [node('subtract', a, node('add', b, c)), 'a − (b + c)'],
    [node('subtract', a, node('multiply', b, c)), 'a − b · c'],
    [node('subtract', node('add', a, b), c), 'a + b − c'],
    [node('add', a, node('subtract', b, c)), 'a + b − c'],
    [node('multiply', a, node('expMinusOne', node('add', b, c))), 'a · (exp(b + c) − 1)'],
    [node('max', a, node('ceil', node('add', b, c))), 'max(a, ⌈b + c⌉)'],
    [node('nearestPowerOfTwo', node('sqrt', a)), 'pow2(√(a))'],
    [node('chooseIfBelow', a, node('add', b, c)), 'a < b + c'],
  ])('brackets stand only where they change the meaning %#', (expression, said) => {
    expect(inRow(expression, ({ symbol }) => symbol!).join('')).toBe(said);
  });

  test('leaves stay what they are drawn as', () => {
    const drawn = { of: 'a' };
    expect(inRow(node('sqrt', a), () => drawn)).toEqual(['√(', drawn, ')']);
  });
});
