// The planner's promises: one layout's answers and how they come about, a search in slices of any
// size and any number of them by turns, a step drawn, memory by stage. Its inputs may be anything.

import { beforeAll, describe, expect, test } from 'vitest';
import chipFile from '../../shared/chips.json' with { type: 'json' };
import modelFile from '../../shared/models.json' with { type: 'json' };
import sourceFile from '../../shared/sources.json' with { type: 'json' };
import { createEngine } from '../../web/src/engine/index.ts';
import type {
  Derivations,
  Description,
  Engine,
  Expression,
  Inputs,
  Lever,
  Plan,
  PlanAnswers,
  Planner,
  PlanSearch,
  Step,
} from '../../web/src/engine/index.ts';

import { planCodes } from './inputs.ts';

type Input = Inputs['plan'];
type Key = keyof PlanAnswers;

let engine: Engine;
let derivations: Derivations;
let planner: Planner;
let description: Description;

beforeAll(async () => {
  engine = await createEngine();
  derivations = await engine.derivations();
  planner = await engine.planner();
  description = engine.describe();
});

function chip(id: string): object {
  const { figures } = chipFile.chips.find((preset) => preset.id === id)!;
  return Object.fromEntries(Object.entries(figures).map(([key, figure]) => [key, figure.value]));
}

function model(id: string): object {
  return { ...modelFile.models.find((preset) => preset.id === id)!.architecture };
}

const small = {
  layers: 12,
  hidden: 2048,
  feedForward: 6144,
  heads: 16,
  kvHeads: 8,
  headDim: 128,
  vocabulary: 32000,
};

/** Layouts that use each of the ways. */
const inputs: Record<string, Input> = {
  alone: {
    chip: chip('h100-sxm'),
    model: small,
    run: { chips: 1, batchTokens: 8192 },
  },
  dense: {
    chip: chip('h100-sxm'),
    model: model('llama-3-70b'),
    run: { chips: 512, batchTokens: 4096 * 512 },
    layout: { tensor: 8, pipeline: 4, schedule: 'interleaved', virtualStages: 5, microBatch: 1 },
  },
  torus: {
    chip: chip('tpu-v5p'),
    model: model('llama-3-70b'),
    run: { chips: 1024, slices: 2, batchTokens: 4096 * 1024 },
    layout: { tensor: 4, context: 2, contextKind: 'ring', recompute: 'full' },
  },
  sparse: {
    chip: chip('h800-sxm'),
    model: model('deepseek-v3'),
    run: { chips: 2048, batchTokens: 4096 * 15360 },
    layout: {
      pipeline: 16,
      schedule: 'dualPipe',
      expert: 64,
      expertNodes: 4,
      fp8Matmuls: true,
      optimizer: 'adamBf16',
      sharding: 'optimizer',
    },
  },
  tuned: {
    chip: chip('rtx-4090'),
    model: model('llama-3.1-8b'),
    run: { chips: 2, batchTokens: 4096 * 16, trained: 'qlora', corpus: 'examples' },
  },
  offloaded: {
    chip: { ...chip('h100-sxm'), hostBandwidth: 5e10 },
    model: model('llama-3-8b'),
    run: { chips: 16, batchTokens: 4096 * 64 },
    layout: {
      context: 4,
      contextKind: 'ulysses',
      offload: 'all',
      schedule: 'zb1p',
      pipeline: 2,
      hostActivations: 0.5,
    },
  },
};
const names = Object.keys(inputs);

/** A space that is soon searched. */
const searched: Input = {
  chip: chip('h100-sxm'),
  model: small,
  run: { chips: 16, batchTokens: 4096 * 16 },
};

function answersTo(input: Input): PlanAnswers {
  const outcome = planner.estimate(input);
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.issues));
  return outcome.answers;
}

function searchOf(input: Input, map?: Parameters<Planner['search']>[1]): PlanSearch {
  const begun = planner.search(input, map);
  if (!begun.ok) throw new Error(JSON.stringify(begun.issues));
  return begun.search;
}

function finish(search: PlanSearch, slice = 1e6): PlanSearch {
  while (!search.advance(slice).done);
  return search;
}

describe('the module', () => {
  test('is loaded once', async () => {
    expect(await engine.planner()).toBe(planner);
  });

  test('knows the levers that the types name', () => {
    const levers: Lever[] = [
      ...(['moreChips', 'largerBatch', 'fp8', 'fasterNetwork'] as const),
      ...(['moreMemory', 'fasterMemory', 'moreOverlap', 'lessRecompute'] as const),
    ];
    expect(planner.levers).toEqual(levers);
  });
});

describe('memory, room and what is computed again', () => {
  test('memory has a likely range, and says whether it fits, is tight or over', () => {
    const at = (memory: number): PlanAnswers =>
      answersTo({ ...inputs['dense']!, chip: { ...chip('h100-sxm'), memory } });
    const { memoryUsed, memoryLow, memoryHigh } = at(80e9) as unknown as Record<string, number>;
    expect(memoryLow!).toBeLessThan(memoryUsed!);
    expect(memoryHigh!).toBeGreaterThan(memoryUsed!);
    const pinned = (limit: number): PlanAnswers =>
      answersTo({
        ...inputs['dense']!,
        chip: { ...chip('h100-sxm'), memory: limit / 0.95 },
        layout: { ...inputs['dense']!.layout, recompute: 'none' },
      });
    const used = pinned(80e9) as unknown as Record<string, number>;
    expect(pinned(1.01 * used['memoryHigh']!)).toMatchObject({ memoryState: 'fits', fits: 'yes' });
    expect(pinned(1.01 * used['memoryUsed']!)).toMatchObject({ memoryState: 'tight', fits: 'yes' });
    // An allocator's cache gives way: what is allocated is what has to fit.
    expect(pinned(0.99 * used['memoryUsed']!)).toMatchObject({ memoryState: 'tight', fits: 'yes' });
    const allocated = used['memoryLimit']! - used['memoryRoom']!;
    expect(allocated).toBeLessThan(used['memoryUsed']!);
    expect(pinned(0.99 * allocated)).toMatchObject({ memoryState: 'over', fits: 'no' });
  });

  test('the fastest that leaves a tenth free is that of an input which has to', () => {
    const input: Input = {
      chip: chip('h100-sxm'),
      model: model('llama-3-8b'),
      run: { chips: 8, batchTokens: 2 ** 20, sequenceLength: 8192 },
    };
    const search = finish(searchOf(input));
    const [fastest, roomy, limit] = [search.best()[0]!, search.roomy()!, search.limit()];
    expect(roomy.memory).toBeLessThanOrEqual(0.9 * limit);
    expect(roomy.expected).toBeGreaterThanOrEqual(fastest.expected);
    const reserved = { ...input, assumptions: { memoryReserve: 0.1 } };
    expect(finish(searchOf(reserved)).best()[0]!.expected).toBe(roomy.expected);
    // The page takes it over in this way.
    const taken = answersTo({ ...reserved, layout: { ...input.layout, ...roomy.layout } });
    expect(taken.stepExpected).toBe(roomy.expected);
    expect(taken.memoryUsed).toBe(roomy.memory);
    expect(taken.memoryLimit).toBe(limit);
  });

  test.each(names)('%s: a found layout tells what its estimate tells', (name) => {
    const input = inputs[name]!;
    const search = searchOf(input);
    while (!search.advance(1e6).bestKnown);
    for (const plan of search.best().slice(0, 3)) {
      const answers = answersTo({
        ...input,
        layout: { ...input.layout, ...plan.layout },
      }) as unknown as Record<string, number | string>;
      const key = (part: string): string => `again${part.charAt(0).toUpperCase()}${part.slice(1)}`;
      for (const [part, share] of Object.entries(plan.again)) {
        expect(answers[key(part)]).toBe(share);
      }
      expect(
        Object.keys(answers).filter(
          (each) => /^again/.test(each) && typeof answers[each] === 'number',
        ).length,
      ).toBe(Object.keys(plan.again).length);
      expect(plan.fullestLayers).toBe(answers['fullestLayers']);
      expect(plan.memoryLow).toBe(answers['memoryLow']);
      expect(plan.memoryHigh).toBe(answers['memoryHigh']);
      expect(plan.memoryState).toBe(answers['memoryState']);
      const { wallTime, mfu, goodput } = answers as Record<string, number>;
      expect(plan.wallTime / wallTime!).toBeCloseTo(1, 12);
      expect(plan.mfuWithFailures / (mfu! * goodput!)).toBeCloseTo(1, 12);
    }
    search.end();
  });

  test('the share that is computed again has its name in the derivation of memory', () => {
    const input: Input = {
      chip: chip('h100-sxm'),
      model: model('llama-3-8b'),
      run: { chips: 8, batchTokens: 2 ** 20, sequenceLength: 8192 },
      layout: { microBatch: 2 },
    };
    const told = derivations.explain('plan', input, 'memoryActivations');
    if (!told.ok) throw new Error('not derived');
    const keys = told.derivation.steps.map(({ key }) => key);
    expect(keys.filter((key) => key.startsWith('again')).length).toBeGreaterThan(0);
  });
});

describe('estimate()', () => {
  test.each(names)('%s: all answers, each a number, a choice or a reason', (name) => {
    const answers = answersTo(inputs[name]!);
    const infos = description.questions.plan.answers;
    expect(Object.keys(answers)).toEqual(infos.map(({ key }) => key));
    for (const { key, kind, choices } of infos) {
      const answer = answers[key as Key] as unknown;
      if (typeof answer === 'object') {
        expect(description.absences, key).toContain((answer as { absent: string }).absent);
      } else if (kind === 'choice') {
        expect(choices, key).toContain(answer);
      } else {
        expect(Number.isFinite(answer), key).toBe(true);
      }
    }
  });

  test.each(names)('%s: bounds enclose what is expected', (name) => {
    const { stepLower, stepExpected, stepUpper } = answersTo(inputs[name]!);
    expect(stepLower).toBeLessThanOrEqual(stepExpected as number);
    expect(stepExpected).toBeLessThanOrEqual(stepUpper as number);
  });

  test('what one can count by hand', () => {
    const answers = answersTo(inputs.dense!);
    // 512 chips in 8 x 4 ways, 512 sequences, 80 layers.
    expect(answers).toMatchObject({ dataWays: 16, microBatches: 32, layersPerStage: 20 });
    expect(answers.tokensPerSecond).toBeCloseTo((4096 * 512) / (answers.stepExpected as number), 6);
    expect(answers.memoryLimit).toBe(0.95 * (inputs.dense!.chip as { memory: number }).memory);
  });

  test('gives the same again, whatever was asked between', () => {
    const before = answersTo(inputs.dense!);
    answersTo(inputs.sparse!);
    finish(searchOf(searched));
    planner.timeline(inputs.torus!);
    expect(answersTo(inputs.dense!)).toEqual(before);
  });
});

describe('explain()', () => {
  const operators: Record<string, (...args: number[]) => number> = {
    add: (...args) => args.reduce((a, b) => a + b),
    subtract: (a, b) => a! - b!,
    multiply: (...args) => args.reduce((a, b) => a * b),
    divide: (a, b) => a! / b!,
    square: (a) => a! * a!,
    sqrt: Math.sqrt,
    ceil: Math.ceil,
    floor: Math.floor,
    min: Math.min,
    max: Math.max,
  };

  /** Derivations have a million nodes: each is asserted about only where it is wrong. */
  const same = (found: unknown, expected: unknown, what?: string): void => {
    if (!Object.is(found, expected)) expect(found, what).toBe(expected);
  };

  /** Computes an expression again; what it refers to stands later in the list. */
  function evaluate(node: Expression, input: Input, later: Map<string, Step>): number {
    const args = (node.args ?? []).map((arg) => evaluate(arg, input, later));
    switch (node.op) {
      case 'input': {
        const [group, key] = node.key!.split('.') as [keyof Input, string];
        const given = (input[group] as Record<string, unknown> | undefined)?.[key];
        const fallback = (): unknown =>
          description.groups[group].find((info) => info.key === key)!.default;
        same(node.value, given ?? fallback(), node.key);
        break;
      }
      case 'step':
        same(later.get(node.key!)?.value, node.value, `${node.key} stands later`);
        break;
      case 'chooseIfBelow':
        same(node.value > 0, args[0]! < args[1]!);
        break;
      case 'expMinusOne':
        expect(node.value / Math.expm1(args[0]!)).toBeCloseTo(1, 12);
        break;
      case 'cubeRoot':
        expect(node.value / Math.cbrt(args[0]!)).toBeCloseTo(1, 12);
        break;
      case 'logarithm':
        expect(node.value).toBeCloseTo(Math.log(args[0]!), 12);
        break;
      case 'number':
        break;
      default:
        same(operators[node.op]!(...args), node.value, node.op);
    }
    return node.value;
  }

  test.each(names)('%s: every answer, and each step of it is what its formula gives', (name) => {
    const input = inputs[name]!;
    const answers = answersTo(input);
    for (const info of description.questions.plan.answers) {
      const key = info.key as Key;
      const explanation = derivations.explain('plan', input, key);
      if (!explanation.ok) throw new Error(JSON.stringify(explanation.issues));
      const { steps } = explanation.derivation;
      const answer = answers[key] as unknown;
      if (typeof answer === 'object') {
        expect(steps, key).toEqual([]);
        continue;
      }
      expect(steps[0], key).toMatchObject({
        key,
        symbol: info.symbol,
        unit: info.unit,
        source: info.source,
        ...(typeof answer === 'string' ? { choice: answer } : { value: answer }),
      });
      const later = new Map<string, Step>();
      for (const step of steps.toReversed()) {
        same(step.source in sourceFile.sources, true, `${step.key}: ${step.source}`);
        same(evaluate(step.expression, input, later), step.value, `${key}: ${step.key}`);
        same(later.has(step.key), false, `${key}: ${step.key} twice`);
        later.set(step.key, step);
      }
    }
  });

  test.each([
    ['parameters', ['gatherTransfer', 'scatterTransfer']],
    ['optimizer', ['gatherTransfer', 'scatterTransfer']],
    ['none', ['reduceTransfer']],
  ] as const)('states divided by %s: their transfers are steps of it', (sharding, transfers) => {
    const input = { ...inputs.torus!, layout: { tensor: 4, sharding } };
    const explanation = derivations.explain('plan', input, 'timeData');
    if (!explanation.ok) throw new Error(JSON.stringify(explanation.issues));
    const keys = explanation.derivation.steps.map(({ key }) => key);
    expect(keys).toEqual(expect.arrayContaining([...transfers]));
  });

  test('finds the issues that estimate() finds', () => {
    const bad = { ...searched, layout: { tensor: 5 } };
    const outcome = planner.estimate(bad);
    expect(outcome.ok).toBe(false);
    expect(derivations.explain('plan', bad, 'stepExpected')).toEqual(outcome);
  });

  test('an answer that there is not has no steps', () => {
    for (const key of ['', 'x', 'constructor', '__proto__', '0']) {
      expect(derivations.explain('plan', searched, key as Key)).toEqual({
        ok: true,
        derivation: { key, steps: [] },
      });
    }
  });
});

describe('search()', () => {
  const layoutOf = (plan: Plan): Input => ({ ...searched, layout: plan.layout });

  test('finds layouts that come to the same when they are asked for', () => {
    const search = finish(searchOf(searched));
    const plans = [...search.best(), ...search.front()];
    expect(search.best().length).toBe(16);
    for (const plan of plans) {
      const answers = answersTo(layoutOf(plan));
      expect(plan).toMatchObject({
        expected: answers.stepExpected,
        lower: answers.stepLower,
        upper: answers.stepUpper,
        memory: answers.memoryUsed,
        fits: answers.fits === 'yes',
        dataWays: answers.dataWays,
        microBatches: answers.microBatches,
        bound: answers.planBound,
        nextBound: answers.nextBound,
      });
      expect(plan.mfu).toBeCloseTo(answers.mfu as number, 12);
      expect(plan.mfuExact).toBeCloseTo(answers.mfuExact as number, 12);
      expect(plan.tokensPerSecond / (answers.tokensPerSecond as number)).toBeCloseTo(1, 12);
      const sum = Object.values(plan.parts).reduce((a, b) => a + b);
      expect(sum / plan.expected).toBeCloseTo(1, 10);
    }
    expect(search.best().every(({ fits }) => fits)).toBe(true);
    expect(search.lower()).toBeGreaterThan(0);
    expect(search.lower()).toBeLessThanOrEqual(search.best()[0]!.expected);
  });

  test('finds layouts that are inputs themselves, whatever the sizes', () => {
    // The search once found as many virtual stages as the 33,323 layers of a stage, which a layout
    // may not have.
    const deep = {
      chip: chip('h100-sxm'),
      model: {
        ...small,
        layers: 99969,
        hidden: 8,
        feedForward: 8,
        heads: 1,
        kvHeads: 1,
        headDim: 8,
      },
      run: { chips: 3, batchTokens: 4096 * 12 },
    };
    const search = finish(
      searchOf({
        ...deep,
        layout: { pipeline: 3, schedule: 'interleaved' },
        search: { pipeline: false },
      }),
    );
    const plans = [...search.best(), ...search.front()];
    expect(plans.length).toBeGreaterThan(0);
    const chunks = new Set(plans.map(({ layout }) => layout.virtualStages));
    expect(Math.max(...chunks)).toBeLessThanOrEqual(10000);
    for (const { layout } of plans) {
      expect(planner.estimate({ ...deep, layout })).toMatchObject({ ok: true });
    }
  });

  test('says what it had no room for', () => {
    const many = {
      chip: { ...chip('h100-sxm'), memory: 1e15 },
      model: { ...small, layers: 1, heads: 1, kvHeads: 1 },
      search: { recompute: false, sharding: false },
    };
    const run = { chips: 1, sequenceLength: 1, tokens: 1e15 };
    const search = (batchTokens: number): readonly string[] => {
      const begun = searchOf(
        { ...many, run: { ...run, batchTokens } },
        { x: 'microBatch', y: 'tensor' },
      );
      for (;;) {
        const { done, leftOut } = begun.advance(1000);
        if (done) return leftOut;
      }
    };
    expect(search(4096)).toEqual([]);
    expect(search(735134400)).toEqual(['front', 'map']);
    expect(search(963761198400)).toEqual(['degrees', 'front', 'map']);
  });

  test('in slices of any size finds what it finds at once', () => {
    const told = (search: PlanSearch) => [
      search.best(),
      search.front(),
      search.map(),
      search.lower(),
    ];
    const whole = told(finish(searchOf(searched)));
    for (const slice of [1, 7, 1000]) {
      expect(told(finish(searchOf(searched), slice)), `by ${slice}`).toEqual(whole);
    }
  });

  test('tells how far it is: the best first, then all', () => {
    const best = finish(searchOf(searched)).best();
    const again = searchOf(searched);
    let known = false;
    let before = 0;
    for (let done = false; !done;) {
      const progress = again.advance(5);
      ({ done } = progress);
      expect(progress.fraction).toBeGreaterThanOrEqual(0);
      expect(progress.fraction).toBeLessThanOrEqual(1);
      expect(progress.fitting).toBeLessThanOrEqual(progress.evaluated);
      expect(progress.evaluated).toBeLessThanOrEqual(progress.grid);
      if (progress.bestKnown && !known) {
        known = true;
        before = 0;
        expect(again.best()).toEqual(best);
      }
      expect(progress.fraction).toBeGreaterThanOrEqual(before);
      before = progress.fraction;
      if (!done) expect(again.lower()).toBe(0);
    }
    expect(before).toBe(1);
  });

  // Two calculators of a page search at the same time: a search used to end where another began.
  test('any number go on by turns, and each finds what it finds alone', () => {
    const others: Input[] = [
      searched,
      { ...searched, model: model('llama-3-8b') },
      { ...searched, run: { chips: 32, batchTokens: 4096 * 32 } },
    ];
    const told = (search: PlanSearch) => [
      search.best(),
      search.front(),
      search.map(),
      search.lower(),
      search.limit(),
    ];
    const alone = others.map((input) => told(finish(searchOf(input))));
    const searches = others.map((input) => searchOf(input));
    const open = new Set(searches);
    while (open.size > 0) {
      for (const search of [...open]) {
        if (search.advance(37).done) open.delete(search);
        // Searches that are given up, or can't begin, block no other.
        searchOf(inputs.torus!).advance(3);
        expect(planner.search({ ...searched, run: { chips: 0 } }).ok).toBe(false);
        expect(planner.pull(searched, 'fp8').ok).toBe(true);
      }
    }
    expect(searches.map(told)).toEqual(alone);
    expect(new Set(alone.map(([best]) => JSON.stringify(best))).size).toBe(others.length);
  });

  test('one that ended answers no more; those beside it go on', () => {
    const beside = searchOf(searched);
    beside.advance(10);
    const best = finish(searchOf(searched)).best();
    const [ended, waiting] = [searchOf(searched), searchOf(searched)];
    waiting.advance(10);
    ended.end(); // it waits outside the module
    expect(() => ended.advance(1)).toThrow('ended');
    expect(() => ended.best()).toThrow('ended');
    waiting.end(); // it is the one in the module
    waiting.end();
    expect(() => waiting.limit()).toThrow('ended');
    expect(finish(beside).best()).toEqual(best);
  });

  test('one that cannot begin leaves the one under way as it is', () => {
    const search = searchOf(searched);
    search.advance(10);
    expect(planner.search({ ...searched, run: { chips: 0 } }).ok).toBe(false);
    expect(planner.search({ ...searched, run: { chips: 6, slices: 4 } }).ok).toBe(false);
    expect(finish(search).best().length).toBe(16);
  });

  test('what it told does not change when it goes on, or another begins', () => {
    const search = finish(searchOf(searched));
    const told = [search.best(), search.front(), search.map()];
    const copy = structuredClone(told);
    finish(searchOf({ ...searched, run: { chips: 32, batchTokens: 4096 * 32 } }));
    answersTo(inputs.dense!);
    expect(told).toEqual(copy);
  });

  test('the map has the best of each cell, by values in their order', () => {
    const search = finish(searchOf(searched, { x: 'tensor', y: 'data' }));
    const { x, y, seconds } = search.map();
    expect(x).toEqual([...x].sort((a, b) => a - b));
    expect(y).toEqual([...y].sort((a, b) => a - b));
    expect(seconds.length).toBe(x.length * y.length);
    const all = [...seconds].filter((cell) => cell > 0);
    expect(Math.min(...all)).toBe(search.best()[0]!.expected);
    for (const plan of search.best()) {
      const place = y.indexOf(plan.dataWays) * x.length + x.indexOf(plan.layout.tensor as number);
      expect(seconds[place]).toBeLessThanOrEqual(plan.expected);
    }
  });

  test('fields of the map that there are not', () => {
    expect(() => planner.search(searched, { x: 'heads' as never, y: 'data' })).toThrow(RangeError);
    expect(() => planner.search(searched, { x: 'data', y: '' as never })).toThrow(RangeError);
  });

  test('the front goes from little memory to little time', () => {
    const front = finish(searchOf(searched)).front();
    expect(front.length).toBeGreaterThan(1);
    for (let i = 1; i < front.length; ++i) {
      expect(front[i]!.memory).toBeGreaterThan(front[i - 1]!.memory);
      expect(front[i]!.expected).toBeLessThan(front[i - 1]!.expected);
    }
  });

  test('keeps what is pinned', () => {
    const search = finish(
      searchOf({
        ...searched,
        layout: { tensor: 4, microBatch: 2, recompute: 'full', sharding: 'optimizer' },
        search: { tensor: false, microBatch: false, recompute: false, sharding: false },
      }),
    );
    expect(search.best().length).toBeGreaterThan(0);
    for (const plan of [...search.best(), ...search.front()]) {
      expect(plan.layout).toMatchObject({
        tensor: 4,
        microBatch: 2,
        recompute: 'full',
        sharding: 'optimizer',
      });
    }
  });

  test('a layout that fits nothing does not keep a search from beginning', () => {
    const input = { ...searched, layout: { tensor: 5 } };
    expect(planner.estimate(input).ok).toBe(false);
    expect(finish(searchOf(input)).best()).toEqual(finish(searchOf(searched)).best());
  });

  test('where nothing fits, nothing is found', () => {
    const search = finish(
      searchOf({
        ...searched,
        chip: { ...searched.chip, memory: 5e8 } as NonNullable<Input['chip']>,
      }),
    );
    expect(search.best()).toEqual([]);
    expect(search.lower()).toBe(0);
    expect(search.map()).toEqual({ x: [], y: [], seconds: new Float64Array(0) });
    expect(search.front().length).toBeGreaterThan(0);
    expect(search.front().some(({ fits }) => fits)).toBe(false);
  });
});

describe('pull() and scaled()', () => {
  test.each([
    ...(['moreChips', 'largerBatch', 'fp8', 'fasterNetwork'] as const),
    ...(['moreMemory', 'fasterMemory', 'moreOverlap', 'lessRecompute'] as const),
  ])('%s begins a search of its own', (lever) => {
    const base = finish(searchOf(searched)).best()[0]!;
    const pulled = planner.pull(searched, lever);
    if (!pulled.ok || !pulled.search) throw new Error(lever);
    const best = finish(pulled.search).best()[0]!;
    if (lever === 'largerBatch') {
      expect(best.tokensPerSecond).toBeGreaterThanOrEqual(base.tokensPerSecond);
    } else {
      expect(best.expected).toBeLessThanOrEqual(base.expected * (1 + 1e-12));
    }
  });

  test('is the search of an input with that changed', () => {
    const pulled = planner.pull(searched, 'moreChips');
    if (!pulled.ok || !pulled.search) throw new Error('not pulled');
    const best = finish(pulled.search).best();
    expect(best).toEqual(
      finish(searchOf({ ...searched, run: { ...searched.run, chips: 32 } })).best(),
    );
  });

  test('what cannot be pulled begins no search, and ends none', () => {
    const search = searchOf(searched);
    const without = {
      ...searched,
      chip: { ...searched.chip, peakFp8: null } as NonNullable<Input['chip']>,
    };
    expect(planner.pull(without, 'fp8')).toEqual({ ok: true, search: null });
    const whole = { ...searched, run: { ...searched.run, tokens: 4096 * 16 } };
    expect(planner.pull(whole, 'largerBatch')).toEqual({ ok: true, search: null });
    expect(finish(search).best().length).toBe(16);
    expect(() => planner.pull(searched, 'none' as Lever)).toThrow(RangeError);
  });

  test('issues are those of the input itself', () => {
    const bad = { ...searched, run: { chips: 6, slices: 4 } };
    expect(planner.pull(bad, 'moreChips')).toEqual(planner.search(bad));
    expect(planner.scaled(bad, 64)).toMatchObject({ ok: false });
  });

  test('another number of chips, with the batch as it is or as large for each', () => {
    for (const weak of [false, true]) {
      const begun = planner.scaled(searched, 64, weak);
      if (!begun.ok || !begun.search) throw new Error('not begun');
      const best = finish(begun.search).best();
      const run = { ...searched.run, chips: 64, batchTokens: 4096 * (weak ? 64 : 16) };
      expect(begun.run).toEqual({ chips: 64, slices: 1, batchTokens: run.batchTokens });
      expect(best).toEqual(finish(searchOf({ ...searched, run })).best());
    }
  });

  test('where there is no slice of so many, no search', () => {
    const torus = { ...searched, chip: chip('tpu-v5p') };
    expect(planner.scaled(torus, 7919)).toEqual({ ok: true, search: null });
    const alone = { ...searched, chip: chip('tpu-v4i'), run: { chips: 1, batchTokens: 4096 } };
    expect(planner.scaled(alone, 2)).toEqual({ ok: true, search: null });
  });
});

describe('stages()', () => {
  test.each(names)('%s: the fullest is what estimate() tells', (name) => {
    const stages = planner.stages(inputs[name]!);
    if (!stages.ok) throw new Error(JSON.stringify(stages.issues));
    const answers = answersTo(inputs[name]!);
    const { kinds, bytes } = stages;
    expect(stages.stages).toBe(inputs[name]!.layout?.pipeline ?? 1);
    expect(bytes.length).toBe(stages.stages * kinds.length);
    const totals = Array.from({ length: stages.stages }, (_, stage) =>
      bytes.slice(stage * kinds.length, (stage + 1) * kinds.length).reduce((a, b) => a + b),
    );
    const most = Math.max(...totals);
    expect(most / (answers.memoryUsed as number)).toBeCloseTo(1, 12);
    expect(totals[(answers.fullestStage as number) - 1]).toBe(most);
    const fullest = (answers.fullestStage as number) - 1;
    kinds.forEach((kind, index) => {
      const key = `memory${kind[0]!.toUpperCase()}${kind.slice(1)}` as Key;
      const answer = answers[key] as unknown;
      const value = bytes[fullest * kinds.length + index];
      expect(value, key).toBe(typeof answer === 'number' ? answer : 0);
    });
    expect(stages.capacity).toBe((inputs[name]!.chip as { memory: number }).memory);
    expect(stages.limit).toBe(answers.memoryLimit);
    const tensors = Object.values(stages.tensors).reduce((a, b) => a + b);
    expect(tensors / (answers.layerActivations as number)).toBeCloseTo(1, 12);
  });

  test('are not touched by later calls', () => {
    const before = planner.stages(inputs.dense!);
    const copy = structuredClone(before);
    planner.stages(inputs.sparse!);
    expect(before).toEqual(copy);
  });
});

describe('timeline()', () => {
  test('of a pipeline, by stages', () => {
    const timeline = planner.timeline(inputs.dense!);
    if (!timeline.ok) throw new Error(JSON.stringify(timeline.issues));
    expect(timeline.byStage).toBe(true);
    expect(timeline.lanes).toEqual(['0', '1', '2', '3']);
    expect(timeline.microBatches).toBe(32);
    expect(timeline.drawn).toBe(24);
    const { cuts, steady, end } = timeline;
    expect(cuts.map(({ microBatches }) => microBatches)).toEqual([8]);
    expect(steady!.start).toBeLessThan(cuts[0]!.start);
    expect(steady!.end).toBeGreaterThan(cuts[0]!.end);
    expect(steady!.end).toBeLessThan(end);
    const plan = planner.estimate(inputs.dense!);
    expect(end / Number(plan.ok && plan.answers.stepExpected)).toBeCloseTo(1, 9);
    const free = [0, 0, 0, 0];
    for (const { lane, start, end } of timeline.events.toSorted((a, b) => a.start - b.start)) {
      expect(start).toBeGreaterThanOrEqual(free[lane]! * (1 - 1e-14));
      expect(end).toBeGreaterThan(start);
      expect(end).toBeLessThanOrEqual(timeline.end);
      free[lane] = end;
    }
  });

  test.each(names)('%s: events lie on lanes, within the end', (name) => {
    const timeline = planner.timeline(inputs[name]!);
    if (!timeline.ok) throw new Error(JSON.stringify(timeline.issues));
    expect(timeline.events.length).toBeGreaterThan(0);
    for (const { lane, kind, start, end, microBatch } of timeline.events) {
      expect(timeline.lanes[lane]).toBeDefined();
      expect(kind).toBeTypeOf('string');
      expect(start).toBeGreaterThanOrEqual(0);
      expect(end).toBeLessThanOrEqual(timeline.end);
      expect(microBatch).toBeLessThan(timeline.microBatches);
    }
  });
});

describe('bad input', () => {
  const things: unknown[] = [
    ...[undefined, null, 5, NaN, '', 'x', true, 5n, Symbol('x')],
    ...[[], {}, () => 5, new Date(0), new Proxy({}, {}), Object.create(searched)],
  ];

  test('no object, no groups: issues, of every method alike', () => {
    for (const thing of things) {
      const outcome = planner.estimate(thing as Input);
      expect(outcome.ok, String(thing)).toBe(false);
      expect(planner.stages(thing as Input)).toEqual(outcome);
      expect(planner.timeline(thing as Input)).toEqual(outcome);
      expect(planner.search(thing as Input)).toEqual(outcome);
      expect(planner.pull(thing as Input, 'moreChips')).toEqual(outcome);
    }
  });

  test('other things in the place of a group, or of a value', () => {
    for (const group of description.questions.plan.groups) {
      for (const thing of [5, 'x', true, () => 5, 5n, Symbol('x')]) {
        expect(planner.estimate({ ...searched, [group]: thing })).toEqual({
          ok: false,
          issues: [{ code: 'unknownField', field: group, arguments: {} }],
        });
      }
      for (const field of description.groups[group]) {
        if (field.when !== null) continue;
        for (const thing of [NaN, Infinity, -1, 1e308, 'x', [], {}, 5n, Symbol('x')]) {
          const given = searched[group as keyof Input];
          const input = { ...searched, [group]: { ...given, [field.key]: thing } };
          const outcome = planner.estimate(input as Input);
          if (outcome.ok) throw new Error(`${group}.${field.key} = ${String(thing)}`);
          const fields = outcome.issues.map((issue) => issue.field);
          expect(fields, String(thing)).toContain(`${group}.${field.key}`);
        }
      }
    }
  });

  test('keys that no field has', () => {
    for (const key of ['constructor', 'toString', '', '0', 'Tensor']) {
      expect(
        planner.search({ ...searched, layout: { [key]: 2 } as NonNullable<Input['layout']> }),
      ).toEqual({
        ok: false,
        issues: [{ code: 'unknownField', field: `layout.${key}`, arguments: {} }],
      });
    }
  });

  test('every issue that only plans have can come up, at its field', () => {
    const odd: Input = { ...searched, run: { chips: 48, batchTokens: 8192 } };
    const sparse: Input = { ...searched, model: model('mixtral-8x7b') };
    const torus: Input = { ...searched, chip: chip('tpu-v5p') };
    const issues: [Input, object, object][] = [
      [
        searched,
        { layout: { pipeline: 3 } },
        {
          code: 'waysDontDivide',
          field: 'layout.tensor',
          arguments: { chips: 16, tensor: 1, context: 1, pipeline: 3 },
        },
      ],
      [
        odd,
        { layout: { tensor: 3 } },
        {
          code: 'tensorDoesntDivideHeads',
          field: 'layout.tensor',
          arguments: { heads: 16, kvHeads: 8 },
        },
      ],
      [
        odd,
        { layout: { context: 3 } },
        { code: 'contextDoesntDivide', field: 'layout.context', arguments: { maximum: 4096 } },
      ],
      [
        searched,
        { layout: { pipeline: 4, virtualStages: 4 } },
        {
          code: 'moreChunksThanLayers',
          field: 'layout.virtualStages',
          arguments: { layers: 3 },
        },
      ],
      [
        sparse,
        { layout: { expert: 16 } },
        { code: 'expertsDontDivide', field: 'layout.expert', arguments: { experts: 8 } },
      ],
      [
        sparse,
        { layout: { pipeline: 4, expert: 8 } },
        { code: 'expertWaysDontDivide', field: 'layout.expert', arguments: { ways: 4 } },
      ],
      [
        searched,
        { layout: { shardGroup: 3 } },
        { code: 'shardGroupDoesntDivide', field: 'layout.shardGroup', arguments: { ways: 16 } },
      ],
      [
        torus,
        { run: { chips: 58, batchTokens: 8192 } },
        { code: 'noSliceShape', field: 'run.chips', arguments: { below: 57, above: 60 } },
      ],
      [
        odd,
        { layout: { pipeline: 3, schedule: 'dualPipe' } },
        { code: 'oddStages', field: 'layout.pipeline', arguments: {} },
      ],
      [
        searched,
        { chip: { ...searched.chip, scaleOutBandwidth: null } },
        { code: 'bandwidthNotListed', field: 'chip.scaleOutBandwidth', arguments: {} },
      ],
      ...(
        [
          ['stagesCount', '1,1'],
          ['stagesEnds', 't|E|t|L'],
          ['stagesModules', 'Et|mt|t|L'],
          ['stagesModulesSum', `Et*${small.layers}|||mL`],
          ['stagesMost', `Et*${small.layers}(|)*300L`],
          ['stagesUnreadable', '8*3,?'],
        ] as const
      ).map(([code, stageLayers]): [Input, object, object] => [
        searched,
        { layout: { pipeline: 4, stageLayers } },
        { code, field: 'layout.stageLayers', arguments: expect.any(Object) },
      ]),
    ];
    for (const [input, changed, issue] of issues) {
      const outcome = planner.estimate({ ...input, ...changed });
      expect(outcome).toEqual({ ok: false, issues: [issue] });
    }
    const notice = {
      code: 'idleReplicas',
      field: 'layout.tensor',
      arguments: { replicas: 16, sequences: 8 },
    };
    expect(planner.estimate({ ...searched, run: { chips: 16, batchTokens: 4096 * 8 } })).toEqual({
      ok: true,
      answers: expect.anything(),
      notices: [notice],
    });
    // 64 expert ways take 64 chips of each rack of 72.
    const racks = planner.estimate({
      chip: chip('gb200-nvl72'),
      model: {
        ...small,
        heads: 64,
        kvHeads: 64,
        experts: 64,
        expertsPerToken: 8,
        expertFeedForward: 512,
      },
      run: { chips: 256, sequenceLength: 4096, batchTokens: 4096 * 1024 },
      layout: { expert: 64 },
    });
    const idle = {
      code: 'idleInDomains',
      field: 'run.chips',
      arguments: { used: 64, chips: 72 },
    };
    expect(racks).toMatchObject({ ok: true, notices: [idle] });
    // 6N of a vocabulary that outweighs the layers: its lookup is no matmul.
    const lexicon = { ...small, layers: 8, hidden: 1024, feedForward: 4096, vocabulary: 256000 };
    const overcounted = planner.estimate({
      chip: chip('h100-sxm'),
      model: { ...lexicon, heads: 8 },
      run: { chips: 8, sequenceLength: 2048, batchTokens: 2048 * 64 },
      layout: { microBatch: 8 },
      assumptions: {
        rates: 'stated',
        computeEfficiency: 1,
        memoryEfficiency: 1,
        networkEfficiency: 1,
      },
    });
    if (!overcounted.ok) throw new Error('not answered');
    const { mfu, hfu, mfuExact } = overcounted.answers as unknown as Record<string, number>;
    expect(mfu).toBeGreaterThan(1);
    expect(mfuExact).toBeLessThan(1);
    const flagged = {
      code: 'flopsOvercounted',
      field: 'run.flopsRule',
      arguments: { mfu: Math.max(mfu!, hfu!), mfuExact },
    };
    expect(overcounted.notices).toEqual([flagged]);
    // No such torus is built: not all ways to place a layout on it are tried.
    const vast = planner.estimate({
      ...searched,
      chip: { ...chip('tpu-v5p'), torusX: 1e6, torusY: 1e6, torusZ: 1e6 },
      model: {
        ...small,
        layers: 64,
        heads: 64,
        kvHeads: 64,
        experts: 64,
        expertsPerToken: 2,
        expertFeedForward: 2048,
      },
      run: { chips: 2 ** 29, sequenceLength: 64, batchTokens: 2 ** 36, tokens: 1e15 },
      layout: { tensor: 64, context: 64, pipeline: 64, expert: 64, schedule: 'oneFOneB' },
    });
    const untried = { code: 'placementsLeftOut', field: 'layout.tensor', arguments: {} };
    expect(vast).toMatchObject({ ok: true, notices: expect.arrayContaining([untried]) });
    const codes = [...issues.map(([, , issue]) => issue), notice, idle, flagged, untried].map(
      (issue) => (issue as { code: string }).code,
    );
    expect(new Set(codes)).toEqual(new Set(planCodes));
  });

  test('the planner is as it was', () => {
    expect(answersTo(searched)).toEqual(answersTo(structuredClone(searched)));
    expect(finish(searchOf(searched)).best().length).toBe(16);
  });
});
