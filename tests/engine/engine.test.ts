// The engine's promises: it describes itself truly, answers or says what is wrong with the field
// that is wrong, explains every answer, keeps nothing between calls.

import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import start from '@core/first.js';
import sourceFile from '../../shared/sources.json' with { type: 'json' };
import { startedBytes } from '../../web/src/engine/started.mjs';
import { startCore, type Core, type RawInput, type RawOutcome } from '../../web/src/engine/core.ts';
import { operationsModule } from '../../web/src/engine/operations-module.ts';
import { createEngine } from '../../web/src/engine/index.ts';
import { deriveModule } from '../../web/src/engine/derive-module.ts';
import { writeInput } from '../../web/src/engine/input.ts';
import type {
  Derivations,
  Description,
  Engine,
  Expression,
  FieldInfo,
  Issue,
  CoreQuestion,
  Step,
} from '../../web/src/engine/index.ts';
import {
  answersTo,
  ask,
  bases,
  change,
  explain,
  fault,
  matters,
  places,
  planCodes,
  questions,
  servingCodes,
  usual,
  type Input,
  type Place,
} from './inputs.ts';

let engine: Engine;
let derivations: Derivations;
let core: Core;
let description: Description;

beforeAll(async () => {
  engine = await createEngine();
  derivations = await engine.derivations();
  core = await startCore();
  description = engine.describe();
});

const unitPattern = (() => {
  const unit = '(?:FLOPs?|B|params?|tokens?|USD|J|W|s|chips?|h|kWh)';
  return new RegExp(`^(?:|(?:1|${unit}(?:·${unit})*)(?:/${unit})*)$`);
})();

describe('describe()', () => {
  const allFields = () =>
    Object.entries(description.groups).flatMap(([group, fields]) =>
      fields.map((field) => ({ group, field, name: `${group}.${field.key}` })),
    );

  test('names each field once', () => {
    const names = allFields().map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    // Groups of modules that load on first use stand in the order in which these were asked for.
    expect(new Set(Object.keys(description.groups))).toEqual(
      new Set([
        ...['chip', 'model', 'run'],
        ...['mesh', 'operation', 'collective'],
        ...['layout', 'stack', 'assumptions', 'search'],
        ...['serving', 'server'],
        ...['reward', 'pools'],
        'budget',
      ]),
    );
  });

  test('gives each field a sane range, and a default within it', () => {
    for (const { name, field } of allFields()) {
      const { kind, optional, min, max, choices } = field;
      expect(Number.isFinite(min) && Number.isFinite(max) && min <= max, name).toBe(true);
      expect(field.unit, name).toMatch(unitPattern);
      if (kind === 'number' || kind === 'count') {
        expect(field.symbol, name).not.toBe('');
        expect(choices, name).toEqual([]);
      }
      if (kind === 'count') expect([min, max].every(Number.isInteger), name).toBe(true);
      if (kind === 'choice') {
        expect(choices.length, name).toBeGreaterThan(1);
        expect(new Set(choices).size, name).toBe(choices.length);
      }
      if (optional)
        expect([kind !== 'choice' && kind !== 'flag', field.default], name).toEqual([true, null]);
      else if (field.default !== null) expect(fault(field, field.default), name).toBeUndefined();
    }
  });

  test('lets a field depend on one that is there and decides', () => {
    for (const fields of Object.values(description.groups)) {
      for (const field of fields) {
        if (!field.when) continue;
        const { field: key, choices } = field.when;
        const other = fields.find((info) => info.key === key)!;
        expect(other, field.key).toBeDefined();
        // A field that decides may depend on another in turn, but that one always matters.
        const further = fields.find((info) => info.key === other.when?.field);
        expect(further?.when ?? null, `${key} matters, or not, by one other`).toBeNull();
        if (choices.length > 0) {
          expect(['choice', 'text'], key).toContain(other.kind);
          expect(other.choices, field.key).toEqual(expect.arrayContaining(choices));
          expect(choices.length, `${field.key} depends on ${key}`).toBeLessThan(
            other.choices.length,
          );
        } else {
          // A number above 0, or an empty text.
          expect(['flag', 'count', 'text'], key).toContain(other.kind);
          expect(other.min, key).toBe(0);
        }
      }
    }
  });

  test.each(questions)('lists the groups and answers of %s', (question) => {
    const { groups, answers } = description.questions[question];
    for (const group of groups) expect(description.groups).toHaveProperty(group);
    const keys = answers.map(({ key }) => key);
    expect(new Set(keys).size).toBe(keys.length);
    for (const { key, symbol, unit, kind, choices, source } of answers) {
      expect(unit, key).toMatch(unitPattern);
      expect(sourceFile.sources, key).toHaveProperty([source]);
      expect(kind, key).toBe(choices.length > 0 ? 'choice' : 'number');
      if (kind === 'number') expect(symbol, key).not.toBe('');
    }
    for (const input of bases[question]) {
      expect(Object.keys(answersTo(engine, question, input))).toEqual(keys);
    }
  });

  test('lists issues and absences once each', () => {
    const { issueCodes, absences } = description;
    expect(new Set(issueCodes).size).toBe(issueCodes.length);
    expect(new Set(absences).size).toBe(absences.length);
  });

  test('says the same as the module', () => {
    // The engine adds what is described once it has loaded.
    expect(description).toMatchObject(core.describe());
  });
});

/** Expectations take longer than what they are about, so there is one only where it will fail. */
function expectSame(is: unknown, should: unknown, about: string): void {
  if (!isDeepStrictEqual(is, should)) expect(is, about).toEqual(should);
}

/** An input as it crosses into the module, by the rules that describe() tells. */
function rawOf(question: CoreQuestion, input: Input): RawInput {
  const raw: RawInput = { numbers: [], texts: [] };
  for (const group of description.questions[question].groups) {
    const fields = description.groups[group];
    const valueOf = (field: FieldInfo): unknown => {
      const given = input[group]?.[field.key];
      return given === undefined ? usual(field, input[group]) : given;
    };
    const numbers = fields.map((field) => {
      const value = valueOf(field);
      if (value === null) return NaN;
      if (field.kind === 'text') return 0;
      return field.kind === 'choice' ? field.choices.indexOf(value as string) : Number(value);
    });
    const texts = fields
      .filter(({ kind }) => kind === 'text')
      .map((field) => String(valueOf(field)));
    raw.numbers.push(...numbers);
    raw.texts.push(...texts);
  }
  return raw;
}

const rawOperations = await operationsModule.get();

function askCore(question: CoreQuestion, raw: RawInput): RawOutcome {
  const { estimateOperation, estimateCollective } = rawOperations;
  const [module, estimate] = {
    training: [core, core.estimateTraining] as const,
    operation: [rawOperations, estimateOperation] as const,
    collective: [rawOperations, estimateCollective] as const,
  }[question];
  writeInput(module.input(), raw);
  return estimate();
}

const issuesOf = (outcome: RawOutcome): Issue[] =>
  (outcome.issues ?? []).map(({ code, group, key, arguments: numbers }) => ({
    code: code as Issue['code'],
    field: `${group}.${key}`,
    arguments: numbers,
  }));

/** The one issue that a faulty value must give. */
function issueOf({ field, name }: Place, value: unknown): Issue[] {
  const code = fault(field, value);
  if (code === undefined) return [];
  const range = { minimum: field.min, maximum: field.max };
  return [
    { code, field: name, arguments: ['unknownChoice', 'notText'].includes(code) ? {} : range },
  ];
}

const numbers = [NaN, Infinity, -Infinity, 0, -0, -1, 1, 1.5, 5e-324, 2 ** 53 + 2, 1e308, -1e308];
const others = [
  ...[undefined, null, '', '32', 'x', true, false, 5n, Symbol('x')],
  ...[[], [5], {}, { valueOf: () => 5 }, () => 5, new Date(0), Object(5), new Proxy({}, {})],
];

describe('bad input', () => {
  test('every field matters in one of the inputs', () => {
    for (const question of questions) {
      for (const place of places(description, question)) {
        const mattering = bases[question].filter((base) => matters(description, base, place));
        expect(mattering, place.name).not.toEqual([]);
      }
    }
  });

  const issuesAt = (input: Input, place: Place) =>
    issueOf(place, input[place.group]?.[place.field.key]);

  /** The issues of those of these fields that matter, one by one. */
  const issuesIn = (input: Input, among: readonly Place[]) =>
    among.flatMap((place) => {
      const issues = issuesAt(input, place);
      return issues.length > 0 && matters(description, input, place) ? issues : [];
    });

  test.each(questions)('%s: any value of any field', (question) => {
    // The code aboveMaximum is left out: chips of a split matmul may be more than its contraction
    // has room for.
    const codes = ['notANumber', 'notFinite', 'notWhole', 'belowMinimum', 'unknownChoice'];
    for (const base of bases[question]) {
      const before = ask(engine, question, base);
      const all = places(description, question);
      const wrong = new Set(all.filter((place) => issuesAt(base, place).length > 0));
      for (const place of all) {
        const isInBase = matters(description, base, place);
        // All other fields are as they are in the base.
        const among = all.filter((each) => each === place || wrong.has(each));
        for (const value of [...numbers, ...others]) {
          const input = change(base, place.group, place.field.key, value);
          const outcome = ask(engine, question, input);
          const about = `${place.name} = ${typeof value} ${String(value)}`;
          const expected = issuesIn(input, among);
          if (!isInBase) {
            expectSame(outcome, before, about);
          } else if (expected.length > 0) {
            expectSame(outcome, { ok: false, issues: expected }, about);
          } else if (!outcome.ok) {
            // The fields are right one by one; together they may not be.
            expectSame(
              outcome.issues.filter(({ code }) => codes.includes(code)),
              [],
              about,
            );
          }
        }
      }
    }
  });

  test.each(questions)('%s: the module comes to the same verdict', (question) => {
    const { answers: list } = description.questions[question];
    const placeOf = new Map<string, number>(list.map(({ key }, at) => [key, at]));
    for (const base of bases[question]) {
      for (const place of places(description, question)) {
        if (['choice', 'flag', 'text'].includes(place.field.kind)) continue;
        for (const value of numbers) {
          // The module reads NaN as the null of a field that may be null.
          if (place.field.optional && Number.isNaN(value)) continue;
          const input = change(base, place.group, place.field.key, value);
          const outcome = ask(engine, question, input);
          const raw = askCore(question, rawOf(question, input));
          const about = `${place.name} = ${value}`;
          expectSame(issuesOf(raw), outcome.ok ? [] : outcome.issues, about);
          if (!outcome.ok) continue;
          const said = Object.entries<unknown>(outcome.answers);
          const values = said.map(([key, answer]): [string, unknown] => {
            const at = placeOf.get(key)!;
            const { kind } = list[at]!;
            return [key, kind !== 'choice' && typeof answer === 'number' ? raw.values[at] : answer];
          });
          expectSame(values, said, about);
        }
      }
    }
  });

  test.each(questions)('%s: the module refuses choices that there are not', (question) => {
    const base = bases[question][0]!;
    for (const { group, field, name } of places(description, question)) {
      if (field.kind !== 'choice' && field.kind !== 'flag') continue;
      if (!matters(description, base, { group, field, name })) continue;
      for (const value of [-1, 0.5, field.max + 1, 1e308, Infinity, -Infinity]) {
        const raw = rawOf(question, base);
        const { groups } = description.questions[question];
        const before = groups.slice(0, groups.indexOf(group));
        const place = before.reduce((sum, each) => sum + description.groups[each].length, 0);
        raw.numbers[place + description.groups[group].indexOf(field)] = value;
        expect(issuesOf(askCore(question, raw)), `${name} = ${value}`).toEqual([
          { code: 'unknownChoice', field: name, arguments: {} },
        ]);
      }
    }
  });

  test('a zero in a text does not end it', () => {
    const whole = ask(
      engine,
      'training',
      change(bases.training[0]!, 'model', 'layerPattern', '80xad\0'),
    );
    expect(whole.ok ? [] : whole.issues.map(({ code }) => code)).toEqual(['patternUnreadable']);
  });

  test('a text that is too long is one, by its bytes', () => {
    const of = (pattern: string) =>
      ask(engine, 'training', change(bases.training[0]!, 'model', 'layerPattern', pattern));
    for (const pattern of ['a'.repeat(801), 'a'.repeat(1e6), 'ä'.repeat(401), '字'.repeat(400)]) {
      const told = of(pattern);
      expect(told.ok ? [] : told.issues.map(({ code }) => code)).toEqual(['textTooLong']);
    }
  });

  test.each(questions)('%s: the module survives whatever lies where it reads', (question) => {
    const whole = rawOf(question, bases[question][0]!);
    const before = [...askCore(question, whole).values];
    for (const fill of [0, 1, 127, 255]) {
      core.input().fill(fill);
      core.estimateTraining();
      rawOperations.input().fill(fill);
      rawOperations.estimateOperation();
      rawOperations.estimateCollective();
      expect([...askCore(question, whole).values]).toEqual(before);
    }
  });

  test.each(questions)('%s: no object, no groups, other things in their place', (question) => {
    const { groups } = description.questions[question];
    for (const input of [...numbers, ...others, {}, { [groups[0]!]: undefined }]) {
      const outcome = ask(engine, question, input);
      if (outcome.ok) throw new Error('answered');
      expect(outcome.issues[0]!.field).toMatch(/^chip\./);
    }
    const base = bases[question][0]!;
    for (const group of groups) {
      for (const value of [5, 'x', true, () => 5, 5n, Symbol('x')]) {
        const outcome = ask(engine, question, { ...base, [group]: value });
        expect(outcome).toEqual({
          ok: false,
          issues: [{ code: 'unknownField', field: group, arguments: {} }],
        });
      }
    }
    expect(ask(engine, question, { ...base, other: 5 })).toEqual(ask(engine, question, base));
  });

  test('keys that no field has, those of every object among them', () => {
    const base = bases.training[0]!;
    const keys = [
      'chip',
      'Chips',
      '',
      '0',
      'constructor',
      'toString',
      '__proto__',
      'x'.repeat(1e4),
    ];
    for (const key of keys) {
      const run = JSON.parse(`{ "chips": 64, ${JSON.stringify(key)}: 5 }`) as object;
      expect(ask(engine, 'training', { ...base, run })).toEqual({
        ok: false,
        issues: [{ code: 'unknownField', field: `run.${key}`, arguments: {} }],
      });
    }
    expect(Object.hasOwn(Object.prototype, 'chips')).toBe(false);
    expect(ask(engine, 'training', { ...base, run: [5] })).toMatchObject({
      issues: [{ code: 'unknownField', field: 'run.0' }],
    });
  });

  test('what an object inherits is not its own', () => {
    const base = bases.training[0]!;
    const inherited = Object.create({ chips: -1 }) as object;
    expect(ask(engine, 'training', { ...base, run: inherited })).toEqual(
      ask(engine, 'training', { ...base, run: {} }),
    );
    expect(ask(engine, 'training', Object.create(base))).toMatchObject({ ok: false });
  });

  test('objects of any make: frozen, without prototype, proxies, getters', () => {
    for (const question of questions) {
      const base = bases[question][0]!;
      const expected = ask(engine, question, base);
      const remade = (make: (group: object) => object) =>
        make(Object.fromEntries(Object.entries(base).map(([key, group]) => [key, make(group!)])));
      const makes: ((group: object) => object)[] = [
        Object.freeze,
        (group) => Object.assign(Object.create(null) as object, group),
        (group) => new Proxy(group, {}),
        (group) =>
          Object.defineProperties(
            {},
            Object.fromEntries(
              Object.entries(group).map(([key, value]) => [
                key,
                { get: () => value as unknown, enumerable: true },
              ]),
            ),
          ),
      ];
      for (const make of makes) expect(ask(engine, question, remade(make))).toEqual(expected);
    }
  });

  test('a getter that throws is its own affair', () => {
    const base = bases.training[0]!;
    const run = {
      get chips(): number {
        throw new Error('mine');
      },
    };
    expect(() => ask(engine, 'training', { ...base, run })).toThrow('mine');
    expect(ask(engine, 'training', base)).toMatchObject({ ok: true });
  });

  test('explain() and the question find the same issues', () => {
    const base = bases.training[0]!;
    const key = 'trainingTime';
    for (const input of [change(base, 'run', 'chips', 0), change(base, 'run', 'x', 0), {}, null]) {
      const outcome = ask(engine, 'training', input);
      expect(outcome.ok).toBe(false);
      expect(explain(derivations, 'training', input, key)).toEqual(outcome);
    }
  });

  test('every issue that the core lists can come up, at its field', () => {
    const [dense, sparse] = bases.training as [Input, Input];
    const ofKind = (kind: string) =>
      bases.operation.find(({ operation }) => operation!.kind === kind)!;
    const [softmax, tiled, sharded] = ['softmax', 'tiledMatmul', 'shardedMatmul'].map(ofKind) as [
      Input,
      Input,
      Input,
    ];
    const matmul = change(ofKind('matmul'), 'chip', 'onChipBandwidth', null);
    const [attention, ofDenseModel] = [ofKind('attention'), ofKind('kvRead')];
    const transfer = bases.collective.find(
      ({ collective }) => collective!.kind === 'pointToPoint',
    )!;
    const relations: [Input, Partial<Issue>][] = [
      [
        change(dense, 'model', 'kvHeads', 7),
        { code: 'headsNotDivisible', field: 'model.kvHeads', arguments: { heads: 64 } },
      ],
      [
        change(sparse, 'model', 'denseLayers', 62),
        { code: 'moreThanLayers', field: 'model.denseLayers', arguments: { layers: 61 } },
      ],
      [
        change(sparse, 'model', 'expertsPerToken', 257),
        { code: 'moreThanExperts', field: 'model.expertsPerToken', arguments: { experts: 256 } },
      ],
      [
        change(
          change(dense, 'model', 'statedParameters', 1e9),
          'model',
          'statedActiveParameters',
          2e9,
        ),
        {
          code: 'moreThanStated',
          field: 'model.statedActiveParameters',
          arguments: { parameters: 1e9 },
        },
      ],
      [
        change(dense, 'run', 'computeFormat', 'fp4'),
        { code: 'formatNotSupported', field: 'run.computeFormat', arguments: {} },
      ],
      [
        change(dense, 'run', 'imagesPerSequence', 1),
        { code: 'noTower', field: 'run.imagesPerSequence', arguments: {} },
      ],
      [
        change(dense, 'run', 'chips', 8961),
        {
          code: 'moreChipsThanNetwork',
          field: 'run.chips',
          arguments: { maximum: 8960, slices: 2 },
        },
      ],
      [
        change(dense, 'run', 'slices', 3),
        { code: 'slicesDontDivide', field: 'run.slices', arguments: { chips: 8960 } },
      ],
      [
        change(dense, 'run', 'batchTokens', 4095),
        {
          code: 'batchBelowSequence',
          field: 'run.batchTokens',
          arguments: { sequenceLength: 4096 },
        },
      ],
      [
        change(dense, 'run', 'tokens', 1e6),
        { code: 'batchAboveTokens', field: 'run.batchTokens', arguments: { tokens: 1e6 } },
      ],
    ];
    // Issues of patterns of layers, and of what their layers lack.
    const ofPatterns: [string, Partial<Issue>][] = [
      [' '.repeat(796) + '80xad', { code: 'textTooLong', arguments: { maximum: 800 } }],
      ['ad.xx', { code: 'patternUnreadable', arguments: { position: 4 } }],
      ['2x(40xad', { code: 'patternBrackets', arguments: { position: 3 } }],
      ['80xad)', { code: 'patternBrackets', arguments: { position: 6 } }],
      [
        '('.repeat(9) + '80xad' + ')'.repeat(9),
        { code: 'patternBrackets', arguments: { position: 9 } },
      ],
      [
        Array.from({ length: 33 }, (_, index) => `ad${index + 1}`).join('.'),
        { code: 'patternKinds', arguments: { maximum: 32 } },
      ],
      ['4097xad', { code: 'patternLayers', arguments: { maximum: 4096 } }],
      ['79xad', { code: 'patternSum', arguments: { layers: 80, pattern: 79 } }],
      ['80xa0d', { code: 'patternNoKeys', arguments: { position: 5 } }],
      ['80xa7d', { code: 'groupsDontDivide', arguments: { heads: 64 } }],
      ['80xwd', { code: 'partNeeded', field: 'model.slidingWindow', arguments: {} }],
      ['80xae', { code: 'partNeeded', field: 'model.experts', arguments: {} }],
    ];
    for (const [pattern, issue] of ofPatterns) {
      const input = change(dense, 'model', 'layerPattern', pattern);
      relations.push([input, { field: 'model.layerPattern', ...issue }]);
    }
    for (const [input, issue] of relations) {
      expect(ask(engine, 'training', input)).toEqual({ ok: false, issues: [issue] });
    }

    const notices: [Input, Partial<Issue>][] = [
      [
        change(change(dense, 'run', 'sequenceLength', 16384), 'run', 'batchTokens', 16384 * 1000),
        {
          code: 'contextExceeded',
          field: 'run.sequenceLength',
          arguments: { contextLength: 8192 },
        },
      ],
      [
        change(dense, 'run', 'batchTokens', 4096e4 + 2048),
        {
          code: 'notWholeSequences',
          field: 'run.batchTokens',
          arguments: { sequences: 10000.5 },
        },
      ],
      [
        change(dense, 'run', 'batchTokens', 8192),
        { code: 'idleChips', field: 'run.chips', arguments: { batchTokens: 8192 } },
      ],
      [
        change(dense, 'run', 'chips', 17920),
        { code: 'slicesJoined', field: 'run.slices', arguments: { slices: 2, chips: 8960 } },
      ],
      [
        change(change(dense, 'chip', 'peakBf16', null), 'chip', 'peakFp16', 1e14),
        { code: 'computesInFp16', field: 'run.computeFormat', arguments: {} },
      ],
    ];
    for (const [input, notice] of notices) {
      expect(ask(engine, 'training', input)).toMatchObject({ ok: true, notices: [notice] });
    }
    // 6N leaves out attention: of long sequences, 90 % of it are more than the peak.
    const long = change(
      change(dense, 'run', 'sequenceLength', 131072),
      'run',
      'batchTokens',
      2 ** 22,
    );
    const beyond = ask(engine, 'training', change(long, 'run', 'mfu', 0.9));
    const { mfuExact } = (beyond as { answers: Record<string, number> }).answers;
    expect(mfuExact).toBeGreaterThan(1);
    const demanding = { code: 'mfuAbovePeak', field: 'run.mfu', arguments: { mfuExact } };
    expect(beyond).toMatchObject({ ok: true, notices: expect.arrayContaining([demanding]) });

    const ofOperations: [CoreQuestion, Input, Partial<Issue>][] = [
      [
        'operation',
        change(sharded, 'operation', 'contraction', 1),
        { code: 'moreChipsThanRows', field: 'mesh.x', arguments: { maximum: 1 } },
      ],
      [
        'operation',
        change(sharded, 'mesh', 'x', 17),
        { code: 'moreChipsThanAxis', field: 'mesh.x', arguments: { maximum: 16 } },
      ],
      [
        'operation',
        change(softmax, 'chip', 'peakFp32', null),
        { code: 'rateNotListed', field: 'chip.peakVector', arguments: {} },
      ],
      [
        'operation',
        change(matmul, 'operation', 'operandsIn', 'onChip'),
        { code: 'levelNotListed', field: 'operation.operandsIn', arguments: {} },
      ],
      [
        'operation',
        change(attention, 'operation', 'keys', 4095),
        { code: 'keysBelowQueries', field: 'operation.keys', arguments: { queries: 4096 } },
      ],
      [
        'operation',
        change(ofDenseModel, 'operation', 'kind', 'router'),
        { code: 'noExperts', field: 'operation.kind', arguments: {} },
      ],
      [
        'operation',
        change(change(ofDenseModel, 'operation', 'kind', 'layer'), 'operation', 'mixer', 'linear'),
        { code: 'noSuchLayers', field: 'operation.mixer', arguments: {} },
      ],
      [
        'operation',
        change(
          change(
            change(ofDenseModel, 'operation', 'kind', 'attentionScores'),
            'model',
            'layers',
            2,
          ),
          'model',
          'layerPattern',
          '2xvd',
        ),
        { code: 'noScores', field: 'operation.kind', arguments: {} },
      ],
      [
        'collective',
        change(transfer, 'collective', 'distanceZ', 4),
        { code: 'distanceBeyondAxis', field: 'collective.distanceZ', arguments: { maximum: 3 } },
      ],
    ];
    for (const [question, input, issue] of ofOperations) {
      expect(ask(engine, question, input)).toEqual({ ok: false, issues: [issue] });
    }

    const noticesOfOperations: [Input, Partial<Issue>][] = [
      [
        change(change(tiled, 'chip', 'tileMemory', 1e5), 'operation', 'operandsIn', 'hbm'),
        {
          code: 'tileTooLarge',
          field: 'operation.tileRows',
          // Two blocks of each operand in bf16, the sums in fp32.
          arguments: { maximum: 1e5, bytes: 8 * 128 ** 2 + 4 * 128 ** 2 },
        },
      ],
      [
        change(
          change(change(matmul, 'chip', 'onChipBandwidth', 1e13), 'chip', 'onChipMemory', 1e6),
          'operation',
          'operandsIn',
          'onChip',
        ),
        {
          code: 'operandsTooLarge',
          field: 'operation.operandsIn',
          arguments: { maximum: 1e6, bytes: 2 * (2 * 128 * 4096 + 4096 ** 2) },
        },
      ],
      [
        change(change(ofDenseModel, 'operation', 'kind', 'layer'), 'chip', 'peakFp32', null),
        { code: 'vectorWorkNotCounted', field: 'chip.peakVector', arguments: {} },
      ],
    ];
    for (const [input, notice] of noticesOfOperations) {
      expect(ask(engine, 'operation', input)).toMatchObject({ ok: true, notices: [notice] });
    }

    const noSwitchAdds = {
      code: 'noSwitchAdds' as const,
      field: 'collective.inNetworkReduction',
      arguments: {},
    };
    const inNetwork = bases.collective.find(
      ({ collective }) => collective?.['inNetworkReduction'] === true,
    )!;
    expect(
      ask(engine, 'collective', change(inNetwork, 'chip', 'switchReduction', 'none')),
    ).toMatchObject({ ok: true, notices: [noSwitchAdds] });

    // The engine, not the core, reports values that are not texts.
    const ofFields = places(description, 'training')
      .filter(({ field }) => field.kind !== 'text')
      .flatMap((place) => numbers.flatMap((value) => issueOf(place, value)));
    const found = [
      ...ofFields,
      ...[...relations, ...notices, ...noticesOfOperations].map(([, issue]) => issue),
      demanding,
      noSwitchAdds,
      ...ofOperations.map(([, , issue]) => issue),
    ];
    // The tests of the planner and of serving cover their codes.
    const codes = [...found.map(({ code }) => code), ...planCodes, ...servingCodes];
    expect(new Set(codes)).toEqual(new Set(description.issueCodes));
  });
});

describe('calls', () => {
  test('about a question that there is not throw a RangeError', () => {
    for (const question of ['__proto__', 'constructor', 'nothing', 7] as never[]) {
      expect(() => derivations.explain(question, {} as never, 'bound' as never)).toThrow(
        RangeError,
      );
    }
  });

  test('leave their input as it is', () => {
    for (const question of questions) {
      for (const base of bases[question]) {
        const copy = structuredClone(base);
        ask(engine, question, base);
        explain(derivations, question, base, 'bound');
        expect(base).toEqual(copy);
      }
    }
  });

  test('give results that later calls do not touch', () => {
    const inputs = questions.flatMap((question) =>
      bases[question].map((input) => ({ question, input })),
    );
    const outcomes = inputs.map(({ question, input }) => ask(engine, question, input));
    const copies = structuredClone(outcomes);
    for (const { question, input } of [...inputs].reverse()) {
      explain(derivations, question, input, 'intensity');
      ask(engine, question, {});
    }
    expect(outcomes).toEqual(copies);
    // Nor does it matter in which order they are made.
    const again = [...inputs].reverse().map(({ question, input }) => ask(engine, question, input));
    expect(again.reverse()).toEqual(copies);
  });

  test('are of one engine', async () => {
    expect(await createEngine()).toBe(engine);
  });

  test('do not take more and more memory', () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const [good] = bases.training;
    const bad = change(good!, 'run', 'chips', -1);
    const memory = () => {
      collect();
      return process.memoryUsage().heapUsed;
    };
    const call = () => {
      ask(engine, 'training', good);
      ask(engine, 'training', bad);
      ask(engine, 'operation', bases.operation[0]);
      ask(engine, 'collective', bases.collective[0]);
      askCore('training', rawOf('training', good!));
    };
    for (let n = 0; n < 500; ++n) call();
    const before = memory();
    // A leak of 100 B a call would show; one of 400 B within the module would exhaust it.
    for (let n = 0; n < 10_000; ++n) call();
    for (let n = 0; n < 200; ++n) explain(derivations, 'training', good, 'timeOnMinimumChips');
    expect(memory() - before).toBeLessThan(1e6);
    const { buffer } = askCore('training', rawOf('training', good!)).values;
    expect(buffer.byteLength).toBe(4 * 2 ** 20);
  });
});

describe('derivations', () => {
  const powerOfTwoBelow = (x: number) => {
    let power = 1;
    while (2 * power <= x) power *= 2;
    return power;
  };
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
    powerOfTwoBelow: (x) => powerOfTwoBelow(x!),
    // Nearest by ratio: 2^k from 2^(k-1/2) on.
    nearestPowerOfTwo: (x) => {
      const below = powerOfTwoBelow(x!);
      return x! * x! > 2 * below * below ? 2 * below : below;
    },
  };
  const arity: Record<string, [number, number]> = {
    ...{ number: [0, 0], input: [0, 0], step: [0, 0] },
    // A layer both ways moves the operands of some forty kernels.
    ...{ add: [2, 200], multiply: [2, 99] },
    ...{ subtract: [2, 2], divide: [2, 2], min: [2, 2], max: [2, 2], chooseIfBelow: [2, 2] },
    ...{ square: [1, 1], sqrt: [1, 1], ceil: [1, 1], floor: [1, 1] },
    ...{ nearestPowerOfTwo: [1, 1], powerOfTwoBelow: [1, 1] },
  };

  /** Computes an expression again, and checks what it refers to. */
  function evaluate(node: Expression, input: Input, later: Step[], about: string): number {
    const args = node.args ?? [];
    const [least, most] = arity[node.op] ?? [NaN, NaN];
    expect(args.length >= least && args.length <= most, `${about}: ${node.op}`).toBe(true);
    expect(node.unit, about).toMatch(unitPattern);
    if (node.op === 'input') {
      const [group, key] = node.key!.split('.') as [keyof Input, string];
      const field = description.groups[group].find((info) => info.key === key)!;
      expect(node, about).toMatchObject({ symbol: field.symbol, unit: field.unit });
      expect(node.value, `${about}: ${node.key}`).toBe(
        input[group]?.[key] ?? usual(field, input[group]),
      );
    } else if (node.op === 'step') {
      const step = later.find(({ key }) => key === node.key)!;
      expect(step, `${about}: ${node.key} stands later`).toBeDefined();
      const { symbol, unit, value } = step;
      expect(node, about).toMatchObject({ symbol, unit, value });
    } else if (node.op === 'chooseIfBelow') {
      const [left, right] = args.map((arg) => evaluate(arg, input, later, about));
      expect(node.value > 0, `${about}: ${node.op}`).toBe(left! < right!);
    } else if (node.op !== 'number') {
      const values = args.map((arg) => evaluate(arg, input, later, about));
      expect(operators[node.op]!(...values), `${about}: ${node.op}`).toBe(node.value);
    }
    return node.value;
  }

  const cases = questions.flatMap((question) =>
    bases[question].map((input, index) => ({ name: `${question} ${index + 1}`, question, input })),
  );

  test.each(cases)('$name: everything answered', ({ question, input }) => {
    const answers = answersTo(engine, question, input);
    for (const info of description.questions[question].answers) {
      const explanation = explain(derivations, question, input, info.key);
      if (!explanation.ok) throw new Error(JSON.stringify(explanation.issues));
      const { key, steps } = explanation.derivation;
      expect(key).toBe(info.key);
      const answer = answers[key];
      if (typeof answer === 'object') {
        expect(steps, key).toEqual([]);
        continue;
      }
      const { symbol, unit, source, choices } = info;
      const said =
        typeof answer === 'string'
          ? { value: choices.indexOf(answer), choice: answer }
          : { value: answer };
      expect(steps[0], key).toMatchObject({ key, symbol, unit, source, ...said });
      expect(new Set(steps.map((step) => step.key)).size, key).toBe(steps.length);
      steps.forEach((step, place) => {
        const about = `${key}: ${step.key}`;
        expect(step.symbol !== '', about).toBe(step.choice === undefined);
        expect(step.unit, about).toMatch(unitPattern);
        expect(sourceFile.sources, about).toHaveProperty([step.source]);
        const value = evaluate(step.expression, input, steps.slice(place + 1), about);
        expect(value, about).toBe(step.value);
      });
    }
  });

  test('an answer that there is not has no steps', () => {
    for (const question of questions) {
      for (const key of ['', 'x', 'constructor', '__proto__', 'toString', '0']) {
        expect(explain(derivations, question, bases[question][0], key)).toEqual({
          ok: true,
          derivation: { key, steps: [] },
        });
      }
    }
  });

  test('the tape has room for twice the longest', async () => {
    // The binding's tape has 32768 nodes; explain() would give no steps beyond them.
    const module = await deriveModule.get();
    const explaining = {
      training: module.explainTraining,
      operation: module.explainOperation,
      collective: module.explainCollective,
    };
    let most = 0;
    for (const { question, input } of cases) {
      const raw = rawOf(question, input);
      description.questions[question].answers.forEach((_info, index) => {
        writeInput(module.input(), raw);
        most = Math.max(most, explaining[question](index).root);
      });
    }
    expect(most).toBeLessThan(2 ** 14);
    expect(most).toBeGreaterThan(100);
  });
});

describe('the module', () => {
  const bytes = readFileSync(new URL('../../build/wasm/first.wasm', import.meta.url));

  test('asks its surroundings for nothing but the binding', async () => {
    const instantiate = vi.spyOn(WebAssembly, 'instantiate');
    await startedBytes(start, new Uint8Array(bytes));
    const imports = instantiate.mock.calls[0]![1]!;
    instantiate.mockRestore();
    const names = Object.values(imports).flatMap((part) =>
      Object.values(part).map((given) => (given as { name?: string }).name ?? typeof given),
    );
    // Types that cross, values that come back, and the end: no clock, no chance, no file, no
    // network can make an answer differ or carry one away.
    const known = /^_*(embind_|emval_|abort|emscripten_memcpy|emscripten_resize_heap)/;
    expect(names.filter((name) => !known.test(name))).toEqual([]);
    // Something new among them should be noticed. Emscripten 3.1.6 needs 13, later
    // versions up to 24.
    const needed = WebAssembly.Module.imports(new WebAssembly.Module(bytes));
    expect(needed.map(({ kind }) => kind)).toEqual(needed.map(() => 'function'));
    expect(needed.length).toBeLessThanOrEqual(24);
  });
});
