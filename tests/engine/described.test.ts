// The library describes its questions: names and sentences, ranks, bounds and schemas.

import Ajv from 'ajv/dist/2020.js';
import { beforeAll, describe, expect, test } from 'vitest';
import type { WholeDescription } from '../../web/src/engine/described.ts';
import type { FieldValue, GroupName, QuestionName } from '../../web/src/engine/index.ts';
import type { FieldId } from '../../web/src/model/fields.ts';
import { applies } from '../../web/src/model/state.ts';
import {
  createEngine,
  languages,
  schemaOf,
  type PackagedEngine,
} from '../../web/src/library/index.ts';
import { chips, figuresOf, models, architectureOf } from '../../web/src/model/presets.ts';
import { loadDictionary } from '../../web/src/i18n/dictionary.ts';
import { questions } from '../../web/src/model/views.ts';

let engine: PackagedEngine;
const described: Record<string, WholeDescription> = {};
beforeAll(async () => {
  engine = await createEngine();
  for (const language of languages) described[language] = engine.describe(language);
});

interface Words {
  name: string;
  sentence: string;
}

/** Everything that a question has, by its path. */
function wordsOf(description: WholeDescription, question: QuestionName): [string, Words][] {
  const { groups, answers } = description.questions[question];
  return [
    [question, description.questions[question]],
    ...groups.flatMap((group): [string, Words][] => [
      [group, description.groupWords[group]],
      ...description.groups[group].map((field): [string, Words] => [
        `${group}.${field.key}`,
        field,
      ]),
    ]),
    ...answers.map((answer): [string, Words] => [answer.key, answer]),
  ];
}

test('English unless another language is named; one without words is refused', () => {
  expect(engine.describe()).toEqual(engine.describe('en'));
  expect(() => engine.describe('tlh')).toThrow(/no words in tlh; there are: en, zh/);
});

describe.each(questions)('%s', (question) => {
  test.each(['en', 'zh'])('has a name and a sentence for all that it has, in %s', (language) => {
    for (const [path, { name, sentence }] of wordsOf(described[language]!, question)) {
      expect(name, path).toMatch(/^\S.*\S$/);
      expect(sentence, path).toMatch(/^\S.*[.。]$/);
      // Long ones are no single sentence; the pattern of layers explains its letters.
      if (path !== 'model.layerPattern' && path !== 'budget.tokensPerParameter') {
        expect(sentence.length, path).toBeLessThan(language === 'en' ? 150 : 80);
      }
    }
  });

  test.each(['en', 'zh'])('calls no two fields and no two answers the same, in %s', (language) => {
    const { groups, answers } = described[language]!.questions[question];
    const fields = groups.flatMap((group) => described[language]!.groups[group]);
    for (const list of [fields, answers]) {
      const names = list.map(({ name }) => name);
      expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
    }
  });

  test('says nothing in Chinese as in English, but for symbols and acronyms', () => {
    const english = new Map(wordsOf(described['en']!, question));
    const han = /\p{Script=Han}/u;
    for (const [path, { name, sentence }] of wordsOf(described['zh']!, question)) {
      expect(sentence, path).toMatch(han);
      if (!han.test(name)) expect(name, path).toMatch(/^[A-Z\d][\w ]*$/);
      expect(sentence, path).not.toBe(english.get(path)!.sentence);
    }
  });

  test('names the answers that come first, and which bound which', () => {
    const { answers, first } = described['en']!.questions[question];
    const keys = answers.map(({ key }) => key);
    expect(keys).toEqual(expect.arrayContaining(first));
    expect(new Set(first).size).toBe(first.length);
    expect(first.length).toBeGreaterThan(1);
    for (const { key, bounds } of answers) {
      if (!bounds) continue;
      const other = answers.find((answer) => answer.key === bounds.answer);
      expect(other, key).toBeDefined();
      expect(other!.key).not.toBe(key);
      expect(other!.unit, key).toBe(answers.find((answer) => answer.key === key)!.unit);
    }
    // A range has two ends.
    const ends = (kind: string): (string | undefined)[] =>
      answers.filter(({ bounds }) => bounds?.kind === kind).map(({ bounds }) => bounds?.answer);
    expect(ends('low')).toEqual(ends('high'));
  });

  test('asks first for what its sentence in words names', async () => {
    const { groups } = described['en']!.questions[question];
    const text = await loadDictionary('en');
    const sentences = text.sentence as unknown as Record<string, string | Record<string, string>>;
    const own = sentences[question]!;
    const said = typeof own === 'string' ? [own] : Object.values(own);
    const places = said.flatMap((each) =>
      [...each.matchAll(/\{(\w+?)2?\}/g)].map(([, key]) => key),
    );
    const fields = groups
      // The sentence names a model by its preset.
      .filter((group) => !['model', 'stack', 'assumptions'].includes(group))
      .flatMap((group) => described['en']!.groups[group]);
    const named = fields.filter(({ key }) => places.includes(key));
    expect(named.length).toBeGreaterThan(1);
    for (const { key, rank } of named) {
      expect([key, rank]).toEqual([key, 'asked']);
    }
  });
});

test.each(['en', 'zh'])('names every choice, in %s', (language) => {
  const { groups, questions: all } = described[language]!;
  const fields = Object.values(groups).flat();
  const answers = Object.values(all).flatMap((question) => question.answers);
  for (const { key, kind, choices, choiceNames } of [...fields, ...answers]) {
    if (kind !== 'choice') continue;
    expect(choiceNames.length, key).toBe(choices.length);
    choices.forEach((choice, index) => {
      const name = choiceNames[index];
      expect(name, `${key} ${choice}`).toBeTruthy();
      // A key of several words is no name.
      if (/[a-z][A-Z]/.test(choice)) expect(name, `${key} ${choice}`).not.toBe(choice);
    });
  }
});

test('what is required is what the engine asks of an empty input', () => {
  const description = described['en']!;
  const outcome = engine.estimate({});
  if (outcome.ok) throw new Error('an empty input was answered');
  const values = (group: GroupName): Record<string, FieldValue> =>
    Object.fromEntries(description.groups[group].map((field) => [field.key, field.default]));
  const needed = description.questions.training.groups.flatMap((group) =>
    description.groups[group]
      .filter(({ required }) => required)
      .map(({ key }): FieldId => `${group}.${key}`)
      .filter((id) => applies(description, id, values(group))),
  );
  expect(needed.length).toBeGreaterThan(5);
  expect(outcome.issues.map(({ field }) => field).sort()).toEqual(needed.sort());
});

test('an answer lies within its bounds', async () => {
  const chip = figuresOf(
    chips.find(({ id }) => id === 'h100-sxm')!,
    'vendor',
  );
  const model = architectureOf(
    models.find(({ id }) => id === 'llama-3.1-8b')!,
    'vendor',
  );
  const planner = await engine.planner();
  const serving = await engine.serving();
  const outcomes = {
    plan: planner.estimate({
      chip,
      model,
      run: { chips: 64, batchTokens: 4194304, tokens: 1e12 },
      layout: { tensor: 8 },
    } as never),
    serving: serving.estimate({ chip, model, serving: { chips: 1, users: 16 } } as never),
    reward: engine.trainByReward({ chip, model, pools: { sharing: 'apart' } } as never),
  };
  for (const [question, outcome] of Object.entries(outcomes)) {
    if (!outcome.ok) throw new Error(JSON.stringify(outcome.issues));
    const answers = outcome.answers as unknown as Record<string, number>;
    const bounded = described['en']!.questions[question as QuestionName].answers.filter(
      ({ bounds }) => bounds,
    );
    expect(bounded.length).toBeGreaterThan(2);
    for (const { key, bounds } of bounded) {
      const [own, other] = [answers[key], answers[bounds!.answer]];
      if (typeof own !== 'number' || typeof other !== 'number') continue;
      const isBelow = bounds!.kind === 'low' || bounds!.kind === 'lower';
      expect(isBelow ? other - own : own - other, key).toBeGreaterThanOrEqual(0);
    }
  }
});

describe('schemas', () => {
  const ajv = new Ajv({ strict: true, allowUnionTypes: true, strictRequired: false });

  test.each(questions)(
    'of %s take what the engine takes, and refuse what it refuses',
    (question) => {
      const check = ajv.compile(schemaOf(engine.describe(), question));
      const whole = { chip: 'h100-sxm', model: 'llama-3-70b' };
      const groups: readonly string[] = described['en']!.questions[question].groups;
      const input = Object.fromEntries(
        Object.entries(whole).filter(([key]) => groups.includes(key)),
      );
      expect(check(input), JSON.stringify(check.errors)).toBe(true);
      expect(check({ ...input, chip: 'h100' })).toBe(false);
      expect(check({ ...input, chips: 8 })).toBe(false);
      const { figures } = chips.find(({ id }) => id === 'h100-sxm')!;
      const chip = Object.fromEntries(
        Object.entries(figures).map(([key, { value }]) => [key, value]),
      );
      expect(check({ ...input, chip }), JSON.stringify(check.errors)).toBe(true);
      // A domain's size is required of chips on switches.
      const { scaleUpChips: _, ...without } = chip;
      expect(check({ ...input, chip: without })).toBe(false);
      expect(check({ ...input, chip: { ...without, network: 'none' } })).toBe(true);
      expect(check({ ...input, chip: { ...chip, scaleUpChips: 1.5 } })).toBe(false);
      expect(check({ ...input, chip: { ...chip, memory: 1 } })).toBe(false);
      expect(check({ ...input, chip: { ...chip, network: 'ethernet' } })).toBe(false);
      expect(check({ ...input, chip: { ...chip, price: null } })).toBe(true);
    },
  );

  test('every preset is an input by its schema', () => {
    const check = ajv.compile(schemaOf(engine.describe(), 'training'));
    for (const { id, architecture } of models) {
      expect(
        [id, check({ chip: 'tpu-v5p', model: architecture })],
        JSON.stringify(check.errors),
      ).toEqual([id, true]);
    }
    for (const { id, figures } of chips) {
      const chip = Object.fromEntries(
        Object.entries(figures).map(([key, { value }]) => [key, value]),
      );
      expect([id, check({ chip, model: 'llama-3-70b' })], JSON.stringify(check.errors)).toEqual([
        id,
        true,
      ]);
    }
  });

  test('of main fields fit into what an agent reads', () => {
    const all = questions.map((question) => schemaOf(engine.describe(), question, { main: true }));
    for (const schema of all) ajv.compile(schema);
    const bytes = new TextEncoder().encode(JSON.stringify(all)).length;
    expect(bytes).toBeLessThan(36_000);
  });
});

describe('how numbers are said', () => {
  const chip = 'h100-sxm';
  const model = 'llama-3-70b';

  test('is told with each answer', () => {
    const said = (question: QuestionName, shown: string): string[] =>
      described['en']!.questions[question].answers.filter((answer) => answer.shown === shown).map(
        ({ key, unit }) => [key, unit].join(' ').trim(),
      );
    expect(said('plan', 'percent')).toEqual(
      expect.arrayContaining(['mfu', 'mfuExact', 'hfu', 'goodput', 'againNorms']),
    );
    expect(said('plan', 'step')).toEqual(
      expect.arrayContaining(['stepExpected s', 'stepLow s', 'stepHigh s']),
    );
    expect(said('training', 'step')).toEqual(['stepTime s']);
    expect(said('serving', 'percent')).toEqual(expect.arrayContaining(['utilisation', 'kvWaste']));
    for (const question of questions) {
      for (const fraction of said(question, 'percent')) expect(fraction).not.toContain(' ');
    }
  });

  test('is told with each node of a derivation', async () => {
    const derivations = await engine.derivations();
    const filled = engine.filled('training', { chip, model, run: { mfu: 0.4 } });
    const told =
      filled.ok && derivations.explain('training', filled.input as never, 'trainingTime');
    expect(JSON.stringify(told)).toContain('"shown":"percent","symbol":"MFU","key":"run.mfu"');
  });

  test('the ways that a search of servers chooses are those that it gives', () => {
    const { groups } = engine.describe();
    const searched = (group: GroupName): string[] =>
      groups[group].filter((field) => field.searched).map(({ key }) => key);
    const { division } = engine.serve({ chip, model, serving: { chips: 16, apart: true } });
    expect(Object.keys(division!.serving).sort()).toEqual(searched('serving').sort());
    expect(Object.keys(division!.server)).toEqual(searched('server'));
  });
});
