// Properties of every text that is taken for a config, tried on many.

import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { createEngine } from '../../web/src/engine/index.ts';
import type { Engine, FieldInfo } from '../../web/src/engine/index.ts';
import { readConfig } from '../../web/src/custom/config.ts';
import { fault } from './inputs.ts';

const folder = path.resolve(import.meta.dirname, '../golden/configs');
const files = readdirSync(folder).map(
  (name) =>
    // Python writes infinities.
    JSON.parse(
      readFileSync(path.join(folder, name), 'utf8').replaceAll('Infinity', '1e300'),
    ) as Record<string, unknown>,
);

let engine: Engine;
let infos: readonly FieldInfo[];
let serverInfos: readonly FieldInfo[];

beforeAll(async () => {
  engine = await createEngine();
  infos = engine.describe().groups.model;
  serverInfos = engine.describe().groups.server;
});

/** Each field is one that the core takes, or is a problem, and is said to be so once. */
function holds(text: string): void {
  const reading = readConfig(text, infos);
  // An expectation for each of some hundred thousand values would take most of the time.
  const wrong: unknown[] = [];
  const must = (is: boolean, ...about: unknown[]): void => void (is || wrong.push(about));
  if (!reading.ok) {
    expect(reading.reason.code).toMatch(/^\w+$/);
    return;
  }
  const { model, fields, assumptions, problems, name, architecture, ignored } = reading;
  const { quantised } = reading;
  for (const [key, value] of Object.entries(quantised?.server ?? {})) {
    const info = serverInfos.find((info) => info.key === key);
    must(info !== undefined && fault(info, value) === undefined, key, value);
  }
  must((quantised?.method ?? '').length < 60, quantised);
  for (const [key, value] of Object.entries(model)) {
    const info = infos.find((info) => info.key === key);
    must(info !== undefined && fault(info, value) === undefined, key, value);
  }
  const told = [...fields, ...assumptions];
  for (const { field, value } of told) must(Object.is(model[field], value), field, value);
  const keys = new Set<string>(told.map(({ field }) => field));
  for (const key of new Set([...keys, ...Object.keys(model)])) {
    must(keys.has(key) && Object.hasOwn(model, key), key);
  }
  for (const { field, written } of problems) {
    must(!Object.hasOwn(model, field) && written.length < 60, field, written);
  }
  for (const each of [name, architecture, ...ignored]) {
    must([...each].length <= 60 && !/\p{Cc}/u.test(each), each);
  }
  // The core reports any other fault in its own words.
  const input = { chip: { memory: 8e10, memoryBandwidth: 3e12, peakBf16: 1e15 }, model };
  const outcome = engine.estimate({ ...input, run: { chips: 1 } } as never);
  if (!outcome.ok) {
    for (const { field } of outcome.issues) must(/^(model|run)\./.test(field), field);
  }
  expect(wrong).toEqual([]);
}

test('any text', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 300 }), holds), { numRuns: 500 });
});

test('any JSON', () => {
  fc.assert(fc.property(fc.json(), holds), { numRuns: 500 });
});

// ---- configs with something wrong in them

const odd = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    false,
    -1,
    0,
    0.5,
    7,
    1e5,
    1e7,
    1e300,
    '32',
    '',
    [],
    {},
    [1],
  ),
  fc.double({ noNaN: true }),
  fc.integer(),
  fc.string(),
  fc.array(fc.oneof(fc.integer({ min: -2, max: 99 }), fc.constant('sliding_attention'))),
  fc.jsonValue(),
);
const keys = [
  ...new Set([
    ...files.flatMap((file) => Object.keys(file)),
    ...files.flatMap((file) => Object.keys((file['text_config'] as object | undefined) ?? {})),
    ...[
      'n_embd',
      'n_layer',
      'n_head',
      'multi_query',
      'moe_layers',
      'moe_layer_freq',
      'use_qk_norm',
    ],
    ...['sliding_window_pattern', 'no_bias', 'shared_expert_intermediate_size', 'expansion_ratio'],
    ...['kv_lora_rank', 'attn_config', 'ffn_config', 'use_mtp', '__proto__', 'constructor'],
    ...['layers_block_type', 'attn_layer_period', 'attn_layer_indices', 'indexer_types'],
    ...['attention_other_setting', 'moe_layers_enum', 'mlp_layer_types', 'mamba_expand'],
  ]),
];
const architectures = [
  ...['falcon_h1', 'nemotron_h', 'qwen3_next', 'kimi_linear', 'deepseek_v4', 'nemotron-nas'],
  ...['falcon', 'qwen', 'gpt_neo', 'exaone4', 'dbrx', 'bert', 'mamba', 'new', 7],
];

/** A config with some keys set to anything, some gone, and perhaps another architecture. */
const mutated = fc
  .record({
    file: fc.constantFrom(...files),
    changes: fc.array(fc.tuple(fc.constantFrom(...keys), odd), { maxLength: 6 }),
    gone: fc.subarray(keys, { maxLength: 6 }),
    type: fc.option(fc.constantFrom(...architectures)),
    nest: fc.constantFrom('', 'text_config', 'language_config'),
  })
  .map(({ file, changes, gone, type, nest }) => {
    const entries = new Map<string, unknown>(Object.entries(file));
    for (const key of gone) entries.delete(key);
    for (const [key, value] of changes) entries.set(key, value);
    if (type !== null) entries.set('model_type', type).delete('architectures');
    // JSON is written by hand: an object would take `__proto__` for something else.
    const pairs = [...entries].map(
      ([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`,
    );
    const text = `{${pairs.join(',')}}`;
    return nest ? `{${JSON.stringify(nest)}:${text}}` : text;
  });

test('published configs, changed', () => {
  fc.assert(fc.property(mutated, holds), { numRuns: 3000 });
});

test('published configs, cut or with a sign changed', () => {
  const cut = fc
    .tuple(fc.constantFrom(...files), fc.nat(), fc.nat(), fc.string({ maxLength: 3 }))
    .map(([file, at, length, sign]) => {
      const text = JSON.stringify(file);
      const from = at % text.length;
      return text.slice(0, from) + sign + text.slice(from + (length % 4));
    });
  fc.assert(fc.property(cut, holds), { numRuns: 1000 });
});

// Llama 4 has one shared expert in each layer, whatever else a file says.
test('what an architecture has does not stand in for a mistake in the file', () => {
  const text = JSON.stringify({
    ...{ model_type: 'llama4', num_hidden_layers: 4, hidden_size: 64, num_attention_heads: 4 },
    ...{ num_local_experts: 8, num_experts_per_tok: 1, intermediate_size: 128 },
    ...{ vocab_size: 1000, n_shared_experts: 'two' },
  });
  holds(text);
  expect(text).toContain('two');
});
