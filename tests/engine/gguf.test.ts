// Metadata of llama.cpp's files: what converters write from a config is read as that config is.

import { describe, expect, test } from 'vitest';
import {
  configOf,
  counted,
  infos,
  read,
  readJson,
  refused,
  refusedText,
  useEngine,
} from './configs.ts';
import { fileOf, llama, logOf, under, type Pairs } from '../gguf.ts';
import { readConfigFile, type ModelKey } from '../../web/src/custom/config.ts';

useEngine();

/** llama.cpp pull 14201: newer files have keys and values of latent attention as it caches them. */
const deepSeek = under(
  'deepseek2',
  {
    ...{ block_count: 61, context_length: 163840, embedding_length: 7168 },
    ...{ feed_forward_length: 18432, vocab_size: 129280, leading_dense_block_count: 3 },
    ...{ 'attention.head_count': 128, 'attention.head_count_kv': 1 },
    ...{ 'attention.q_lora_rank': 1536, 'attention.kv_lora_rank': 512 },
    ...{ 'attention.key_length': 576, 'attention.value_length': 512 },
    ...{ 'attention.key_length_mla': 192, 'attention.value_length_mla': 128 },
    ...{ 'rope.dimension_count': 64, expert_count: 256, expert_used_count: 8 },
    ...{ expert_feed_forward_length: 2048, expert_shared_count: 1, expert_gating_func: 2 },
    ...{ expert_group_count: 8, expert_group_used_count: 4 },
  },
  { file_type: 18 },
);
const qwen3 = under('qwen3moe', {
  ...{ block_count: 48, context_length: 40960, embedding_length: 2048 },
  ...{ feed_forward_length: 6144, 'attention.head_count': 32, 'attention.head_count_kv': 4 },
  ...{ 'attention.key_length': 128, 'attention.value_length': 128 },
  ...{ expert_count: 128, expert_used_count: 8, expert_feed_forward_length: 768 },
});
const gptOss = under(
  'gpt-oss',
  {
    ...{ block_count: 24, context_length: 131072, embedding_length: 2880 },
    ...{ feed_forward_length: 2880, 'attention.head_count': 64, 'attention.head_count_kv': 8 },
    ...{ 'attention.key_length': 64, 'attention.value_length': 64 },
    ...{ 'attention.sliding_window': 128, expert_count: 32, expert_used_count: 4 },
    ...{ expert_feed_forward_length: 2880 },
  },
  { file_type: 38 },
);
/** Its last layer is a module for drafts. */
const qwen35 = under('qwen35moe', {
  ...{ block_count: 61, context_length: 262144, embedding_length: 4096 },
  ...{ 'attention.head_count': 32, 'attention.head_count_kv': 2 },
  ...{ 'attention.key_length': 256, 'attention.value_length': 256 },
  ...{ expert_count: 512, expert_used_count: 10, expert_feed_forward_length: 1024 },
  ...{ expert_shared_feed_forward_length: 1024, full_attention_interval: 4 },
  ...{ 'ssm.conv_kernel': 4, 'ssm.state_size': 128, 'ssm.group_count': 16 },
  ...{ 'ssm.time_step_rank': 64, 'ssm.inner_size': 8192, 'rope.dimension_count': 64 },
  nextn_predict_layers: 1,
});

const towerFields: ModelKey[] = [
  ...(['towerLayers', 'towerHidden', 'towerFeedForward', 'towerHeads', 'towerRest'] as const),
  ...(['projectorParameters', 'imagePatches', 'imageTokens'] as const),
];

describe('the metadata of a file', () => {
  test.each<[string, Pairs, number, ModelKey[]]>([
    ['llama-3.1-8b', llama, 128256, []],
    // Files leave out its module for drafts.
    ['deepseek-v3', deepSeek, 129280, ['mtpModules']],
    ['qwen3-30b-a3b', qwen3, 151936, []],
    ['gpt-oss-20b', gptOss, 201088, []],
    // Its tower lies in a file of its own.
    ['qwen3.5-397b-a17b', qwen35, 248320, towerFields],
  ])('is read as the config of %s is', (name, pairs, tokens, left) => {
    const [metadata, config] = [read(logOf(pairs, tokens)), readJson(configOf(name))];
    expect(metadata.problems).toEqual([]);
    // They don't say that each layer has experts.
    for (const field of [...left, 'moeEvery' as const]) delete config.model[field];
    expect(counted(metadata)).toEqual(counted(config));
    expect(metadata.model).toEqual(config.model);
  });

  test('of DeepSeek-V3 in older files has keys as they are computed', () => {
    const {
      'deepseek2.attention.key_length_mla': key,
      'deepseek2.attention.value_length_mla': value,
      ...others
    } = deepSeek;
    const older = {
      ...others,
      ...{ 'deepseek2.attention.key_length': key!, 'deepseek2.attention.value_length': value! },
    };
    expect(read(logOf(older)).model).toEqual(read(logOf(deepSeek)).model);
  });

  test('names its own keys, its name and its format', () => {
    const reading = read(logOf(llama));
    expect(reading.name).toBe('Meta Llama 3.1 8B Instruct');
    expect(reading.fields.find(({ field }) => field === 'layers')?.key).toBe('llama.block_count');
    expect(reading.quantised).toEqual({
      method: 'GGUF Q4_K_M',
      listed: 0,
      server: {
        ...{ weights: 'int4', headWeights: 'asWeights', weightBits: 4.8944 },
        ...{ groupSize: 32, zeroPoints: 'none' },
      },
    });
    expect(read(logOf(deepSeek)).quantised).toEqual({
      method: 'GGUF Q6_K',
      listed: 0,
      server: { weights: 'int8', headWeights: 'asWeights', weightBits: 6.5633 },
    });
    // A loader logs the bits of this very file.
    const size = 'print_info: file size   = 2.95 GiB (3.16 BPW)';
    expect(
      read(`${logOf({ ...llama, 'general.file_type': 10 })}\n${size}`).quantised,
    ).toMatchObject({
      ...{ method: 'GGUF Q2_K', server: { weights: 'int4', weightBits: 3.16 } },
    });
    expect(read(logOf(gptOss)).quantised?.server).toMatchObject({ expertWeights: 'mxfp4' });
    expect(read(logOf({ ...llama, 'general.file_type': 7 })).quantised?.server).toEqual({
      ...{ weights: 'int8', headWeights: 'asWeights', weightBits: 8.5 },
    });
    expect(read(logOf({ ...llama, 'general.file_type': 32 })).quantised).toBeUndefined();
  });

  // gguf-dump writes tables, tables of Markdown and JSON.
  const expected = { layers: 32, hidden: 4096, kvHeads: 8, vocabulary: 32000 };
  const rows: [string, number, string, string | number][] = [
    ['STRING', 1, 'general.architecture', 'llama'],
    ['STRING', 1, 'general.name', 'mistralai'],
    ['UINT32', 1, 'llama.context_length', 32768],
    ['UINT32', 1, 'llama.embedding_length', 4096],
    ['UINT32', 1, 'llama.block_count', 32],
    ['UINT32', 1, 'llama.feed_forward_length', 14336],
    ['UINT32', 1, 'llama.attention.head_count', 32],
    ['UINT32', 1, 'llama.attention.head_count_kv', 8],
    ['UINT32', 1, 'general.file_type', 1],
    ['[STRING]', 32000, 'tokenizer.ggml.tokens', "['<unk>', '<s>', '</s>', ...]"],
  ];
  const quoted = (value: string | number): string =>
    typeof value === 'string' && !value.startsWith('[') ? `'${value}'` : String(value);
  test.each([
    [
      'a table',
      rows
        .map(([type, n, key, value], at) => `  ${at}: ${type}   | ${n} | ${key} = ${quoted(value)}`)
        .join('\r\n'),
    ],
    [
      'Markdown',
      [
        '| POS | TYPE | Count | Key | Value |',
        '|----:|:-----|------:|:----|:------|',
        ...rows.map(
          ([type, n, key, value], at) => `| ${at} | ${type} | ${n} | ${key} | \`${value}\` |`,
        ),
      ].join('\n'),
    ],
    [
      'JSON',
      JSON.stringify({
        filename: 'a.gguf',
        metadata: Object.fromEntries(
          rows.map(([type, n, key, value]) => [
            key,
            { type, value: n > 1 ? Array<string>(n).fill('a') : value },
          ]),
        ),
        tensors: { 'token_embd.weight': {}, 'output.weight': {} },
      }),
    ],
    [
      'pairs',
      JSON.stringify({
        ...Object.fromEntries(rows.map(([, , key, value]) => [key, value])),
        'tokenizer.ggml.tokens': Array<string>(32000).fill('a'),
      }),
    ],
  ])('is read from %s', (_name, text) => {
    expect(read(text)).toMatchObject({ problems: [], name: 'mistralai', model: expected });
  });

  test('has the bits of its tensors, those of routed experts apart', () => {
    // Blocks of 256 weights have 144 bytes in Q4_K, 210 in Q6_K; of 32 in MXFP4 17, in Q8_0 34.
    const dumped = (...tensors: [weights: number, type: string, name: string][]): string =>
      tensors
        .map(
          ([n, type, name], at) =>
            `  ${at + 1}: ${n} | ${n / 4096}, 4096, 1, 1 | ${type} | ${name}`,
        )
        .join('\n');
    const dense = dumped(
      [3 * 4096 * 4096, 'Q4_K', 'blk.0.attn_q.weight'],
      [4096 * 4096, 'Q6_K', 'output.weight'],
    );
    const bits = (3 * 4.5 + 6.5625) / 4;
    expect(read(`${logOf(llama)}\n${dense}`).quantised?.server['weightBits']).toBeCloseTo(bits, 3);
    const sparse = dumped(
      [4096 * 4096, 'Q8_0', 'blk.0.attn_q.weight'],
      [32 * 4096 * 4096, 'MXFP4', 'blk.0.ffn_up_exps.weight'],
    );
    expect(read(`${logOf(gptOss)}\n${sparse}`).quantised?.server).toMatchObject({
      ...{ weights: 'int8', weightBits: 8.5, expertBits: 4.25 },
    });
    const file = readConfigFile(fileOf(llama, 100, ['token_embd.weight']), infos);
    expect(file).toMatchObject({ quantised: { server: { weightBits: 4.5 } } });
  });

  test('tells of tied embeddings by its tensors', () => {
    const tensors = (...names: string[]): string =>
      names
        .map((each) => `llama_model_loader: - tensor 0: ${each} q4_K [ 4096, 128256 ]`)
        .join('\n');
    const tied = (...names: string[]): unknown =>
      read(`${logOf(llama)}\n${tensors(...names)}`).model.tiedEmbeddings;
    expect(tied('token_embd.weight')).toBe(true);
    expect(tied('token_embd.weight', 'output.weight')).toBe(false);
    expect(tied()).toBe(false);
  });

  test('that no field describes is refused, or named', () => {
    const gemma = under('gemma3n', { ...ownOf(llama), 'attention.shared_kv_layers': 18 });
    expect(refusedText(logOf(gemma))).toMatchObject({
      code: 'unknownParts',
      parts: 'gemma3n.attention.shared_kv_layers',
    });
    expect(refused(under('mamba', { block_count: 64, 'ssm.state_size': 16 }))).toMatchObject({
      code: 'stateSpace',
    });
    expect(refused(under('llama', { block_count: 32 }))).toEqual({
      ...{ code: 'otherFile', kind: 'gguf' },
    });
    const cut = { ...llama, 'llama.attention.head_count_kv': '[8, 8, 8, 0, ...' };
    expect(read(logOf(cut)).problems).toMatchObject([
      { code: 'notANumber', field: 'kvHeads', key: 'llama.attention.head_count_kv' },
    ]);
  });
});

describe('a file', () => {
  const tensors = ['token_embd.weight', 'blk.0.attn_q.weight', 'output.weight'];

  test('is read as its metadata is', () => {
    const reading = readConfigFile(fileOf(llama, 128256, tensors), infos);
    expect(reading).toMatchObject({ ok: true, model: read(logOf(llama, 128256)).model });
    const { 'llama.vocab_size': _, ...others } = llama;
    const tied = readConfigFile(fileOf(others, 128256, tensors.slice(0, 2)), infos);
    expect(tied).toMatchObject({ model: { vocabulary: 128256, tiedEmbeddings: true } });
    const lists = { ...llama, 'llama.attention.head_count_kv': Array<number>(32).fill(8) };
    expect(readConfigFile(fileOf(lists, 9, tensors), infos)).toMatchObject({
      model: { kvHeads: 8 },
    });
  });

  test('that is cut off, damaged or of another version falls over nowhere', () => {
    const whole = fileOf(llama, 9, tensors);
    for (let length = 4; length < whole.length; length += 7) {
      const reading = readConfigFile(whole.slice(0, length), infos);
      if (!reading.ok) expect(['otherFile', 'notAModel', 'notJson']).toContain(reading.reason.code);
    }
    for (let at = 4; at < whole.length; ++at) {
      const damaged = whole.slice();
      damaged[at] = damaged[at]! ^ 0xff;
      readConfigFile(damaged, infos);
    }
    const first = whole.slice();
    first[4] = 1;
    expect(readConfigFile(first, infos)).toMatchObject({ ok: false });
  });
});

function ownOf(pairs: Pairs): Pairs {
  return Object.fromEntries(
    Object.entries(pairs)
      .filter(([key]) => !key.startsWith('general.'))
      .map(([key, value]) => [key.slice(key.indexOf('.') + 1), value]),
  );
}
