// The command line, as a program of its own: what it prints is what the engine answers.

import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createEngine, type Engine } from '../../web/src/engine/index.ts';
import { readAddress } from '../../web/src/link/address.ts';
import { inputsOf } from '../../web/src/model/evaluate.ts';
import { fileOf, llama } from '../gguf.ts';
import { ask as askEngine } from './inputs.ts';

const run = promisify(execFile);
const program = path.resolve(import.meta.dirname, '../../build/cli/cli.js');
let folder: string;
let engine: Engine;

beforeAll(async () => {
  if (!existsSync(program)) throw new Error(`${program} is missing: npm run build`);
  folder = mkdtempSync(path.join(tmpdir(), 'cli-'));
  engine = await createEngine();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Told {
  status: number;
  out: string;
  err: string;
}

/** Runs the command line somewhere else, as its readers do. */
async function ask(...words: string[]): Promise<Told> {
  try {
    const { stdout, stderr } = await run(process.execPath, [program, ...words], { cwd: folder });
    return { status: 0, out: stdout, err: stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { status: code, out: stdout, err: stderr };
  }
}

const answersOf = async (...words: string[]): Promise<Record<string, unknown>> =>
  (JSON.parse((await ask(...words, '--format', 'json')).out) as { answers: object })
    .answers as Record<string, unknown>;

describe('answers are those of the engine, to the bit', () => {
  test.each([
    ['training', 'chip=h100-sxm&model=llama-3.1-8b&chips=8&tokens=160B'],
    ['training', 'chip=mi300x&model=deepseek-v3&chips=2048'],
    ['operation', 'view=operation&chip=tpu-v5e'],
    ['collective', 'view=collective&chip=h100-sxm&mesh.x=8'],
  ] as const)('%s: %s', async (question, link) => {
    const { state, problems } = readAddress(engine.describe(), link);
    expect(problems).toEqual([]);
    const outcome = askEngine(engine, question, inputsOf(engine, state));
    if (!outcome.ok) throw new Error(JSON.stringify(outcome.issues));
    const printed = await answersOf(link);
    expect(Object.keys(printed).length).toBeGreaterThan(5);
    for (const [key, value] of Object.entries(printed)) {
      if (value !== null) expect([key, value]).toEqual([key, (outcome.answers as never)[key]]);
    }
  });

  test('a plan by flags: the best layout of the search', async () => {
    const planner = await engine.planner();
    const words = ['--chip', 'h100-sxm', '--model', 'llama-3.1-405b', '--chips', '1024'];
    const { out } = await ask('plan', ...words, '--format', 'json');
    const { input, answers } = JSON.parse(out) as { input: object; answers: object };
    const found = planner.search(input as never);
    if (!found.ok) throw new Error(JSON.stringify(found.issues));
    while (!found.search.advance(1 << 16).done);
    const best = found.search.chosen();
    expect((answers as { stepExpected: number }).stepExpected).toBe(best?.expected);
    expect((input as { layout: object }).layout).toMatchObject({ tensor: best?.layout.tensor });
  });

  test('servers: the best division', async () => {
    const serving = await engine.serving();
    const words = ['--chip', 'h200-sxm', '--model', 'llama-3-70b', '--serve.chips', '8'];
    const { out } = await ask('serving', ...words, '--format', 'json');
    const { input, answers } = JSON.parse(out) as { input: never; answers: object };
    const outcome = serving.estimate(input);
    if (!outcome.ok) throw new Error(JSON.stringify(outcome.issues));
    expect(Object.keys(answers).length).toBeGreaterThan(20);
    for (const [key, value] of Object.entries(answers)) {
      if (value !== null) expect([key, value]).toEqual([key, (outcome.answers as never)[key]]);
    }
    const { serving: ways } = serving.divide({
      ...(input as object),
      serving: { chips: 8 },
    } as never);
    expect((input as { serving: object }).serving).toMatchObject({ tensor: ways.tensor });
  });
});

test('a table has the question, each large answer, and the link', async () => {
  const { status, out } = await ask('training', '--chip', 'h100-sxm', '--page', 'https://a.b/c/');
  expect(status).toBe(0);
  expect(out).toMatch(/^Train Llama 3 70B on 8,960 × H100/);
  expect(out).toMatch(/^Training time +20\.6 days$/m);
  expect(out).toContain('https://a.b/c/#chip=h100-sxm&batch=4194304\n');
  expect(Math.max(...out.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(100);
});

test('a budget that limits nothing, or not even a step, says so', async () => {
  const free = await ask('budget', '--chip', 'h100-sxm', '--chip.price', '0');
  expect(free.out).toMatch(/Tokens for this model +out of range\n +At a price of 0, money sets no/);
  expect(free.out).not.toMatch(/No price is known|never/);
  const small = await ask('budget', '--chip', 'h100-sxm', '--budget.money', '2');
  expect(small.out).toContain('less than one step');
});

test('a whole link, in Chinese, as Markdown', async () => {
  const link = 'https://example.org/calculator/index.html#chip=h100-sxm&chips=64';
  const { out } = await ask(link, '--lang', 'zh', '--format', 'markdown');
  expect(out).toMatch(/训练时间 \|/);
});

test('a GGUF file, which is the model that it was made from', async () => {
  writeFileSync(
    path.join(folder, 'model.gguf'),
    fileOf(llama, 9, ['token_embd.weight', 'output.weight']),
  );
  const words = ['training', '--chip', 'h100-sxm', '--model', 'model.gguf'];
  const answers = await answersOf(...words);
  expect(answers['computedParameters']).toBe(8030261248);
});

test('a model’s config.json, with what it leaves open', async () => {
  const config = {
    ...{ model_type: 'llama', hidden_size: 4096, intermediate_size: 14336 },
    ...{ num_hidden_layers: 32, num_attention_heads: 32, num_key_value_heads: 8 },
    vocab_size: 128256,
  };
  const file = path.join(folder, 'config.json');
  writeFileSync(file, JSON.stringify(config));
  const words = ['training', '--chip', 'h100-sxm', '--model', 'config.json'];
  expect((await answersOf(...words))['parameters']).toBe(8030261248);
  expect((await ask(...words)).err).toMatch(/config\.json: Head size 128/);
  writeFileSync(file, JSON.stringify({ ...config, num_hidden_layers: 'many' }));
  const wrong = await ask(...words);
  expect([wrong.status, wrong.out]).toEqual([1, '']);
  expect(wrong.err).toContain('num_hidden_layers');
});

describe('what can’t be answered is said, with a code', () => {
  test.each([
    [['training', '--chips', '0'], 1, /Chips must be from 1 to 1B/],
    [['training', '--chip', 'h100-sxmm'], 2, /cannot be “h100-sxmm” \(chip=h100-sxm\?\)/],
    [['budget', '--budget.kind', 'days'], 2, /cannot be “days” \(money, time\)/],
    [['training', '--chipz', '3'], 2, /Did you mean .*--chips/],
    [['chipz=3'], 2, /no “chipz” \(chips=3\?\)/],
    [
      ['explain', 'chips=8', 'trainingTme'],
      2,
      /no answer “trainingTme”\nanswers:\ntrainingTime: Training time\./,
    ],
  ])('%s', async (words, status, says) => {
    const told = await ask(...words);
    expect([told.status, told.out]).toEqual([status, '']);
    expect(told.err).toMatch(says);
  });
});

test('a derivation: formula, numbers, sources', async () => {
  const { out } = await ask('explain', 'chip=h100-sxm', 'trainingTime');
  expect(out).toContain('T_train = FLOPs / (n · C_bf16 · MFU)');
  expect(out).toContain('= 20.6 days');
  expect(out).toContain('[book-applied-training]');
});

test('a long derivation reaches a pipe whole', async () => {
  const link = 'view=plan&chip=h800-sxm&model=deepseek-v3&chips=2048&batch=62914560';
  const { status, out } = await ask('explain', link, 'mfu');
  expect(status).toBe(0);
  // A pipe takes this many bytes at once.
  expect(out.length).toBeGreaterThan(65_536);
  expect(out).toMatch(/\n {2,}[^\n]*= [^\n]+\n$/);
  // The parts that a formula names follow it.
  expect(out).toMatch(/ max_1[^\n]*(\n[^\n]+)+\n {4}max_1 = /);
  expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThan(1500);
});

describe('launches', () => {
  test('a layout is printed as flags, and read from them', async () => {
    const words = ['--chip', 'h100-sxm', '--layout.tensor', '4', '--layout.recompute', 'full'];
    const out = await ask(
      'plan',
      '--model',
      'llama-3.1-8b',
      '--chips',
      '16',
      ...words,
      '--as',
      'megatron',
    );
    expect([out.status, out.err]).toEqual([0, '']);
    expect(out.out).toContain('--tensor-model-parallel-size 4 \\\n');
    const file = path.join(folder, 'train.sh');
    writeFileSync(file, out.out);
    const back = await ask('plan', '--chip', 'h100-sxm', '--from', file, '--as', 'megatron');
    expect(back.out).toBe(out.out);
    expect(back.err).toContain('Model: Llama 3.1 8B, by its layers');
  });

  test('flags beside a launch go before it', async () => {
    const from = ['--from', 'vllm serve Qwen/Qwen3-8B -tp 2'];
    const told = await ask(
      'serving',
      '--chip',
      'l4',
      ...from,
      '--serve.tensor',
      '1',
      '--serve.chips',
      '1',
      '--as',
      'vllm',
    );
    expect(told.out).toContain('vllm serve Qwen/Qwen3-8B');
    expect(told.out).toContain('--tensor-parallel-size 1 ');
  });

  test.each([
    [
      1,
      /^Megatron-LM refuses this:\nWhen using expert parallelism and tensor parallelism/,
      [
        'plan',
        '--model',
        'mixtral-8x7b',
        '--chips',
        '64',
        '--layout.tensor',
        '2',
        '--layout.expert',
        '8',
        '--layout.sequenceParallel',
        'no',
        '--as',
        'megatron',
      ],
    ],
    [
      1,
      /must be a multiple of tensor_model_parallel_size \(3\)/,
      [
        'plan',
        '--from',
        'torchrun --nproc-per-node 6 pretrain_gpt.py --num-layers 32 --hidden-size 4096 --num-attention-heads 32 --tensor-model-parallel-size 3',
      ],
    ],
    [1, /^hello: no launch/, ['plan', '--from', 'hello']],
    [2, /begins at line 1/, ['serving', '--from', "vllm serve 'x"]],
    [2, /for “serving”, not for “plan”/, ['plan', '--from', 'vllm serve x/y -tp 2']],
  ])('ends with %i: %s', async (status, says, words) => {
    const told = await ask(...words, '--chip', 'h100-sxm');
    expect(told.err).toMatch(says);
    expect([told.status, told.out]).toEqual([status, '']);
  });
});
