// Many answers in one call, and what charts draw: sweeps, maps, crossings, roofs, schedules.

import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { createEngine } from '../../web/src/engine/index.ts';
import type {
  Axis,
  Crossing,
  Description,
  Engine,
  FieldInfo,
  GroupName,
  Issue,
  MapSamples,
  OperationQuestion,
  Roofs,
  Samples,
  Schedule,
} from '../../web/src/engine/index.ts';
import { ask, bases, change, operations, places, type Input } from './inputs.ts';

let engine: Engine;
let description: Description;

beforeAll(async () => {
  engine = await createEngine();
  description = engine.describe();
});

type Reply<T> = ({ ok: true } & T) | { ok: false; issues: Issue[] };

const questions: OperationQuestion[] = ['operation', 'collective'];

// The methods, for questions and inputs of any shape.
const sweep = (question: OperationQuestion, input: unknown, axis: Axis, answers: string[]) =>
  operations.sweep(question as 'operation', input as never, axis, answers as never) as Reply<{
    series: Record<string, Samples>;
  }>;
const map = (question: OperationQuestion, input: unknown, x: Axis, y: Axis, answer: string) =>
  operations.map(
    question as 'operation',
    input as never,
    x,
    y,
    answer as never,
  ) as Reply<MapSamples>;
const crossings = (
  question: OperationQuestion,
  input: unknown,
  range: { field: string; from: number; to: number },
  answer: string,
) =>
  operations.crossings(question as 'operation', input as never, range, answer as never) as Reply<{
    crossings: Crossing[];
  }>;

/** A reply that must have no issues. */
function well<T>(reply: Reply<T>): T {
  if (!reply.ok) throw new Error(JSON.stringify(reply.issues));
  return reply;
}

const base = (question: OperationQuestion, kind: string) =>
  bases[question].find(
    (input) => (input as Record<string, Input['chip']>)[question]!.kind === kind,
  )!;
const keysOf = (question: OperationQuestion) =>
  description.questions[question].answers.map(({ key }) => key);

/** A sample as `ask` tells it: a number, a choice by name, or a reason. */
function told(
  question: OperationQuestion,
  key: string,
  { values, absent }: Samples,
  index: number,
) {
  if (absent[index]! > 0) return { absent: description.absences[absent[index]! - 1]! };
  const { choices } = description.questions[question].answers.find((info) => info.key === key)!;
  return choices.length > 0 ? choices[values[index]!]! : values[index]!;
}

function answerAt(question: OperationQuestion, input: Input, key: string) {
  const outcome = ask(engine, question, input);
  return outcome.ok ? outcome.answers[key] : { absent: 'notAllowed' };
}

const isFlag = ({ kind }: FieldInfo) => kind === 'flag';

/** Values of a field as an axis has them, valid ones and others; of choices by name. */
function axisValues({ kind, min, max, choices }: FieldInfo): fc.Arbitrary<number[] | string[]> {
  if (kind === 'choice')
    return fc.array(fc.constantFrom(...choices, 'none such'), { maxLength: 6 });
  if (kind === 'flag') return fc.array(fc.constantFrom(0, 1), { maxLength: 4 });
  const least = Math.max(min, 1e-3);
  const some = fc
    .double({ min: Math.log(least), max: Math.log(max), noNaN: true })
    .map((power) => Math.round(Math.exp(power)));
  const odd = fc.constantFrom(min, max, -1, 0.5, 0, NaN, Infinity);
  return fc.array(fc.oneof({ weight: 5, arbitrary: some }, { weight: 1, arbitrary: odd }), {
    maxLength: 6,
  });
}

/** The value as `ask` takes it. */
const asAsked = (field: FieldInfo, value: number | string) => {
  if (isFlag(field)) return value === 1;
  // On an axis NaN is how a field that may be null says so.
  return field.optional && Number.isNaN(value) ? null : value;
};

const check = <Values extends [unknown, ...unknown[]]>(
  arbitraries: { [Key in keyof Values]: fc.Arbitrary<Values[Key]> },
  law: (...values: Values) => void,
) => fc.assert(fc.property(...(arbitraries as never as [fc.Arbitrary<unknown>]), law as never));

/** A field of a question and values for it. */
const axis = (question: OperationQuestion) =>
  fc
    .constantFrom(...places(description, question).filter(({ field }) => field.kind !== 'text'))
    .chain((place) => axisValues(place.field).map((values) => ({ place, values })));

describe('sweep()', () => {
  test.each(questions)('%s: each sample is the answer there', (question) => {
    const input = fc.constantFrom(...bases[question]);
    const keys = fc.uniqueArray(fc.constantFrom(...keysOf(question)), { maxLength: 3 });
    check([input, axis(question), keys], (given, { place, values }, answers) => {
      const { series } = well(sweep(question, given, { field: place.name, values }, answers));
      expect(Object.keys(series)).toEqual(answers);
      values.forEach((value, index) => {
        const there = change(given, place.group, place.field.key, asAsked(place.field, value));
        for (const key of answers) {
          const samples = series[key]!;
          expect([samples.values.length, samples.absent.length]).toEqual(
            Array(2).fill(values.length),
          );
          expect(told(question, key, samples, index), `${place.name} = ${value}: ${key}`).toEqual(
            answerAt(question, there, key),
          );
        }
      });
    });
  });

  test('a sweep over kinds gives the operations of a layer', () => {
    const { model, chip } = base('operation', 'layer');
    const kinds = ['norm', 'norm', 'qkvProjection', 'attentionCore', 'outputProjection'];
    const values = [...kinds, 'router', 'experts', 'layer'];
    const input = { chip, model, operation: { attentionKernel: 'flash' } };
    const reply = sweep('operation', input, { field: 'operation.kind', values }, ['flops']);
    const flops = [...well(reply).series.flops!.values];
    const layer = flops.pop()!;
    expect(flops.reduce((sum, part) => sum + part)).toBeCloseTo(layer, -3);
  });

  test('values may be of any list of numbers', () => {
    const input = base('operation', 'matmul');
    const lists: ArrayLike<number>[] = [
      [1, 2, 3],
      new Float64Array([1, 2, 3]),
      new Int32Array([1, 2, 3]),
      { length: 3, 0: 1, 1: 2, 2: 3 },
    ];
    const [first, ...others] = lists.map((values) =>
      sweep('operation', input, { field: 'operation.batch', values }, ['flops', 'bound']),
    );
    for (const other of others) expect(other).toEqual(first);
  });

  test('samples are copies: later calls leave them as they are', () => {
    const input = base('operation', 'matmul');
    const batches: Axis = { field: 'operation.batch', values: [1, 1000] };
    const { series } = well(sweep('operation', input, batches, ['flops', 'bound']));
    const copy = structuredClone(series);
    well(sweep('operation', input, { ...batches, values: [7, 7] }, ['flops', 'bytes'].slice(0, 1)));
    ask(engine, 'operation', input);
    expect(series).toEqual(copy);
    series.flops!.values.fill(NaN);
    expect(well(sweep('operation', input, batches, ['flops', 'bound'])).series).toEqual(copy);
  });

  test('512 values of six answers, each with its own', () => {
    const values = Float64Array.from({ length: 512 }, (_, index) => index + 1);
    const answers = keysOf('operation').slice(0, 6);
    const input = base('operation', 'matmul');
    const { series } = well(
      sweep('operation', input, { field: 'operation.batch', values }, answers),
    );
    expect(Object.keys(series)).toEqual(answers);
    const { flops } = series;
    expect([...flops!.values]).toEqual([...values].map((batch) => batch * flops!.values[0]!));
  });
});

describe('map()', () => {
  test.each(questions)('%s: a row for each y, in each the answer there', (question) => {
    const input = fc.constantFrom(...bases[question]);
    const key = fc.constantFrom(...keysOf(question));
    check([input, axis(question), axis(question), key], (given, x, y, answer) => {
      const ofAxis = ({ place, values }: typeof x): Axis => ({ field: place.name, values });
      const samples = well(map(question, given, ofAxis(x), ofAxis(y), answer));
      expect(samples.values.length).toBe(x.values.length * y.values.length);
      y.values.forEach((row, j) => {
        const there = change(given, y.place.group, y.place.field.key, asAsked(y.place.field, row));
        x.values.forEach((column, i) => {
          const { group, field } = x.place;
          const expected = answerAt(
            question,
            change(there, group, field.key, asAsked(field, column)),
            answer,
          );
          const sample = told(question, answer, samples, j * x.values.length + i);
          expect(sample, `${x.place.name} = ${column}, ${y.place.name} = ${row}`).toEqual(expected);
        });
      });
    });
  });

  test('a side of 256 fits', () => {
    const values = Float64Array.from({ length: 256 }, (_, index) => index + 1);
    const side = (field: string): Axis => ({ field: `operation.${field}`, values });
    const input = base('operation', 'matmul');
    const { values: flops } = well(map('operation', input, side('batch'), side('output'), 'flops'));
    expect(flops.length).toBe(65536);
    expect(flops[65535]).toBe(256 * 256 * flops[0]!);
  });
});

describe('borders of map()', () => {
  test('lie where the choice changes, between whole numbers too; numbers have none', () => {
    const input = base('operation', 'matmul');
    const batches = { field: 'operation.batch', values: [1, 16, 256, 4096, 65536] };
    const outputs = { field: 'operation.output', values: [256, 2048, 16384] };
    const over = (answer: string) => well(map('operation', input, batches, outputs, answer));
    const { right, up } = over('bound');
    expect(right.size).toBeGreaterThan(1);
    for (const [sample, at] of right) {
      const output = outputs.values[Math.floor(sample / 5)]!;
      const there = change(input, 'operation', 'output', output);
      const critical = answerAt('operation', there, 'exactCriticalBatch') as number;
      expect(at / critical).toBeCloseTo(1, 5);
    }
    for (const sample of up.keys()) expect(sample).toBeLessThan(10);
    expect([over('flops').right.size, over('flops').up.size]).toEqual([0, 0]);
  });
});

describe('crossings()', () => {
  test('are exact, and between whole numbers', () => {
    const input = change(base('operation', 'matmul'), 'operation', 'output', 8192);
    const range = { field: 'operation.batch', from: 1, to: 1e6 };
    const found = well(crossings('operation', input, range, 'bound')).crossings;
    const critical = answerAt('operation', input, 'exactCriticalBatch') as number;
    expect(Number.isInteger(critical)).toBe(false);
    expect(found).toEqual([
      { at: expect.closeTo(critical, 9), before: 'memory', after: 'compute' },
    ]);
  });

  test('agree with the answers on both sides', () => {
    const choices: [OperationQuestion, string][] = [
      ['operation', 'bound'],
      ['operation', 'betterStrategy'],
      ['collective', 'collectiveBound'],
    ];
    for (const [question, key] of choices) {
      for (const input of bases[question]) {
        for (const { group, field, name } of places(description, question)) {
          if (field.kind !== 'number') continue;
          const range = { field: name, from: Math.max(field.min, 1e-9), to: field.max };
          const reply = well(crossings(question, input, range, key));
          let last = range.from;
          for (const { at, before, after } of reply.crossings) {
            expect(at, name).toBeGreaterThan(last);
            expect(at, name).toBeLessThanOrEqual(range.to);
            const sides = [at * (1 - 1e-12), Math.min(at * (1 + 1e-12), field.max)];
            const choicesThere = sides.map((value) =>
              answerAt(question, change(input, group, field.key, value), key),
            );
            expect(choicesThere, `${name} = ${at}`).toEqual([before, after]);
            last = at;
          }
        }
      }
    }
  });

  test('of ranges that are none there are none, and the call comes to an end', () => {
    const input = base('operation', 'matmul');
    const ends = [NaN, -1, 0, Infinity, -Infinity, 5e-324, 1e308];
    for (const from of ends) {
      for (const to of ends) {
        const range = { field: 'operation.batch', from, to };
        const { crossings: found } = well(crossings('operation', input, range, 'bound'));
        expect(
          found.every(({ at }) => at > 0),
          `${from} to ${to}`,
        ).toBe(true);
      }
    }
  });
});

describe('bad calls', () => {
  const good: Axis = { field: 'operation.batch', values: [1] };

  test('what there is not throws a RangeError', () => {
    const input = base('operation', 'matmul');
    const fields = ['', 'batch', 'operation', 'operation.', '.batch', 'operation.x', 'run.chips'];
    for (const field of [...fields, 'operation.constructor', '__proto__.batch', 'x.y.z']) {
      const wrong: Axis = { field, values: [1] };
      const range = { field, from: 1, to: 2 };
      expect(() => sweep('operation', input, wrong, ['flops']), field).toThrow(RangeError);
      expect(() => map('operation', input, wrong, good, 'flops'), field).toThrow(RangeError);
      expect(() => map('operation', input, good, wrong, 'flops'), field).toThrow(RangeError);
      expect(() => crossings('operation', input, range, 'bound'), field).toThrow(RangeError);
    }
    const range = { field: 'operation.batch', from: 1, to: 2 };
    for (const key of ['', 'x', 'cost', 'constructor', '__proto__', '0']) {
      expect(() => sweep('operation', input, good, ['flops', key]), key).toThrow(RangeError);
      expect(() => map('operation', input, good, good, key), key).toThrow(RangeError);
      expect(() => crossings('operation', input, range, key), key).toThrow(RangeError);
    }
  });

  test('more values than there is room for throw a RangeError', () => {
    const input = base('operation', 'matmul');
    const batches = (count: number): Axis => ({
      field: 'operation.batch',
      values: new Float64Array(count).fill(1),
    });
    expect(sweep('operation', input, batches(4096), ['flops']).ok).toBe(true);
    expect(() => sweep('operation', input, batches(4097), ['flops'])).toThrow(RangeError);
    expect(() => map('operation', input, batches(257), batches(256), 'flops')).toThrow(RangeError);
    expect(map('operation', input, batches(4095), batches(1), 'flops').ok).toBe(true);
    expect(() => map('operation', input, batches(4096), batches(1), 'flops')).toThrow(RangeError);
    expect(map('operation', input, batches(0), batches(4096), 'flops')).toMatchObject({ ok: true });
    // Left empty, as a billion bytes take long to fill.
    const gigabyte = { field: 'operation.batch', values: new Float64Array(1e9 / 8) };
    expect(() => sweep('operation', input, gigabyte, ['flops'])).toThrow(RangeError);
    // The engine has not suffered.
    expect(sweep('operation', input, batches(1), ['flops']).ok).toBe(true);
  });

  test('an input that cannot be read has issues, others only samples that are not allowed', () => {
    const input = base('operation', 'matmul');
    const unread = [change(input, 'operation', 'x', 5), { ...input, chip: 5 }];
    for (const wrong of unread) {
      const replies = [
        sweep('operation', wrong, good, ['flops']),
        map('operation', wrong, good, good, 'flops'),
        crossings('operation', wrong, { field: 'operation.batch', from: 1, to: 2 }, 'bound'),
      ];
      for (const reply of replies) {
        expect(reply).toEqual({
          ok: false,
          issues: [expect.objectContaining({ code: 'unknownField' })],
        });
      }
    }
    const notAllowed = description.absences.indexOf('notAllowed') + 1;
    for (const wrong of [change(input, 'chip', 'memory', -1), {}, null]) {
      const { series } = well(sweep('operation', wrong, good, ['flops']));
      expect([...series.flops!.absent]).toEqual([notAllowed]);
      const range = { field: 'operation.batch', from: 1, to: 1e6 };
      expect(well(crossings('operation', wrong, range, 'bound')).crossings).toEqual([]);
    }
  });

  test('values of any type are no values, and no call breaks on them', () => {
    const others = [
      Object.create(null),
      { valueOf: () => 5 },
      {
        valueOf: () => {
          throw new Error('no value');
        },
      },
      Symbol('5'),
      5n,
      '5',
      'constructor',
      true,
      [5],
      undefined,
      () => 5,
    ] as never[];
    const input = base('operation', 'matmul');
    const notAllowed = description.absences.indexOf('notAllowed') + 1;
    // NaN means null where a field may be null: no other value may be taken for it.
    for (const field of [
      'operation.batch',
      'operation.kind',
      'chip.tileMemory',
      'chip.hopLatency',
    ]) {
      const series = sweep('operation', input, { field, values: others }, ['flops']);
      expect([...well(series).series.flops!.absent], field).toEqual(others.map(() => notAllowed));
      const both = map('operation', input, { field, values: others }, good, 'flops');
      expect([...well(both).absent], field).toEqual(others.map(() => notAllowed));
    }
    const absent = sweep(
      'operation',
      input,
      { field: 'chip.tileMemory', values: [null] as never },
      ['flops'],
    );
    expect([...well(absent).series.flops!.absent]).toEqual([0]);
  });

  test('questions, fields and answers of any type throw a RangeError', () => {
    const input = base('operation', 'matmul');
    const strange = [Object.create(null), Symbol('x'), null, undefined, 5, {}, ['operation.batch']];
    for (const wrong of strange as never[]) {
      expect(() => sweep('operation', input, { field: wrong, values: [1] }, [])).toThrow(
        RangeError,
      );
      expect(() => sweep('operation', input, good, [wrong])).toThrow(RangeError);
      expect(() => map('operation', input, good, good, wrong)).toThrow(RangeError);
    }
    for (const question of ['constructor', '__proto__', 'plan', '', ...strange] as never[]) {
      expect(() => sweep(question, input, good, ['flops'])).toThrow(RangeError);
      expect(() => map(question, input, good, good, 'flops')).toThrow(RangeError);
    }
  });

  test('names of choices that there are not are not allowed', () => {
    const values = ['matmul', 'conv', '', 'constructor', 'norm'];
    const input = base('operation', 'layer');
    const reply = well(sweep('operation', input, { field: 'operation.kind', values }, ['flops']));
    const notAllowed = description.absences.indexOf('notAllowed') + 1;
    expect([...reply.series.flops!.absent]).toEqual([0, notAllowed, notAllowed, notAllowed, 0]);
  });
});

describe('roofs()', () => {
  const roofsOf = (input: unknown) => operations.roofs(input as never) as Reply<Roofs>;

  test('are the peaks and slopes that the chip lists, and where they meet', () => {
    const { chip } = base('operation', 'matmul') as { chip: Record<string, number> };
    const { peaks, slopes, ridges } = well(roofsOf({ chip, mesh: { x: 16 } }));
    expect(Object.fromEntries(peaks.map(({ format, rate }) => [format, rate]))).toEqual({
      bf16: chip.peakBf16,
      int8: chip.peakInt8,
      int4: chip.peakInt4,
      vector: chip.peakVector,
    });
    expect(slopes.map(({ level }) => level)).toEqual(['hbm', 'onChip', 'host', 'network']);
    expect(slopes.slice(0, 3).map(({ bandwidth }) => bandwidth)).toEqual([
      chip.memoryBandwidth,
      chip.onChipBandwidth,
      chip.hostBandwidth,
    ]);
    // Around a ring of 16, 15/16 of the array are sent in V / 2W.
    expect(slopes[3]!.bandwidth).toBeCloseTo((2 * 15 * chip.linkBandwidth!) / 16, -3);
    peaks.forEach(({ rate }, row) => {
      slopes.forEach(({ bandwidth }, column) => {
        expect(ridges[row]![column]).toBe(rate / bandwidth);
      });
    });
  });

  test('have no slope of a network that is not there or not used', () => {
    const levels = (input: unknown) => well(roofsOf(input)).slopes.map(({ level }) => level);
    for (const { chip, mesh } of [...bases.operation, ...bases.collective]) {
      expect(levels({ chip, mesh: { x: 1 } })).not.toContain('network');
      expect(levels({ chip, mesh }).includes('network'), JSON.stringify(mesh)).toBe(
        chip!.network !== 'none',
      );
    }
  });

  test('of a bad chip or mesh are none, but issues', () => {
    const { chip } = bases.collective[0]!;
    expect(roofsOf({ chip: { ...chip, memory: -1 } })).toMatchObject({
      ok: false,
      issues: [{ code: 'belowMinimum', field: 'chip.memory' }],
    });
    expect(roofsOf({ chip, mesh: { x: 17 } })).toMatchObject({
      ok: false,
      issues: [{ code: 'moreChipsThanAxis', field: 'mesh.x' }],
    });
    for (const input of [{}, null, undefined, 5]) expect(roofsOf(input).ok).toBe(false);
    expect(roofsOf({ chip, mesh: {}, collective: {} }).ok).toBe(true);
  });

  test('keep their numbers', () => {
    const [first, second] = [bases.collective[0], bases.collective[2]].map((input) => input!.chip);
    const roofs = well(roofsOf({ chip: first }));
    const copy = structuredClone(roofs);
    roofsOf({ chip: second });
    expect(roofs).toEqual(copy);
  });
});

describe('schedule()', () => {
  const scheduleOf = (input: unknown) => operations.schedule(input as never) as Reply<Schedule>;
  const input = (kind: string, mesh: object = { x: 4 }, collective: object = {}) => ({
    chip: bases.collective[0]!.chip,
    mesh,
    collective: { kind, ...collective },
  });
  /** The pieces of each part on each chip, before the first step or after one. */
  const moment = ({ chips, holds }: Schedule, step: number) =>
    Array.from({ length: chips }, (_, chip) => [
      ...holds.slice((step * chips + chip) * chips, (step * chips + chip + 1) * chips),
    ]);

  test('tells who holds what on a line of four', () => {
    const gather = well(scheduleOf(input('allGather')));
    expect([gather.chips, gather.steps, gather.holds.length]).toEqual([4, 3, 4 * 16]);
    const steps = [0, 1, 2, 3].map((step) => moment(gather, step));
    expect(steps).toEqual([
      [
        [1, 0, 0, 0],
        [0, 1, 0, 0],
        [0, 0, 1, 0],
        [0, 0, 0, 1],
      ],
      [
        [1, 1, 0, 0],
        [1, 1, 1, 0],
        [0, 1, 1, 1],
        [0, 0, 1, 1],
      ],
      [
        [1, 1, 1, 0],
        [1, 1, 1, 1],
        [1, 1, 1, 1],
        [0, 1, 1, 1],
      ],
      [
        [1, 1, 1, 1],
        [1, 1, 1, 1],
        [1, 1, 1, 1],
        [1, 1, 1, 1],
      ],
    ]);
  });

  test('begins and ends as the collective says', () => {
    const all = (value: number) => Array.from({ length: 4 }, () => Array(4).fill(value));
    const own = (value: number) =>
      Array.from({ length: 4 }, (_, chip) =>
        Array.from({ length: 4 }, (_part, part) => (chip === part ? value : 0)),
      );
    const ends: Record<string, [number[][], number[][]]> = {
      allGather: [own(1), all(1)],
      reduceScatter: [all(1), own(4)],
      allReduce: [all(1), all(4)],
      allToAll: [all(1), own(4)],
    };
    for (const [kind, [first, last]] of Object.entries(ends)) {
      const schedule = well(scheduleOf(input(kind)));
      expect([moment(schedule, 0), moment(schedule, schedule.steps)], kind).toEqual([first, last]);
      const answers = operations.collective(input(kind) as never);
      expect(answers).toMatchObject({ ok: true, answers: { collectiveSteps: schedule.steps } });
    }
  });

  test('is not told of more than 16 chips, nor of one', () => {
    for (const mesh of [{ x: 1 }, { x: 16, y: 2 }]) {
      expect(scheduleOf(input('allReduce', mesh))).toEqual({
        ok: true,
        chips: 0,
        steps: 0,
        holds: new Uint8Array(0),
      });
    }
    expect(well(scheduleOf(input('allReduce', { x: 16 }))).chips).toBe(16);
  });

  test('of bad input is none, but issues', () => {
    const wrong = { ok: false, issues: [{ code: 'distanceBeyondAxis' }] };
    expect(scheduleOf(input('pointToPoint', { x: 4 }, { distanceX: 4 }))).toMatchObject(wrong);
    for (const each of [{}, null, undefined, 5]) expect(scheduleOf(each).ok).toBe(false);
  });

  test('keeps what it holds', () => {
    const schedule = well(scheduleOf(input('allGather')));
    const copy = structuredClone(schedule);
    scheduleOf(input('allReduce'));
    expect(schedule).toEqual(copy);
  });
});

describe('the collective question', () => {
  test('book, chapter 3: gathers, reductions and hops on TPU v5e and v5p', () => {
    const chip: Record<string, unknown> = { ...bases.collective[0]!.chip, linkBandwidth: 4.5e10 };
    const time = (mesh: object, collective: object) => {
      const outcome = operations.collective({ chip, mesh, collective } as never);
      if (!outcome.ok) throw new Error(JSON.stringify(outcome.issues));
      return outcome.answers.collectiveTime as number;
    };
    const bytes = 34e6;
    expect(time({ x: 16 }, { kind: 'allGather', bytes })).toBeCloseTo(bytes / 9e10, 9);
    expect(time({ x: 4 }, { kind: 'allGather', bytes })).toBeCloseTo((bytes * 3) / 4 / 4.5e10, 9);
    expect(time({ x: 16 }, { kind: 'allReduce', bytes })).toBeCloseTo((2 * bytes) / 9e10, 9);
    expect(time({ x: 16 }, { kind: 'allToAll', bytes })).toBeCloseTo(bytes / 4 / 9e10, 9);
    expect(time({ x: 16 }, { kind: 'allGather', bytes: 1 })).toBe(8e-6);
  });

  test('knows its groups', () => {
    const groups: GroupName[] = ['chip', 'mesh', 'collective'];
    expect(description.questions.collective.groups).toEqual(groups);
    expect(description.questions.operation.groups).toEqual(['chip', 'model', 'mesh', 'operation']);
  });
});
