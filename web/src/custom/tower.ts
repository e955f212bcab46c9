// Reads the vision tower of a config: layers over the patches of an image, and the projector that
// makes tokens of them. Source: transformers, modeling_siglip.py, modeling_clip.py,
// modeling_pixtral.py, modeling_qwen2_vl.py, modeling_qwen2_5_vl.py, modeling_qwen3_vl.py,
// modeling_llama4.py, modeling_gemma3.py, modeling_gemma4.py, modeling_llava.py,
// modeling_mistral3.py; InternVL's modeling_intern_vit.py and modeling_internvl_chat.py.

import { plainly } from './architectures.ts';
import type { Draft } from './draft.ts';
import type { Given, Keys } from './keys.ts';

const part = 'vision_config';

/** The sizes that all towers have. */
interface Sizes {
  layers: number;
  hidden: number;
  feedForward: number;
  heads: number;
  patch: number;
  /** Patches of a side of an image. */
  side: number;
  /** The hidden size of the language model. */
  model: number;
}

interface Image {
  patches: number;
  tokens: number;
  projector: number;
  /** Rows of the table of positions; none where positions are rotations. */
  positions: number;
}

interface Family {
  /** Three matrices, and no biases; else two, with them. */
  gated?: boolean;
  image: (keys: Keys, sizes: Sizes) => Image | undefined;
}

const outside = (keys: Keys, name: string, otherwise: number): number => {
  const value = keys.outside(name)?.value;
  return typeof value === 'number' && value > 0 ? value : otherwise;
};

/** A number of the tower; of a list, such as height and width, the first. */
function inside(keys: Keys, ...names: string[]): number | undefined {
  const value = keys.inPart(part, ...names)?.value;
  const first: unknown = Array.isArray(value) ? value[0] : value;
  return typeof first === 'number' && first > 0 ? first : undefined;
}

/** Squares of patches become one token, by two matrices; some layers give tokens of their own. */
const merged: Family['image'] = (keys, { hidden, side, model }) => {
  const merge = inside(keys, 'spatial_merge_size') ?? 2;
  const rows = merge * Math.round(side / merge);
  const wide = merge * merge * hidden;
  const levels = keys.inPart(part, 'deepstack_visual_indexes')?.value;
  const mergers = 1 + (Array.isArray(levels) ? levels.length : 0);
  return {
    patches: rows * rows,
    tokens: (rows / merge) ** 2,
    projector: mergers * (wide * wide + wide * model),
    positions: inside(keys, 'num_position_embeddings') ?? 0,
  };
};

/** Two matrices for each patch; a class token, if there is one, is left out behind the tower. */
const llava =
  (classTokens: number): Family['image'] =>
  (_keys, { hidden, side, model }) => ({
    patches: side * side + classTokens,
    tokens: side * side,
    projector: hidden * model + model * model,
    positions: side * side + classTokens,
  });

/** Each row of an image ends with a token of its own. */
const pixtral =
  (merges: boolean): Family['image'] =>
  (keys, { hidden, side, model }) => {
    const merge = merges ? outside(keys, 'spatial_merge_size', 2) : 1;
    const rows = Math.floor(side / merge);
    return {
      patches: side * side,
      tokens: rows * (rows + 1),
      projector: (merges ? (merge * hidden) ** 2 : 0) + hidden * model + model * model,
      positions: 0,
    };
  };

const gemma3: Family['image'] = (keys, { hidden, side, model }) => ({
  patches: side * side,
  tokens: outside(keys, 'mm_tokens_per_image', 256),
  projector: hidden * model,
  positions: side * side,
});

/** Patches are pooled, as many as make the tokens that an image is given. */
const gemma4: Family['image'] = (keys, { hidden, model }) => {
  const tokens = outside(keys, 'vision_soft_tokens_per_image', 280);
  return {
    patches: tokens * (inside(keys, 'pooling_kernel_size') ?? 3) ** 2,
    tokens,
    projector: hidden * model,
    positions: 2 * (inside(keys, 'position_embedding_size') ?? 0),
  };
};

/** Of a tile: images of more pixels are several. */
const llama4: Family['image'] = (keys, { hidden, side, model }) => {
  const ratio = inside(keys, 'pixel_shuffle_ratio') ?? 0.5;
  const first = inside(keys, 'projector_input_dim') ?? 4096;
  const second = inside(keys, 'projector_output_dim') ?? 4096;
  return {
    patches: side * side + 1,
    tokens: Math.round((side * ratio) ** 2),
    projector: (hidden / ratio ** 2) * first + first * second + second * model,
    positions: side * side + 1,
  };
};

const internvl: Family['image'] = (keys, { hidden, side, model }) => {
  const ratio = outside(keys, 'downsample_ratio', 0.5);
  const wide = hidden / ratio ** 2;
  return {
    patches: side * side + 1,
    tokens: Math.round((side * ratio) ** 2),
    projector: wide * model + model * model,
    positions: side * side + 1,
  };
};

/** Families by what the file calls itself, and those whose tower has a name of its own. */
const families: Readonly<Record<string, Family>> = {
  qwen2vl: { image: merged },
  qwen25vl: { gated: true, image: merged },
  qwen3vl: { image: merged },
  qwen3vlmoe: { image: merged },
  qwen35: { image: merged },
  qwen35moe: { image: merged },
  gemma3: { image: gemma3 },
  gemma4: { gated: true, image: gemma4 },
  llama4: { image: llama4 },
  mistral3: { gated: true, image: pixtral(true) },
  internvl: { image: internvl },
  internvlchat: { image: internvl },
};
const llavas: Readonly<Record<string, Family>> = {
  clip_vision_model: { image: llava(1) },
  siglip_vision_model: { image: llava(0) },
  pixtral: { gated: true, image: pixtral(false) },
};

/** What the library takes where a tower's key is left out. */
const defaults: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  pixtral: {
    ...{ hidden_size: 1024, intermediate_size: 4096, num_hidden_layers: 24 },
    ...{ num_attention_heads: 16, image_size: 1024, patch_size: 16 },
  },
};

/** Keys beside the tower that it is read from. */
const used = [
  ...['mm_tokens_per_image', 'vision_soft_tokens_per_image', 'vision_feature_layer'],
  ...['spatial_merge_size', 'downsample_ratio'],
];

/** Files that say nothing of it take images of any size: pixels of a side that are assumed. */
const usualSide = 1024;

function familyOf(keys: Keys): Family | undefined {
  const type = String(keys.inPart(part, 'model_type')?.value ?? '');
  const plain = keys.names().map(plainly);
  if (plain.some((name) => name === 'llava' || name === 'llavanext')) {
    return Object.hasOwn(llavas, type) ? llavas[type] : undefined;
  }
  const known = plain.find((name) => Object.hasOwn(families, name));
  return known === undefined ? undefined : families[known];
}

/** Sets the fields of the tower if all of it is understood; else none of them. */
export function readTower(draft: Draft): void {
  const { keys } = draft;
  const family = familyOf(keys);
  const model = draft.number('hidden');
  if (!family || !model) return;
  const usual = defaults[String(keys.inPart(part, 'model_type')?.value ?? '')] ?? {};
  const size = (...names: string[]): Given | undefined => {
    const found = keys.inPart(part, ...names);
    if (found) return found;
    const name = names.find((each) => Object.hasOwn(usual, each));
    if (name === undefined) return undefined;
    const value = usual[name]!;
    return { key: `${part}.${name}`, value, written: String(value), by: 'library' };
  };
  const number = (given: Given | undefined): number =>
    Number(Array.isArray(given?.value) ? given.value[0] : given?.value);

  const layers = size('num_hidden_layers', 'depth');
  // Qwen2-VL calls the language model's width `hidden_size`.
  const hidden = size('embed_dim', 'hidden_size');
  const feedForward = size('intermediate_size', 'mlp_ratio');
  const heads = size('num_attention_heads', 'num_heads');
  const patch = size('patch_size');
  const image = size('image_size');
  if (!layers || !hidden || !feedForward || !heads || !patch) return;
  const ratio = feedForward.key.endsWith('mlp_ratio') ? number(hidden) : 1;
  const last = keys.outside('vision_feature_layer')?.value;
  const unused = typeof last === 'number' && last < -1 ? -1 - last : 0;
  const sizes: Sizes = {
    layers: number(layers) - unused,
    hidden: number(hidden),
    feedForward: ratio * number(feedForward),
    heads: number(heads),
    patch: number(patch),
    side: Math.floor((image ? number(image) : usualSide) / number(patch)),
    model,
  };
  const { patches, tokens, projector, positions } = family.image(keys, sizes) ?? {};
  const found = [...Object.values(sizes), patches, tokens, projector, positions];
  if (!found.every((each) => Number.isInteger(each) && each! >= 0)) return;
  keys.understood(part, ...used);
  draft.take('towerLayers', layers, sizes.layers);
  draft.take('towerHidden', hidden, sizes.hidden);
  draft.take('towerFeedForward', feedForward, sizes.feedForward);
  draft.take('towerHeads', heads, sizes.heads);
  readWindow(draft, sizes);
  if (family.gated) draft.assume('architecture', 'towerGated', true);
  draft.take('towerRest', patch, restOf(keys, family, sizes, positions!));
  draft.take('projectorParameters', hidden, projector);
  if (image || keys.outside('vision_soft_tokens_per_image')) {
    draft.take('imagePatches', image ?? patch, patches);
    draft.take('imageTokens', image ?? patch, tokens);
  } else {
    draft.assume('imageSize', 'imagePatches', patches!);
    draft.assume('imageSize', 'imageTokens', tokens!);
  }
}

/** Qwen2.5-VL: squares of so many pixels, but for layers that are listed. */
function readWindow(draft: Draft, { layers, patch }: Sizes): void {
  const { keys } = draft;
  const window = keys.inPart(part, 'window_size');
  const whole = keys.inPart(part, 'fullatt_block_indexes');
  if (typeof window?.value !== 'number' || !Array.isArray(whole?.value)) return;
  draft.take('towerWindow', window, Math.floor(window.value / patch) ** 2);
  draft.take('towerWindowedLayers', whole, layers - whole.value.length);
}

/** Patch embedding, of as many frames as make one patch, positions, and biases of the layers. */
function restOf(keys: Keys, family: Family, sizes: Sizes, positions: number): number {
  const { layers, hidden, feedForward, patch } = sizes;
  const frames = inside(keys, 'temporal_patch_size') ?? 1;
  const biases = family.gated ? 0 : layers * (7 * hidden + feedForward);
  return (3 * frames * patch ** 2 + positions) * hidden + biases;
}
