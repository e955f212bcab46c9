// The script that measures a machine, and the line that it prints.

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import Ajv from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import en from '../../shared/text/en.json' with { type: 'json' };
import zh from '../../shared/text/zh.json' with { type: 'json' };
import schema from '../../shared/machine.schema.json' with { type: 'json' };
import { commandFor, readMachine } from '../../web/src/ui/views/evidence/machine/line.ts';
import { root } from '../../web/tools/run.mjs';
import { sample } from '../machine.ts';

const folder = path.join(root, 'tests/evidence/measure');
const validate = new Ajv({ strict: true }).compile(schema);

/** Runs Python, which every set-up has. */
function python(...words: string[]): { code: number | null; out: string; err: string } {
  const env = { ...process.env, PYTHONPATH: folder, PYTHONDONTWRITEBYTECODE: '1' };
  const { status, stdout, stderr } = spawnSync('python3', words, { env, encoding: 'utf8' });
  return { code: status, out: stdout, err: stderr };
}
/** Expressions, in which all of the script is known, by name: one process tells the values of all. */
const asked = new Map<string, string>();
const ask = (expression: string): (() => unknown) => {
  const name = `v${asked.size}`;
  asked.set(name, expression);
  return () => values[name];
};
let values: Record<string, unknown>;
const preamble = `
import contextlib, io
from measure import *
def refusal(*words):
    said = io.StringIO()
    try:
        with contextlib.redirect_stderr(said):
            parse(words)
    except SystemExit as end:
        return [end.code, said.getvalue()]
def taken(*words):
    return sizes_of(parse(words), "cuda")
def nan():
    try:
        return line_of({"seconds": math.nan})
    except ValueError:
        return None
def states(memory):
    model = step_model(taken(), memory)
    return [TRAINED_BYTES * parameters_of(model), model]
`;
beforeAll(() => {
  const all = [...asked].map(([name, expression]) => `"${name}": ${expression}`).join(',\n');
  const { code, out, err } = python('-c', `${preamble}\nprint(json.dumps({\n${all}\n}))`);
  expect([code, err]).toEqual([0, '']);
  values = JSON.parse(out) as typeof values;
});

/** The names of all properties in a schema. */
const propertiesIn = (rule: unknown): string[] =>
  typeof rule !== 'object' || rule === null
    ? []
    : Object.entries(rule).flatMap(([key, each]) =>
        key === 'properties'
          ? [...Object.keys(each as object), ...Object.values(each as object).flatMap(propertiesIn)]
          : propertiesIn(each),
      );
const camel = (name: string): string =>
  name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
const words = (list: readonly string[]): string => list.map((word) => `'${word}'`).join();

describe('the script', () => {
  const script = path.join(folder, 'measure.py');
  const imported = [...readFileSync(script, 'utf8').matchAll(/^( *)import (\w+)/gm)];
  const [atOnce, later] = [true, false].map((now) =>
    imported.filter(([, room]) => (room === '') === now).map(([, , name]) => name!),
  );

  const ofPython = ask(`[name in sys.stdlib_module_names for name in [${words(atOnce!)}]]`);
  test('imports the standard library alone, and PyTorch where it measures', () => {
    expect(atOnce!.length).toBeGreaterThan(3);
    expect(ofPython()).toEqual(atOnce!.map(() => true));
    expect(new Set(later)).toEqual(new Set(['torch']));
  });

  const all = ask('SIZES');
  test('takes the sizes that its schema knows', () => {
    const rules = schema.$defs as Record<string, object>;
    const sizes = all() as [string, number, number, number, number][];
    expect(sizes.map(([name]) => name)).toContain('tokens');
    for (const [name, minimum, maximum, gpu, cpu] of sizes) {
      expect([minimum <= cpu, cpu <= gpu, gpu <= maximum]).toEqual([true, true, true]);
      const rule = rules[name === 'kv-heads' ? 'heads' : camel(name)];
      if (name !== 'tokens') expect({ name, ...rule }).toMatchObject({ name, minimum, maximum });
    }
  });

  const version = ask('VERSION');
  test('writes all that its schema names', () => {
    expect(version()).toBe(schema.properties.measure.const);
    const keys = new Set(propertiesIn(schema));
    expect(keys.size).toBeGreaterThan(30);
    const text = readFileSync(script, 'utf8');
    const snake = (key: string): string =>
      key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    expect([...keys].filter((key) => !text.includes(`"${snake(key)}"`))).toEqual([]);
  });

  const refusals = (
    [
      [['--hidden', '63'], "hidden must be a whole number from 64 to 65536, not '63'"],
      [['--heads', 'many'], "heads must be a whole number from 1 to 1024, not 'many'"],
      [['--tokens', '1e3'], "tokens must be a whole number from 128 to 65536, not '1e3'"],
      [['--seconds', 'nan'], "seconds must be a number from 0.001 to 60, not 'nan'"],
      [['--heads', '30', '--kv-heads', '8'], 'kv-heads must divide heads'],
      [['--head-dim', '65'], 'head-dim must be even'],
      [['--device', 'tpu'], "invalid choice: 'tpu'"],
    ] as const
  ).map(([given, reason]) => ({ given, reason, refusal: ask(`refusal(${words(given)})`) }));
  test.each(refusals)('refuses $given', ({ reason, refusal }) => {
    expect(refusal()).toEqual([2, expect.stringContaining(reason) as unknown]);
  });

  const large = `taken('--hidden', '8192', '--heads', '64', '--feed-forward', '28672')`;
  const [matmuls, fitting] = [8e10, 4e9].map((bytes) => ask(`matmuls_of(${large}, ${bytes})`));
  const ungiven = ask(`taken('--heads', '30')['kv_heads']`);
  test('measures the matmuls of a layer and of the LM head, in training and in decoding', () => {
    const shapes = [4096, 32].flatMap((m) => [
      [m, 8192, 80 * 128],
      [m, 8192, 8192],
      [m, 8192, 2 * 28672],
      [m, 28672, 8192],
      [m, 8192, 128256],
    ]);
    expect(matmuls!()).toEqual(shapes);
    expect(fitting!()).toEqual(shapes.filter(([, , n]) => n !== 128256));
    expect(ungiven()).toBe(2);
  });

  const sizes = [16e9, 80e9, 192e9];
  const models = sizes.map((bytes) => ask(`states(${bytes})`));
  test('trains a model whose states take a third of the memory at most, and no quarter of that', () => {
    for (const [index, model] of models.entries()) {
      const [bytes, { heads, kv_heads: keys }] = model() as [number, Record<string, number>];
      expect(bytes).toBeLessThanOrEqual(sizes[index]! / 3);
      if (sizes[index]! < 100e9) expect(4 * bytes).toBeGreaterThan(sizes[index]! / 3);
      expect(heads! % keys!).toBe(0);
    }
    // 4 layers of Llama 3.1 8B, and its embeddings with 32,000 words.
    expect((models[2]!() as [number])[0]).toBe(
      18 * (4 * (2 * 4096 * 4096 + 2 * 4096 * 1024 + 3 * 4096 * 14336) + 2 * 32000 * 4096),
    );
  });

  const call = ask('per_call([0.5, 0.1, 0.2, 9, 0.2], 10)');
  const calls = ask('[calls_in(0.5, 0.01), calls_in(0.5, 3), calls_in(0.5, 0)]');
  const sequences = ask('[sequences_of(4096), sequences_of(100), sequences_of(65536)]');
  test('times a call by the median of groups', () => {
    expect(call()).toBe(0.02);
    expect(calls()).toEqual([10, 1, 2000]);
    expect(sequences()).toEqual([
      [2, 2048],
      [1, 100],
      [32, 2048],
    ]);
  });

  const line = ask(`line_of({'kv_heads': 2, 'a': [{'head_dim': 1.23456789e-5}], 'none': None})`);
  const none = ask('nan()');
  test('prints one line, without what is not there and without NaN', () => {
    expect(line()).toBe('{"kvHeads":2,"a":[{"headDim":1.2346e-05}]}');
    expect(none()).toBeNull();
  });

  test('runs on a CPU and prints what the page takes; without PyTorch it says so', () => {
    const { code, out, err } = python(script, '--device', 'cpu', '--seconds', '0.01');
    const hasPyTorch = python('-c', 'import torch').code === 0;
    if (!hasPyTorch) {
      expect([code, out]).toEqual([2, '']);
      expect(err).toContain('needs PyTorch');
      return;
    }
    expect([code, out.trim().split('\n').length]).toEqual([0, 1]);
    expect(validate(JSON.parse(out))).toBe(true);
    expect(readMachine(out)).toMatchObject({ machine: { kind: 'cpu', device: 'cpu' } });
  });
});

describe('a line', () => {
  test('is taken, whatever the terminal printed around it', () => {
    expect(validate(sample)).toBe(true);
    const line = JSON.stringify(sample);
    expect(readMachine(line)).toEqual({ machine: sample });
    expect(readMachine(`$ python3 measure.py\ncopy\n${line}\n$ `)).toEqual({ machine: sample });
  });

  const without = (key: keyof typeof sample): object =>
    Object.fromEntries(Object.entries(sample).filter(([each]) => each !== key));
  test.each([
    ['', { code: 'notJson' }],
    ['hello', { code: 'notJson' }],
    ['[1, 2]', { code: 'notJson' }],
    [JSON.stringify(sample).slice(0, -9), { code: 'notJson' }],
    [JSON.stringify(sample).replace('0.08', 'NaN'), { code: 'notJson' }],
    [{}, { code: 'missing', at: 'measure' }],
    [{ ...sample, measure: 2 }, { code: 'version' }],
    [without('copy'), { code: 'missing', at: 'copy' }],
    [
      { ...sample, copy: 3 },
      { code: 'object', at: 'copy' },
    ],
    [
      { ...sample, copy: [] },
      { code: 'object', at: 'copy' },
    ],
    [
      { ...sample, cores: 1.5 },
      { code: 'whole', at: 'cores', minimum: 1, maximum: 1e5 },
    ],
    [
      { ...sample, copy: { bytes: 8, seconds: -1 } },
      { code: 'number', at: 'copy.seconds', minimum: 1e-9, maximum: 1000 },
    ],
    [
      { ...sample, copy: { bytes: 8, seconds: '1' } },
      { code: 'number', at: 'copy.seconds', minimum: 1e-9, maximum: 1000 },
    ],
    [
      JSON.stringify(sample).replace('0.08', '1e400'),
      { code: 'number', at: 'steps[0].seconds', minimum: 1e-9, maximum: 1000 },
    ],
    [
      { ...sample, matmuls: [] },
      { code: 'list', at: 'matmuls', minimum: 1, maximum: 64 },
    ],
    [
      { ...sample, matmuls: [sample.matmuls[0], { m: 1, k: 1, n: 1 }] },
      { code: 'missing', at: 'matmuls[1].seconds' },
    ],
    [
      { ...sample, device: '' },
      { code: 'text', at: 'device', minimum: 1, maximum: 100 },
    ],
    [
      { ...sample, format: 'fp8' },
      { code: 'choice', at: 'format', choices: ['bf16', 'fp16'] },
    ],
  ])('that is none is told by its place: case %#', (line, fault) => {
    expect(readMachine(typeof line === 'string' ? line : JSON.stringify(line))).toEqual({ fault });
  });

  test('is taken if and only if the schema takes it', () => {
    const places: (string | number)[][] = [];
    const visit = (value: unknown, at: (string | number)[]): void => {
      if (at.length > 0) places.push(at);
      if (typeof value !== 'object' || value === null) return;
      for (const [key, each] of Object.entries(value))
        visit(each, [...at, Array.isArray(value) ? Number(key) : key]);
    };
    visit(sample, []);
    const other = fc.oneof(fc.jsonValue(), fc.double({ noNaN: true, noDefaultInfinity: true }));
    fc.assert(
      fc.property(fc.constantFrom(...places), other, (at, value) => {
        const line = structuredClone(sample) as never;
        const inner = at.slice(0, -1).reduce<Record<string, never>>((of, key) => of[key]!, line);
        inner[at.at(-1)!] = value as never;
        const text = JSON.stringify(line);
        expect('machine' in readMachine(text)).toBe(validate(JSON.parse(text)));
      }),
      { numRuns: 500 },
    );
  });

  test('has a sentence for each fault in each language', () => {
    for (const { evidence } of [en, zh]) {
      const { faults } = evidence.machine;
      for (const code of [
        'missing',
        'object',
        'number',
        'whole',
        'text',
        'list',
        'choice',
      ] as const)
        expect(faults[code]).toContain('{at}');
      for (const code of ['number', 'whole', 'text', 'list'] as const)
        expect(faults[code]).toMatch(/\{minimum\}.*\{maximum\}/);
    }
  });
});

describe('the command', () => {
  const llama = {
    hidden: 8192,
    feedForward: 28672,
    heads: 64,
    kvHeads: 8,
    headDim: 128,
    vocabulary: 128256,
  };
  const cases = [
    [
      llama,
      '--hidden 8192 --feed-forward 28672 --heads 64 --kv-heads 8 --head-dim 128 --vocabulary 128256',
    ],
    [{ hidden: 7168, heads: 128 }, '--hidden 7168 --heads 128 --kv-heads 128'],
    [{ hidden: 1e6, feedForward: 1.5, heads: 30, kvHeads: 8, headDim: 65 }, '--heads 30'],
    [{}, ''],
  ] as const;
  const read = cases.map(([, options]) => ask(`taken(*'${options}'.split())`));
  test('has the shapes of a model, as far as the script takes them', () => {
    for (const [index, [sizes, options]] of cases.entries()) {
      expect(commandFor(sizes)).toBe(`python3 measure.py ${options}`.trim());
      expect(read[index]!()).toMatchObject({ tokens: 4096 });
    }
  });
});
