// Configs of families with layers that few have: inputs of a layer's own and shared keys (Gemma 4
// E2B and E4B), short convolutions (LFM2), lightning attention (MiniMax-01, Ling 2.5), Mamba-1
// (Jamba, Falcon-Mamba). Counts are worked out module by module from the reference code that
// wasm/scaling/model/kernels/ names.

import { describe, expect, test } from 'vitest';
import { configOf, counted, readJson, sizes, useEngine } from './configs.ts';

useEngine();

const repeated = (times: number, ...types: string[]): string[] =>
  Array.from({ length: times }, () => types).flat();
const window = 'sliding_attention';
const full = 'full_attention';

const gemma4 = {
  ...{ model_type: 'gemma4_text', head_dim: 256, global_head_dim: 512, sliding_window: 512 },
  ...{ max_position_embeddings: 131072, attention_bias: false, attention_k_eq_v: false },
  ...{ hidden_activation: 'gelu_pytorch_tanh', enable_moe_block: false, num_experts: null },
  ...{ vocab_size_per_layer_input: 262144, hidden_size_per_layer_input: 256 },
  ...{ num_global_key_value_heads: null, tie_word_embeddings: true, rms_norm_eps: 1e-6 },
};
const e2b = {
  ...{ ...gemma4, ...sizes(262144, 1536, 6144, 35, 8, 1), num_kv_shared_layers: 20 },
  ...{ use_double_wide_mlp: true, layer_types: repeated(7, window, window, window, window, full) },
};
const e4b = {
  ...{ ...gemma4, ...sizes(262144, 2560, 10240, 42, 8, 2), num_kv_shared_layers: 18 },
  use_double_wide_mlp: false,
  layer_types: repeated(7, window, window, window, window, window, full),
};
const e31b = {
  ...{ ...gemma4, ...sizes(262144, 5376, 21504, 60, 32, 16), num_global_key_value_heads: 4 },
  ...{ attention_k_eq_v: true, sliding_window: 1024, num_kv_shared_layers: 0 },
  ...{ hidden_size_per_layer_input: 0, use_double_wide_mlp: false },
  layer_types: repeated(10, window, window, window, window, window, full),
};

const lfm2 = {
  ...{ model_type: 'lfm2', architectures: ['Lfm2ForCausalLM'], norm_eps: 1e-5, conv_bias: false },
  ...{ conv_L_cache: 3, max_position_embeddings: 128000, tie_embedding: true },
  ...{ block_auto_adjust_ff_dim: true, block_ffn_dim_multiplier: 1.0, block_multiple_of: 256 },
};
const attends = (layers: number, ...at: number[]): string[] =>
  Array.from({ length: layers }, (_, layer) => (at.includes(layer) ? full : 'conv'));
const lfm2Moe = {
  ...{ model_type: 'lfm2_moe', norm_eps: 1e-5, conv_bias: false, conv_L_cache: 3 },
  ...{ num_dense_layers: 2, num_experts_per_tok: 4, use_expert_bias: true, norm_topk_prob: true },
};

const minimax01 = {
  ...{ model_type: 'minimax_text_01', ...sizes(200064, 6144, 9216, 80, 64, 8), head_dim: 128 },
  ...{ architectures: ['MiniMaxText01ForCausalLM'], max_position_embeddings: 10240000 },
  ...{ attn_type_list: Array.from({ length: 80 }, (_, at) => (at % 8 === 7 ? 1 : 0)) },
  ...{ num_local_experts: 32, num_experts_per_tok: 2, shared_intermediate_size: Array(80).fill(0) },
  ...{ shared_moe_mode: 'sigmoid', postnorm: true, rotary_dim: 64, rms_norm_eps: 1e-5 },
};

const bailing = {
  ...{ model_type: 'bailing_hybrid', architectures: ['BailingMoeV2_5ForCausalLM'] },
  ...{ ...sizes(157184, 8192, 18432, 80, 64, 8), head_dim: 128, layer_group_size: 8 },
  ...{ kv_lora_rank: 512, q_lora_rank: 1536, qk_rope_head_dim: 64, qk_nope_head_dim: 128 },
  ...{ v_head_dim: 128, num_experts: 256, num_experts_per_tok: 8, num_shared_experts: 1 },
  ...{ moe_intermediate_size: 2048, first_k_dense_replace: 4, use_qk_norm: true },
  ...{ moe_router_enable_expert_bias: true, group_norm_size: 8, tie_word_embeddings: false },
};

const jamba = {
  ...{ model_type: 'jamba', architectures: ['JambaForCausalLM'], mamba_d_state: 16 },
  ...{ attn_layer_offset: 4, attn_layer_period: 8, expert_layer_offset: 1, mamba_d_conv: 4 },
  ...{ expert_layer_period: 2, mamba_conv_bias: true, mamba_expand: 2, mamba_proj_bias: false },
  ...{ num_experts: 16, num_experts_per_tok: 2, tie_word_embeddings: false },
  ...{ max_position_embeddings: 262144, rms_norm_eps: 1e-6 },
};

const longcat = {
  ...{ architectures: ['LongcatFlashForCausalLM'], attention_method: 'MLA', vocab_size: 131072 },
  ...{
    hidden_size: 6144,
    num_layers: 28,
    num_attention_heads: 64,
    max_position_embeddings: 131072,
  },
  ...{ ffn_hidden_size: 12288, expert_ffn_hidden_size: 2048, n_routed_experts: 512, moe_topk: 12 },
  ...{ zero_expert_num: 256, zero_expert_type: 'identity', router_bias: false, q_lora_rank: 1536 },
  ...{ kv_lora_rank: 512, qk_nope_head_dim: 128, qk_rope_head_dim: 64, v_head_dim: 128 },
  ...{ mla_scale_q_lora: true, mla_scale_kv_lora: true, routed_scaling_factor: 6.0 },
};

describe('newer families are counted to the last parameter', () => {
  test.each<[string, number, number | undefined, string, object]>([
    [
      // Google: 2.3B effective, 5.1B with embeddings and the encoders, which are not counted.
      'Gemma 4 E2B',
      4628569344,
      2279759104,
      '3x(4xwd.ad).4x(4xw0d12288.a0d12288)',
      { model_type: 'gemma4', text_config: e2b, vision_config: { hidden_size: 768 } },
    ],
    ['Gemma 4 E4B: 8B with the encoders', 7463013376, 4644441088, '4x(5xwd.ad).3x(5xw0d.a0d)', e4b],
    ['Gemma 4 31B', 30697345280, 30697345280, '10x(5xwd.ad)', e31b],
    [
      'LFM2-1.2B, by its first keys',
      1170340608,
      undefined,
      '3x(2xvd.ad).vd.3x(ad.vd)',
      {
        ...{
          ...lfm2,
          ...sizes(65536, 2048, 12288, 16, 32, 8),
          full_attn_idxs: [2, 5, 8, 10, 12, 14],
        },
        ...{ intermediate_size: undefined, block_ff_dim: 12288, conv_dim: 2048, block_dim: 2048 },
      },
    ],
    [
      'LFM2-350M',
      354483968,
      undefined,
      '3x(2xvd.ad).vd.3x(ad.vd)',
      {
        ...{ ...lfm2, ...sizes(65536, 1024, 6656, 16, 16, 8) },
        layer_types: attends(16, 2, 5, 8, 10, 12, 14),
      },
    ],
    [
      'LFM2-8B-A1B: 8.3B, 1.5B active',
      8339930560,
      1557740992,
      '2xvd.4x(ae.3xve).2x(ae.2xve)',
      {
        ...{ ...lfm2Moe, ...sizes(65536, 2048, 7168, 24, 32, 8), moe_intermediate_size: 1792 },
        ...{ num_experts: 32, layer_types: attends(24, 2, 6, 10, 14, 18, 21) },
      },
    ],
    [
      'LFM2-24B-A2B: 24B, 2.3B active',
      23843661440,
      2326881920,
      '2xvd.ae.9x(3xve.ae).ve',
      {
        ...{ ...lfm2Moe, ...sizes(65536, 2048, 11776, 40, 32, 8), moe_intermediate_size: 1536 },
        ...{ num_experts: 64, layer_types: attends(40, 2, 6, 10, 14, 18, 22, 26, 30, 34, 38) },
      },
    ],
    [
      // MiniMax leaves embedding and head out of 45.9B.
      'MiniMax-Text-01: 456B',
      456089655296,
      48403306496,
      '10x(7xle.ae)',
      minimax01,
    ],
    [
      'MiniMax-M1, in the keys of the library',
      456089655296,
      48403306496,
      '10x(7xle.ae)',
      {
        ...{ ...minimax01, model_type: 'minimax', architectures: ['MiniMaxForCausalLM'] },
        ...{ attn_type_list: undefined, shared_intermediate_size: undefined },
        layer_types: repeated(10, ...Array<string>(7).fill('linear_attention'), full),
      },
    ],
    // Its sizes are those of Ling-1T, of which it was made: 1T, 63B active.
    ['Ling 2.5', 1012231160320, 63580258816, '4xld.3xle.ae.9x(7xle.ae)', bailing],
    [
      'Jamba 1.5 Mini: 52B, 12B active',
      51570323328,
      12110311296,
      '4x(md.me.md.me.ad.me.md.me)',
      { ...jamba, ...sizes(65536, 4096, 14336, 32, 32, 8), mamba_dt_rank: 256 },
    ],
    [
      'Jamba 1.5 Large: 398B, 94B active; the rank as a sixteenth of the hidden size',
      398555145696,
      94149338592,
      '9x(md.me.md.me.ad.me.md.me)',
      { ...jamba, ...sizes(65536, 8192, 24576, 72, 64, 8), mamba_dt_rank: 'auto' },
    ],
    [
      'Jamba Reasoning 3B: one expert is none',
      3029337472,
      undefined,
      '2x(7xmd.ad.6xmd)',
      {
        ...{ ...jamba, ...sizes(65536, 2560, 8192, 28, 20, 1), mamba_dt_rank: 160, num_experts: 1 },
        ...{ attn_layer_period: 14, attn_layer_offset: 7, num_experts_per_tok: 1 },
        tie_word_embeddings: true,
      },
    ],
    [
      'Falcon-Mamba-7B: no attention',
      7272665088,
      undefined,
      '64xm-',
      {
        ...{ model_type: 'falcon_mamba', architectures: ['FalconMambaForCausalLM'] },
        ...{ vocab_size: 65024, hidden_size: 4096, num_hidden_layers: 64, intermediate_size: 8192 },
        ...{ state_size: 16, expand: 16, conv_kernel: 4, time_step_rank: 256, use_bias: false },
        ...{ use_conv_bias: true, tie_word_embeddings: false, hidden_act: 'silu' },
      },
    ],
    [
      'Mamba-130M',
      129135360,
      undefined,
      '24xm-',
      {
        ...{ model_type: 'mamba', vocab_size: 50280, hidden_size: 768, num_hidden_layers: 24 },
        ...{ state_size: 16, expand: 2, conv_kernel: 4, time_step_rank: 48, use_bias: false },
        use_conv_bias: true,
      },
    ],
    // 18.6B to 31.3B active, 27B on average: 8 of the 12 that a token chooses compute.
    ['LongCat-Flash: 560B', 560664980480, 27954818048, '28x(ae.ad)', longcat],
  ])('%s: %i parameters', (_name, all, active, pattern, config) => {
    const reading = readJson(config);
    expect(reading).toMatchObject({ standing: 'known', problems: [] });
    expect(reading.model.layerPattern).toBe(pattern);
    const counts = counted(reading);
    expect(counts.all).toBe(all);
    expect(counts.active).toBe(active ?? all);
  });
});

describe('what stands behind the fields of newer families', () => {
  test('a file of the library leaves the list of layers and the inputs out', () => {
    const { layer_types: _, hidden_size_per_layer_input: __, ...rest } = e4b;
    expect(readJson(rest).model).toEqual(readJson(e4b).model);
  });

  test('shared keys and wide parts name their keys', () => {
    const keys = readJson(e2b)
      .fields.filter(({ field }) => field === 'layerPattern')
      .map(({ key }) => key);
    expect(keys).toEqual(['layer_types', 'num_kv_shared_layers', 'use_double_wide_mlp']);
    expect(readJson(e2b).model).toMatchObject({ feedForward: 6144, perLayerInput: 256 });
    expect(readJson(e2b).model).not.toHaveProperty('perLayerVocabulary');
  });

  test('the mixture of Gemma 4 has no inputs of layers', () => {
    const { model } = readJson(configOf('gemma-4-26b-a4b'));
    expect(model).not.toHaveProperty('perLayerInput');
  });

  test('lightning attention has as many heads as attention', () => {
    expect(readJson(bailing).model).toMatchObject({
      ...{ linearAttention: 'lightning', linearKeyHeads: 64, linearValueHeads: 64 },
      ...{ linearKeyDim: 128, linearValueDim: 128, linearConvolution: 0, linearQkNorm: true },
      qkNorm: 'none',
    });
  });

  test('experts that compute nothing are left out of those that a token passes', () => {
    const reading = readJson(longcat);
    expect(reading.model).toMatchObject({
      layers: 56,
      zeroExperts: 256,
      denseBesideExperts: 12288,
    });
    expect(reading.assumptions).toContainEqual({
      ...{ code: 'zeroExperts', field: 'expertsPerToken', value: 8 },
    });
    expect(reading.assumptions).toContainEqual({ code: 'parallel', field: 'layers', value: 56 });
  });

  test('heads that no layer has are said to be so', () => {
    const { assumptions } = readJson({
      ...{ model_type: 'falcon_mamba', vocab_size: 65024, hidden_size: 4096 },
      num_hidden_layers: 64,
    });
    for (const field of ['heads', 'kvHeads', 'headDim', 'feedForward']) {
      expect(assumptions).toContainEqual({ code: 'noLayers', field, value: 1 });
    }
  });

  test.each([
    ['as many layers as there are', { num_kv_shared_layers: 42 }],
    ['half a layer', { num_kv_shared_layers: 0.5 }],
  ])('keys shared by %s', (_name, change) => {
    expect(() => readJson({ ...e4b, ...change })).toThrow('num_kv_shared_layers');
  });

  test('a rank or a state that is no number', () => {
    const { problems } = readJson({
      ...{ ...jamba, ...sizes(65536, 4096, 14336, 32, 32, 8) },
      ...{ mamba_d_state: 'many', mamba_expand: 'two' },
    });
    expect(problems).toContainEqual(
      expect.objectContaining({ code: 'notANumber', field: 'mambaState' }),
    );
    expect(problems).toContainEqual(
      expect.objectContaining({ code: 'missing', field: 'mambaHeads' }),
    );
  });
});
