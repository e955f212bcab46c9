// Published trainings: each row has the form that their schema tells.

import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';

import file from '../../shared/runs.json' with { type: 'json' };
import schema from '../../shared/runs.schema.json' with { type: 'json' };
import softwareFile from '../../shared/runs-software.json' with { type: 'json' };
import softwareSchema from '../../shared/runs-software.schema.json' with { type: 'json' };
import stacksFile from '../../shared/stacks.json' with { type: 'json' };
import torus from '../../shared/torus-stack.json' with { type: 'json' };
import tunings from '../../shared/tuning-runs.json' with { type: 'json' };
import tuningSchema from '../../shared/tuning-runs.schema.json' with { type: 'json' };
import { presetIds } from '../../web/src/model/presets.ts';

test('published trainings have the form of their schema', () => {
  const validate = new Ajv2020({ strictTypes: false }).compile(schema);
  expect(validate(file), JSON.stringify(validate.errors?.[0])).toBe(true);
});

test('each published training has an id of its own', () => {
  const ids = file.runs.map((run) => run.id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.length).toBeGreaterThan(1000);
});

test('a run that names no chip, or a step of no time, is refused', () => {
  const validate = new Ajv2020({ strictTypes: false }).compile(schema);
  const [run] = file.runs;
  const { chip: _, ...chipless } = run!;
  expect(validate({ ...file, runs: [chipless] })).toBe(false);
  expect(validate({ ...file, runs: [{ ...run, measured: { step_time_s: 0 } }] })).toBe(false);
});

test('what tells of their software has the form of its schema, and names stacks', () => {
  const validate = new Ajv2020({ strictTypes: false }).compile(softwareSchema);
  expect(validate(softwareFile), JSON.stringify(validate.errors?.[0])).toBe(true);
  const [first] = softwareFile.software;
  for (const wrong of [
    { sources: [] },
    { names: 'NeMo' },
    { usualOn: [{}] },
    { usualOn: [{ generations: ['hopper'], shardings: ['some'] }] },
  ]) {
    const file = { ...softwareFile, software: [{ ...first, ...wrong }] };
    expect(validate(file), JSON.stringify(wrong)).toBe(false);
  }
  const ids = [torus, ...stacksFile.stacks].map(({ id }) => id);
  const told = softwareFile.software.map(({ stack }) => stack);
  expect(new Set(told).size).toBe(told.length);
  // A fine-tuning names its software itself.
  expect(new Set([...told, ...tunings.runs.map(({ stack }) => stack)])).toEqual(new Set(ids));
});

test('published fine-tunings have the form of their schema', () => {
  const validate = new Ajv2020({ allowUnionTypes: true }).compile(tuningSchema);
  expect(validate(tunings), JSON.stringify(validate.errors?.[0])).toBe(true);
  const [run] = tunings.runs;
  for (const wrong of [
    { measured: { stepTime: 0 } },
    { measured: { memory: 1e9 } },
    { unfit: {} },
    { speed: 3 },
  ]) {
    expect(validate({ ...tunings, runs: [{ ...run, ...wrong }] }), JSON.stringify(wrong)).toBe(
      false,
    );
  }
});

test('each names a source, a chip, a model and software that there are', () => {
  const stacks = new Set(stacksFile.stacks.map(({ id }) => id));
  for (const { id, source, chip, model, stack } of tunings.runs) {
    expect(Object.hasOwn(tunings.sources, source), id).toBe(true);
    expect(presetIds.chip.has(chip), id).toBe(true);
    expect(presetIds.model.has(model) || Object.hasOwn(tunings.models, model), id).toBe(true);
    expect(stacks.has(stack), id).toBe(true);
  }
});
