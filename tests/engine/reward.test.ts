// The module of training by reward: every input has an effect, and its rows have the form of their
// schema.

import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeAll, describe, expect, test } from 'vitest';
import chipsFile from '../../shared/chips.json';
import modelsFile from '../../shared/models.json';
import rows from '../../shared/reward-runs.json' with { type: 'json' };
import rowsSchema from '../../shared/reward-runs.schema.json' with { type: 'json' };
import {
  createEngine,
  type Description,
  type FieldInfo,
  type Inputs,
  type RewardModule,
} from '../../web/src/engine/index.ts';

type Input = Inputs['reward'];
type Fields = Record<string, unknown>;

let reward: RewardModule;
let description: Description;
beforeAll(async () => {
  const engine = await createEngine();
  reward = await engine.reward();
  description = engine.describe();
});

function inputOf(chip: string, model: string, given: { reward?: Fields; pools?: Fields }): Input {
  const { figures } = chipsFile.chips.find(({ id }) => id === chip)!;
  const { architecture } = modelsFile.models.find(({ id }) => id === model)!;
  return {
    chip: Object.fromEntries(Object.entries(figures).map(([key, { value }]) => [key, value])),
    model: architecture,
    ...given,
  } as Input;
}

test('rows have the form of their schema, and presets that there are', () => {
  const validate = new Ajv2020({ strictTypes: false }).compile(rowsSchema);
  expect(validate(rows), JSON.stringify(validate.errors?.[0])).toBe(true);
  const sources = Object.keys(rows.sources);
  for (const { id, source } of [...rows.runs, ...rows.handOvers]) {
    expect(sources, id).toContain(source);
  }
});

test('splits have the best of the answers, and no other that takes less', () => {
  for (const pools of [{ chips: 32 }, { chips: 32, sharing: 'apart' as const, behind: 0 }]) {
    const input = inputOf('h100-sxm', 'qwen3-8b', { pools });
    const [told, found] = [reward.estimate(input), reward.splits(input)];
    if (!told.ok || !found.ok) throw new Error('no answers');
    const { splits } = found;
    const least = splits.reduce((one, other) => (other.seconds < one.seconds ? other : one));
    expect(least).toEqual({ chips: told.answers.bestSplit, seconds: told.answers.apartStep });
    expect(splits.length).toBeGreaterThan(3);
    splits
      .slice(1)
      .forEach(({ chips }, index) => expect(chips).toBeGreaterThan(splits[index]!.chips));
  }
  const wrong = reward.splits(inputOf('h100-sxm', 'qwen3-8b', { pools: { chips: -1 } }));
  expect(wrong.ok).toBe(false);
});

describe('every field', () => {
  const bases: { reward?: Fields; pools?: Fields }[] = [
    { pools: { chips: 32 } },
    { pools: { chips: 32, sharing: 'apart', generationChips: 16, generationTensor: 4 } },
  ];

  /** Another value that the field may have. */
  const others = ({ key, kind, choices, default: usual, min, max }: FieldInfo): unknown[] => {
    if (kind === 'flag') return [!usual];
    if (kind === 'choice') return choices.filter((choice) => choice !== usual);
    const own: Record<string, unknown[]> = {
      generationChips: [8],
      generationTensor: [8],
      handOverSeconds: [30],
      longestAnswer: [16384],
      answerLengths: ['512, 4096'],
      memoryShare: [0.12],
    };
    if (own[key]) return own[key];
    if (usual === null) return [2];
    return [Number(usual) * 2, Number(usual) + 1, Number(usual) / 2].filter(
      (value) => value >= min && value <= max,
    );
  };

  test('has an effect', () => {
    for (const group of ['reward', 'pools'] as const) {
      for (const field of description.groups[group]) {
        const moved = bases.some((base) => {
          const before = reward.estimate(inputOf('h100-sxm', 'qwen3-30b-a3b', base));
          return others(field).some((value) => {
            const changed = { ...base, [group]: { ...base[group], [field.key]: value } };
            const after = reward.estimate(inputOf('h100-sxm', 'qwen3-30b-a3b', changed));
            return after.ok && JSON.stringify(after) !== JSON.stringify(before);
          });
        });
        expect(moved, `${group}.${field.key}`).toBe(true);
      }
    }
  });
});

test('answers along a field are those of each of its values', () => {
  const input = inputOf('h100-sxm', 'qwen3-8b', { pools: { chips: 16 } });
  const values = [0, 0.5, 1];
  const swept = reward.sweep(input, { field: 'reward.sigma', values }, ['stepExpected']);
  if (!swept.ok) throw new Error(JSON.stringify(swept.issues));
  const each = values.map((sigma) => {
    const outcome = reward.estimate({ ...input, reward: { sigma } } as Input);
    return outcome.ok ? outcome.answers.stepExpected : undefined;
  });
  expect([...swept.series.stepExpected.values]).toEqual(each);
});

test('what is wrong names its field and its range', () => {
  const issues = (given: { reward?: Fields; pools?: Fields }) => {
    const outcome = reward.estimate(inputOf('h100-sxm', 'qwen3-8b', given));
    return outcome.ok ? [] : outcome.issues;
  };
  expect(issues({ reward: { longestAnswer: 100 } })).toEqual([
    {
      code: 'belowMinimum',
      field: 'reward.longestAnswer',
      arguments: { minimum: 2048, maximum: 1e7 },
    },
  ]);
  expect(issues({ pools: { chips: 8, sharing: 'apart', generationChips: 8 } })).toEqual([
    { code: 'aboveMaximum', field: 'pools.generationChips', arguments: { minimum: 1, maximum: 7 } },
  ]);
});
