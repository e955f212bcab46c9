// Measured runs as the page opens them: each asks the planner what its prediction was made of.

import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeAll, describe, expect, test } from 'vitest';

import kernels from '../../shared/kernels.json' with { type: 'json' };
import kernelsSchema from '../../shared/kernels.schema.json' with { type: 'json' };
import predictions from '../../shared/predictions.json' with { type: 'json' };
import predictionsSchema from '../../shared/predictions.schema.json' with { type: 'json' };
import tuningMemory from '../../shared/tuning-memory.json' with { type: 'json' };
import tuningSteps from '../../shared/tuning-predictions.json' with { type: 'json' };
import publishedTunings from '../../shared/tuning-runs.json' with { type: 'json' };
import servers from '../../shared/serving-predictions.json' with { type: 'json' };
import serversSchema from '../../shared/serving-predictions.schema.json' with { type: 'json' };
import published from '../../shared/runs.json' with { type: 'json' };
import golden from '../golden/evidence.json' with { type: 'json' };
import { createEngine, type Description, type Engine } from '../../web/src/engine/index.ts';
import { readAddress, writeAddress } from '../../web/src/link/address.ts';
import { evaluate } from '../../web/src/model/evaluate.ts';
import { presetIds } from '../../web/src/model/presets.ts';
import { withField } from '../../web/src/model/state.ts';
import { runs, unpredicted } from '../../web/src/ui/views/evidence/runs/data.ts';
import { stateOf, stateOfServing } from '../../web/src/ui/views/evidence/runs/open.ts';
import { runsOf, type ServingRun } from '../../web/src/ui/views/evidence/runs/serving-data.ts';
import { tunings } from '../../web/src/ui/views/evidence/runs/tuning-collection.ts';
import { errorsOf } from '../../web/src/ui/views/evidence/runs/statistics.ts';

let engine: Engine;
let description: Description;
beforeAll(async () => {
  engine = await createEngine();
  await engine.planner();
  await engine.serving();
  description = engine.describe();
});

test.each([
  ['predictions', predictionsSchema, predictions],
  ['steps of fine-tunings', predictionsSchema, tuningSteps],
  ['memory of fine-tunings', predictionsSchema, tuningMemory],
  ['kernels', kernelsSchema, kernels],
  ['predictions of serving', serversSchema, servers],
])('%s have the form of their schema', (_, schema, file) => {
  const validate = new Ajv2020({ strictTuples: false, strictTypes: false }).compile(schema);
  expect(validate(file), JSON.stringify(validate.errors?.[0])).toBe(true);
});

test('every published run is there, with a prediction or without', () => {
  const ids = [...runs, ...unpredicted].map(({ id }) => id);
  expect(ids.sort()).toEqual(published.runs.map(({ id }) => id).sort());
});

test('every published fine-tuning is there, with a prediction or without', () => {
  const all = Object.values(tunings).flatMap((each) => [...each.runs, ...each.others]);
  const ran = publishedTunings.runs.filter(({ measured }) => !('ran' in measured));
  expect([...new Set(all.map(({ id }) => id))].sort()).toEqual(ran.map(({ id }) => id).sort());
});

test('kernels are of chips that there are, and mostly near their prediction', () => {
  const errors = kernels.kernels.map((row) => {
    expect(presetIds.chip.has(String(row[0]))).toBe(true);
    return Math.abs(Number(row[7]) / Number(row[8]) - 1);
  });
  expect(errors.length).toBeGreaterThan(500);
  expect(errors.sort((a, b) => a - b)[Math.floor(errors.length / 2)]).toBeLessThan(0.12);
});

describe('a run that is opened', () => {
  test('takes the planner as long as its prediction says', () => {
    for (const run of [...runs, ...tunings.tuningStep.runs]) {
      const reply = evaluate(engine, stateOf(description, run));
      expect(reply.ok, run.id).toBe(true);
      if (!reply.ok) continue;
      const { stepExpected, stepLower, stepUpper, stepLow, stepHigh } = reply.answers;
      const five = (value: unknown): number => Number(Number(value).toPrecision(5));
      expect(five(stepExpected), run.id).toBe(run.expected);
      expect(five(stepLower), run.id).toBe(run.lower);
      expect(five(stepLow), run.id).toBe(run.low);
      expect(five(stepHigh), run.id).toBe(run.high);
      expect(five(stepUpper), run.id).toBe(run.upper);
    }
  });

  test('holds as much as its prediction says, counted as its source does', () => {
    for (const run of tunings.tuningMemory.runs) {
      const reply = evaluate(engine, stateOf(description, run));
      expect(reply.ok, run.id).toBe(true);
      if (!reply.ok) continue;
      const { memoryUsed, memoryLow, memoryHigh } = reply.answers;
      const five = (value: unknown): number => Number(Number(value).toPrecision(5));
      expect(five(memoryUsed), run.id).toBe(run.expected);
      expect(five(memoryLow), run.id).toBe(run.low);
      expect(five(memoryHigh), run.id).toBe(run.high);
    }
  });

  test('is a link that says the same', () => {
    for (const run of [...runs, ...Object.values(tunings).flatMap((each) => each.runs)]) {
      const state = stateOf(description, run);
      const { state: read, problems } = readAddress(description, writeAddress(description, state));
      expect(problems, run.id).toEqual([]);
      const [one, other] = [state, read].map((each) => evaluate(engine, each));
      expect(other, run.id).toEqual(one);
    }
  });
});

describe('a measured server that is opened', () => {
  const measures = ['outputSpeed', 'tokenTime', 'firstToken'] as const;
  const ends = { outputSpeed: 'Upper', tokenTime: 'Lower', firstToken: 'Lower' } as const;

  type Measure = (typeof measures)[number];
  type Answered = Extract<ReturnType<typeof evaluate>, { ok: true }>;

  /**
   * The bound of a run. That of servers to which requests come as fast as their targets allow, which
   * no source says and the prediction finds, holds at any rate: it is that of as many as fit.
   */
  function boundOf(run: ServingRun, measure: Measure, reply: Answered): number {
    const { load, firstTarget } = run.groups.serving;
    const isFound = measure === 'outputSpeed' && load === 'open' && Number(firstTarget) > 0;
    const opened = stateOfServing(description, run);
    const state = withField(description, opened, 'serving.load', 'most');
    const asked = isFound ? evaluate(engine, state) : reply;
    if (!asked.ok) throw new Error(run.id);
    return Number(asked.answers[`${measure}${ends[measure]}`]);
  }

  test.each(measures)('is predicted as is written: %s', (measure) => {
    for (const run of runsOf(measure)) {
      const reply = evaluate(engine, stateOfServing(description, run));
      expect(reply.ok, `${run.id} ${JSON.stringify(reply.ok ? '' : reply.issues)}`).toBe(true);
      if (!reply.ok) continue;
      const answer = (end: string): number => Number(reply.answers[`${measure}${end}`]);
      const four = (value: number): number => Number(value.toPrecision(4));
      expect(four(answer('')), run.id).toBe(run.expected);
      const bound = measure === 'outputSpeed' ? run.upper : run.lower;
      expect(four(boundOf(run, measure, reply)), run.id).toBe(four(bound));
      // Parts of the expected value have three digits.
      expect(Math.abs(answer('Low') / run.low - 1), run.id).toBeLessThan(0.007);
      expect(Math.abs(answer('High') / run.high - 1), run.id).toBeLessThan(0.007);
    }
  });

  test('is a link that says the same', () => {
    const some = runsOf('outputSpeed').filter((_, index) => index % 7 === 0);
    for (const run of some as readonly ServingRun[]) {
      const state = stateOfServing(description, run);
      const { state: read, problems } = readAddress(description, writeAddress(description, state));
      expect(problems, run.id).toEqual([]);
      const [one, other] = [state, read].map((each) => evaluate(engine, each));
      expect(other, run.id).toEqual(one);
    }
  });
});

test('errors of fine-tunings are those of the evidence', () => {
  const { stepTime, memory } = golden.tuning.asShipped;
  for (const [collection, { all }] of [
    [tunings.tuningStep, stepTime],
    [tunings.tuningMemory, memory],
  ] as const) {
    const errors = errorsOf(collection.runs);
    expect(errors.count).toBe(all.rows);
    expect(100 * errors.median).toBeCloseTo(all.median, 0);
    expect(100 * errors.ninth).toBeCloseTo(all.ninth, 0);
    expect(100 * errors.covered).toBeCloseTo(all.band, 0);
  }
});

test('errors are those of the evidence', () => {
  const { all } = golden.asShipped.errors;
  const errors = errorsOf(runs);
  expect(errors.count).toBe(all.rows);
  expect(100 * errors.median).toBeCloseTo(all.median, 0);
  expect(100 * errors.ninth).toBeCloseTo(all.ninth, 0);
  expect(100 * errors.covered).toBeCloseTo(golden.coverage.all.band, 0);
});
