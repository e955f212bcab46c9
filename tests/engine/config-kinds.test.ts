// Configs of models whose layers are not all alike: which kinds they have, how they are counted,
// what their formats are, and what is refused.

import { describe, expect, test } from 'vitest';
import { readConfig } from '../../web/src/custom/config.ts';
import { largestText } from '../../web/src/custom/json.ts';
import { contradicts, nominalOf } from '../../web/src/custom/nominal.ts';
import { patternOf } from '../../web/src/custom/pattern.ts';
import {
  configOf,
  counted,
  engine,
  infos,
  readJson,
  refused,
  sizes,
  useEngine,
} from './configs.ts';
import modelFile from '../../shared/models.json' with { type: 'json' };
import golden from '../golden/configs.json' with { type: 'json' };

useEngine();

describe('the kinds of layers of published models', () => {
  test.each([
    ['kimi-k3', 'ld.2xle.22x(ae.3xle).2xae'],
    ['qwen3.5-397b-a17b', '15x(3xle.ae)'],
    ['qwen3.5-27b', '16x(3xld.ad)'],
    ['deepseek-v4-flash', '2xwe.c4e.20x(c128e.c4e)'],
    ['gemma-4-26b-a4b', '5x(5xwe.ae)'],
    ['mimo-v2-flash', 'ad.4xwe.ae.7x(5xwe.ae)'],
    ['minimax-m3', '3xad.57xse'],
    ['nemotron-3-nano-30b-a3b', 'm-.5x(-e.m-.-e.m-.a-.-e.m-).3x(-e.m-).a-.-e.4x(m-.-e)'],
  ])('%s: %s', (name, pattern) => {
    const { model, problems } = readJson(configOf(name));
    expect(problems).toEqual([]);
    expect(model.layerPattern).toBe(pattern);
  });

  test('one kind needs no pattern', () => {
    for (const name of ['deepseek-v3.2', 'glm-5', 'minimax-m2.5', 'gemma-3-27b-it']) {
      expect(readJson(configOf(name)).model.layerPattern ?? '', name).toBe('');
    }
    expect(readJson(configOf('glm-5')).model).toMatchObject({
      indexTopK: 2048,
      indexHeads: 32,
      indexHeadDim: 128,
    });
  });

  test('widths that differ by layer', () => {
    const { model } = readJson(configOf('nemotron-super-49b-v1'));
    // 5.25 and 2.625 times two thirds of the hidden size; 8 query heads a key head
    expect(model).toMatchObject({ feedForward: 28672, kvHeads: 8 });
    expect(model.layerPattern).toMatch(/^ad14336\.5xad\.2x-d14336\./);
  });

  test('sizes of layers with a window', () => {
    const gemma = readJson(configOf('gemma-4-26b-a4b'));
    expect(gemma.model).toMatchObject({
      ...{ headDim: 512, kvHeads: 2, windowHeadDim: 256, windowKvHeads: 8, keyIsValue: true },
      ...{ denseBesideExperts: 2112, expertFeedForward: 704, normsPerLayer: 7 },
    });
    // A key stands beside the field that it gives in the end.
    const keyOf = (field: string) => gemma.fields.find((each) => each.field === field)?.key;
    expect(keyOf('windowHeadDim')).toBe('text_config.head_dim');
    expect(keyOf('headDim')).toBe('text_config.global_head_dim');
    const mimo = readJson(configOf('mimo-v2-flash'));
    expect(mimo.model).toMatchObject({ kvHeads: 4, windowKvHeads: 8, valueDim: 128 });
    expect(mimo.model).toMatchObject({ attentionSinks: false, windowSinks: true });
    expect(mimo.model).not.toHaveProperty('windowHeads');
  });
});

/** Their sizes as their publishers, or the checkpoints on Hugging Face, give them. */
describe('neighbours of these models', () => {
  const mamba = {
    ...{ mamba_n_groups: 1, mamba_d_conv: 4, mamba_expand: 2, mamba_conv_bias: true },
    ...{ mamba_proj_bias: false },
  };
  const granite = [...Array(40).keys()].map((at) => (at % 10 === 5 ? 'attention' : 'mamba'));
  const step = [...Array(48).keys()].map((at) => (at % 4 ? 'sliding_attention' : 'full_attention'));

  test.each<[string, number, number | undefined, object]>([
    [
      'Qwen3-Next-80B-A3B: the library says where attention is',
      79674391296,
      undefined,
      {
        ...{ model_type: 'qwen3_next', ...sizes(151936, 2048, 5120, 48, 16, 2), head_dim: 256 },
        ...{ num_experts: 512, num_experts_per_tok: 10, moe_intermediate_size: 512 },
        ...{ shared_expert_intermediate_size: 512, linear_num_key_heads: 16 },
        ...{ linear_num_value_heads: 32, linear_key_head_dim: 128, linear_value_head_dim: 128 },
        ...{ linear_conv_kernel_dim: 4, full_attention_interval: 4, decoder_sparse_step: 1 },
      },
    ],
    [
      'Kimi-Linear-48B-A3B',
      49122681728,
      3484459904,
      {
        ...{ model_type: 'kimi_linear', ...sizes(163840, 2304, 9216, 27, 32, 32), head_dim: 72 },
        ...{ kv_lora_rank: 512, q_lora_rank: null, qk_nope_head_dim: 128, qk_rope_head_dim: 64 },
        ...{ v_head_dim: 128, num_experts: 256, num_experts_per_token: 8, num_shared_experts: 1 },
        ...{ moe_intermediate_size: 1024, first_k_dense_replace: 1, moe_layer_freq: 1 },
        linear_attn_config: {
          ...{ full_attn_layers: [4, 8, 12, 16, 20, 24, 27], head_dim: 128, num_heads: 32 },
          short_conv_kernel_size: 4,
        },
      },
    ],
    [
      'Granite-4.0-H-Small: 32B, 9B active',
      32207337984,
      8803121664,
      {
        ...{ model_type: 'granitemoehybrid', ...sizes(100352, 4096, 768, 40, 32, 8), ...mamba },
        ...{ layer_types: granite, num_local_experts: 72, num_experts_per_tok: 10 },
        ...{ shared_intermediate_size: 1536, mamba_n_heads: 128, mamba_d_head: 'auto' },
        ...{ mamba_d_state: 128, tie_word_embeddings: true },
      },
    ],
    [
      'Nemotron Nano 9B v2: no experts',
      8888227328,
      undefined,
      {
        ...{ model_type: 'nemotron_h', ...sizes(131072, 4480, 15680, 56, 40, 8), head_dim: 128 },
        hybrid_override_pattern: 'M-M-M-MM-M-M-M*-M-M-M*-M-M-M-M*-M-M-M-M*-M-MM-M-M-M-M-M-',
        ...{ mamba_num_heads: 128, mamba_head_dim: 80, ssm_state_size: 128, n_groups: 8 },
        ...{ conv_kernel: 4, mlp_hidden_act: 'relu2' },
      },
    ],
    [
      'Step-3.5-Flash: more heads in windows, a gate for each, lists with prediction modules',
      196956130368,
      undefined,
      {
        ...{ model_type: 'step3p5', ...sizes(128896, 4096, 11264, 45, 64), head_dim: 128 },
        ...{ num_attention_groups: 8, layer_types: step, num_nextn_predict_layers: 3 },
        attention_other_setting: {
          ...{ attention_type: 'sliding_attention', num_attention_heads: 96 },
          ...{ num_attention_groups: 8, head_dim: 128 },
        },
        ...{ use_head_wise_attn_gate: true, sliding_window: 512, moe_num_experts: 288 },
        ...{ moe_top_k: 8, moe_intermediate_size: 1280, share_expert_dim: 1280 },
        moe_layers_enum: [...Array(42).keys()].map((at) => at + 3).join(','),
        ...{ use_moe_router_bias: true, tie_word_embeddings: false },
      },
    ],
    [
      'OLMo 3 32B: windows in three of four layers',
      32233522176,
      undefined,
      { model_type: 'olmo3', ...sizes(100278, 5120, 27648, 64, 40, 8), sliding_window: 4096 },
    ],
    [
      'Ministral 3 3B, its text part',
      3429006336,
      undefined,
      {
        model_type: 'mistral3',
        text_config: {
          ...{ model_type: 'ministral3', ...sizes(131072, 3072, 9216, 26, 32, 8), head_dim: 128 },
          ...{ tie_word_embeddings: true, sliding_window: null },
        },
        vision_config: { hidden_size: 1024 },
      },
    ],
    [
      'GLM-4.7-Flash: 30B-A3B',
      29943393920,
      undefined,
      {
        ...{ model_type: 'glm4_moe_lite', ...sizes(154880, 2048, 10240, 47, 20, 20) },
        ...{ kv_lora_rank: 512, q_lora_rank: 768, qk_nope_head_dim: 192, qk_rope_head_dim: 64 },
        ...{ v_head_dim: 256, n_routed_experts: 64, n_shared_experts: 1, num_experts_per_tok: 4 },
        ...{ moe_intermediate_size: 1536, first_k_dense_replace: 1 },
      },
    ],
    [
      'Hunyuan-7B',
      7504568320,
      undefined,
      {
        ...{ model_type: 'hunyuan_v1_dense', ...sizes(128167, 4096, 14336, 32, 32, 8) },
        ...{ head_dim: 128, use_qk_norm: true, use_cla: false, tie_word_embeddings: true },
      },
    ],
    [
      // 128 experts of 3 x 7168 x 4864 and a residual MLP of 3 x 7168^2 in each of 35 layers
      // (modeling_arctic.py: ArcticMLP(is_residual_mlp=True)); Snowflake rounds to 480B and 17B.
      'Arctic',
      478_584_608_768,
      17_318_647_808,
      {
        ...{ model_type: 'arctic', ...sizes(32000, 7168, 4864, 35, 56, 8) },
        ...{ num_local_experts: 128, num_experts_per_tok: 2, moe_layer_frequency: 1 },
        ...{ parallel_attn_mlp_res: true, use_residual: true, tie_word_embeddings: false },
      },
    ],
  ])('%s: %i parameters', (_name, all, active, config) => {
    const reading = readJson(config);
    expect(reading).toMatchObject({ standing: 'known', problems: [] });
    const counts = counted(reading);
    expect(counts.all).toBe(all);
    if (active !== undefined) expect(counts.active).toBe(active);
  });

  test('Falcon-H1-7B: parts side by side are two layers, which is said', () => {
    const reading = readJson({
      ...{ model_type: 'falcon_h1', ...sizes(130048, 3072, 12288, 44, 12, 2), head_dim: 128 },
      ...{ mamba_d_ssm: 3072, mamba_n_heads: 24, mamba_d_head: 128, mamba_d_state: 256, ...mamba },
      ...{ mamba_rms_norm: false, tie_word_embeddings: false },
    });
    expect(reading.model).toMatchObject({ layers: 88, layerPattern: '44x(m-.ad)' });
    expect(reading.assumptions).toContainEqual({ code: 'parallel', field: 'layers', value: 88 });
    // 7.59B; the norms of a second layer are a few thousand parameters each.
    expect(Math.abs(counted(reading).all / 7585513568 - 1)).toBeLessThan(1e-4);
  });
});

describe('what cannot be described is refused, and said', () => {
  const decoder = sizes(65536, 4096, 14336, 32, 32, 8);
  test.each<[string, object, string]>([
    [
      'Mamba-1 of an architecture that is not known',
      { model_type: 'new', attn_layer_period: 8, attn_layer_offset: 4, mamba_d_state: 16 },
      'Mamba-1',
    ],
    [
      'LFM2 with biases',
      { model_type: 'lfm2', conv_bias: true, layer_types: Array(32).fill('conv') },
      'conv_bias',
    ],
    [
      'RecurrentGemma',
      { model_type: 'recurrent_gemma', block_types: ['recurrent', 'recurrent', 'attention'] },
      'recurrent',
    ],
    [
      'lightning attention of an architecture that is not known',
      { model_type: 'new', attn_type_list: [0, 0, 0, 1] },
      'lightning attention',
    ],
    ['MiniMax-01, without a list', { model_type: 'minimax_text_01' }, 'lightning'],
    ['Gemma 3n', { altup_num_inputs: 4, laurel_rank: 64 }, 'altup_num_inputs, laurel_rank'],
    [
      'shared keys, where no list says which layers are windowed',
      { num_kv_shared_layers: 8 },
      'num_kv_shared_layers',
    ],
    ['shared keys', { model_type: 'hunyuan', use_cla: true, cla_share_factor: 2 }, 'use_cla'],
    ['Zamba 2', { model_type: 'zamba2', layers_block_type: ['mamba', 'hybrid'] }, 'hybrid'],
  ])('%s', (_name, config, part) => {
    const reason = refused({ ...decoder, ...config });
    expect(reason).toMatchObject({ code: 'unknownParts' });
    expect((reason as { parts: string }).parts).toContain(part);
  });

  test('a search that left linear layers', () => {
    const config = configOf('nemotron-super-49b-v1');
    const blocks = structuredClone(config['block_configs']) as Record<string, object>[];
    blocks[3]!['attention'] = { no_op: false, replace_with_linear: true };
    const reason = refused({ ...config, block_configs: blocks });
    expect(reason).toMatchObject({ code: 'unknownParts', parts: 'attention.replace_with_linear' });
  });

  test('hybrids by name alone', () => {
    expect(refused({ ...decoder, model_type: 'zamba' })).toMatchObject({ code: 'hybrid' });
    // Ling 3: Kimi Delta Attention with heads' gates of its own
    const ling3 = { model_type: 'bailing_hybrid', architectures: ['BailingMoeV3ForCausalLM'] };
    expect(refused({ ...decoder, ...ling3 })).toMatchObject({ code: 'hybrid' });
    expect(refused({ ...decoder, model_type: 'rwkv7' })).toMatchObject({ code: 'stateSpace' });
  });
});

describe('lists that are wrong', () => {
  const qwen = () => structuredClone(configOf('qwen3.5-27b')) as { text_config: object };
  const linear = (count: number) => Array(count).fill('linear_attention') as string[];

  test.each<[string, object]>([
    ['shorter than there are layers', { layer_types: linear(63) }],
    ['longer', { layer_types: linear(65) }],
    ['nothing', { layer_types: [] }],
    ['long', { layer_types: linear(50_000) }],
  ])('%s', (_name, change) => {
    const config = qwen();
    Object.assign(config.text_config, change);
    const { problems, model } = readJson(config);
    expect(problems).toContainEqual(
      expect.objectContaining({ code: 'listLength', field: 'layerPattern' }),
    );
    expect(model).not.toHaveProperty('layerPattern');
  });

  test('signs and numbers that mean nothing', () => {
    const nemotron = configOf('nemotron-3-nano-30b-a3b');
    const wrong = { ...nemotron, hybrid_override_pattern: 'MXMX' };
    expect(refused(wrong)).toMatchObject({ code: 'unknownParts', parts: 'X' });
    const v4 = { ...configOf('deepseek-v4-flash'), compress_ratios: [0, -4, 'four', null, {}] };
    expect(refused(v4)).toMatchObject({ code: 'unknownParts' });
    // These objects refuse to be converted.
    const odd: unknown[] = [JSON.parse('{"toString": 1}'), JSON.parse('{"valueOf": 1}')];
    expect(
      refused({
        ...configOf('qwen3.5-27b'),
        text_config: { ...qwen().text_config, layer_types: odd },
      }),
    ).toMatchObject({ code: 'unknownParts' });
  });

  test('a million layers', () => {
    const config = qwen();
    const layer_types = linear(1_000_000);
    Object.assign(config.text_config, { layer_types, num_hidden_layers: 1_000_000 });
    const text = JSON.stringify(config);
    expect(text.length).toBeGreaterThan(largestText);
    expect(readConfig(text, infos)).toMatchObject({ ok: false, reason: { code: 'tooLarge' } });
    Object.assign(config.text_config, { layer_types: linear(9), num_hidden_layers: 1_000_000 });
    expect(readJson(config).problems).toContainEqual(
      expect.objectContaining({ code: 'aboveMaximum', field: 'layers' }),
    );
  });

  test('unused keys are named as far as someone reads them', () => {
    const many = Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`key_${at}`, at]));
    const reading = readJson({ ...configOf('llama-2-7b-hf'), ...many });
    expect(reading.unused).toBeGreaterThanOrEqual(1000);
    expect(reading.ignored).toHaveLength(200);
  });

  test('what a kind needs is asked for', () => {
    const config = qwen();
    const { linear_num_value_heads: _, ...rest } = config.text_config as Record<string, unknown>;
    const { problems } = readJson({
      ...config,
      text_config: { ...rest, model_type: 'new' },
      model_type: 'new',
      architectures: [],
    });
    expect(problems).toContainEqual(
      expect.objectContaining({ code: 'missing', field: 'linearValueHeads' }),
    );
  });
});

test('layers are written in as few signs as repeats allow', () => {
  const of = (text: string) => patternOf(text.split(' '));
  expect(of('ad')).toBe('ad');
  expect(of('ad ad ad')).toBe('3xad');
  expect(of('ad le ad le ad le')).toBe('3x(ad.le)');
  expect(of('le le le ae le le le ae ad')).toBe('2x(3xle.ae).ad');
  expect(patternOf([])).toBe('');
  const long = patternOf(Array.from({ length: 4096 }, (_, at) => (at % 2 ? 'ad' : 'le')));
  expect(long.length).toBeGreaterThan(4096);
});

describe('formats of weights', () => {
  const llama = { model_type: 'llama', ...sizes(32000, 4096, 11008, 32, 32, 8) };
  const quantised = (quantization_config: object, more: object = {}) =>
    readJson({ ...llama, ...more, quantization_config }).quantised;

  test.each<[string, object, object]>([
    [
      'fp8 in blocks',
      { quant_method: 'fp8', weight_block_size: [128, 128] },
      { weights: 'fp8Block' },
    ],
    ['fp8', { quant_method: 'fp8', activation_scheme: 'static' }, { weights: 'fp8' }],
    ['gpt-oss', { quant_method: 'mxfp4' }, { weights: 'bf16', expertWeights: 'mxfp4' }],
    [
      'AWQ',
      { quant_method: 'awq', bits: 4, group_size: 64, zero_point: true },
      { weights: 'int4', groupSize: 64, zeroPoints: 'sixteen' },
    ],
    [
      'GPTQ',
      { quant_method: 'gptq', bits: 4, group_size: 128, sym: true },
      { weights: 'int4', groupSize: 128, zeroPoints: 'four' },
    ],
    ['MLX', { bits: 4, group_size: 64 }, { weights: 'int4', groupSize: 64, zeroPoints: 'sixteen' }],
    ['mxfp8', { quant_method: 'mxfp8' }, { weights: 'fp8Block' }],
    [
      'compressed-tensors, 4 bits',
      {
        quant_method: 'compressed-tensors',
        format: 'pack-quantized',
        config_groups: {
          group_0: { targets: ['Linear'], weights: { num_bits: 4, type: 'int', group_size: 32 } },
        },
        ignore: ['re:.*self_attn.*', 'lm_head'],
      },
      { weights: 'int4', attentionWeights: 'bf16', groupSize: 32, zeroPoints: 'none' },
    ],
    [
      'compressed-tensors, fp8 for each channel',
      {
        quant_method: 'compressed-tensors',
        config_groups: { g: { weights: { num_bits: 8, type: 'float', strategy: 'channel' } } },
      },
      { weights: 'fp8' },
    ],
    [
      'compressed-tensors, mxfp4',
      {
        quant_method: 'compressed-tensors',
        format: 'mxfp4-pack-quantized',
        config_groups: { g: { weights: { num_bits: 4, type: 'float', group_size: 32 } } },
      },
      { weights: 'mxfp4' },
    ],
    [
      'ModelOpt, nvfp4, with its cache',
      {
        quant_method: 'modelopt',
        quant_algo: 'NVFP4',
        kv_cache_scheme: { dynamic: false, num_bits: 8, type: 'float' },
        ignore: Array.from({ length: 32 }, (_, at) => `model.layers.${at}.self_attn*`),
      },
      { weights: 'nvfp4', attentionWeights: 'bf16', cacheFormat: 'fp8' },
    ],
    [
      'ModelOpt, module by module',
      {
        quant_method: 'modelopt',
        quant_algo: 'MIXED_PRECISION',
        quantized_layers: {
          'model.layers.0.mlp.down_proj': { quant_algo: 'MXFP8' },
          'model.layers.0.self_attn.q_proj': { quant_algo: 'FP8' },
          'model.layers.1.mlp.experts.0.w1': { quant_algo: 'NVFP4' },
        },
      },
      { weights: 'fp8Block', attentionWeights: 'fp8', expertWeights: 'nvfp4' },
    ],
  ])('%s', (_name, config, server) => {
    expect(quantised(config)?.server).toEqual(server);
  });

  test('published files', () => {
    const of = (name: string) => readJson(configOf(name)).quantised?.server;
    expect(of('deepseek-v3.2')).toEqual({ weights: 'fp8Block' });
    expect(of('deepseek-v4-flash')).toEqual({ weights: 'fp8Block', expertWeights: 'mxfp4' });
    expect(of('kimi-k3')).toEqual({ weights: 'bf16', expertWeights: 'mxfp4' });
    expect(of('gpt-oss-20b')).toEqual({ weights: 'bf16', expertWeights: 'mxfp4' });
    expect(of('llama-3.1-8b')).toBeUndefined();
  });

  test('presets are in the formats that their published files name', () => {
    const known = golden.configs.filter(({ preset }) => preset);
    expect(known.length).toBeGreaterThan(20);
    for (const { file, preset } of known) {
      const model: object | undefined = modelFile.models.find(({ id }) => id === preset);
      const formats = model && 'formats' in model ? model.formats : undefined;
      expect(formats, preset).toEqual(
        readJson(configOf(file.replace('.json', ''))).quantised?.server,
      );
    }
  });

  test('each value is one that the server takes', async () => {
    const fields = new Map(engine.describe().groups.server.map((info) => [info.key, info]));
    const server = { weights: 'int4', groupSize: 64, zeroPoints: 'sixteen', cacheFormat: 'fp8' };
    for (const [key, value] of Object.entries(server)) {
      const info = fields.get(key)!;
      expect(info.kind === 'choice' ? info.choices : [value]).toContain(value);
    }
  });

  test('methods that are not known give no format', () => {
    for (const config of [
      { quant_method: 'new' },
      { quant_method: 'awq', bits: 3 },
      { quant_method: 7, bits: 'four' },
      { quant_method: 'compressed-tensors', config_groups: [] },
      { ignore: 'all' },
    ]) {
      expect(quantised(config)).toMatchObject({ server: {} });
    }
    expect(quantised({})).toBeUndefined();
  });

  test('several MB of modules', () => {
    const quantized_layers: Record<string, object> = {};
    for (let at = 0; at < 40_000; at += 1) {
      const module = `language_model.model.layers.${at % 60}.block_sparse_moe.experts.${at}.w1`;
      quantized_layers[module] = { quant_algo: 'NVFP4', group_size: 16 };
    }
    const config = { quant_method: 'modelopt', quant_algo: 'MIXED_PRECISION', quantized_layers };
    const text = JSON.stringify({ ...llama, quantization_config: config });
    expect(text.length).toBeGreaterThan(3e6);
    const reading = readConfig(text, infos);
    expect(reading).toMatchObject({
      ok: true,
      quantised: { listed: 40_000, server: { weights: 'bf16', expertWeights: 'nvfp4' } },
    });
    // The reading of it stays short.
    expect(JSON.stringify(reading).length).toBeLessThan(1e4);
  });
});

describe('the size that a name gives', () => {
  test.each<[string, number | undefined, number | undefined]>([
    ['Qwen3-30B-A3B', 30e9, 3e9],
    ['NVIDIA-Nemotron-3-Super-120B-A12B-FP8', 120e9, 12e9],
    ['Mixtral-8x7B-Instruct-v0.1', 56e9, undefined],
    ['Qwen3-0.6B', 0.6e9, undefined],
    ['SmolLM2-135M', 135e6, undefined],
    ['gemma-3-270m-it', 270e6, undefined],
    ['Qwen2.5-7B-Instruct-1M', 7e9, undefined],
    ['Llama-4-Scout-17B-16E-Instruct', 17e9, undefined],
    ['Qwen1.5-MoE-A2.7B', undefined, 2.7e9],
    ['kimi-1T', 1e12, undefined],
  ])('%s', (name, parameters, active) => {
    expect(nominalOf(name)).toEqual({ name, parameters, active });
  });

  test.each([
    'MiniMax-M2.5',
    'phi-4',
    'Step-3.7-Flash',
    'w4a16-g128',
    'gpt2',
    'DeepSeek-V3.2',
    '',
    'llama-8bit',
  ])('%s gives none', (name) => expect(nominalOf(name)).toBeUndefined());

  test('is compared with what is counted', () => {
    const off = (name: string, all: number, active = all) =>
      contradicts(nominalOf(name)!, all, active);
    expect(off('gemma-2-2b', 2.6e9)).toBe(false);
    expect(off('Mixtral-8x7B', 46.7e9, 12.9e9)).toBe(false);
    expect(off('Llama-4-Scout-17B-16E', 108e9, 17e9)).toBe(false);
    // These sizes are from before the files' layers were known.
    expect(off('Nemotron-3-Nano-30B-A3B', 102e9, 5e9)).toBe(true);
    expect(off('Nemotron-3-Super-120B-A12B', 1495e9, 80e9)).toBe(true);
    expect(off('Qwen1.5-MoE-A2.7B', 14.3e9, 14.3e9)).toBe(true);
  });

  test('and is taken from the name that the file gives', () => {
    const named = { ...configOf('llama-2-7b-hf'), _name_or_path: 'meta-llama/Llama-2-7b-hf' };
    expect(readJson(named).nominal).toMatchObject({ parameters: 7e9 });
  });
});
