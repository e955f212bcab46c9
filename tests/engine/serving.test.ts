// The module of serving, and the best way to divide servers.

import { beforeAll, describe, expect, test } from 'vitest';
import chipsFile from '../../shared/chips.json';
import modelsFile from '../../shared/models.json';
import { createEngine, type Inputs, type ServingModule } from '../../web/src/engine/index.ts';
import { servingCodes } from './inputs.ts';

type Input = Inputs['serving'];

let serving: ServingModule;
beforeAll(async () => {
  serving = await (await createEngine()).serving();
});

function inputOf(chip: string, model: string, more: Input = {}): Input {
  const { figures } = chipsFile.chips.find(({ id }) => id === chip)!;
  const { architecture } = modelsFile.models.find(({ id }) => id === model)!;
  return {
    chip: Object.fromEntries(Object.entries(figures).map(([key, { value }]) => [key, value])),
    model: architecture,
    ...more,
  } as Input;
}

const speedOf = (input: Input): number => {
  const outcome = serving.estimate(input);
  if (!outcome.ok || outcome.answers.servingFits !== 'yes') return 0;
  return typeof outcome.answers.outputSpeed === 'number' ? outcome.answers.outputSpeed : 0;
};

describe('the best way to divide servers', () => {
  test('is no slower than any other that fits', () => {
    const chips = 8;
    const input = inputOf('h100-sxm', 'llama-3.1-70b', {
      serving: { chips },
      server: { weights: 'fp8' },
    });
    const best = speedOf({ ...input, serving: { chips, ...serving.divide(input).serving } });
    expect(best).toBeGreaterThan(0);
    for (const tensor of [1, 2, 4, 8]) {
      expect(speedOf({ ...input, serving: { chips, tensor } })).toBeLessThanOrEqual(best);
    }
  });

  test('keeps the ways that are given', () => {
    const input = inputOf('h100-sxm', 'deepseek-v3', {
      serving: { chips: 16, tensor: 8 },
      server: { weights: 'fp8' },
    });
    const ways = serving.divide(input).serving;
    expect(ways.tensor).toBe(8);
    expect(ways.tensor * ways.attentionData * ways.pipeline).toBeLessThanOrEqual(16);
    expect(speedOf({ ...input, serving: { chips: 16, ...ways } })).toBeGreaterThan(0);
  });

  test('divides by other numbers than powers of two, where these are better or all that fit', () => {
    const input = inputOf('h100-sxm', 'deepseek-v3', {
      serving: { chips: 12, users: 256 },
      server: { weights: 'fp8Block' },
    });
    const { serving: ways, server } = serving.divide(input);
    const best = speedOf({
      ...input,
      serving: { chips: 12, users: 256, ...ways },
      server: { weights: 'fp8Block', ...server },
    });
    expect(ways.tensor * ways.attentionData * ways.pipeline).toBeGreaterThan(8);
    expect(best).toBeGreaterThan(0);
  });

  test('keeps to targets if any division does, and else comes the nearest', () => {
    const input = inputOf('h100-sxm', 'llama-3.1-70b', { server: { weights: 'fp8' } });
    const asked = (tokenTarget: number | null): { tensor: number; met: unknown; time: number } => {
      const given = { chips: 8, load: 'most', tokenTarget } as const;
      const open = { ...input, serving: given };
      const ways = serving.divide(open).serving;
      const outcome = serving.estimate({ ...open, serving: { ...given, ...ways } });
      if (!outcome.ok) throw new Error(JSON.stringify(outcome.issues));
      const { meetsTargets, tokenTime } = outcome.answers;
      return { tensor: ways.tensor, met: meetsTargets, time: Number(tokenTime) };
    };
    const free = asked(null);
    expect(free.met).toEqual({ absent: 'notApplicable' });
    const missed = asked(1e-3);
    expect(missed.met).toBe('no');
    expect(missed.tensor).toBeGreaterThan(free.tensor);
    expect(missed.time).toBeLessThan(free.time);
    const bound = asked((missed.time + free.time) / 2);
    expect(bound.met).toBe('yes');
    expect(bound.time).toBeLessThan(free.time);
  });

  test('divides servers that prefill, too, and how many chips do', () => {
    const given = { chips: 8, users: 512, apart: true } as const;
    const input = inputOf('h100-sxm', 'llama-3.1-8b', { serving: given });
    const { serving: ways } = serving.divide(input);
    expect(ways.prefillChips).toBeGreaterThan(1);
    const best = speedOf({ ...input, serving: { ...given, ...ways } });
    for (const prefillChips of [1, 2, 3, 4, 5, 6, 7]) {
      expect(speedOf({ ...input, serving: { ...given, prefillChips } })).toBeLessThanOrEqual(best);
    }
    const fixed = serving.divide({ ...input, serving: { ...given, prefillChips: 5 } });
    expect(fixed.serving.prefillChips).toBe(5);
  });

  test('answers bad input with ways, too', () => {
    expect(serving.divide({})).toEqual({
      ok: false,
      issues: (serving.estimate({}) as { issues: unknown[] }).issues,
      serving: { tensor: 1, attentionData: 1, expert: 1, pipeline: 1 },
      server: { divideByBatch: false },
    });
    expect(serving.divide({ serving: { tensor: NaN, chips: -1 } }).serving.tensor).toBe(1);
    const long = 'x'.repeat(1e7);
    const wrong = [undefined, null, { serving: null }, { server: null }, long, { serving: long }];
    for (const input of wrong as never[]) {
      const start = performance.now();
      const reply = serving.divide(input) as { ok: boolean; issues?: unknown[] };
      expect(performance.now() - start).toBeLessThan(1000);
      expect(reply.ok).toBe(false);
      expect(reply.issues).toEqual((serving.estimate(input) as { issues: unknown[] }).issues);
    }
  });

  test('refuses ways that cut blocks, and never finds any', () => {
    const input = inputOf('h100-sxm', 'qwen3-235b-a22b', { server: { weights: 'fp8Block' } });
    const cut = serving.divide({ ...input, serving: { chips: 8, tensor: 8, expert: 1 } });
    expect(cut).toMatchObject({
      ok: false,
      issues: [
        {
          code: servingCodes[0],
          field: 'serving.expert',
          arguments: { width: 1536, block: 128 },
        },
      ],
    });
    expect(serving.divide({ ...input, serving: { chips: 8 } }).ok).toBe(true);
  });

  test('takes lengths as a list, and names the one that it can’t read', () => {
    const of = (promptLengths: string, answerLengths = '') =>
      serving.estimate(
        inputOf('h100-sxm', 'llama-3.1-8b', { serving: { promptLengths, answerLengths } }),
      );
    expect(of('512:20, 2048-4096:60, 9000:20', '64-192')).toMatchObject({
      ok: true,
      answers: { promptMean: 0.2 * 512 + 0.6 * 3072 + 0.2 * 9000, answerMean: 128 },
    });
    expect(of('512:20, many')).toMatchObject({
      issues: [
        { code: servingCodes[2], field: 'serving.promptLengths', arguments: { position: 9 } },
      ],
    });
    const many = Array.from({ length: 33 }, (_, at) => at + 1).join(' ');
    expect(of('', many)).toMatchObject({
      issues: [
        { code: servingCodes[3], field: 'serving.answerLengths', arguments: { maximum: 32 } },
      ],
    });
  });

  test('tells why no server runs the ways that are given', () => {
    const input = inputOf('h100-sxm', 'qwen2.5-7b');
    expect(serving.divide({ ...input, serving: { chips: 8, tensor: 8 } })).toMatchObject({
      ok: false,
      issues: [{ code: 'tensorDoesntDivideHeads', field: 'serving.tensor' }],
      serving: { tensor: 8 },
    });
    const best = serving.divide({ ...input, serving: { chips: 8 } });
    expect(best.ok).toBe(true);
    expect([1, 2, 4]).toContain(best.serving.tensor);
  });

  test('does not search for ways that no field allows, which it would do for ever', () => {
    const input = inputOf('h100-sxm', 'llama-3.1-8b');
    for (const ways of [3e9, 2 ** 31, 1e300, 1e9, 0.5, 5e-324]) {
      for (const key of ['tensor', 'attentionData', 'expert', 'pipeline'] as const) {
        const given = { ...input, serving: { chips: 8, [key]: ways } };
        expect(serving.divide(given).serving[key], `${key} ${ways}`).toBe(ways);
        expect(serving.estimate(given)).toMatchObject({
          ok: false,
          issues: [{ field: `serving.${key}` }],
        });
      }
    }
  });
});

// 57 of 59.9 s had no name.
test.each([
  ['qwen3-235b-a22b', { users: 1000 }],
  ['llama-3.1-8b', { users: 12, promptTokens: 1e6 }],
  ['gpt-oss-120b', { users: 60_000, apart: true, chips: 16, promptTokens: 64, answerTokens: 4096 }],
])('the time to the first token is made of what has a name: %s', (model, load) => {
  const open = inputOf('h200-sxm', model, { serving: { chips: 8, ...load } });
  const asked = { ...open, serving: { ...open.serving, ...serving.divide(open).serving } };
  const outcome = serving.estimate(asked);
  const { answers } = outcome as Extract<typeof outcome, { ok: true }>;
  const of = (key: keyof typeof answers): number =>
    typeof answers[key] === 'number' ? answers[key] : 0;
  expect(of('usersPlaced')).toBeLessThan(load.users);
  expect(of('placeTime')).toBeGreaterThan(0);
  const parts = ['prefillTime', 'queueTime', 'placeTime', 'transferTime', 'beginTime'] as const;
  const sum = parts.reduce((total, key) => total + of(key), 0);
  expect(sum / of('firstToken')).toBeCloseTo(1, 12);
});

test('chips that nobody sells so are answered with a notice', () => {
  const of = (chips: number): string[] => {
    const outcome = serving.estimate(inputOf('h200-sxm', 'llama-3.1-8b', { serving: { chips } }));
    return outcome.ok ? outcome.notices.map(({ code }) => code) : ['refused'];
  };
  expect(of(5)).toEqual(['notWholeNodes']);
  for (const chips of [1, 2, 4, 8, 24]) expect(of(chips)).toEqual([]);
});

test('sweeps as it estimates', () => {
  const input = inputOf('h100-sxm', 'llama-3.1-8b', { serving: { chips: 1 } });
  const values = [1, 16, 256];
  const swept = serving.sweep(input, { field: 'serving.users', values }, ['tokenTime']);
  expect(swept.ok).toBe(true);
  if (!swept.ok) return;
  values.forEach((users, index) => {
    const outcome = serving.estimate({ ...input, serving: { chips: 1, users } });
    expect(outcome.ok && outcome.answers.tokenTime).toBe(swept.series.tokenTime.values[index]);
  });
});

test('no point of the frontier beats another in both', () => {
  const found = serving.frontier(inputOf('h100-sxm', 'llama-3.1-8b'));
  expect(found.ok).toBe(true);
  if (!found.ok) return;
  expect(found.points.length).toBeGreaterThan(3);
  found.points.slice(1).forEach((point, index) => {
    const before = found.points[index]!;
    expect(point.timePerToken).toBeGreaterThan(before.timePerToken);
    expect(point.tokensPerSecondPerChip).toBeGreaterThan(before.tokensPerSecondPerChip);
  });
});

test('points of the frontier are what their servers answer for as many users', () => {
  for (const [chip, model] of [
    ['h100-sxm', 'llama-3.1-8b'],
    ['gb200-nvl72', 'deepseek-v3'],
  ] as const) {
    const input = inputOf(chip, model, { server: { weights: 'fp8' } });
    const found = serving.frontier(input);
    expect(found.ok && found.points.length).toBeGreaterThan(3);
    if (!found.ok) return;
    for (const point of found.points) {
      const { chips, tensor, attentionData, expert, pipeline, divideByBatch } = point;
      const ways = { chips, tensor, attentionData, expert, pipeline };
      const outcome = serving.estimate({
        ...input,
        serving: { ...ways, users: point.sequences, answerTokens: 512 },
        server: { weights: 'fp8', divideByBatch },
      });
      expect(outcome.ok).toBe(true);
      if (!outcome.ok) return;
      expect(outcome.answers.answerTime).toBeCloseTo(512 * point.timePerToken, 9);
      expect(outcome.answers.outputSpeedPerChip).toBeCloseTo(point.tokensPerSecondPerChip, 9);
    }
  }
});

test('points of the frontier cost what their chips cost in the time for a million tokens', () => {
  const input = inputOf('h100-sxm', 'llama-3.1-8b');
  const priced = serving.frontier({ ...input, chip: { ...input.chip, price: 3 } });
  expect(priced.ok && priced.points.length).toBeGreaterThan(3);
  if (!priced.ok) return;
  for (const { costAll, tokensPerSecondPerChip } of priced.points) {
    expect(costAll).toBeCloseTo(((3 / 3600) * 1e6) / tokensPerSecondPerChip, 9);
  }
  const unpriced = serving.frontier({ ...input, chip: { ...input.chip, price: null } });
  expect(unpriced.ok && unpriced.points.every((point) => !('costAll' in point))).toBe(true);
});

test('explains every answer, to the value that it has', async () => {
  const derivations = await (await createEngine()).derivations();
  for (const [chip, model, chips] of [
    ['h100-sxm', 'llama-3.1-70b', 4],
    ['h100-sxm', 'deepseek-v3', 16],
  ] as const) {
    const open = inputOf(chip, model, { serving: { chips }, server: { weights: 'fp8' } });
    const input = { ...open, serving: { chips, ...serving.divide(open).serving } };
    const outcome = serving.estimate(input);
    expect(outcome.ok).toBe(true);
    if (!outcome.ok) return;
    for (const [key, value] of Object.entries(outcome.answers)) {
      if (typeof value === 'object') continue;
      const told = derivations.explain('serving', input, key as keyof typeof outcome.answers);
      expect(told.ok && told.derivation.steps.length, key).toBeGreaterThan(0);
      if (typeof value === 'number' && told.ok) expect(told.derivation.steps[0]!.value).toBe(value);
    }
  }
});

test('explains a prefill and a step with prompts by their parts, as a decode step', async () => {
  const derivations = await (await createEngine()).derivations();
  const chips = 16;
  const open = inputOf('h200-sxm', 'deepseek-v3', { serving: { chips }, server: {} });
  const input = { ...open, serving: { chips, ...serving.divide(open).serving } };
  const told = derivations.explain('serving', input, 'firstToken');
  expect(told.ok).toBe(true);
  if (!told.ok) return;
  const values = new Map(told.derivation.steps.map(({ key, value }) => [key as string, value]));
  for (const [whole, step] of [
    ['prefillTime', 'prefill'],
    ['mixedStep', 'mixed'],
    ['decodeStep', 'decode'],
  ] as const) {
    const parts = ['Matmuls', 'Attention', 'Experts'].map((part) =>
      Number(values.get(step + part)),
    );
    for (const part of parts) expect(part, step).toBeGreaterThan(0);
    const sum = parts.reduce((all, part) => all + part, 0);
    expect(sum, step).toBeGreaterThan(0.4 * Number(values.get(whole)));
    expect(sum, step).toBeLessThan(Number(values.get(whole)));
  }
});
