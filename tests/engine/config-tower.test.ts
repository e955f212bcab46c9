// Vision towers in configs, by published files. Expected: sizes that reports and checkpoints give,
// and tokens of an image as processors make them.

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
};
const reading = (name: string): Reading => readJson(files[name] ?? configOf(name));

describe('towers of configs', () => {
  test.each([
    // Qwen2-VL's report, section 2.1: 675M, with the merger.
    ['Qwen2-VL-7B', 675e6, true],
    // Checkpoints: 8,292,166,656 with 7,615,616,512 of Qwen2.5-7B.
    ['Qwen2.5-VL-7B', 8292166656 - 7615616512, true],
    // CLIP ViT-L/14 of 336 pixels has 303,507,456, of which the last layer, 12,596,224, is unused.
    ['LLaVA-1.5-7B', 303507456 - 12596224, false],
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
    // The checkpoint, with its projectors.
    ['llama-4-scout-17b-16e-instruct', 871932416, true],
    // SigLIP2-So400m, 428M with a head that Qwen3-VL has not (arXiv 2502.14786).
    ['qwen3-vl-235b-a22b', 413e6, false],
    ['qwen3.5-27b', 413e6, false],
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

  test('what is not understood is named, and nothing of it is taken', () => {
    const odd = [
      // Kimi K3's heads are wider than its layers over their number.
      configOf('kimi-k3'),
      { ...files['LLaVA-1.5-7B'], vision_config: { ...clip, model_type: 'other_vision_model' } },
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
