// Configs that name things their own way: other names of a field are read, and nothing is assumed
// of a field while a key that is not understood speaks of it.

import { describe, expect, test } from 'vitest';
import { engine, readJson, refused, refusedText, sizes, useEngine, counted } from './configs.ts';
import type { Reading } from '../../web/src/custom/config.ts';

useEngine();

const { num_key_value_heads: _, ...plain } = sizes(32000, 4096, 14336, 32, 32, 8);
const llama = { model_type: 'llama', ...plain };

const cacheOf = ({ model }: Reading): unknown => {
  const chip = { memory: 8e10, memoryBandwidth: 3e12, peakBf16: 1e15 };
  const outcome = engine.estimate({ chip, model: model as object, run: { chips: 1 } });
  return outcome.ok ? outcome.answers['kvCachePerToken'] : outcome.issues;
};

const problemsOf = (config: object): string[] =>
  readJson(config).problems.map(({ code, field, key }) => `${field} ${code} ${key}`);

describe('key heads', () => {
  // Megatron-LM, arguments.py (--num-query-groups); litgpt, config.py (n_query_groups); DeciLM;
  // mlx-lm and exported GGUF files (head_count_kv)
  test.each([
    ['num_query_groups', 8],
    ['n_query_groups', 8],
    ['num_key_value_heads_per_layer', Array(32).fill(8)],
    ['num_kv_heads_per_layer', Array(32).fill(8)],
    ['num_attention_heads_kv', 8],
    ['n_kv_head', 8],
    ['kv_heads', 8],
    ['num_heads_kv', 8],
  ])('are read from %s', (key, value) => {
    const reading = readJson({ ...llama, [key]: value });
    expect(reading).toMatchObject({ problems: [], model: { kvHeads: 8 } });
    expect(reading.ignored).not.toContain(key);
    expect(cacheOf(reading)).toBe(2 * 2 * 32 * 8 * 128);
  });

  test('DeciLM-7B: 4 in each layer', () => {
    const reading = readJson({
      ...llama,
      model_type: 'deci',
      architectures: ['DeciLMForCausalLM'],
      num_key_value_heads_per_layer: Array(32).fill(4),
    });
    expect(cacheOf(reading)).toBe(65536);
  });

  test('that differ from layer to layer are a problem, as under the usual name', () => {
    for (const key of ['num_key_value_heads_per_layer', 'num_key_value_heads']) {
      const list = [...Array(16).fill(8), ...Array(16).fill(4)];
      expect(problemsOf({ ...llama, [key]: list })).toEqual([`kvHeads varies ${key}`]);
    }
  });

  test('Megatron has groups only where it is asked for them', () => {
    const megatron = {
      ...{ num_layers: 32, hidden_size: 4096, ffn_hidden_size: 14336, num_attention_heads: 32 },
      ...{ padded_vocab_size: 128256, untie_embeddings_and_output_weights: true },
    };
    const groups = { ...megatron, group_query_attention: true, num_query_groups: 8 };
    expect(cacheOf(readJson(groups))).toBe(131072);
    expect(readJson(groups).model.tiedEmbeddings).toBe(false);
    const { num_query_groups: _groups, ...without } = groups;
    expect(problemsOf(without)).toEqual(['kvHeads missing num_query_groups']);
    const none = { ...megatron, group_query_attention: false, num_query_groups: 1 };
    expect(readJson(none)).toMatchObject({ problems: [], model: { kvHeads: 32 } });
  });

  test('ChatGLM likewise', () => {
    const chatglm = { ...llama, model_type: 'chatglm', multi_query_group_num: 2 };
    const one = readJson({ ...chatglm, multi_query_attention: true });
    expect(one.model.kvHeads).toBe(2);
    const none = readJson({ ...chatglm, multi_query_attention: false });
    expect(none).toMatchObject({ problems: [], model: { kvHeads: 32 } });
  });

  // Heads for each key head in the library's modules, key heads elsewhere.
  test.each([
    ['num_key_value_groups', 4],
    ['attn_kv_groups', 8],
    ['my_kv_heads', 8],
    ['gqa_ratio', 4],
    ['use_gqa', true],
    ['layer_kv_heads', [8, 8, 4]],
  ])('are not assumed beside %s', (key, value) => {
    const reading = readJson({ ...llama, [key]: value });
    expect(reading.model).not.toHaveProperty('kvHeads');
    expect(problemsOf({ ...llama, [key]: value })).toEqual([`kvHeads spokenOf ${key}`]);
  });

  test('are assumed beside keys that say nothing of them', () => {
    const others = {
      ...{ use_cache: true, kv_cache_dtype: 'fp8', clip_qkv: 8, kv_heads_scale: null },
      ...{ multi_query: false, qkv_bias: false, num_key_value_groups: null, my_kv_heads: [] },
    };
    expect(readJson({ ...llama, ...others })).toMatchObject({
      problems: [],
      model: { kvHeads: 32 },
    });
  });
});

describe('other sizes', () => {
  test.each([
    ['head_size', 64, 'headDim', 64],
    ['d_head', 64, 'headDim', 64],
    ['attention_head_size', 64, 'headDim', 64],
    ['d_kv', 64, 'headDim', 64],
    ['head_dim_per_layer', Array(32).fill(64), 'headDim', 64],
  ])('%s', (key, value, field, expected) => {
    expect(readJson({ ...llama, [key]: value }).model).toHaveProperty(field, expected);
  });

  test.each([
    ['feed_forward_size', 9999],
    ['mlp_dim', 9999],
    ['d_ffn', 9999],
    ['intermediate_sizes', Array(32).fill(9999)],
  ])('a feed-forward under %s', (key, value) => {
    const { intermediate_size: _, ...rest } = llama;
    expect(readJson({ ...rest, [key]: value }).model).toHaveProperty('feedForward', 9999);
  });

  // meta-llama/llama-models, models/llama3/model.py (FeedForward): two thirds of four times the
  // hidden size, times the multiplier, up to the next multiple.
  test('a feed-forward by its multiplier, as Meta and torchtitan write it', () => {
    const params = {
      ...{ dim: 4096, n_layers: 32, n_heads: 32, n_kv_heads: 8, vocab_size: 128256 },
      ...{ ffn_dim_multiplier: 1.3, multiple_of: 1024, norm_eps: 1e-5, rope_theta: 500000 },
    };
    const reading = readJson(params);
    expect(reading).toMatchObject({ problems: [], model: { feedForward: 14336 } });
    expect(counted(reading).all).toBe(8030261248);
    const { ffn_dim_multiplier: __, ...old } = params;
    expect(readJson({ ...old, multiple_of: 256 }).model.feedForward).toBe(11008);
  });

  test.each<[string, object, string]>([
    ['a head width', { ...llama, my_head_dim: 64 }, 'headDim spokenOf my_head_dim'],
    [
      'a feed-forward that the architecture would have',
      { model_type: 'gpt2', n_embd: 768, n_layer: 12, n_head: 12, vocab_size: 50257, mlp_size: 9 },
      'feedForward spokenOf mlp_size',
    ],
  ])('%s is not assumed', (_name, config, problem) => {
    expect(problemsOf(config)).toEqual([problem]);
  });

  // These have a value that stands for none, so there is nothing to leave open.
  test.each<[string, object]>([
    ['total_experts', { total_experts: 64 }],
    ['moe_expert_total', { moe_expert_total: 64, moe_intermediate_size: 1024 }],
    ['my_shared_experts', { num_experts: 8, num_experts_per_tok: 2, my_shared_experts: 2 }],
    ['local_attention_span', { local_attention_span: 512 }],
    ['layer_mixers', { layer_mixers: ['attention', 'mamba'] }],
  ])('a file with %s is refused by that name', (key, more) => {
    expect(refused({ ...llama, num_key_value_heads: 8, ...more })).toMatchObject({
      code: 'unknownParts',
      parts: key,
    });
  });
});

/** Keys of published files of these architectures that say nothing of what is assumed. */
test.each<[string, object]>([
  [
    'mpt',
    {
      ...{ d_model: 4096, n_heads: 32, n_layers: 32, vocab_size: 50432, max_seq_len: 2048 },
      ...{ emb_pdrop: 0, resid_pdrop: 0, logit_scale: null, learned_pos_emb: true },
      attn_config: { alibi: true, alibi_bias_max: 8, attn_type: 'x', clip_qkv: 6, qk_ln: false },
      init_config: { init_std: 0.02, fan_mode: 'fan_in', init_nonlinearity: 'relu' },
    },
  ],
  [
    'gpt2',
    {
      ...{ n_embd: 768, n_head: 12, n_layer: 12, vocab_size: 50257, n_positions: 1024 },
      ...{ attn_pdrop: 0.1, embd_pdrop: 0.1, n_inner: null, summary_proj_to_labels: true },
      ...{ reorder_and_upcast_attn: false, scale_attn_by_inverse_layer_idx: false },
      task_specific_params: { 'text-generation': { max_length: 50 } },
    },
  ],
  [
    'phi',
    {
      ...{ hidden_size: 2048, intermediate_size: 8192, num_hidden_layers: 24 },
      ...{ num_attention_heads: 32, vocab_size: 51200, partial_rotary_factor: 0.5 },
      ...{ embd_pdrop: 0, resid_pdrop: 0, qk_layernorm: false, rotary_dim: 32 },
    },
  ],
  [
    'qwen2',
    {
      ...{ ...sizes(151936, 1536, 8960, 28, 12, 2), max_window_layers: 28, sliding_window: 131072 },
      ...{ use_sliding_window: false, use_mrope: false, router_aux_loss_coef: 0.001 },
      ...{ rope_scaling: { mrope_section: [16, 24, 24], type: 'mrope' }, mlp_only_layers: [] },
    },
  ],
  [
    'gemma2',
    {
      ...{ ...sizes(256000, 2304, 9216, 26, 8, 4), head_dim: 256, query_pre_attn_scalar: 256 },
      ...{ attn_logit_softcapping: 50, sliding_window: 4096, sliding_window_size: 4096 },
      ...{ cache_implementation: 'hybrid', final_logit_softcapping: 30 },
    },
  ],
  [
    'granitemoehybrid',
    {
      ...{ ...sizes(100352, 2048, 8192, 40, 32, 8), num_local_experts: 0, num_experts_per_tok: 0 },
      ...{ shared_intermediate_size: 8192, attention_multiplier: 0.01, logits_scaling: 8 },
      ...{ layer_types: Array(40).fill('attention'), mamba_chunk_size: 256, mamba_n_heads: 48 },
      ...{ mamba_d_conv: 4, mamba_d_state: 128, normalization_function: 'rmsnorm' },
    },
  ],
])('keys of %s leave nothing open', (model_type, config) => {
  expect(readJson({ model_type, ...config }).problems).toEqual([]);
});

describe('cross-attention', () => {
  test.each([
    ['cross_attention_layers', [3, 8, 13, 18]],
    ['cross_layer_interval', 4],
    ['cross_attn_every_n_layers', 4],
    ['add_cross_attention', true],
  ])('%s is refused by its name', (key, value) => {
    expect(refused({ ...llama, num_key_value_heads: 8, [key]: value })).toEqual({
      code: 'crossAttention',
      architecture: 'llama',
      parts: key,
    });
  });

  test('keys that say there is none are no matter', () => {
    const none = {
      ...{ add_cross_attention: false, cross_attention_hidden_size: null },
      cross_attention_layers: [],
    };
    expect(readJson({ ...llama, ...none }).problems).toEqual([]);
  });
});

describe('lists of layers', () => {
  const kimi = (full: number[], kda: number[] | undefined, layers: number) => ({
    model_type: 'kimi_linear',
    ...sizes(163840, 2304, 9216, layers, 32, 32),
    ...{ kv_lora_rank: 512, qk_nope_head_dim: 128, qk_rope_head_dim: 64, v_head_dim: 128 },
    linear_attn_config: {
      ...{ full_attn_layers: full, head_dim: 128, num_heads: 32, short_conv_kernel_size: 4 },
      ...(kda ? { kda_layers: kda } : {}),
    },
  });

  test.each<[string, number[], number[] | undefined]>([
    ['from 1', [4, 8], [1, 2, 3, 5, 6, 7]],
    ['from 0', [3, 7], [0, 1, 2, 4, 5, 6]],
    ['from 1, without the others', [4, 8], undefined],
  ])('count %s', (_name, full, kda) => {
    expect(readJson(kimi(full, kda, 8)).model.layerPattern).toBe('2x(3xld.ad)');
  });

  test('that leave a layer out are refused', () => {
    expect(refused(kimi([4, 8], [1, 2, 3, 5, 6], 8))).toMatchObject({ code: 'unknownParts' });
  });

  test('GLM-5.3-Flash is refused by the parts that no field describes', () => {
    const kda = [...Array(45).keys()].filter((at) => at % 4 !== 3);
    const reason = refused({
      architectures: ['Glm5NextForConditionalGeneration'],
      text_config: {
        ...{ model_type: 'glm5_next_text', ...sizes(154880, 4096, 12288, 45, 64, 64) },
        ...{ moe_intermediate_size: 2048, n_routed_experts: 288, num_experts_per_token: 7 },
        ...{ q_lora_rank: 1536, kv_lora_rank: 512, qk_nope_head_dim: 256, qk_rope_head_dim: 0 },
        v_head_dim: 256,
        linear_attn_config: {
          kda_layers: kda,
          full_attn_layers: [3, 7, 11, 15, 19, 23, 27, 31, 35, 39, 43],
          ...{ num_heads: 64, head_dim: 128, short_conv_kernel_size: 4 },
        },
        ...{ index_head_dim: 128, index_topk: 2048, index_n_heads: 32, index_kpool: 16 },
        ...{ mhc: true, mhc_num_residual_streams: 4 },
      },
    });
    expect(reason).toEqual({
      code: 'unknownParts',
      architecture: 'glm5_next_text',
      parts: 'mhc_num_residual_streams, index_kpool',
    });
  });
});

describe('null', () => {
  const quantised = (config: object) =>
    readJson({ ...llama, num_key_value_heads: 8, quantization_config: config }).quantised?.server;

  test('is no block', () => {
    const fp8 = { quant_method: 'fp8', activation_scheme: 'static' };
    for (const none of [{}, { weight_block_size: null }, { weight_block_size: [] }]) {
      expect(quantised({ ...fp8, ...none })).toMatchObject({ weights: 'fp8' });
    }
    expect(quantised({ ...fp8, weight_block_size: [128, 128] })).toMatchObject({
      weights: 'fp8Block',
    });
  });

  test('is no algorithm of experts', () => {
    const config = {
      ...{ ...llama, num_key_value_heads: 8, expert_dtype: 'fp4' },
      ...{ num_experts: 8, num_experts_per_tok: 2 },
      quantization_config: { quant_method: 'fp8', weight_block_size: [128, 128] },
    };
    const without = readJson(config).quantised;
    expect(without?.server).toMatchObject({ expertWeights: 'mxfp4' });
    const withNull = { ...config.quantization_config, moe_quant_algo: null };
    expect(readJson({ ...config, quantization_config: withNull }).quantised).toEqual(without);
  });

  test('is as nothing in every key of quantization_config', () => {
    const keys = [
      ...['weight_block_size', 'quant_algo', 'moe_quant_algo', 'config_groups', 'bits', 'w_bit'],
      ...['quantized_layers', 'ignore', 'modules_to_not_convert', 'exclude_modules', 'format'],
      ...['ignored_layers', 'group_size', 'q_group_size', 'zero_point', 'kv_cache_scheme'],
      ...['kv_cache_quant_algo', 'load_in_4bit', 'load_in_8bit'],
    ];
    for (const method of ['fp8', 'awq', 'gptq', 'mxfp4', 'bitsandbytes', 'compressed-tensors']) {
      for (const key of keys) {
        const config = { quant_method: method, bits: 4 };
        if (key in config) continue;
        expect(quantised({ ...config, [key]: null }), `${method} ${key}`).toEqual(
          quantised(config),
        );
      }
    }
  });
});

describe('the bias of the head', () => {
  // Counts of the checkpoints on Hugging Face.
  test.each<[string, number, object]>([
    [
      'phi-1.5',
      1418270720,
      {
        ...{ model_type: 'phi', hidden_size: 2048, intermediate_size: 8192, vocab_size: 51200 },
        ...{ num_hidden_layers: 24, num_attention_heads: 32, max_position_embeddings: 2048 },
        tie_word_embeddings: false,
      },
    ],
    [
      'GPT-J-6B',
      6050882784,
      {
        ...{ model_type: 'gptj', n_embd: 4096, n_head: 16, n_layer: 28, n_inner: null },
        ...{ n_positions: 2048, vocab_size: 50400, tie_word_embeddings: false },
      },
    ],
    [
      'Phi-3.5-MoE',
      41873153344,
      {
        ...{ model_type: 'phimoe', ...sizes(32064, 4096, 6400, 32, 32, 8) },
        ...{ attention_bias: true, lm_head_bias: true, num_local_experts: 16 },
        ...{ num_experts_per_tok: 2, tie_word_embeddings: false },
      },
    ],
  ])('%s', (_name, parameters, config) => {
    const reading = readJson(config);
    expect(reading.problems).toEqual([]);
    expect(reading.model.headBias).toBe(true);
    expect(counted(reading).all).toBe(parameters);
  });
});

describe('files that are no config of a model', () => {
  const adapter = {
    ...{ peft_type: 'LORA', base_model_name_or_path: 'meta-llama/Llama-3.1-8B', r: 16 },
    ...{ lora_alpha: 32, lora_dropout: 0.05, target_modules: ['q_proj'], task_type: 'CAUSAL_LM' },
  };
  test.each<[string, object]>([
    ['adapter', adapter],
    ['adapter', { r: 8, lora_alpha: 16, target_modules: ['q_proj', 'v_proj'] }],
    [
      'deepSpeed',
      { train_micro_batch_size_per_gpu: 'auto', zero_optimization: { stage: 3 }, bf16: {} },
    ],
    ['generation', { _from_model_config: true, bos_token_id: 1, eos_token_id: 2 }],
    ['generation', { do_sample: true, temperature: 0.6, top_p: 0.9, transformers_version: '4' }],
    ['weightIndex', { metadata: { total_size: 1 }, weight_map: { 'lm_head.weight': 'a' } }],
    [
      'gguf',
      {
        ...{ 'general.architecture': 'llama', 'llama.block_count': 32 },
        'llama.attention.head_count_kv': 8,
      },
    ],
    ['tokenizer', { tokenizer_class: 'LlamaTokenizer', model_max_length: 4096 }],
    ['tokenizer', { version: '1.0', added_tokens: [], pre_tokenizer: null, model: { vocab: {} } }],
    ['tokenizer', { bos_token: '<s>', eos_token: '</s>', unk_token: '<unk>' }],
    ['processor', { image_processor_type: 'X', image_mean: [0.5], image_std: [0.5] }],
    ['trainer', { per_device_train_batch_size: 4, learning_rate: 1e-5, num_train_epochs: 1 }],
    ['trainer', { global_step: 10, log_history: [] }],
    ['maxText', { base_emb_dim: 4096, base_num_query_heads: 32, base_num_decoder_layers: 32 }],
    ['quantisation', { bits: 4, group_size: 128, desc_act: false }],
    ['quantisation', { producer: { name: 'modelopt' }, quantization: { quant_algo: 'FP8' } }],
  ])('%s: %j', (kind, entries) => {
    expect(refused(entries)).toMatchObject({ code: 'otherFile', kind });
  });

  test('an adapter names its base', () => {
    expect(refused(adapter)).toEqual({
      ...{ code: 'otherFile', kind: 'adapter' },
      base: 'meta-llama/Llama-3.1-8B',
    });
  });

  test.each([
    ['torchTitan', '[model]\nname = "llama3"\nflavor = "8B"\n\n[training]\nsteps = 10\n'],
    ['megatron', 'trainer:\n  devices: 8\nmodel:\n  tensor_model_parallel_size: 2\n  x: 1\n'],
    ['maxText', '# 8B\nbase_emb_dim: 4096\nbase_num_query_heads: 32\nbase_mlp_dim: 14336\n'],
    ['trainer', 'learning_rate: 1e-5\nper_device_train_batch_size: 2\noutput_dir: x\n'],
    ['trainer', 'base_model: meta-llama/X\nadapter: qlora\nmicro_batch_size: 2\n'],
    ['settings', 'first: 1\nsecond: two\n'],
    ['arguments', '--num-layers 32 \\\n--hidden-size 4096 \\\n--num-attention-heads 32'],
    [
      'gguf',
      'llama_model_loader: - kv   0:    general.architecture str = llama\n' +
        'llama_model_loader: - kv   1:    llama.block_count u32 = 32\n',
    ],
  ])('%s that is no JSON: %j', (kind, text) => {
    expect(refusedText(text)).toMatchObject({ code: 'otherFile', kind });
  });

  test.each([
    ['{"hidden_size": 1, // four\n "n": 2}', 'notJson'],
    ["{'hidden_size': 4096}", 'notJson'],
    ['LlamaConfig {\n  "hidden_size": 4096,\n  "x": 1\n}', 'notJson'],
    ['some words', 'notJson'],
    ['{"some": "thing"}', 'notAModel'],
  ])('%j is as before', (text, code) => {
    expect(refusedText(text)).toMatchObject({ code });
  });

  test('a model is read beside keys of other files', () => {
    const more = { ...adapter, temperature: 0.6, weight_map: {}, tokenizer_class: 'X' };
    expect(readJson({ ...llama, num_key_value_heads: 8, ...more }).problems).toEqual([]);
  });
});
