// Families of vision towers and projectors: what no key of a config says is known of them, by the
// modules that have their names: in Hugging Face transformers (src/transformers/models) clip, siglip,
// pixtral, llava, mistral3, llama4, gemma3, gemma4, qwen2_vl, qwen2_5_vl, qwen3_vl, qwen3_omni_moe,
// glm4v, idefics3, internvl, phi4_multimodal, kimi_k25 and minimax_m3_vl; in vLLM
// (vllm/model_executor/models) kimi_vl and nvlm_d; Kimi K3's layers in SGLang
// (sglang.srt.models.kimi_k3).

import type { Keys } from './keys.ts';

/** The part of a config that describes a tower. */
export const part = 'vision_config';

/** Traits of a tower's layers that no key tells. */
export interface Tower {
  /** Three matrices in the feed-forward; else two. */
  gated?: true;
  /** Norms are scales alone. */
  rms?: true;
  /** The same, and no matrix has a bias. */
  bare?: true;
  /** A row of the table of positions for each patch, and for each token beside them. */
  learned?: true;
  /** Tokens beside the patches. */
  classTokens?: number;
  /** Biases and scales of its size beside layers and positions: of patches, norms, the merge. */
  vectors?: number;
  /** The key of its feed-forward size. */
  width?: string;
  /** Its image size is that of the table of positions: images may have any. */
  anySize?: true;
}

const siglip: Tower = { learned: true, vectors: 3 };
const internvit: Tower = { learned: true, classTokens: 1, vectors: 2 };
const ofQwen3: Tower = { vectors: 3 };
const moonvit: Tower = { vectors: 5 };
const ofGlm: Tower = {
  ...{ gated: true, bare: true, learned: true, vectors: 3 },
  ...{ width: 'out_hidden_size', anySize: true },
};

/** Towers by what the file calls itself, or else its part. */
export const towers: Readonly<Record<string, Tower>> = {
  clipvisionmodel: { learned: true, classTokens: 1, vectors: 5 },
  siglipvisionmodel: siglip,
  idefics3: siglip,
  smolvlm: siglip,
  phi4multimodal: siglip,
  pixtral: { gated: true, bare: true, vectors: 1 },
  llama4: { learned: true, classTokens: 1, vectors: 5 },
  internvl: internvit,
  internvlchat: internvit,
  nvlmd: internvit,
  gemma4: { gated: true, bare: true },
  qwen2vl: { vectors: 2 },
  qwen25vl: { gated: true, rms: true, vectors: 1 },
  qwen3vl: ofQwen3,
  qwen3vlmoe: ofQwen3,
  qwen3omnimoe: ofQwen3,
  qwen35: ofQwen3,
  qwen35moe: ofQwen3,
  glm4v: ofGlm,
  glm4vmoe: ofGlm,
  kimivl: moonvit,
  kimik25: moonvit,
  kimik3: { bare: true, vectors: 1 },
  minimaxm3vl: { vectors: 2, anySize: true },
};

/** The sizes that all towers have. */
export interface Sizes {
  layers: number;
  hidden: number;
  feedForward: number;
  heads: number;
  headDim: number;
  patch: number;
  /** Patches of a side of an image. */
  side: number;
  /** The hidden size of the language model. */
  model: number;
  /** Patches of the side of a square that becomes one token. */
  merge: number;
}

/** The projector: numbers of its matrices, and of its biases and scales. */
interface Projector {
  matrices: number;
  vectors?: number;
  /** Those of an image are given where they are not its squares. */
  tokens?: number;
  patches?: number;
}
type Projected = (keys: Keys, sizes: Sizes) => Projector;

export const outside = (keys: Keys, name: string, otherwise: number): number => {
  const value = keys.outside(name)?.value;
  return typeof value === 'number' && value > 0 ? value : otherwise;
};

/** A number of the tower; of a list, such as height and width, the first. */
export function inside(keys: Keys, ...names: string[]): number | undefined {
  const value = keys.inPart(part, ...names)?.value;
  const first: unknown = Array.isArray(value) ? value[0] : value;
  return typeof first === 'number' && first > 0 ? first : undefined;
}

const widthOf = ({ hidden, merge }: Sizes): number => merge * merge * hidden;

/** A square of patches, then the model's size; some layers give tokens of their own. */
export const merger: Projected = (keys, sizes) => {
  const wide = widthOf(sizes);
  const levels = keys.inPart(part, 'deepstack_visual_indexes')?.value;
  const others = Array.isArray(levels) ? levels.length : 0;
  const each = wide + sizes.model;
  return {
    matrices: (1 + others) * wide * each,
    vectors: (1 + others) * each + others * 2 * wide,
  };
};

const oneMatrix: Projected = (_keys, sizes) => ({ matrices: widthOf(sizes) * sizes.model });

export const twoMatrices: Projected = (_keys, sizes) => ({
  matrices: (widthOf(sizes) + sizes.model) * sizes.model,
  vectors: 2 * sizes.model,
});

/** Each row of an image ends with a token of its own. */
export const ofRows = ({ side, merge }: Sizes): number => {
  const rows = Math.floor(side / merge);
  return rows * (rows + 1);
};

/** A convolution over squares, a matrix, and a gated feed-forward. */
const glm: Projected = (keys, sizes) => {
  const { model } = sizes;
  const wide = inside(keys, 'intermediate_size') ?? model;
  return { matrices: (widthOf(sizes) + model + 3 * wide) * model, vectors: 3 * model };
};

/** Projectors by what the file calls itself. */
export const projectors: Readonly<Record<string, Projected>> = {
  qwen2vl: merger,
  qwen25vl: merger,
  qwen3vl: merger,
  qwen3vlmoe: merger,
  qwen3omnimoe: merger,
  qwen35: merger,
  qwen35moe: merger,
  kimivl: merger,
  kimik25: merger,
  llava: twoMatrices,
  llavanext: twoMatrices,
  internvl: twoMatrices,
  internvlchat: twoMatrices,
  idefics3: oneMatrix,
  smolvlm: oneMatrix,
  mistral3: (_keys, sizes) => {
    const { hidden, model } = sizes;
    const matrices = widthOf(sizes) * hidden + hidden * model + model * model;
    return { matrices, vectors: hidden, tokens: ofRows(sizes) };
  },
  gemma3: (keys, { hidden, model }) => ({
    matrices: hidden * model,
    vectors: hidden,
    tokens: outside(keys, 'mm_tokens_per_image', 256),
  }),
  // Patches are pooled, as many as make the tokens that an image is given.
  gemma4: (keys, { hidden, model, merge }) => {
    const own = inside(keys, 'default_output_length') ?? 280;
    const tokens = outside(keys, 'vision_soft_tokens_per_image', own);
    return { matrices: hidden * model, tokens, patches: tokens * merge ** 2 };
  },
  // An image of more pixels than a tile is several.
  llama4: (keys, sizes) => {
    const first = inside(keys, 'projector_input_dim') ?? 4096;
    const second = inside(keys, 'projector_output_dim') ?? 4096;
    return { matrices: widthOf(sizes) * first + first * second + second * sizes.model };
  },
  glm4v: glm,
  glm4vmoe: glm,
  // By way of the language model's own feed-forward size.
  nvlmd: (keys, sizes) => {
    const wide = widthOf(sizes);
    const inner = Number(keys.find('intermediate_size')?.value);
    return { matrices: (wide + sizes.model) * inner, vectors: 2 * wide };
  },
  // Squares of four are pooled; an odd side gets one more row.
  phi4multimodal: (_keys, { hidden, model, side }) => ({
    matrices: (hidden + model) * model,
    vectors: 2 * model,
    tokens: Math.ceil(side / 2) ** 2,
  }),
  kimik3: (_keys, sizes) => {
    const wide = widthOf(sizes);
    return { matrices: wide * (wide + sizes.model), vectors: sizes.model };
  },
  // Two matrices for each patch, and two for each square of them.
  minimaxm3vl: (keys, { hidden, model, merge }) => {
    const wide = outside(keys, 'projector_hidden_size', model);
    const matrices = (hidden + merge * merge * model) * wide + 2 * wide * model;
    return { matrices, vectors: 2 * (wide + model) };
  },
};

/** Values that the library takes where a tower's key is left out, by what its part calls itself. */
export const defaults: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  pixtral: {
    ...{ hidden_size: 1024, intermediate_size: 4096, num_hidden_layers: 24 },
    ...{ num_attention_heads: 16, image_size: 1024, patch_size: 16 },
  },
  smolvlmvision: { intermediate_size: 3072, num_hidden_layers: 12 },
};
