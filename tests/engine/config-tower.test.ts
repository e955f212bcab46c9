// Vision towers in configs, by published files. Expected: sizes that reports and checkpoints give,
// and tokens of an image as processors make them. Files whose text is here are shortened.

import { describe, expect, test } from 'vitest';
import type { Reading } from '../../web/src/custom/config.ts';
import { configOf, engine, readJson, sizes, useEngine } from './configs.ts';

useEngine();

/** Parameters of the tower and of its projector, as the core counts them. */
function towerOf({ model }: Reading): { tower: number; projector: number } {
  const chip = { memory: 8e10, memoryBandwidth: 3e12, peakBf16: 1e15 };
  const outcome = engine.estimate({ chip, model: model as object, run: { chips: 1 } });
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.issues));
  const projector = Number(model.projectorParameters);
  return { tower: Number(outcome.answers.towerParameters) - projector, projector };
}

const within = (value: number, expected: number, share: number): void => {
  expect(Math.abs(value / expected - 1)).toBeLessThan(share);
};

const qwen7b = sizes(152064, 3584, 18944, 28, 28, 4);
const vicuna = sizes(32064, 4096, 11008, 32, 32, 32);
const nemo = { ...sizes(131072, 5120, 14336, 40, 32, 8), head_dim: 128 };
const clip = {
  model_type: 'clip_vision_model',
  ...{ hidden_size: 1024, image_size: 336, intermediate_size: 4096, projection_dim: 768 },
  ...{ num_attention_heads: 16, num_hidden_layers: 24, patch_size: 14, vocab_size: 32000 },
};

const so400m = { hidden_size: 1152, intermediate_size: 4304, num_hidden_layers: 27 };
const vit6b = { hidden_size: 3200, intermediate_size: 12800, num_hidden_layers: 45 };
const glm = {
  ...{ depth: 24, hidden_act: 'silu', hidden_size: 1536, image_size: 336, in_channels: 3 },
  ...{ intermediate_size: 10944, num_heads: 12, out_hidden_size: 4096, patch_size: 14 },
  ...{ rms_norm_eps: 1e-5, spatial_merge_size: 2, temporal_patch_size: 2 },
};

const files: Record<string, object> = {
  'Qwen2-VL-7B': {
    model_type: 'qwen2_vl',
    ...qwen7b,
    vision_config: {
      ...{ depth: 32, embed_dim: 1280, mlp_ratio: 4, num_heads: 16, in_chans: 3 },
      ...{ hidden_size: 3584, patch_size: 14, spatial_merge_size: 2, temporal_patch_size: 2 },
    },
  },
  'Qwen2.5-VL-7B': {
    model_type: 'qwen2_5_vl',
    ...qwen7b,
    vision_config: {
      model_type: 'qwen2_5_vl',
      ...{ depth: 32, hidden_act: 'silu', hidden_size: 1280, intermediate_size: 3420 },
      ...{ num_heads: 16, in_chans: 3, out_hidden_size: 3584, patch_size: 14, window_size: 112 },
      ...{ spatial_merge_size: 2, temporal_patch_size: 2 },
      fullatt_block_indexes: [7, 15, 23, 31],
    },
  },
  'LLaVA-1.5-7B': {
    model_type: 'llava',
    text_config: { model_type: 'llama', ...vicuna },
    vision_config: clip,
    ...{ vision_feature_layer: -2, vision_feature_select_strategy: 'default' },
  },
  'Pixtral-12B': {
    model_type: 'llava',
    text_config: { model_type: 'mistral', ...nemo },
    vision_config: { model_type: 'pixtral', head_dim: 64, image_size: 1024, patch_size: 16 },
    ...{ vision_feature_layer: -1, vision_feature_select_strategy: 'full' },
  },
  'Mistral-Small-3.1-24B': {
    model_type: 'mistral3',
    text_config: { model_type: 'mistral', ...nemo, intermediate_size: 32768 },
    vision_config: {
      model_type: 'pixtral',
      ...{ hidden_size: 1024, intermediate_size: 4096, num_hidden_layers: 24, head_dim: 64 },
      ...{ num_attention_heads: 16, image_size: 1540, patch_size: 14 },
    },
    ...{ spatial_merge_size: 2, vision_feature_layer: -1 },
  },
  'InternVL2.5-4B': {
    model_type: 'internvl_chat',
    ...{ downsample_ratio: 0.5, force_image_size: 448, select_layer: -1 },
    llm_config: { model_type: 'qwen2', ...sizes(151674, 2048, 11008, 36, 16, 2) },
    vision_config: {
      ...{ hidden_size: 1024, intermediate_size: 4096, num_hidden_layers: 24 },
      ...{ num_attention_heads: 16, image_size: 448, patch_size: 14 },
    },
  },
  'InternVL2.5-38B': {
    model_type: 'internvl_chat',
    downsample_ratio: 0.5,
    llm_config: { model_type: 'qwen2', ...sizes(151674, 5120, 27648, 64, 40, 8) },
    vision_config: {
      ...{ hidden_size: 3200, intermediate_size: 12800, num_hidden_layers: 45 },
      ...{ num_attention_heads: 25, image_size: 448, patch_size: 14 },
    },
  },
  'Kimi-VL-A3B': {
    model_type: 'kimi_vl',
    text_config: { model_type: 'llama', ...sizes(163840, 2048, 11264, 27, 16, 16) },
    vision_config: {
      ...{ model_type: 'moonvit', ...so400m, num_attention_heads: 16, patch_size: 14 },
      ...{ init_pos_emb_height: 64, init_pos_emb_width: 64, merge_kernel_size: [2, 2] },
    },
  },
  'SmolVLM-256M': {
    model_type: 'idefics3',
    scale_factor: 4,
    text_config: { model_type: 'llama', ...sizes(49280, 576, 1536, 30, 9, 3) },
    vision_config: {
      ...{ model_type: 'smolvlm_vision', hidden_size: 768, image_size: 512 },
      ...{ num_attention_heads: 12, patch_size: 16, use_base_siglip: false },
    },
  },
  'Idefics3-8B': {
    model_type: 'idefics3',
    scale_factor: 2,
    text_config: { model_type: 'llama', ...sizes(128259, 4096, 14336, 32, 32, 8) },
    vision_config: {
      ...{ model_type: 'idefics3_vision', ...so400m },
      ...{ image_size: 364, num_attention_heads: 16, patch_size: 14 },
    },
  },
  'NVLM-D-72B': {
    model_type: 'NVLM_D',
    ...{ downsample_ratio: 0.5, force_image_size: 448, select_layer: -1 },
    llm_config: { model_type: 'qwen2', ...sizes(152064, 8192, 29568, 80, 64, 8) },
    vision_config: {
      ...{ model_type: 'intern_vit_6b', ...vit6b },
      ...{ num_attention_heads: 25, image_size: 448, patch_size: 14 },
    },
  },
  'Qwen3-Omni-30B-A3B': {
    model_type: 'qwen3_omni_moe',
    thinker_config: {
      model_type: 'qwen3_omni_moe_thinker',
      text_config: { model_type: 'qwen3_omni_moe_text', ...sizes(151936, 2048, 768, 48, 32, 4) },
      vision_config: {
        ...{ model_type: 'qwen3_omni_moe_vision_encoder', depth: 27, hidden_size: 1152 },
        ...{ intermediate_size: 4304, num_heads: 16, out_hidden_size: 2048, patch_size: 16 },
        ...{ num_position_embeddings: 2304, spatial_merge_size: 2, temporal_patch_size: 2 },
        deepstack_visual_indexes: [8, 16, 24],
      },
    },
  },
  'Phi-4-multimodal': {
    model_type: 'phi4_multimodal',
    ...sizes(200064, 3072, 8192, 32, 24, 8),
    vision_config: {
      ...{ model_type: 'phi4_multimodal_vision', ...so400m, num_attention_heads: 16 },
      ...{ crop_size: 448, feature_layer: -2, image_size: 448, patch_size: 14 },
    },
  },
  'GLM-4.5V': {
    model_type: 'glm4v_moe',
    text_config: { model_type: 'glm4v_moe_text', ...sizes(151552, 4096, 10944, 46, 96, 8) },
    vision_config: { model_type: 'glm4v_moe', ...glm },
  },
};
const reading = (name: string): Reading => readJson(files[name] ?? configOf(name));

describe('towers of configs', () => {
  test.each([
    // Qwen2-VL's report, section 2.1: 675M, with the merger.
    ['Qwen2-VL-7B', 675e6, true],
    // Pixtral's report: 400M.
    ['Pixtral-12B', 400e6, false],
    ['Mistral-Small-3.1-24B', 400e6, false],
    // InternVL 2.5's model cards: 304M and 5,540M.
    ['InternVL2.5-4B', 304e6, false],
    ['InternVL2.5-38B', 5540e6, false],
    // Gemma 3's report, table 1.
    ['gemma-3-27b-it', 417e6, false],
    // Gemma 4's model card: about 550M.
    ['gemma-4-26b-a4b', 550e6, false],
    // SigLIP2-So400m, 428M with a head that Qwen3-VL has not (arXiv 2502.14786).
    ['qwen3-vl-235b-a22b', 413e6, false],
    ['qwen3.5-27b', 413e6, false],
    // The same, with its head: 428M.
    ['kimi-k2.5', 413e6, false],
    ['Kimi-VL-A3B', 413e6, false],
    // Kimi K3's model card.
    ['kimi-k3', 401e6, false],
    // SigLIP's base, of 93M with a head of 12 square matrices that SmolVLM has not.
    ['SmolVLM-256M', 93e6 - 12 * 768 ** 2, false],
    ['Idefics3-8B', 413e6, false],
    // NVLM's report: InternViT-6B.
    ['NVLM-D-72B', 5540e6, false],
    ['Qwen3-Omni-30B-A3B', 413e6, false],
    ['Phi-4-multimodal', (413e6 * 26) / 27, false],
  ])('%s has as many parameters as is published', (name, published, projected) => {
    const read = reading(name);
    const { tower, projector } = towerOf(read);
    within(
      tower + (projected ? projector : 0),
      published,
      name.startsWith('gemma-4') ? 0.04 : 0.01,
    );
    expect(read.unsupported).not.toContain('vision');
  });

  test.each([
    // Checkpoints: 8,292,166,656 with 7,615,616,512 of Qwen2.5-7B.
    ['Qwen2.5-VL-7B', 8292166656 - 7615616512],
    // CLIP ViT-L/14 of 336 pixels has 303,507,456, of which the last layer, 12,596,224, is unused;
    // two matrices with biases.
    ['LLaVA-1.5-7B', 303507456 - 12596224 + (1024 + 1 + 4096 + 1) * 4096],
    // Checkpoints of which those of the language model are counted as exactly.
    ['gemma-3-27b-it', 27432406640 - 27009346304],
    ['llama-4-scout-17b-16e-instruct', 108641793536 - 107769861120],
    ['llama-4-maverick-17b-128e', 401583781376 - 400711848960],
  ])('%s is counted to the parameter', (name, published) => {
    const { tower, projector } = towerOf(reading(name));
    expect(tower + projector).toBe(published);
  });

  test.each([
    // 1,036 of 1,024 pixels, as 28 divide them: 74 x 74 patches, of which 4 are a token.
    ['Qwen2-VL-7B', 5476, 1369],
    ['Qwen2.5-VL-7B', 5476, 1369],
    ['qwen3-vl-235b-a22b', 4096, 1024],
    ['LLaVA-1.5-7B', 577, 576],
    // A token ends each row.
    ['Pixtral-12B', 4096, 64 * 65],
    ['Mistral-Small-3.1-24B', 12100, 55 * 56],
    // A tile.
    ['InternVL2.5-4B', 1025, 256],
    ['llama-4-scout-17b-16e-instruct', 577, 144],
    ['gemma-3-27b-it', 4096, 256],
    ['gemma-4-26b-a4b', 2520, 280],
    ['minimax-m3-nvfp4', 5476, 1369],
    ['kimi-k2.5', 5476, 1369],
    ['GLM-4.5V', 5476, 1369],
    ['SmolVLM-256M', 1024, 64],
    ['Idefics3-8B', 676, 169],
    ['Phi-4-multimodal', 1024, 256],
    ['NVLM-D-72B', 1025, 256],
  ])('an image is so many patches and tokens to %s', (name, imagePatches, imageTokens) => {
    expect(reading(name).model).toMatchObject({ imagePatches, imageTokens });
  });

  test('each field has its key; what is left out has its reason', () => {
    const read = reading('Qwen2.5-VL-7B');
    const key = (field: string) => read.fields.find((each) => each.field === field)?.key;
    expect(key('towerLayers')).toBe('vision_config.depth');
    expect(key('towerWindow')).toBe('vision_config.window_size');
    expect(read.model).toMatchObject({
      ...{ towerHidden: 1280, towerFeedForward: 3420, towerHeads: 16, towerGated: true },
      ...{ towerWindow: 64, towerWindowedLayers: 28 },
      projectorParameters: 5120 * 5120 + 5120 * 3584,
    });
    expect(read.assumptions).toContainEqual({
      ...{ code: 'imageSize', field: 'imageTokens', value: 1369 },
    });
    expect(read.ignored).not.toContain('vision_config');
    expect(reading('LLaVA-1.5-7B').model.towerLayers).toBe(23);
    expect(reading('Pixtral-12B').assumptions).toContainEqual({
      ...{ code: 'library', field: 'towerHidden', value: 1024, key: 'vision_config.hidden_size' },
    });
  });

  test('sizes that go by other names than the usual ones', () => {
    // GLM-4.5V: the width inside its layers is that of what it gives, its own that of the merger.
    expect(reading('GLM-4.5V').model).toMatchObject({
      ...{ towerFeedForward: 4096, towerGated: true },
      projectorParameters: (4 * 1536 + 4096 + 3 * 10944) * 4096,
    });
    // Kimi K3: heads of 128, not of 1,024 / 12.
    expect(reading('kimi-k3').model).toMatchObject({ towerHeads: 12, towerHeadDim: 128 });
    // NVLM: by way of the feed-forward size of the language model.
    expect(reading('NVLM-D-72B').model.projectorParameters).toBe((4 * 3200 + 8192) * 29568);
    expect(reading('SmolVLM-256M').model.projectorParameters).toBe(16 * 768 * 576);
  });

  test('other families are read by the usual keys, and it is said what was assumed', () => {
    const vision = {
      ...{ model_type: 'new_vit', width: 1280, layers: 32, heads: 16, mlp_ratio: 4 },
      ...{ image_size: 448, patch_size: 14, hidden_act: 'silu', grid_pooling: 'mean' },
    };
    const file = { model_type: 'new_vl', text_config: nemo, vision_config: vision };
    const read = readJson(file);
    expect(read.model).toMatchObject({
      ...{ towerLayers: 32, towerHidden: 1280, towerFeedForward: 5120, towerHeads: 16 },
      ...{ towerGated: true, imagePatches: 1024, imageTokens: 1024 },
      projectorParameters: (1280 + 5120) * 5120,
    });
    const reasons = read.assumptions.filter(({ field }) => /^(tower|projector)/.test(field));
    expect(reasons.map(({ code, field }) => `${field}: ${code}`)).toEqual([
      'towerGated: activation',
      'projectorParameters: usual',
    ]);
    expect(read.ignored).toContain('vision_config.grid_pooling');
    expect(read.ignored).not.toContain('vision_config.width');
    // Squares of patches that its own part tells of go through matrices of their size.
    const squares = { ...vision, spatial_merge_size: 2 };
    expect(readJson({ ...file, vision_config: squares }).model).toMatchObject({
      ...{ imagePatches: 1024, imageTokens: 256, projectorParameters: 5120 * (5120 + 5120) },
    });
  });

  test('what is not understood is named, and nothing of it is taken', () => {
    const odd = [
      { ...files['LLaVA-1.5-7B'], qformer_config: { num_hidden_layers: 12 } },
      { ...files['LLaVA-1.5-7B'], vision_config: { ...clip, num_key_value_heads: 4 } },
      // Molmo 2, Nemotron Nano VL, and Phi-4 as first published, with names of their own.
      { model_type: 'molmo2', text_config: nemo, vit_config: { hidden_size: 1152 } },
      { model_type: 'nano_vl', llm_config: nemo, vision_config: { args: { model: 'vit' } } },
      { model_type: 'phi4mm', ...nemo, embd_layer: { image_embd_layer: { crop_size: 448 } } },
      { ...files['LLaVA-1.5-7B'], vision_config: { ...clip, hidden_size: undefined } },
      { ...files['LLaVA-1.5-7B'], vision_config: { ...clip, patch_size: 'small' } },
      { ...files['InternVL2.5-4B'], vision_config: { ...clip, num_hidden_layers: 1.5 } },
    ];
    for (const file of odd) {
      const read = readJson(file);
      expect(read.unsupported).toContain('vision');
      expect(Object.keys(read.model).filter((each) => /tower|image|projector/.test(each))).toEqual(
        [],
      );
    }
    expect(readJson({ model_type: 'qwen2', ...qwen7b }).model).not.toHaveProperty('towerLayers');
  });
});
