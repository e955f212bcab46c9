// Reads models from config.json: the published ones to the last parameter, and faults in others.

import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import golden from '../golden/configs.json' with { type: 'json' };
import counts from '../golden/models.json' with { type: 'json' };
import modelFile from '../../shared/models.json' with { type: 'json' };
import type { FieldValue } from '../../web/src/engine/index.ts';
import type { Reading } from '../../web/src/custom/config.ts';
import { largestText } from '../../web/src/custom/json.ts';
import {
  counted,
  infos,
  read,
  readJson,
  refusedText as refused,
  sizes,
  useEngine,
} from './configs.ts';

const folder = path.resolve(import.meta.dirname, '../golden/configs');
const fileOf = (name: string): string => readFileSync(path.join(folder, name), 'utf8');

useEngine();

const parametersOf = (reading: Reading): number => counted(reading).all;

/** The fields of a preset, with the core's defaults; those of its attention alone. */
function presetOf(id: string): Record<string, FieldValue> {
  const preset = modelFile.models.find((model) => model.id === id)!.architecture;
  return complete(preset as Record<string, FieldValue>);
}

function complete(model: Readonly<Record<string, FieldValue>>): Record<string, FieldValue> {
  const fields: Record<string, FieldValue> = {};
  for (const { key, default: usual } of infos) fields[key] = model[key] ?? usual;
  if (fields['attention'] === 'latent') (delete fields['kvHeads'], delete fields['headDim']);
  return fields;
}

const countOf = (id: string): number => counts.models.find((model) => model.id === id)!.parameters;

describe('published configs', () => {
  test('each file has its count', () => {
    expect(golden.configs.map(({ file }) => file)).toEqual(readdirSync(folder).sort());
  });

  test.each(golden.configs)('$file', ({ file, parameters }) => {
    const reading = read(fileOf(file));
    expect(reading.standing).toBe('known');
    expect(reading.problems).toEqual([]);
    expect(parametersOf(reading)).toBe(parameters);
  });

  test.each(golden.configs.filter(({ preset }) => preset))(
    '$file gives the fields of $preset',
    ({ file, preset }) => {
      const { model } = read(fileOf(file));
      const expected = presetOf(preset!);
      // The preset has the context to which the model was extended.
      if (preset === 'qwen2.5-7b') expected['contextLength'] = 32768;
      expect(complete(model)).toEqual(expected);
    },
  );

  test('what is recognised, assumed and ignored', () => {
    const reading = read(fileOf('gpt-oss-20b.json'));
    expect(reading).toMatchObject({
      architecture: 'gpt_oss',
      name: '',
      unsupported: [],
      quantised: { method: 'mxfp4' },
    });
    const key = (field: string) => reading.fields.find((each) => each.field === field)?.key;
    expect(key('experts')).toBe('num_local_experts');
    expect(key('expertFeedForward')).toBe('intermediate_size');
    expect(key('windowedLayers')).toBe('layer_types');
    const assumed = (field: string) =>
      reading.assumptions.find((each) => each.field === field)?.code;
    expect(assumed('attentionSinks')).toBe('architecture');
    expect(reading.ignored).toContain('swiglu_limit');
    expect(reading.ignored).not.toContain('layer_types');

    const gemma = read(fileOf('gemma-3-27b-it.json'));
    expect(gemma.fields.find(({ field }) => field === 'layers')?.key).toBe(
      'text_config.num_hidden_layers',
    );
    expect(gemma.assumptions).toContainEqual({
      code: 'library',
      field: 'vocabulary',
      value: 262208,
      key: 'vocab_size',
    });
    expect(gemma.unsupported).toEqual([]);
    expect(gemma.ignored).not.toContain('vision_config');

    expect(read(fileOf('llama-2-7b-hf.json')).name).toBe('Llama-2-7b-hf');
    const deepseek = read(fileOf('deepseek-v3.json'));
    expect(deepseek.ignored).toContain('num_key_value_heads');
  });
});

describe('other architectures, by the names that their files use', () => {
  test.each<[string, object]>([
    [
      'bloom-176b',
      {
        architectures: ['BloomForCausalLM'],
        model_type: 'bloom',
        n_embed: 14336,
        n_layer: 70,
        num_attention_heads: 112,
        seq_length: 2048,
        vocab_size: 250880,
      },
    ],
    [
      'opt-175b',
      {
        model_type: 'opt',
        hidden_size: 12288,
        word_embed_proj_dim: 12288,
        ffn_dim: 49152,
        num_hidden_layers: 96,
        num_attention_heads: 96,
        max_position_embeddings: 2048,
        vocab_size: 50272,
      },
    ],
    [
      'mpt-7b',
      {
        model_type: 'mpt',
        attn_config: { alibi: true, attn_type: 'multihead_attention', qk_ln: false },
        d_model: 4096,
        expansion_ratio: 4,
        n_heads: 32,
        n_layers: 32,
        max_seq_len: 2048,
        no_bias: true,
        vocab_size: 50432,
      },
    ],
    [
      'falcon-40b',
      {
        model_type: 'falcon',
        bias: false,
        hidden_size: 8192,
        new_decoder_architecture: true,
        multi_query: true,
        parallel_attn: true,
        num_attention_heads: 128,
        num_hidden_layers: 60,
        num_kv_heads: 8,
        vocab_size: 65024,
        max_position_embeddings: 2048,
      },
    ],
    [
      'gpt-neox-20b',
      {
        architectures: ['GPTNeoXForCausalLM'],
        hidden_size: 6144,
        intermediate_size: 24576,
        num_hidden_layers: 44,
        num_attention_heads: 64,
        max_position_embeddings: 2048,
        use_parallel_residual: true,
        tie_word_embeddings: false,
        vocab_size: 50432,
      },
    ],
    [
      'olmo-2-13b',
      {
        model_type: 'olmo2',
        hidden_size: 5120,
        intermediate_size: 13824,
        num_hidden_layers: 40,
        num_attention_heads: 40,
        num_key_value_heads: 40,
        max_position_embeddings: 4096,
        attention_bias: false,
        tie_word_embeddings: false,
        vocab_size: 100352,
      },
    ],
    [
      'deepseek-v2',
      {
        model_type: 'deepseek_v2',
        hidden_size: 5120,
        intermediate_size: 12288,
        num_hidden_layers: 60,
        num_attention_heads: 128,
        num_key_value_heads: 128,
        kv_lora_rank: 512,
        q_lora_rank: 1536,
        qk_nope_head_dim: 128,
        qk_rope_head_dim: 64,
        v_head_dim: 128,
        n_routed_experts: 160,
        n_shared_experts: 2,
        num_experts_per_tok: 6,
        moe_intermediate_size: 1536,
        first_k_dense_replace: 1,
        moe_layer_freq: 1,
        n_group: 8,
        topk_group: 3,
        topk_method: 'group_limited_greedy',
        max_position_embeddings: 163840,
        vocab_size: 102400,
      },
    ],
    [
      'glm-4.5',
      {
        model_type: 'glm4_moe',
        attention_bias: true,
        use_qk_norm: true,
        first_k_dense_replace: 3,
        head_dim: 128,
        hidden_size: 5120,
        intermediate_size: 12288,
        moe_intermediate_size: 1536,
        n_routed_experts: 160,
        n_shared_experts: 1,
        num_experts_per_tok: 8,
        num_attention_heads: 96,
        num_hidden_layers: 92,
        num_key_value_heads: 8,
        num_nextn_predict_layers: 1,
        max_position_embeddings: 131072,
        tie_word_embeddings: false,
        vocab_size: 151552,
      },
    ],
  ])('%s', (id, config) => {
    const reading = readJson(config);
    expect(reading).toMatchObject({ standing: 'known', problems: [] });
    expect(complete(reading.model)).toEqual(presetOf(id));
    expect(parametersOf(reading)).toBe(countOf(id));
  });

  /** Sizes of published models, in billions, by their files' own names. */
  test.each<[string, number, object]>([
    [
      'Qwen1.5-MoE-A2.7B: shared experts by their width',
      14.315784192,
      {
        model_type: 'qwen2_moe',
        decoder_sparse_step: 1,
        hidden_size: 2048,
        intermediate_size: 5632,
        moe_intermediate_size: 1408,
        num_attention_heads: 16,
        num_experts: 60,
        num_experts_per_tok: 4,
        num_hidden_layers: 24,
        num_key_value_heads: 16,
        shared_expert_intermediate_size: 5632,
        tie_word_embeddings: false,
        vocab_size: 151936,
      },
    ],
    [
      'Falcon-7B: one key/value head, one norm',
      7.21718976,
      {
        model_type: 'falcon',
        hidden_size: 4544,
        multi_query: true,
        num_attention_heads: 71,
        num_hidden_layers: 32,
        num_kv_heads: 71,
        parallel_attn: true,
        new_decoder_architecture: false,
        vocab_size: 65024,
      },
    ],
    [
      'StarCoder2-3B: embeddings tied unless the file says otherwise',
      3.030371328,
      {
        model_type: 'starcoder2',
        hidden_size: 3072,
        intermediate_size: 12288,
        num_attention_heads: 24,
        num_hidden_layers: 30,
        num_key_value_heads: 2,
        max_position_embeddings: 16384,
        sliding_window: 4096,
        use_bias: true,
        vocab_size: 49152,
      },
    ],
    [
      'Qwen-7B: gate and up are given as one size',
      7.721324544,
      {
        model_type: 'qwen',
        hidden_size: 4096,
        intermediate_size: 22016,
        kv_channels: 128,
        no_bias: true,
        num_attention_heads: 32,
        num_hidden_layers: 32,
        seq_length: 8192,
        tie_word_embeddings: false,
        vocab_size: 151936,
      },
    ],
    [
      'ChatGLM2-6B: groups and padded vocabulary',
      6.243584,
      {
        model_type: 'chatglm',
        add_bias_linear: false,
        add_qkv_bias: true,
        ffn_hidden_size: 13696,
        hidden_size: 4096,
        kv_channels: 128,
        multi_query_attention: true,
        multi_query_group_num: 2,
        num_attention_heads: 32,
        num_layers: 28,
        padded_vocab_size: 65024,
        rmsnorm: true,
        seq_length: 32768,
      },
    ],
    [
      'DBRX: nested settings of attention and experts',
      131.59652352,
      {
        model_type: 'dbrx',
        attn_config: { clip_qkv: 8, kv_n_heads: 8, rope_theta: 500000 },
        d_model: 6144,
        ffn_config: { ffn_hidden_size: 10752, moe_num_experts: 16, moe_top_k: 4 },
        max_seq_len: 32768,
        n_heads: 48,
        n_layers: 40,
        tie_word_embeddings: false,
        vocab_size: 100352,
      },
    ],
  ])('%s', (_name, billions, config) => {
    const reading = readJson(config);
    expect(reading.problems).toEqual([]);
    expect(Math.abs(parametersOf(reading) / (billions * 1e9) - 1)).toBeLessThan(1e-3);
  });

  /** Parameters as the checkpoints on Hugging Face count them, less a head's bias, which is left
   * out here. */
  test.each<[string, number, object]>([
    [
      'starcoder',
      15517456384,
      {
        model_type: 'gpt_bigcode',
        n_embd: 6144,
        n_layer: 40,
        n_head: 48,
        n_inner: 24576,
        n_positions: 8192,
        vocab_size: 49152,
        multi_query: true,
      },
    ],
    [
      'gpt-j-6b',
      6050882784,
      {
        model_type: 'gptj',
        n_embd: 4096,
        n_layer: 28,
        n_head: 16,
        n_positions: 2048,
        vocab_size: 50400,
        rotary_dim: 64,
        tie_word_embeddings: false,
      },
    ],
    ['phi-2', 2779683840, { model_type: 'phi', ...sizes(51200, 2560, 10240, 32, 32, 32) }],
    [
      'gpt-neo-2.7B',
      2651307520,
      {
        model_type: 'gpt_neo',
        hidden_size: 2560,
        num_layers: 32,
        num_heads: 20,
        max_position_embeddings: 2048,
        vocab_size: 50257,
        attention_types: [[['global', 'local'], 16]],
      },
    ],
    [
      'stablelm-3b-4e1t',
      2795443200,
      { model_type: 'stablelm', ...sizes(50304, 2560, 6912, 32, 32, 32) },
    ],
    [
      'command-r',
      34980831232,
      { model_type: 'cohere', ...sizes(256000, 8192, 22528, 40, 64, 64), logit_scale: 0.0625 },
    ],
    [
      'command-r+',
      103810674688,
      { model_type: 'cohere', ...sizes(256000, 12288, 33792, 64, 96, 8), use_qk_norm: true },
    ],
    [
      'olmo-1b',
      1176764416,
      { model_type: 'olmo', ...sizes(50304, 2048, 8192, 16, 16, 16), tie_word_embeddings: true },
    ],
    ['minicpm-2b', 2724880896, { model_type: 'minicpm', ...sizes(122753, 2304, 5760, 40, 36, 36) }],
    [
      'internlm2-7b',
      7737708544,
      {
        model_type: 'internlm2',
        ...sizes(92544, 4096, 14336, 32, 32, 8),
        bias: false,
        tie_word_embeddings: false,
      },
    ],
    [
      'baichuan2-7b',
      7505973248,
      {
        model_type: 'baichuan',
        vocab_size: 125696,
        hidden_size: 4096,
        intermediate_size: 11008,
        num_hidden_layers: 32,
        num_attention_heads: 32,
      },
    ],
    ['smollm3', 3075098624, { model_type: 'smollm3', ...sizes(128256, 2048, 11008, 36, 16, 4) }],
    [
      'seed-oss-36b',
      36151104512,
      {
        model_type: 'seed_oss',
        ...sizes(155136, 5120, 27648, 64, 80, 8),
        head_dim: 128,
        attention_bias: true,
        attention_out_bias: false,
      },
    ],
    [
      'ernie-21b',
      21825437888,
      {
        model_type: 'ernie4_5_moe',
        ...sizes(103424, 2560, 12288, 28, 20, 4),
        moe_num_experts: 64,
        moe_k: 6,
        moe_intermediate_size: 1536,
        moe_num_shared_experts: 2,
        moe_layer_start_index: 1,
        moe_layer_interval: 1,
      },
    ],
    [
      'phi-3.5-moe',
      41873153344,
      {
        model_type: 'phimoe',
        ...sizes(32064, 4096, 6400, 32, 32, 8),
        num_local_experts: 16,
        num_experts_per_tok: 2,
        attention_bias: true,
        lm_head_bias: true,
      },
    ],
    [
      'dots1',
      142774381696,
      {
        model_type: 'dots1',
        ...sizes(152064, 4096, 10944, 62, 32, 32),
        n_routed_experts: 128,
        n_shared_experts: 2,
        num_experts_per_tok: 6,
        moe_intermediate_size: 1408,
        first_k_dense_replace: 1,
      },
    ],
    [
      'granite-1b-a400m',
      1334628352,
      {
        model_type: 'granitemoe',
        ...sizes(49155, 1024, 512, 24, 16, 8),
        num_local_experts: 32,
        num_experts_per_tok: 8,
        tie_word_embeddings: true,
      },
    ],
    [
      'olmoe',
      6919161856,
      {
        model_type: 'olmoe',
        ...sizes(50304, 2048, 1024, 16, 16, 16),
        num_experts: 64,
        num_experts_per_tok: 8,
      },
    ],
    [
      'glm-4-9b-0414',
      9400279040,
      {
        model_type: 'glm4',
        ...sizes(151552, 4096, 13696, 40, 32, 2),
        head_dim: 128,
        attention_bias: true,
      },
    ],
    [
      'exaone-4-32b',
      32003200000,
      { model_type: 'exaone4', ...sizes(102400, 5120, 27392, 64, 40, 8), head_dim: 128 },
    ],
    [
      'deepseek-moe-16b',
      16375728128,
      {
        model_type: 'deepseek',
        ...sizes(102400, 2048, 10944, 28, 16, 16),
        n_routed_experts: 64,
        n_shared_experts: 2,
        num_experts_per_tok: 6,
        moe_intermediate_size: 1408,
        first_k_dense_replace: 1,
        moe_layer_freq: 1,
      },
    ],
    [
      'deepseek-v2-lite',
      15706484224,
      {
        model_type: 'deepseek_v2',
        ...sizes(102400, 2048, 10944, 27, 16, 16),
        kv_lora_rank: 512,
        q_lora_rank: null,
        qk_nope_head_dim: 128,
        qk_rope_head_dim: 64,
        v_head_dim: 128,
        n_routed_experts: 64,
        n_shared_experts: 2,
        num_experts_per_tok: 6,
        moe_intermediate_size: 1408,
        first_k_dense_replace: 1,
        moe_layer_freq: 1,
      },
    ],
    [
      'AFM-4.5B',
      4619174400,
      { model_type: 'arcee', ...sizes(128004, 2560, 18432, 36, 20, 4), head_dim: 128 },
    ],
    ['apertus-8b', 8053338176, { model_type: 'apertus', ...sizes(131072, 4096, 21504, 32, 32, 8) }],
    [
      'gemma-7b',
      8537680896,
      { model_type: 'gemma', ...sizes(256000, 3072, 24576, 28, 16, 16), head_dim: 256 },
    ],
    [
      'minicpm3-4b',
      4073924096,
      {
        model_type: 'minicpm3',
        ...sizes(73448, 2560, 6400, 62, 40, 40),
        kv_lora_rank: 256,
        q_lora_rank: 768,
        qk_nope_head_dim: 64,
        qk_rope_head_dim: 32,
        v_head_dim: 64,
      },
    ],
  ])('%s: %i parameters', (_name, parameters, config) => {
    const reading = readJson(config);
    expect(reading).toMatchObject({ standing: 'known', problems: [] });
    expect(Math.abs(parametersOf(reading) / parameters - 1)).toBeLessThan(1e-4);
  });

  test('layers with experts, wherever they are', () => {
    const sparse = {
      model_type: 'qwen3_moe',
      hidden_size: 2048,
      num_hidden_layers: 48,
      num_attention_heads: 32,
      vocab_size: 151936,
    };
    const places = (config: object) => {
      const { model, assumptions, problems } = readJson({ ...sparse, ...config });
      expect(problems).toEqual([]);
      const moved = assumptions.some(({ code }) => code === 'expertLayers');
      return [model.denseLayers ?? 0, model.moeEvery ?? 1, moved];
    };
    expect(places({ decoder_sparse_step: 1, mlp_only_layers: [] })).toEqual([0, 1, false]);
    expect(places({ decoder_sparse_step: 2 })).toEqual([0, 2, false]);
    expect(places({ mlp_only_layers: [0, 1] })).toEqual([2, 1, false]);
    expect(places({ mlp_only_layers: [5] })).toEqual([1, 1, true]);
    expect(places({ first_k_dense_replace: 1, moe_layer_freq: 2 })).toEqual([1, 2, false]);
    expect(places({ first_k_dense_replace: 99 })).toEqual([48, 1, false]);
    const frequencies = Array.from({ length: 48 }, (_, layer) => Number(layer > 0));
    expect(places({ moe_layer_freq: frequencies })).toEqual([1, 1, false]);
    expect(places({ moe_layers: [1, 3, 5] })).toEqual([45, 1, true]);
  });

  test('windows, in the layers that have them', () => {
    const decoder = { hidden_size: 64, num_hidden_layers: 8, num_attention_heads: 4 };
    const windows = (config: object) => {
      const { model } = readJson({ ...decoder, ...config });
      return [model.slidingWindow ?? 0, model.windowedLayers ?? 0];
    };
    expect(windows({ model_type: 'mistral' })).toEqual([4096, 8]);
    expect(windows({ model_type: 'mistral', sliding_window: null })).toEqual([0, 0]);
    expect(windows({ model_type: 'qwen2', sliding_window: 512 })).toEqual([0, 0]);
    const used = { sliding_window: 512, use_sliding_window: true };
    expect(windows({ model_type: 'qwen2', ...used, max_window_layers: 6 })).toEqual([512, 2]);
    expect(windows({ model_type: 'gemma2' })).toEqual([4096, 4]);
    expect(windows({ model_type: 'gemma3_text' })).toEqual([4096, 7]);
    expect(windows({ model_type: 'exaone4', sliding_window_pattern: 'LLLG' })).toEqual([4096, 6]);
    const layer_types = [...'sssfsssf'].map((s) => (s === 's' ? 'sliding_attention' : 'full'));
    expect(windows({ sliding_window: 256, layer_types })).toEqual([256, 6]);
  });
});

describe('architectures that the calculator does not know', () => {
  const sizes = {
    hidden_size: 1024,
    num_hidden_layers: 24,
    num_attention_heads: 16,
    intermediate_size: 4096,
    vocab_size: 30522,
  };

  test('are read as decoders, which is said', () => {
    const reading = readJson({ ...sizes, model_type: 'brand_new', hidden_act: 'gelu' });
    expect(reading).toMatchObject({ standing: 'unknown', architecture: 'brand_new', problems: [] });
    const codes = Object.fromEntries(reading.assumptions.map(({ field, code }) => [field, code]));
    expect(codes).toMatchObject({
      headDim: 'headDim',
      kvHeads: 'kvHeads',
      gatedFeedForward: 'activation',
      tiedEmbeddings: 'usual',
      norm: 'usual',
      qkvBias: 'usual',
    });
    expect(readJson(sizes)).toMatchObject({ standing: 'unnamed', architecture: '' });
  });

  test.each([
    ['bert', 'encoder'],
    ['xlm-roberta', 'encoder'],
    ['t5', 'encoderDecoder'],
    ['vit', 'vision'],
    ['whisper', 'encoderDecoder'],
  ])('%s is called what it is, and still read', (model_type, standing) => {
    expect(readJson({ ...sizes, model_type })).toMatchObject({ standing });
  });

  test.each<[object, object]>([
    [
      { model_type: 'mamba2', state_size: 128 },
      { code: 'stateSpace', architecture: 'mamba2' },
    ],
    [{ d_model: 2560, n_layer: 64, ssm_cfg: { layer: 'Mamba2' } }, { code: 'stateSpace' }],
    [
      { _class_name: 'UNet2DConditionModel', _diffusers_version: '0.20' },
      { code: 'diffusion', architecture: 'UNet2DConditionModel' },
    ],
    [{ model_type: 'clip' }, { code: 'vision', architecture: 'clip' }],
    [{ model_type: 'wav2vec2' }, { code: 'audio', architecture: 'wav2vec2' }],
    [{}, { code: 'notAModel' }],
    [{ name: 'left-pad', version: '1.3.0', main: 'index.js' }, { code: 'notAModel' }],
    [{ model_type: 'constructor' }, { code: 'notAModel' }],
  ])('%j is refused', (config, reason) => {
    expect(refused(JSON.stringify(config))).toMatchObject(reason);
  });
});

describe('text that is no config', () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
  test.each<[string, string, object]>([
    ['nothing', '  \n ', { code: 'empty' }],
    ['a page', '<!doctype html><script>alert(1)</script>', { code: 'webPage' }],
    ['an address', 'https://huggingface.co/gpt2/blob/main/config.json', { code: 'address' }],
    ['prose', 'hidden_size is 4096', { code: 'notJson' }],
    ['a trailing comma', '{\n  "hidden_size": 1,\n}', { code: 'notJson', line: 3 }],
    ['Python', "{'hidden_size': 4096, 'tied': True}", { code: 'notJson' }],
    ['an array', '[{"hidden_size": 1}]', { code: 'notAnObject' }],
    ['a number', '4096', { code: 'notAnObject' }],
    ['null', 'null', { code: 'notAnObject' }],
    ['half of it', '{"hidden_size": 40', { code: 'notJson' }],
    ['nesting', `{"a": ${nested(40)}}`, { code: 'tooDeep' }],
    ['nesting without end', '['.repeat(largestText), { code: 'tooDeep' }],
    ['10 MB', ' '.repeat(10_000_000), { code: 'tooLarge', size: 10_000_000 }],
  ])('%s', (_name, text, reason) => {
    expect(refused(text)).toMatchObject(reason);
  });

  test('signs before the text and Python’s numbers are no mistake', () => {
    const text = fileOf('gpt2.json');
    expect(read(`\uFEFF\n${text}`).model.layers).toBe(12);
    const limits = text.replace('{', '{"time_step_limit": [0.0, Infinity], "x": [-Infinity, NaN],');
    expect(read(limits).model.layers).toBe(12);
    expect(read(text.replace('"gelu_new"', '"NaN Infinity \\" ["')).model.layers).toBe(12);
  });
});

describe('mistaken values', () => {
  const config = JSON.parse(fileOf('qwen3-30b-a3b.json')) as Record<string, unknown>;

  test.each<[string, unknown, object]>([
    ['num_hidden_layers', '32', { code: 'notANumber', field: 'layers', written: '"32"' }],
    ['num_hidden_layers', -1, { code: 'belowMinimum', field: 'layers' }],
    ['num_hidden_layers', 12.5, { code: 'notWhole', field: 'layers', written: '12.5' }],
    ['num_hidden_layers', 1e6, { code: 'aboveMaximum', field: 'layers' }],
    ['num_hidden_layers', true, { code: 'notANumber', field: 'layers' }],
    ['num_hidden_layers', { a: 1 }, { code: 'notANumber', field: 'layers' }],
    ['hidden_size', [4096, 8192], { code: 'varies', field: 'hidden' }],
    ['hidden_size', [], { code: 'varies', field: 'hidden' }],
    ['vocab_size', 0, { code: 'belowMinimum', field: 'vocabulary' }],
    ['vocab_size', undefined, { code: 'library' }],
    ['num_experts', 1e7, { code: 'aboveMaximum', field: 'experts' }],
    ['mlp_only_layers', 3, { code: 'notAList', field: 'denseLayers' }],
    ['decoder_sparse_step', 0, { code: 'belowMinimum', field: 'moeEvery' }],
    ['tie_word_embeddings', 'yes', { code: 'notAFlag', field: 'tiedEmbeddings' }],
    ['attention_bias', 1, { code: 'notAFlag', field: 'qkvBias' }],
  ])('%s: %j', (key, value, problem) => {
    const reading = readJson({ ...config, [key]: value });
    if (value === undefined) {
      expect(reading.assumptions).toContainEqual(expect.objectContaining({ key, ...problem }));
      return;
    }
    expect(reading.problems).toContainEqual(expect.objectContaining({ key, ...problem }));
    // A faulty value is left out, and nothing is put in its place.
    const { field } = problem as { field: string };
    expect(reading.model).not.toHaveProperty(field);
  });

  test('numbers beyond all bounds', () => {
    const text = fileOf('llama-2-7b-hf.json').replace('"vocab_size": 32000', '"vocab_size": 1e400');
    // Was named `null`, as JSON writes an infinity.
    expect(read(text).problems).toMatchObject([
      { code: 'aboveMaximum', field: 'vocabulary', key: 'vocab_size', written: '1e400' },
    ]);
    for (const written of ['-1e400', '1E+400', `${'9'.repeat(400)}.5`]) {
      const [problem] = read(text.replace('1e400', written)).problems;
      expect(problem).toMatchObject({ field: 'vocabulary' });
      expect(written.startsWith(problem!.written.replace('…', ''))).toBe(true);
    }
    // Within a list, and in a string, where it is no number.
    const listed = text.replace('"vocab_size": 1e400', '"vocab_size": [1e400, 2], "x": "1e400"');
    expect(read(listed).problems).toMatchObject([{ code: 'notANumber', written: '[1e400,2]' }]);
    const wide = { model_type: 'gpt2', n_layer: 2, n_head: 1, n_embd: 9e6, vocab_size: 10 };
    expect(readJson(wide).problems).toMatchObject([
      { code: 'aboveMaximum', field: 'headDim' },
      { code: 'aboveMaximum', field: 'feedForward' },
    ]);
  });

  test('a head size that does not come out whole is asked for', () => {
    const odd = { model_type: 'llama', hidden_size: 100, num_attention_heads: 3 };
    expect(readJson(odd).problems).toMatchObject([
      { code: 'notDivisible', field: 'headDim', key: 'head_dim', written: '100 / 3' },
    ]);
  });

  test('keys of JavaScript’s own are keys like any other', () => {
    const text = `{"__proto__": {"num_hidden_layers": 7, "polluted": true},
      "constructor": {"prototype": {"hidden_size": 7}}, "toString": 1, "hasOwnProperty": 2,
      ${fileOf('llama-2-7b-hf.json').trim().slice(1)}`;
    const reading = read(text);
    expect(parametersOf(reading)).toBe(6738415616);
    expect(reading.ignored).toEqual(expect.arrayContaining(['__proto__', 'constructor']));
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    expect(readJson({ ...config, model_type: '__proto__' }).standing).toBe('known');
  });

  test('names are of one line, of bounded length and without direction marks', () => {
    const path = `a/<img src=x onerror=alert(1)>\u202e\u0000\n\t${'x'.repeat(100)}`;
    const { name } = readJson({ ...config, _name_or_path: path });
    expect(name).toBe(`<img src=x onerror=alert(1)> ${'x'.repeat(31)}`);
    expect(readJson({ ...config, _name_or_path: 7 }).name).toBe('');
    const long = readJson({ ...config, architectures: [], model_type: '\u0007'.repeat(1000) });
    expect(long.architecture).toBe('');
  });
});
