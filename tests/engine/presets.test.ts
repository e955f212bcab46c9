// The presets of shared/: valid by their schemas, understood by the core, counted to the parameter.

import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeAll, describe, expect, test } from 'vitest';
import chipFile from '../../shared/chips.json' with { type: 'json' };
import chipSchema from '../../shared/chips.schema.json' with { type: 'json' };
import modelFile from '../../shared/models.json' with { type: 'json' };
import modelSchema from '../../shared/models.schema.json' with { type: 'json' };
import priceFile from '../../shared/prices.json' with { type: 'json' };
import priceSchema from '../../shared/prices.schema.json' with { type: 'json' };
import optimizerFile from '../../shared/optimizers.json' with { type: 'json' };
import optimizerSchema from '../../shared/optimizers.schema.json' with { type: 'json' };
import constantFile from '../../shared/efficiency.json' with { type: 'json' };
import constantSchema from '../../shared/efficiency.schema.json' with { type: 'json' };
import sourceFile from '../../shared/sources.json' with { type: 'json' };
import sourceSchema from '../../shared/sources.schema.json' with { type: 'json' };
import trainedFile from '../../shared/trained-models.json' with { type: 'json' };
import trainedSchema from '../../shared/trained-models.schema.json' with { type: 'json' };
import golden from '../golden/models.json' with { type: 'json' };
import { createEngine } from '../../web/src/engine/index.ts';
import type {
  AnswersOf,
  Engine,
  FieldInfo,
  Inputs,
  OperationInput,
  CoreQuestion,
  TrainingInput,
} from '../../web/src/engine/index.ts';

type Value = number | string | boolean | null;
interface Figure {
  value: Value;
  source: string;
  book?: { value: Value; source: string };
}
type Figures = Record<string, Figure>;

const chips = chipFile.chips.map((chip) => ({ ...chip, figures: chip.figures as Figures }));
const models = modelFile.models;

/** A chip as the core takes it, with the book's figures where `book` asks for them. */
function chipInput(figures: Figures, book: boolean): Partial<TrainingInput['chip']> {
  return Object.fromEntries(
    Object.entries(figures).map(([key, figure]) => [
      key,
      book && figure.book ? figure.book.value : figure.value,
    ]),
  );
}

function architecture(id: string): Partial<TrainingInput['model']> {
  const model = models.find((preset) => preset.id === id);
  if (!model) throw new Error(`no model preset ${id}`);
  return model.architecture as Partial<TrainingInput['model']>;
}

function figuresOf(id: string): Figures {
  const chip = chips.find((preset) => preset.id === id);
  if (!chip) throw new Error(`no chip preset ${id}`);
  return chip.figures;
}

/** The reason why `value` cannot be one of `field`; empty if it can. */
function fault(field: FieldInfo | undefined, value: Value): string {
  if (!field) return 'no such field';
  if (value === null) return field.optional ? '' : 'must be given';
  if (field.kind === 'flag') return typeof value === 'boolean' ? '' : 'not a flag';
  if (field.kind === 'choice') return field.choices.includes(String(value)) ? '' : 'no choice';
  if (field.kind === 'text') return typeof value === 'string' ? '' : 'not a text';
  if (typeof value !== 'number') return 'not a number';
  if (value < field.min || value > field.max) return `not in ${field.min}..${field.max}`;
  return field.kind === 'count' && !Number.isInteger(value) ? 'not a count' : '';
}

/** All faults of the entries of one preset, as `key: fault`. */
function faults(fields: FieldInfo[], entries: [string, Value][]): string[] {
  return entries.flatMap(([key, value]) => {
    const found = fault(
      fields.find((field) => field.key === key),
      value,
    );
    return found ? [`${key}: ${found}`] : [];
  });
}

let engine: Engine;

beforeAll(async () => {
  engine = await createEngine();
});

describe('files', () => {
  const ajv = new Ajv2020({ allErrors: true, strictTypes: false, strictRequired: false });

  test.each([
    ['chips', chipSchema, chipFile],
    ['models', modelSchema, modelFile],
    ['optimizers', optimizerSchema, optimizerFile],
    ['prices', priceSchema, priceFile],
    ['sources', sourceSchema, sourceFile],
    ['constants', constantSchema, constantFile],
    ['trained models', trainedSchema, trainedFile],
  ])('%s follow their schema', (_name, schema, file) => {
    const validate = ajv.compile(schema);
    validate(file);
    expect(validate.errors ?? []).toEqual([]);
  });

  test('the schemas refuse what they should', () => {
    const validate = ajv.compile({ ...chipSchema, $id: 'strict' });
    const [first, ...others] = chipFile.chips;
    const refused = (chip: object) => !validate({ ...chipFile, chips: [chip, ...others] });
    expect(refused({ ...first, id: 'Not An Id' })).toBe(true);
    expect(refused({ ...first, colour: 'green' })).toBe(true);
    expect(refused({ ...first, figures: {} })).toBe(true);
    const memory = { value: -1, source: 'book-tpus' };
    expect(refused({ ...first, figures: { ...first!.figures, memory } })).toBe(true);
  });

  test.each([
    ['chips', chipFile.chips],
    ['models', modelFile.models],
    ['optimizers', optimizerFile.optimizers],
  ])('the ids and names of %s are unique', (_name, presets: { id: string; name?: string }[]) => {
    expect(new Set(presets.map(({ id }) => id)).size).toBe(presets.length);
    expect(new Set(presets.map(({ id, name }) => name ?? id)).size).toBe(presets.length);
  });

  test('what each constant rests on is listed', () => {
    interface ConstantSet {
      basis: string;
      source?: string;
      values: object;
    }
    const of = constantFile;
    const sets = Object.values(of.generations).flatMap(({ rates }) =>
      Object.values(rates as Record<string, ConstantSet | Record<string, ConstantSet>>).flatMap(
        (set) => ('values' in set ? [set as ConstantSet] : Object.values(set)),
      ),
    );
    const alone = [of.kernels, of.step, of.serving].flatMap((set) => Object.values(set));
    const known = new Set([...Object.keys(sourceFile.sources), 'fitted', 'assumed']);
    const bases = new Set([...sets, ...alone].map(({ basis }) => basis));
    expect([...bases].filter((basis) => !known.has(basis))).toEqual([]);
    const sources = new Set(sets.flatMap(({ source }) => source ?? []));
    expect([...sources].sort()).toEqual(Object.keys(of.sources).sort());
  });

  test('every source is listed, and every listed source is used', () => {
    const ofChips = chips.flatMap(({ figures }) =>
      Object.values(figures).flatMap(({ source, book }) => (book ? [source, book.source] : source)),
    );
    const ofPrices = [...priceFile.prices, ...priceFile.purchases].map(({ source }) => source);
    const ofModels = models.flatMap(({ sources, book }) => [
      ...Object.values(sources),
      ...Object.values(book ?? {}).map(({ source }) => source),
    ]);
    expect(new Set(ofChips)).toEqual(new Set(Object.keys(chipFile.sources)));
    expect(new Set(ofPrices)).toEqual(new Set(Object.keys(priceFile.sources)));
    expect(new Set(ofModels)).toEqual(new Set(Object.keys(modelFile.sources)));
  });

  test('every published figure of a model has its source', () => {
    const parts = {
      parameters: 'parameters',
      activeParameters: 'activeParameters',
      tokens: 'tokens',
    };
    for (const { id, published, sources } of models) {
      for (const key of Object.keys(published)) {
        expect(sources, `${id} ${key}`).toHaveProperty(
          parts[key as keyof typeof parts] ?? 'training',
        );
      }
    }
  });

  test('formats of models are ones that a server takes, and have a source', async () => {
    const fields = engine.describe().groups.server;
    const validate = ajv.compile({ ...modelSchema, $id: 'formats' });
    for (const model of models) {
      if (!('formats' in model)) continue;
      const { formats, sources } = model;
      expect(faults(fields, Object.entries(formats as Record<string, Value>)), model.id).toEqual(
        [],
      );
      const { formats: _, ...others } = sources as Record<string, string>;
      const without = { ...model, sources: others };
      expect(validate({ ...modelFile, models: [without] }), model.id).toBe(false);
    }
    const [first] = models;
    const named = {
      ...first,
      formats: { weights: 'fp5' },
      sources: { ...first!.sources, formats: 'hf' },
    };
    expect(validate({ ...modelFile, models: [named] })).toBe(false);
  });

  test('the chips that models were trained on are presets', () => {
    const ids = chips.map(({ id }) => id);
    for (const { published } of models) {
      if ('chip' in published) expect(ids).toContain(published.chip);
    }
  });
});

describe('chips', () => {
  test.each(chips)('$id has figures that the core knows', ({ figures }) => {
    const fields = engine.describe().groups.chip;
    for (const book of [false, true]) {
      const input = chipInput(figures, book);
      expect(faults(fields, Object.entries(input))).toEqual([]);
      const outcome = engine.estimate({
        chip: input,
        model: architecture('llama-3-8b'),
        run: { chips: 1 },
      });
      expect(outcome).toMatchObject({ ok: true });
    }
  });

  /** Chips of which a figure is not published that a plan on many of them asks for, and which. */
  const unpublished: Record<string, string> = {
    'tpu-v4i': 'chip.scaleOutBandwidth',
    // Instances are joined for serving alone.
    'inferentia-2': 'chip.scaleOutBandwidth',
  };

  test.each(chips)('1,024 of $id plan a training, or say what is missing', async (chip) => {
    const planner = await engine.planner();
    for (const model of ['llama-3-70b', 'llama-3-8b']) {
      const input = {
        chip: chipInput(chip.figures, false),
        model: architecture(model),
        run: { chips: 1024, tokens: 1e12 },
      };
      const outcome = planner.estimate(input);
      const missing = unpublished[chip.id];
      if (missing) {
        const fields = outcome.ok ? [] : outcome.issues.map(({ field }) => field);
        expect(fields).toEqual([missing]);
        continue;
      }
      if (!outcome.ok) throw new Error(JSON.stringify(outcome.issues));
      const { stepLower, stepExpected, stepUpper } = outcome.answers;
      expect(stepLower).toBeGreaterThan(0);
      expect(stepExpected).toBeGreaterThanOrEqual(Number(stepLower));
      expect(stepUpper).toBeGreaterThanOrEqual(Number(stepExpected));
      const started = planner.search(input);
      if (!started.ok) throw new Error(JSON.stringify(started.issues));
      started.search.advance(1000);
      // Slices of 16 chips hold a copy each of small models alone.
      const holds = chip.id !== 'trainium-1' || model === 'llama-3-8b';
      expect(started.search.best().length > 0).toBe(holds);
      started.search.end();
      // What was chosen for the reader is said.
      const { network, torusX, torusY, torusZ, peakBf16 } = input.chip;
      const pod = Number(torusX) * Number(torusY) * Number(torusZ);
      const said = outcome.notices.map(({ code }) => code);
      expect(said.includes('slicesJoined')).toBe(network === 'torus' && pod < 1024);
      expect(said.includes('computesInFp16')).toBe(!peakBf16);
    }
  });

  test.each(chips)('$id serves a model in each format, at rates in sixteen bits', async (chip) => {
    const serving = await engine.serving();
    const input = chipInput(chip.figures, false);
    for (const weights of ['bf16', 'fp8', 'int8', 'int4', 'mxfp4', 'nvfp4'] as const) {
      const outcome = serving.estimate({
        chip: input,
        model: architecture('llama-3.2-1b'),
        serving: { chips: 1, users: 1 },
        server: { weights },
      });
      if (!outcome.ok) throw new Error(JSON.stringify(outcome.issues));
      const { firstTokenLower, prefillTime, tokenTime } = outcome.answers;
      for (const time of [firstTokenLower, prefillTime, tokenTime]) {
        expect(time).toBeGreaterThan(0);
        expect(time).toBeLessThan(1000);
      }
      const narrow = { ...input, peakBf16: null, peakFp16: null };
      expect(
        serving.estimate({
          chip: narrow,
          model: architecture('llama-3.2-1b'),
          serving: { chips: 1, users: 1 },
          server: { weights },
        }),
      ).toMatchObject({
        ok: false,
        issues: [{ code: 'formatNotSupported', field: 'chip.peakBf16' }],
      });
    }
  });

  test('what lies between memory and arithmetic is smaller and faster than memory', () => {
    for (const { id, figures } of chips) {
      const { memory, memoryBandwidth, onChipMemory, onChipBandwidth, tileMemory } = chipInput(
        figures,
        true,
      );
      if (onChipMemory) expect(onChipMemory, id).toBeLessThan(memory!);
      if (onChipMemory && tileMemory) expect(tileMemory, id).toBeLessThanOrEqual(onChipMemory);
      if (onChipBandwidth) expect(onChipBandwidth, id).toBeGreaterThan(memoryBandwidth!);
      // The book's rule, which it states for TPUs.
      if (id.startsWith('tpu') && onChipBandwidth) {
        expect(onChipBandwidth, id).toBeCloseTo(22 * memoryBandwidth!, -3);
      }
    }
  });

  test('a book figure differs from the one beside it', () => {
    for (const { id, figures } of chips) {
      for (const [key, { value, book }] of Object.entries(figures)) {
        if (book) expect(book.value, `${id} ${key}`).not.toBe(value);
      }
    }
  });
});

describe('models', () => {
  const expected = new Map(golden.models.map((model) => [model.id, model]));

  test('each has its expected counts', () => {
    expect(models.map(({ id }) => id)).toEqual([...expected.keys()]);
  });

  test.each(models)('$id is counted to the parameter', ({ id, architecture: model }) => {
    const fields = engine.describe().groups.model;
    expect(faults(fields, Object.entries(model))).toEqual([]);
    const outcome = engine.estimate({
      chip: chipInput(figuresOf('h100-sxm'), false),
      model: architecture(id),
      run: { chips: 1, activationFormat: 'fp8' },
    });
    if (!outcome.ok) throw new Error(JSON.stringify(outcome.issues));
    const { parameters, activeParameters, mtpParameters } = expected.get(id)!;
    expect(outcome.answers.computedParameters).toBe(parameters);
    expect(outcome.answers.computedActiveParameters).toBe(activeParameters);
    expect(outcome.answers.mtpParameters).toBe(mtpParameters);
    // The computed counts are used if none are stated.
    expect(outcome.answers.parameters).toBe(parameters);
    expect(outcome.answers.activeParameters).toBe(activeParameters);
  });

  test.each(models)('$id agrees with its published counts', ({ id, published }) => {
    const { parameters, activeParameters, activeWithoutInputEmbedding } = expected.get(id)!;
    const near = (a: number, b: number, tolerance: number) =>
      expect(Math.abs(a - b) / b, `${a} against ${b}`).toBeLessThan(tolerance);
    // Nominal counts are rounded, and some leave a vision tower out.
    if ('parameters' in published) near(parameters, published.parameters!, 0.02);
    if ('activeParameters' in published) {
      const nearest = [activeParameters, activeWithoutInputEmbedding].sort(
        (a, b) =>
          Math.abs(a - published.activeParameters!) - Math.abs(b - published.activeParameters!),
      )[0]!;
      near(nearest, published.activeParameters!, 0.05);
    }
  });

  test('checkpoints that have a vision tower are counted to the parameter, with it', () => {
    const seen = models.filter(
      ({ architecture: model, sources }) =>
        'towerLayers' in model && 'parameters' in sources && sources.parameters === 'hf',
    );
    expect(seen.map(({ id }) => id)).toEqual(['llama-4-scout', 'llama-4-maverick', 'gemma-3-27b']);
    for (const { id, published } of seen) {
      const outcome = engine.estimate({
        chip: chipInput(figuresOf('h100-sxm'), false),
        model: architecture(id),
        run: { chips: 1 },
      });
      if (!outcome.ok) throw new Error(JSON.stringify(outcome.issues));
      const { computedParameters, towerParameters } = outcome.answers;
      expect(Number(computedParameters) + Number(towerParameters), id).toBe(published.parameters);
    }
  });

  test('counts that the book states are close to those computed', () => {
    for (const { id, book } of models) {
      const { parameters, activeParameters } = expected.get(id)!;
      const stated = book as Record<string, { value: number }> | undefined;
      const total = stated?.statedParameters?.value ?? parameters;
      const active = stated?.statedActiveParameters?.value ?? activeParameters;
      expect(Math.abs(total / parameters - 1), id).toBeLessThan(0.02);
      expect(Math.abs(active / activeParameters - 1), id).toBeLessThan(0.02);
    }
  });
});

describe('optimizers', () => {
  test('each sets fields that the core knows', () => {
    const fields = engine.describe().groups.run;
    for (const { weightFormat, gradientBytes, optimizerBytes } of optimizerFile.optimizers) {
      const entries = Object.entries({ weightFormat, gradientBytes, optimizerBytes });
      expect(faults(fields, entries)).toEqual([]);
    }
  });

  test('they come to the bytes that their sources give', () => {
    const weightBytes: Record<string, number> = { fp32: 4, bf16: 2, fp8: 1 };
    const total = Object.fromEntries(
      optimizerFile.optimizers.map(({ id, weightFormat, gradientBytes, optimizerBytes }) => [
        id,
        weightBytes[weightFormat]! + gradientBytes + optimizerBytes,
      ]),
    );
    expect(total).toMatchObject({
      book: 10,
      zero: 16,
      megatron: 18,
      deepspeed: 20,
      fp32: 16,
      bf16: 8,
    });
    expect(total).toMatchObject({ adam8bit: 12, 'deepseek-fp8': 13, 'one-state': 14 });
  });

  test('their sources are listed', () => {
    for (const { source } of optimizerFile.optimizers) {
      expect(sourceFile.sources).toHaveProperty([source]);
    }
  });
});

test('every rule that the core names has its source listed', async () => {
  const derivations = await engine.derivations();
  const torus = chipInput(figuresOf('tpu-v5p'), true);
  const switched = chipInput(figuresOf('h100-sxm'), true);
  const model = architecture('deepseek-v3');
  const { groups, questions } = engine.describe();
  const named = new Set<string>();
  const explain = <Q extends CoreQuestion>(question: Q, input: Inputs[Q]) => {
    for (const { key, source } of questions[question].answers) {
      named.add(source);
      const explanation = derivations.explain(question, input, key as keyof AnswersOf[Q] & string);
      if (!explanation.ok) throw new Error(JSON.stringify(explanation.issues));
      for (const step of explanation.derivation.steps) named.add(step.source);
    }
  };
  explain('training', { chip: torus, model, run: {} });
  for (const kind of groups.operation.find(({ key }) => key === 'kind')!.choices) {
    explain('operation', {
      chip: switched,
      model,
      operation: { kind } as Partial<OperationInput['operation']>,
    });
  }
  for (const chip of [torus, switched]) explain('collective', { chip, mesh: { x: 16 } });
  expect([...named].filter((id) => !Object.hasOwn(sourceFile.sources, id))).toEqual([]);
});
