// The worked examples: valid by their schema, and answered by the core as printed, or off by what
// the erratum says; what was measured lies between the planner's bounds.

import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeAll, describe, expect, test } from 'vitest';
import file from '../../shared/examples.json' with { type: 'json' };
import schema from '../../shared/examples.schema.json' with { type: 'json' };
import { createEngine, type Engine } from '../../web/src/engine/index.ts';
import { isBytes } from '../../web/src/number/unit.ts';
import { readAddress, writeAddress } from '../../web/src/link/address.ts';
import { chapters } from '../../web/src/model/chapters.ts';
import { evaluate, type Answer, type Answers } from '../../web/src/model/evaluate.ts';
import {
  byChapter,
  judge,
  parseGuess,
  publishedValue,
  readExamples,
  type Words,
  type WorkedExample,
} from '../../web/src/ui/features/examples/worked-examples.ts';
import { loadPart } from '../../web/src/i18n/dictionary.ts';
import { languages } from '../../web/src/i18n/language.ts';

let engine: Engine;
let examples: WorkedExample[];
beforeAll(async () => {
  engine = await createEngine();
  await Promise.all([engine.planner(), engine.serving(), engine.operations()]);
  examples = readExamples(engine.describe());
});

const all = file.examples;
const example = (id: string): WorkedExample => examples.find((each) => each.id === id)!;

function answersTo({ id, state }: WorkedExample): Answers {
  const reply = evaluate(engine, state);
  if (!reply.ok) throw new Error(`${id}: ${JSON.stringify(reply.issues)}`);
  return reply.answers;
}

const answerTo = (asked: WorkedExample): Answer | undefined => answersTo(asked)[asked.answer];

/** Answers that go with the time of a step, and those that go against it. */
const withTime = ['stepExpected', 'trainingTime', 'chipHours', 'cost', 'energy'];
const againstTime = ['mfu', 'hfu', 'tokensPerSecond', 'tokensPerSecondPerChip'];

/** The range of the answer, by the bounds of a step. */
function boundsOf(asked: WorkedExample): [number, number] {
  const answers = answersTo(asked);
  const [ours, expected, lower, upper] = (
    [asked.answer, 'stepExpected', 'stepLower', 'stepUpper'] as const
  ).map((key) => answers[key] as number) as [number, number, number, number];
  if (withTime.includes(asked.answer))
    return [(ours * lower) / expected, (ours * upper) / expected];
  if (againstTime.includes(asked.answer)) {
    return [(ours * expected) / upper, (ours * expected) / lower];
  }
  throw new Error(`${asked.id}: ${asked.answer} has no bounds`);
}

const pairs = (link: string): [string, string][] => [...new URLSearchParams(link)].sort();

describe('the file', () => {
  test('is valid by its schema', () => {
    const validate = new Ajv2020({ allErrors: true }).compile(schema);
    validate(file);
    expect(validate.errors).toBeNull();
  });

  test('has questions of every chapter, in their order, each once', () => {
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    expect(new Set(chapters.map(({ id }) => id)).size).toBe(chapters.length);
    expect(all.length).toBeGreaterThanOrEqual(60);
    const grouped = byChapter(examples);
    expect(grouped.filter((group) => group.examples.length === 0)).toEqual([]);
    expect(grouped.flatMap((group) => group.examples)).toEqual(examples);
  });

  test.each(languages)(
    'has its words in %s, and no two questions of a chapter alike',
    async (language) => {
      const words: Words = await loadPart(language, 'workedExamples');
      expect(Object.keys(words.chapters)).toEqual(chapters.map(({ id }) => id));
      expect(Object.keys(words.questions)).toEqual(all.map(({ id }) => id));
      const asked = all.map(({ id, chapter }) => `${chapter}: ${words.questions[id]!.question}`);
      expect(asked.filter((question, index) => asked.indexOf(question) !== index)).toEqual([]);
      for (const { id, erratum, between } of all) {
        const { erratum: explained, note } = words.questions[id]!;
        expect(explained !== undefined, id).toBe(erratum !== undefined);
        if (between) expect(note, id).toBeDefined();
      }
    },
  );

  test('an erratum is one of something printed, and what is printed has a tolerance or is none', () => {
    const wrong = all.filter(({ published, erratum, between }) => {
      const exact = typeof published.value === 'string';
      if (erratum ?? between) {
        return published.tolerance !== undefined || published.printed === false || exact;
      }
      return (published.tolerance === undefined) !== exact;
    });
    expect(wrong.map(({ id }) => id)).toEqual([]);
    expect(all.filter(({ erratum, between }) => erratum && between)).toEqual([]);
  });

  test('what lies between bounds is asked of a plan', () => {
    const between = examples.filter((each) => each.between);
    expect(between.length).toBeGreaterThanOrEqual(10);
    for (const { id, state } of between) expect(state.view, id).toBe('plan');
  });
});

describe.each(all.map(({ id, link }) => ({ id, link })))('$id', ({ id, link }) => {
  test('its link is understood, and holds nothing that is so anyway', () => {
    const description = engine.describe();
    const { state, problems } = readAddress(description, link);
    expect(problems).toEqual([]);
    expect(pairs(writeAddress(description, state))).toEqual(pairs(link));
    expect(example(id).info).toBeDefined();
  });

  test('is answered as printed, or off by what is said', () => {
    const { published, erratum, between, info } = example(id);
    const ours = answerTo(example(id));
    const printed = publishedValue(published);
    if (info.kind === 'choice') {
      expect(info.choices).toContain(printed);
      expect(ours).toBe(printed);
      return;
    }
    if (typeof ours !== 'number' || typeof printed !== 'number') {
      throw new Error(`${id}: ${JSON.stringify(ours)} against ${printed}`);
    }
    if (erratum) {
      // Said to three digits; less than 0.3 % would be rounding.
      expect(Math.abs(printed / ours / erratum.ratio - 1)).toBeLessThan(0.002);
      expect(Math.abs(printed / ours - 1)).toBeGreaterThan(0.003);
    } else if (between) {
      expect(Math.abs(printed / ours / between.ratio - 1)).toBeLessThan(0.01);
      const [least, most] = boundsOf(example(id));
      expect(printed).toBeGreaterThan(least);
      expect(printed).toBeLessThan(most);
    } else {
      expect(Math.abs(printed / ours - 1)).toBeLessThanOrEqual(published.tolerance!);
    }
  });

  test('its printed answer, typed as a guess, is read as it is meant', () => {
    const { published, info } = example(id);
    if (info.kind === 'choice') return;
    const value = publishedValue(published);
    expect(parseGuess(String(published.value), example(id))).toEqual({ ok: true, value });
    expect(judge(Number(value), Number(value)).kind).toBe('exact');
  });
});

describe('guesses', () => {
  const timed = 'llama-3-70b-pod'; // printed in days
  const bytes = 'llama-3-70b-memory-per-chip'; // in GB
  const share = 'share-feed-forward'; // in percent
  const counted = 'matmul-critical-batch'; // in tokens

  test.each([
    [timed, '44', 44 * 86400],
    [timed, '44 days', 44 * 86400],
    [timed, '44天', 44 * 86400],
    [timed, '1064 h', 1064 * 3600],
    [timed, '3.8M s', 3.8e6],
    [timed, '3.8e6 seconds', 3.8e6],
    [timed, '2 years', 2 * 365.25 * 86400],
    [timed, '0.12年', 0.12 * 365.25 * 86400],
    [timed, '90 min', 5400],
    ['h100-trillion-flops', '1.2', 1.2e-3],
    ['h100-trillion-flops', '1.2ms', 1.2e-3],
    ['h100-trillion-flops', '1200 µs', 1.2e-3],
    ['h100-trillion-flops', '1.2 毫秒', 1.2e-3],
    [bytes, '2.4', 2.4e9],
    [bytes, '2.4 GB', 2.4e9],
    [bytes, '2.4G', 2.4e9],
    [bytes, '2400 MB', 2.4e9],
    [bytes, '1 GiB', 2 ** 30],
    [share, '80', 0.8],
    [share, '80%', 0.8],
    [share, '0.8', 0.8],
    [counted, '240', 240],
    [counted, '4M', 4e6],
    [counted, '240 tokens', 240],
    [counted, '5 million', 5e6],
    [counted, '2.4 Billion tokens', 2.4e9],
    [counted, '1.5万', 15000],
    [counted, '２４０', 240],
  ])('%s: %s', (id, text, value) => {
    const parsed = parseGuess(text, example(id), ['tokens']);
    expect(parsed).toMatchObject({ ok: true });
    expect(parsed.ok && parsed.value).toBeCloseTo(value, 9 - Math.floor(Math.log10(value)));
  });

  test.each([
    [counted, ''],
    [counted, 'many'],
    [counted, '12 dozens'],
    [counted, '0'],
    [counted, '-240'],
    [counted, '1e999'],
    [timed, 'days'],
    [timed, '44 moons'],
    [bytes, '2.4 gigas'],
  ])('%s: “%s” is none', (id, text) => {
    expect(parseGuess(text, example(id), ['tokens']).ok).toBe(false);
  });

  test('a unit that is written out wins over the printed one', () => {
    for (const each of examples.filter(({ info }) => isBytes(info.unit))) {
      expect(parseGuess('3 kB', each), each.id).toEqual({ ok: true, value: 3000 });
    }
    for (const each of examples.filter(({ info }) => info.unit === 's')) {
      expect(parseGuess('3 s', each), each.id).toEqual({ ok: true, value: 3 });
    }
  });

  test.each([
    [240, 240, 'exact', 'high', 0],
    [239, 240, 'exact', 'low', 0],
    [225, 240, 'near', 'low', 0],
    [260, 240, 'near', 'high', 0],
    [120, 240, 'off', 'low', 0],
    [432, 240, 'off', 'high', 0],
    [2400, 240, 'far', 'high', 1],
    [4.35e8, 1.37e10, 'far', 'low', 1],
    [1, 1e6, 'far', 'low', 6],
  ] as const)('%d for %d', (guess, answer, kind, side, orders) => {
    const verdict = judge(guess, answer);
    expect(verdict).toMatchObject({ kind, side });
    expect(verdict.share).toBeCloseTo(Math.abs(guess - answer) / answer, 12);
    expect(verdict.factor).toBeCloseTo(Math.max(guess / answer, answer / guess), 12);
    if (kind === 'far') expect(verdict.orders).toBe(orders);
  });
});
