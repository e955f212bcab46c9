// Measured runs: which are alike, how far predictions are off, what would explain a difference.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import en from '../../shared/text/en.json' with { type: 'json' };
import { runs, unpredicted, type TrainingRun } from '../../web/src/ui/views/evidence/runs/data.ts';
import {
  changed,
  choicesOf,
  grouped,
  matches,
} from '../../web/src/ui/views/evidence/runs/filter.ts';
import { measureOf, readOwnRuns } from '../../web/src/ui/views/evidence/runs/kept.ts';
import { isLike, likeRuns } from '../../web/src/ui/views/evidence/runs/likeness.ts';
import { fixedUsers, formatOf, measures, urlOf } from '../../web/src/ui/views/evidence/runs/run.ts';
import {
  counts,
  runsOf,
  unpredicted as unpredictedServers,
  type ServingMeasure,
} from '../../web/src/ui/views/evidence/runs/serving-data.ts';
import {
  firstWorths,
  speedWorths,
  tokenWorths,
} from '../../web/src/ui/views/evidence/beside/serving-worth.ts';
import {
  measureIn,
  own as owns,
  readFilter,
  readMeasured,
  writeFilter,
  writeMeasure,
  writeMeasured,
} from '../../web/src/ui/views/evidence/runs/settings.ts';
import {
  errorsOf,
  heldIn,
  isCovered,
  quantile,
} from '../../web/src/ui/views/evidence/runs/statistics.ts';
import { worths } from '../../web/src/ui/views/evidence/beside/worth.ts';

const traits = {
  generation: 'hopper',
  kind: 'dense',
  format: 'bf16',
  trained: 'all',
  chips: 1024,
  parameters: 70e9,
} as const;

describe('likeness', () => {
  test('is of the same generation, kind, format and training, and of sizes within its factors', () => {
    expect(isLike(traits, traits)).toBe(true);
    expect(isLike({ ...traits, chips: 8 * 1024, parameters: 280e9 }, traits)).toBe(true);
    expect(isLike({ ...traits, chips: 8 * 1024 + 1 }, traits)).toBe(false);
    expect(isLike({ ...traits, chips: 127 }, traits)).toBe(false);
    expect(isLike({ ...traits, parameters: 281e9 }, traits)).toBe(false);
    expect(isLike({ ...traits, generation: 'ampere' }, traits)).toBe(false);
    expect(isLike({ ...traits, kind: 'moe' }, traits)).toBe(false);
    expect(isLike({ ...traits, format: 'fp8' }, traits)).toBe(false);
    expect(isLike({ ...traits, trained: 'lora' }, traits)).toBe(false);
  });

  test('is mutual, and a run is like itself', () => {
    const some = fc.constantFrom(...runs);
    fc.assert(
      fc.property(some, some, (one, other) => {
        expect(isLike(one, other)).toBe(isLike(other, one));
        expect(isLike(one, one)).toBe(true);
      }),
    );
  });

  test('lists the nearest first', () => {
    const like = likeRuns(runs, { ...traits, chip: 'h100-sxm', chips: 16384, parameters: 405e9 });
    expect(like.length).toBeGreaterThan(3);
    expect(like[0]!.parameters / 405e9).toBeCloseTo(1, 1);
    expect(like.every(({ generation, kind }) => generation === 'hopper' && kind === 'dense')).toBe(
      true,
    );
    expect(likeRuns(runs, { ...traits, chip: 'own', generation: 'general' })).toEqual([]);
  });

  test('a server of as many users is nearer than one of the same sizes under another load', () => {
    const [one] = runs;
    const servers = [500, 64, 8].map((users) => ({ ...one!, users }));
    const plan = { ...one!, users: 60 };
    expect(likeRuns(servers, plan).map(({ users }) => users)).toEqual([64, 8, 500]);
    expect(fixedUsers('closed', 64)).toEqual({ users: 64 });
    expect(fixedUsers('open', 64)).toEqual({});
  });
});

describe('errors', () => {
  const pair = (measured: number, expected: number) => ({
    measured,
    expected,
    low: 0.9 * expected,
    high: 1.1 * expected,
  });

  test('are fractions of what was measured', () => {
    const errors = errorsOf([pair(10, 10), pair(10, 11), pair(10, 5)]);
    expect(errors.count).toBe(3);
    expect(errors.median).toBeCloseTo(0.1);
    expect(errors.ninth).toBeCloseTo(0.1 + 0.8 * 0.4);
    expect(errors.covered).toBeCloseTo(2 / 3);
    expect(errorsOf([])).toEqual({ count: 0, median: 0, ninth: 0, covered: 0 });
  });

  test('lie between the least and the greatest, in any order', () => {
    const values = fc.array(fc.double({ min: 0, max: 1e6, noNaN: true }), { minLength: 1 });
    fc.assert(
      fc.property(values, fc.double({ min: 0, max: 1, noNaN: true }), (list, share) => {
        const found = quantile(list, share);
        expect(found).toBeGreaterThanOrEqual(Math.min(...list));
        expect(found).toBeLessThanOrEqual(Math.max(...list));
        expect(quantile([...list].reverse(), share)).toBe(found);
      }),
    );
  });

  test('the likely range has its ends', () => {
    expect(isCovered(pair(11, 10))).toBe(true);
    expect(isCovered(pair(11.1, 10))).toBe(false);
  });

  test('runs are held by a range as wide as that of another prediction', () => {
    const like = [pair(8, 10), pair(10, 10), pair(11, 10), pair(13, 10)];
    expect(heldIn(like, 2, [1.8, 2.4])).toBe(2);
    expect(heldIn(like, 2, [1.6, 2.6])).toBe(4);
  });
});

describe('filters', () => {
  test('show runs that have all that is asked for', () => {
    const filter = { chip: 'h100-sxm', format: 'fp8', kind: 'dense' } as const;
    const shown = runs.filter((run) => matches(run, filter));
    expect(shown.length).toBeGreaterThan(20);
    expect(shown.every((run) => run.chip === 'h100-sxm' && run.format === 'fp8')).toBe(true);
    expect(runs.filter((run) => matches(run, {}))).toHaveLength(runs.length);
    const near = runs.filter((run) => matches(run, { chips: 1024 }));
    expect(near.every(({ chips }) => chips >= 128 && chips <= 8192)).toBe(true);
  });

  test('count what each choice would show', () => {
    const filter = { kind: 'moe' };
    for (const [format, count] of choicesOf(runs, filter, 'format')) {
      expect(runs.filter((run) => matches(run, { ...filter, format }))).toHaveLength(count);
    }
    const of = [...choicesOf(runs, { kind: 'moe' }, 'kind').keys()];
    expect(of.sort()).toEqual(['dense', 'moe']);
  });

  test('groups hold every run once, the largest first', () => {
    const groups = grouped(runs, 'source');
    expect(groups.flatMap(([, list]) => list)).toHaveLength(runs.length);
    const sizes = groups.map(([, list]) => list.length);
    expect([...sizes].sort((a, b) => b - a)).toEqual(sizes);
  });

  test('one value is changed, or taken out', () => {
    expect(changed({ chip: 'a' }, 'chip', undefined)).toEqual({});
    expect(changed({ chip: 'a' }, 'kind', 'moe')).toEqual({ chip: 'a', kind: 'moe' });
    expect(changed({ chip: 'a', kind: 'moe' }, 'kind', undefined)).toEqual({ chip: 'a' });
  });
});

describe('links', () => {
  test.each([
    'chip:h100-sxm,format:fp8,kind:dense',
    'generation:hopper,chips:1024,parameters:405B',
    'model:DeepSeekV4 Flash',
  ])('hold filters: %s', (text) => expect(writeFilter(readFilter(text)!)).toBe(text));

  test.each([
    '',
    'chip',
    'chip:',
    'chip:a:b',
    'chip:a,chip:b',
    'chips:many',
    'chips:0',
    'chips:1e99',
    '__proto__:1',
    'constructor:1',
  ])('and none that make no sense: %s', (text) => expect(readFilter(text)).toBeUndefined());

  test('hold what was measured', () => {
    expect(readMeasured('step:4.45')).toEqual({ as: 'step', value: 4.45 });
    expect(readMeasured('speed:1.2M')).toEqual({ as: 'speed', value: 1.2e6 });
    expect(readMeasured('output:1500')).toEqual({ as: 'output', value: 1500 });
    expect(readMeasured('token:0.02')).toEqual({ as: 'token', value: 0.02 });
    expect(readMeasured('first:1.5')).toEqual({ as: 'first', value: 1.5 });
    const some = fc.record({
      as: fc.constantFrom(...owns),
      value: fc.double({ min: 1e-3, max: 1e6, noNaN: true }),
    });
    fc.assert(
      fc.property(some, (measured) => {
        expect(readMeasured(writeMeasured(measured))).toEqual(measured);
      }),
    );
  });

  test.each(['', '4.45', 'step:', 'step:soon', 'step:-1', 'step:0', 'step:1e99', 'days:3'])(
    'and no other: %s',
    (text) => expect(readMeasured(text)).toBeUndefined(),
  );

  test('say what was measured, but for steps', () => {
    for (const measure of measures) expect(measureIn(writeMeasure(measure))).toBe(measure);
    expect(writeMeasure('stepTime')).toBeUndefined();
    expect(['', 'x', '__proto__', 'constructor'].map(measureIn)).toEqual(Array(4).fill('stepTime'));
  });

  test('nothing at all makes them throw', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const filter = readFilter(text);
        if (filter) expect(readFilter(writeFilter(filter)!)).toEqual(filter);
        readMeasured(text);
      }),
    );
  });
});

describe('what a run rests on', () => {
  test.each([
    [
      'mosaicml/llm-foundry scripts/train/benchmarking/README.md @8c8dd48f7216',
      'https://github.com/mosaicml/llm-foundry/blob/8c8dd48f7216/scripts/train/benchmarking/README.md',
    ],
    [
      'NVIDIA/dgxc-benchmarking grok1/README_314b.md @v25.02.02 (5f23b67bd09a)',
      'https://github.com/NVIDIA/dgxc-benchmarking/blob/5f23b67bd09a/grok1/README_314b.md',
    ],
    [
      'AI-Hypercomputer/maxtext v5p README @4378403a5385',
      'https://github.com/AI-Hypercomputer/maxtext/tree/4378403a5385',
    ],
    [
      'mlcommons/training_results_v5.1 Cisco/results/hpf_n8/llama31_8b @441d65f4445c; config a.sh',
      'https://github.com/mlcommons/training_results_v5.1/tree/441d65f4445c',
    ],
    ['Llama 3 (arXiv:2407.21783), table 4', 'https://arxiv.org/abs/2407.21783'],
    ['Korthikanti et al. 2022 abstract', undefined],
  ])('%s', (text, url) => expect(urlOf(text)).toBe(url));

  test('nearly every run has a link to its source', () => {
    const linked = runs.filter(({ citation }) => citation.url !== undefined);
    expect(linked.length / runs.length).toBeGreaterThan(0.98);
    expect(linked.every(({ citation }) => URL.canParse(citation.url!))).toBe(true);
  });

  test('formats are told apart as sources call them', () => {
    const said = ['bf16', 'fp16', 'fp8', 'mxfp8', 'nvfp4', 'int8 (AQT)'];
    expect(said.map(formatOf)).toEqual(['bf16', 'bf16', 'fp8', 'fp8', 'fp4', 'int8']);
    const served = ['fp8_block', 'e4m3', 'mxfp4', 'int4', 'q4_0', 'uint4', '4-bit', 'q8_0', ''];
    expect(served.map(formatOf)).toEqual([
      'fp8',
      'fp8',
      'fp4',
      'int4',
      'int4',
      'int4',
      'int4',
      'int8',
      'bf16',
    ]);
  });

  test('every reason for which a run has no prediction has words', async () => {
    const { sayReason } = await import('../../web/src/ui/views/evidence/runs/words.ts');
    const ctx = {
      fill: (sentence: string, parts: Record<string, string>) =>
        sentence.replace(/\{(\w+)\}/g, (_, name: string) => parts[name] ?? `{${name}}`),
      label: (id: string) => id,
    };
    for (const { reason } of [...unpredicted, ...unpredictedServers]) {
      const said = sayReason(ctx as never, en.evidence, reason);
      expect(said, reason).toBeTruthy();
      expect(said).not.toMatch(/[{}]/);
    }
  });
});

describe('what would explain a difference', () => {
  const answers = {
    stepExpected: 10,
    timeForward: 2,
    timeBackward: 4,
    timeData: 3,
    exposedData: 1,
    timeBubble: 0.5,
    timeLaunch: 1e-6,
    timeTensor: { absent: 'notApplicable' },
  };

  test('is the most first, and nothing that hardly counts', () => {
    expect(worths(answers, true)).toEqual([
      { key: 'timeData', how: 'shows', worth: 2 },
      { key: 'computing', how: 'slower', worth: expect.closeTo(0.6) as number },
      { key: 'timeBubble', how: 'doubles', worth: 0.5 },
    ]);
    expect(worths(answers, false)).toEqual([
      { key: 'timeData', how: 'vanishes', worth: 1 },
      { key: 'computing', how: 'faster', worth: expect.closeTo(0.6) as number },
      { key: 'timeBubble', how: 'vanishes', worth: 0.5 },
    ]);
  });
});

describe('what would explain a difference of servers', () => {
  const answers = {
    tokenTime: 0.02,
    decodeStep: 0.016,
    decodeMatmuls: 0.01,
    decodeNetwork: 0.003,
    decodeLaunches: 0.001,
    decodeAttention: 0.000001,
    firstToken: 0.5,
    firstTokenSpread: 0.3,
    firstTokenBurst: 1,
    prefillTime: 0.2,
    queueTime: 0.3,
    outputSpeed: 1000,
    transferTime: { absent: 'notApplicable' },
  };
  const near = (value: number): number => expect.closeTo(value) as number;

  test('of the time for a token: parts of a step, and prompts of others', () => {
    expect(tokenWorths(answers, true)).toEqual([
      { key: 'prompts', how: 'doubles', worth: near(0.004) },
      { key: 'decodeNetwork', how: 'doubles', worth: near(0.003) },
      { key: 'decodeMatmuls', how: 'slower', worth: near(0.001) },
      { key: 'decodeLaunches', how: 'doubles', worth: near(0.001) },
    ]);
    const shorter = tokenWorths(answers, false).map(({ how }) => how);
    expect(shorter).toEqual(['vanishes', 'vanishes', 'faster', 'vanishes']);
  });

  test('of tokens a second: what each part of the time for a token is worth in them', () => {
    const [most] = speedWorths(answers, false);
    // 1,000 tokens/s at 20 ms a token are 833 at 24 ms.
    expect(most).toEqual({ key: 'prompts', how: 'doubles', worth: near(1000 - 1000 / 1.2) });
    const [faster] = speedWorths(answers, true);
    expect(faster).toEqual({ key: 'prompts', how: 'vanishes', worth: near(250) });
    expect(speedWorths({}, true)).toEqual([]);
  });

  test('of the first token: how requests come, waiting, and the prompt itself', () => {
    expect(firstWorths(answers, true)).toEqual([
      { key: 'arrivals', how: 'allAtOnce', worth: near(0.5) },
      { key: 'queueTime', how: 'doubles', worth: near(0.3) },
      { key: 'prefillTime', how: 'slower', worth: near(0.02) },
    ]);
    expect(firstWorths(answers, false)[1]).toEqual({
      key: 'arrivals',
      how: 'oneByOne',
      worth: near(0.2),
    });
  });

  test('is never more than there is', () => {
    const time = fc.double({ min: 0, max: 10, noNaN: true });
    fc.assert(
      fc.property(
        fc.record({ tokenTime: time, decodeStep: time, decodeNetwork: time, outputSpeed: time }),
        (some) => {
          for (const { worth } of [...speedWorths(some, true), ...speedWorths(some, false)]) {
            expect(worth).toBeGreaterThan(0);
            expect(Number.isFinite(worth)).toBe(true);
          }
        },
      ),
    );
  });
});

describe('runs that the browser keeps', () => {
  const own = {
    link: 'view=plan',
    name: 'mine',
    kind: 'dense',
    measured: 5,
    lower: 1,
    low: 4,
    expected: 5,
    high: 6,
    upper: 9,
  };

  test('are read back; what is no run is left out', () => {
    expect(readOwnRuns(JSON.stringify([own]))).toEqual([own]);
    expect(measureOf(readOwnRuns(JSON.stringify([own]))[0]!)).toBe('stepTime');
    const server = { ...own, measure: 'tokenTime' };
    expect(readOwnRuns(JSON.stringify([server]))).toEqual([server]);
    const wrong = [
      { ...own, measure: 'days' },
      { ...own, measured: -1 },
      { ...own, kind: 'other' },
      { ...own, link: 7 },
      { ...own, upper: '9' },
      null,
      7,
    ];
    expect(readOwnRuns(JSON.stringify([...wrong, own]))).toEqual([own]);
  });

  test('storage may hold anything', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        expect(readOwnRuns(text)).toEqual([]);
      }),
    );
    expect(readOwnRuns(null)).toEqual([]);
  });
});

test('each run is of the form that the page counts on', () => {
  const times: (keyof TrainingRun)[] = [
    'measured',
    'lower',
    'low',
    'expected',
    'high',
    'upper',
    'flops',
  ];
  for (const run of runs) {
    for (const key of times) expect(run[key], `${run.id} ${key}`).toBeGreaterThan(0);
    expect(run.lower, run.id).toBeLessThanOrEqual(run.measured);
    expect(run.low).toBeLessThan(run.expected);
    expect(run.expected).toBeLessThan(run.high);
  }
});

const servingMeasures: ServingMeasure[] = ['outputSpeed', 'tokenTime', 'firstToken'];

test.each(servingMeasures)(
  'each measured server is of the form that the page counts on: %s',
  (measure) => {
    const all = runsOf(measure);
    expect(all.length).toBeGreaterThan(500);
    for (const run of all) {
      for (const key of ['measured', 'lower', 'low', 'expected', 'high', 'upper'] as const) {
        expect(run[key], `${run.id} ${key}`).toBeGreaterThan(0);
      }
      // Nothing that was measured beats its bound.
      if (measure === 'outputSpeed') expect(run.measured, run.id).toBeLessThanOrEqual(run.upper);
      else expect(run.measured, run.id).toBeGreaterThanOrEqual(run.lower);
      expect(run.low, run.id).toBeLessThanOrEqual(run.expected);
      expect(run.high, run.id).toBeGreaterThanOrEqual(run.expected);
      expect(run.chips).toBeGreaterThan(0);
    }
  },
);

test('servers are of every kind of load, and told apart by it', () => {
  const all = runsOf('outputSpeed');
  expect([...choicesOf(all, {}, 'load').keys()].sort()).toEqual([
    'inflight',
    'online',
    'split',
    'static',
  ]);
  const [one] = all;
  const other = all.find(({ load }) => load !== one!.load)!;
  const alike = { ...other, ...one!, load: other.load };
  expect(isLike(alike, one!)).toBe(false);
  expect(readFilter('load:split')).toEqual({ load: 'split' });
  expect(all.filter((run) => matches(run, { load: 'split' })).length).toBeGreaterThan(20);
});

test('measurements that are shown, or not predicted, are counted', () => {
  const others = unpredictedServers.reduce((sum, { count }) => sum + count, 0);
  expect(counts.predicted + others).toBe(counts.all);
  expect(counts.shownOneIn).toBeGreaterThan(1);
});
