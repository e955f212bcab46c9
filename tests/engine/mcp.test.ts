// The server for agents, as a program of its own, asked by a real client: it answers as the command
// line does.

import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import Ajv from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { questions } from '../../web/src/model/views.ts';

const run = promisify(execFile);
const program = path.resolve(import.meta.dirname, '../../build/cli/cli.js');
const page = 'https://example.org/calculator/';
const most = 36_000;

const client = new Client({ name: 'test', version: '1' });
let folder: string;

beforeAll(async () => {
  if (!existsSync(program)) throw new Error(`${program} is missing: npm run build`);
  folder = mkdtempSync(path.join(tmpdir(), 'mcp-'));
  const args = [program, 'mcp', '--page', page];
  await client.connect(new StdioClientTransport({ command: process.execPath, args }));
});
afterAll(async () => {
  await client.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Reply {
  isError: boolean;
  text: string;
  data: Record<string, unknown>;
}

async function ask(name: string, input: object): Promise<Reply> {
  const { content, structuredContent, isError } = await client.callTool({
    name,
    arguments: input as Record<string, unknown>,
  });
  expect(content.length).toBe(1);
  return {
    isError: isError ?? false,
    text: (content[0] as { text: string }).text,
    data: (structuredContent ?? {}) as Record<string, unknown>,
  };
}

const chip = 'h100-sxm';
const model = 'llama-3.1-405b';

test('a tool for each question, and one that describes: small enough to be read at once', async () => {
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual([...questions, 'describe']);
  const schemas = tools.map(({ inputSchema }) => inputSchema);
  expect(new TextEncoder().encode(JSON.stringify(schemas)).length).toBeLessThan(most);
  const ajv = new Ajv({ strict: true, allowUnionTypes: true, strictRequired: false });
  for (const { name, title, description, inputSchema } of tools) {
    expect(title, name).toMatch(/^\S.*\S$/);
    expect(description, name).toMatch(/^\S.*\.$/);
    ajv.compile(inputSchema);
  }
  const { inputSchema } = tools.find(({ name }) => name === 'plan')!;
  expect(inputSchema).toHaveProperty('properties.run.properties.batchTokens.default', 4194304);
  // A degree that a search chooses has no default.
  expect(inputSchema).not.toHaveProperty('properties.layout.properties.tensor.default');
});

const of = (id: string, of: string): string[] => ['--chip', id, '--model', of];

/** Inputs, and the same as flags of the command line. */
const asked: [question: string, input: object, flags: string[]][] = [
  ['training', { chip, model }, of(chip, model)],
  ['training', { chip: 'tpu-v5p', model: 'llama-3-70b' }, of('tpu-v5p', 'llama-3-70b')],
  [
    'training',
    { chip: 'mi300x', model: 'deepseek-v3', run: { chips: 2048, tokens: 14.8e12, mfu: 0.35 } },
    [...of('mi300x', 'deepseek-v3'), '--chips', '2048', '--tokens', '14.8T', '--mfu', '35%'],
  ],
  [
    'plan',
    { chip, model, run: { chips: 16384, tokens: 15.6e12 } },
    [...of(chip, model), '--chips', '16384', '--tokens', '15.6T'],
  ],
  [
    'plan',
    // Fields that the schema leaves out: a rare one, and figures of the chip.
    {
      chip: { base: chip, price: 2 },
      model: 'llama-3-70b',
      run: { chips: 1024, pue: 1.2 },
      layout: { tensor: 4 },
    },
    [
      ...of(chip, 'llama-3-70b'),
      ...['--chips', '1024', '--pue', '1.2', '--layout.tensor', '4', '--chip.price', '2'],
    ],
  ],
  [
    'reward',
    { chip, model: 'llama-3.1-8b', pools: { chips: 64 } },
    [...of(chip, 'llama-3.1-8b'), '--pools.chips', '64'],
  ],
  [
    'serving',
    { chip: 'h200-sxm', model: 'llama-3-70b', serving: { chips: 8 } },
    [...of('h200-sxm', 'llama-3-70b'), '--serve.chips', '8'],
  ],
  [
    'serving',
    { chip: 'b200-sxm', model: 'gpt-oss-120b', serving: { chips: 1 } },
    [...of('b200-sxm', 'gpt-oss-120b'), '--serve.chips', '1'],
  ],
  [
    'budget',
    { chip, model, budget: { money: 1e6 } },
    [...of(chip, model), '--budget.money', '1000000'],
  ],
  [
    'operation',
    { chip: 'tpu-v5e', operation: { batch: 64 } },
    ['--chip', 'tpu-v5e', '--op.batch', '64'],
  ],
  [
    'collective',
    { chip, mesh: { x: 8 }, collective: { kind: 'allReduce' } },
    ['--chip', chip, '--mesh.x', '8', '--coll.kind', 'allReduce'],
  ],
];

test('answers are those of the command line, to the bit, also when asked at once', async () => {
  expect(new Set(asked.map(([question]) => question))).toEqual(new Set(questions));
  const replies = await Promise.all(asked.map(([question, input]) => ask(question, input)));
  for (const [index, [question, input, flags]] of asked.entries()) {
    const words = [program, question, ...flags, '--format', 'json', '--page', page];
    const { stdout } = await run(process.execPath, words);
    const { text, data, isError } = replies[index]!;
    expect([isError, text], JSON.stringify(input)).toEqual([false, text]);
    const printed = JSON.parse(stdout) as Record<string, Record<string, unknown>>;
    expect(Object.keys(printed['answers']!).length).toBeGreaterThan(5);
    expect(data).toMatchObject(printed);
    expect(data['answers']).toEqual(printed['answers']);
    expect(text.endsWith(`\n${String(data['link'])}`), text).toBe(true);
  }
});

test.each(asked)(
  '%s %j: its input, as it was told, gives the same answers',
  async (name, input) => {
    const { data } = await ask(name, input);
    const again = await ask(name, data['input'] as object);
    expect([again.isError, again.text]).toEqual([false, again.text]);
    expect(again.data['answers']).toEqual(data['answers']);
  },
);

test('the text has the first answers with likely ranges; the data all, with sources', async () => {
  const { text, data } = await ask('plan', { chip, model, run: { chips: 16384 } });
  expect(text).toMatch(/^Train Llama 3\.1 405B on 16,384 × H100/);
  expect(text).toMatch(
    /^- Expected step time \[stepExpected\]: [\d.]+ s \(90% interval [\d.]+–[\d.]+ s\)$/m,
  );
  expect(text.length).toBeLessThan(1500);
  const { stepExpected } = data['answers'] as { stepExpected: number };
  const { low, high } = (data['ranges'] as { stepExpected: { low: number; high: number } })
    .stepExpected;
  expect(low).toBeLessThan(stepExpected);
  expect(high).toBeGreaterThan(stepExpected);
  const sources = Object.values(data['sources'] as Record<string, { answers: string[] }>);
  expect(sources.flatMap((source) => source.answers).sort()).toEqual(
    Object.keys(data['answers'] as object).sort(),
  );
  for (const source of sources) expect(source).toHaveProperty('title');
});

test('notices come with the answers', async () => {
  const input = { chip, model, run: { chips: 8, sequenceLength: 200_000, batchTokens: 400_000 } };
  const { text, data } = await ask('training', input);
  expect(data['notices']).toHaveLength(1);
  expect(text).toContain('The model was made for sequences of 131,072.');
});

describe('what can’t be answered is said, and the server goes on', () => {
  test.each<[string, object, RegExp]>([
    ['training', { chip, model, run: { chips: 0 } }, /^run\.chips: Chips must be from 1 to 1B\.$/],
    ['training', { chip, model, run: { chips: 2.5 } }, /run\.chips: .*whole number from 1 to 1B/],
    [
      'training',
      { chip, model, run: { chips: 'many' } },
      /^run\.chips: .*“many” is not a number\. Give one from 1 to 1B\.$/,
    ],
    ['training', { chip, model, run: { chips: '8' } }, /“"8"” is not a number/],
    ['training', { chip, model, run: { chips: null } }, /^run\.chips: .*from 1 to 1B/],
    ['training', { chip: 'h100-sxmm', model }, /cannot be “h100-sxmm” \(chip=h100-sxm\?\)/],
    ['training', { chip }, /“model” is missing/],
    ['training', { chip, model, run: { chipz: 8 } }, /no “run\.chipz” \(run\.chips\?\)/],
    ['training', { chip, model, run: { base: 8 } }, /no “run\.base”/],
    ['training', { chip, model, run: { batch: 8 } }, /no “run\.batch” \(run\.batchTokens\?\)/],
    ['training', { chip, model, runs: {} }, /no “runs” \(chip, model, run\)/],
    ['training', { chip, model, run: 8 }, /“run” cannot be “8” \(chips, /],
    [
      'training',
      { chip, model, run: { computeFormat: 'bf17' } },
      /run\.computeFormat: .*cannot be “bf17” \(fp32, bf16, /,
    ],
    ['training', { chip, model, run: { countLmHead: 1 } }, /cannot be “1” \(true, false\)/],
    ['training', { chip, model: { base: model, layers: 1e9 } }, /model\.layers: .*from 1 to 100K/],
    ['training', { chip, model: { base: 7 } }, /“model” cannot be “7”/],
    ['training', { chip, model: {} }, /model\.layers: .* from 1 to 100K/],
    ['plan', { chip, model, layout: { tensor: -1 } }, /layout\.tensor: .* from 1 to 1M/],
    ['describe', { question: 'trainings' }, /cannot be “trainings” \(training, plan, /],
    ['describe', { group: 'constructor' }, /cannot be “constructor” \(chip, model, /],
    ['describe', { preset: 'h100' }, /cannot be “h100” \(h100-sxm\?\)/],
    ['describe', { toString: 'h100' }, /no “toString” \(question, group, preset\)/],
    ['describe', {}, /question, group, preset/],
  ])('%s %j', async (tool, input, says) => {
    const { isError, text, data } = await ask(tool, input);
    expect([isError, data]).toEqual([true, {}]);
    expect(text).toMatch(says);
    expect((await ask('collective', { chip })).isError).toBe(false);
  });

  test('all that is wrong at once', async () => {
    const { text } = await ask('training', { chip, modl: 3, run: { chips: 'x', tokens: [] } });
    expect(text.split('\n').length).toBe(4);
  });
});

interface Described {
  fields: { id: string; name: string; sentence: string }[];
  answers: { key: string; name: string }[];
  presets: { id: string }[];
}

describe('describe', () => {
  test.each(questions)('%s: its tool’s schema and this have all fields', async (question) => {
    const { tools } = await client.listTools();
    const { properties } = tools.find(({ name }) => name === question)!.inputSchema;
    const shown = Object.entries(properties as Record<string, { properties?: object }>);
    const { data, text } = await ask('describe', { question });
    const { fields, answers } = data as unknown as Described;
    const groups = data['groups'] as string[];
    for (const group of groups.filter((each) => each !== 'chip' && each !== 'model')) {
      const all = (await ask('describe', { group })).data as unknown as Described;
      const own = shown.find(([name]) => name === group)?.[1].properties ?? {};
      const told = [
        ...Object.keys(own).map((key) => `${group}.${key}`),
        ...fields.map(({ id }) => id).filter((id) => id.startsWith(`${group}.`)),
      ];
      expect(told.sort()).toEqual(all.fields.map(({ id }) => id).sort());
    }
    for (const { id, name, sentence } of fields) {
      expect(text).toContain(`- ${id}: ${name}. ${sentence} [`);
    }
    for (const { key, name } of answers) expect(text).toContain(`- ${key}: ${name}. `);
  });

  test('a group has ranges, units, defaults and choices, and the presets that fill it', async () => {
    const { text } = await ask('describe', { group: 'run' });
    expect(text).toMatch(/^- run\.chips: .* \[1 … 1B \(in chips\); default 8960\]$/m);
    expect(text).toMatch(/^- run\.computeFormat: .* \[fp32, bf16, .*; default bf16\]$/m);
    const { presets } = (await ask('describe', { group: 'chip' })).data as unknown as Described;
    expect(presets).toContainEqual({ id: chip, name: 'H100 SXM5 80GB' });
  });

  test.each([
    ['h100-sxm', 'chip', 'collective', {}],
    ['llama-3-70b', 'model', 'training', { chip }],
    ['megatron-core', 'stack', 'plan', { chip, model }],
    ['vllm', 'server', 'serving', { chip, model }],
  ] as const)('what preset %s sets is a part of an input', async (preset, group, tool, rest) => {
    const { data, text } = await ask('describe', { preset });
    expect(text).toMatch(new RegExp(`^${preset}: .*“${group}”`));
    const { input } = data as { input: Record<string, Record<string, unknown>> };
    const answered = await ask(tool, { ...rest, ...input });
    expect([answered.isError, answered.text]).toEqual([false, answered.text]);
    expect(answered.data['input']).toMatchObject({ [group]: input[group] });
  });

  test('figures have sources', async () => {
    const { data, text } = await ask('describe', { preset: 'h100-sxm' });
    expect(data['sources']).toHaveProperty(['chip.memory', 'title']);
    expect(text).toMatch(/^- chip\.memory: .* 80 GB \(\S.*\)$/m);
  });
});

test('in Chinese', async () => {
  const chinese = new Client({ name: 'test', version: '1' });
  const args = [program, 'mcp', '--lang', 'zh'];
  await chinese.connect(new StdioClientTransport({ command: process.execPath, args }));
  const { content } = await chinese.callTool({ name: 'training', arguments: { chip, model } });
  await chinese.close();
  expect((content[0] as { text: string }).text).toMatch(/训练/);
});

test('without the protocol’s package, a sentence says what is missing', async () => {
  const alone = path.join(folder, 'cli.mjs');
  copyFileSync(program, alone);
  const failed = await run(process.execPath, [alone, 'mcp']).catch((error: unknown) => error);
  expect(failed).toMatchObject({ code: 2, stdout: '' });
  const { stderr } = failed as { stderr: string };
  expect(stderr).toBe(
    'mcp needs a package that is not installed: npm install @modelcontextprotocol/server@2\n',
  );
  await run(process.execPath, [alone, 'collective', '--chip', chip]);
});
