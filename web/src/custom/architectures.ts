// Facts of the published architectures that their configs leave out: the values that Hugging
// Face's library takes where a key is left out, and what layers have though no key says so.

import type { ModelFields } from '../engine/index.ts';
import type { Json } from './json.ts';

export interface Architecture {
  /** The library's defaults by config key, for files that lack the key. */
  readonly defaults: Readonly<Record<string, Json>>;
  /** Fields that the architecture sets, whatever the file says. */
  readonly facts: Readonly<Partial<ModelFields>>;
  /** Positions are learned, and the table has so many more rows than there are positions. */
  readonly learned?: number;
  /** One of so many layers attends to everything, the others to a window. */
  readonly pattern?: number;
  /** The feed-forward size as a multiple of the hidden size, if no key gives it. */
  readonly widening?: number;
  /** The size given is that of gate and up together. */
  readonly gateAndUp?: true;
  /** A norm of queries and keys, where a key asks for it, is over all heads at once. */
  readonly fullQkNorm?: true;
  /** Each layer is a mixer or a feed-forward, not both. */
  readonly halves?: true;
  /** The mixer of all layers, where no list says it: attention and Mamba-2 side by side; Mamba
   *  alone, without a feed-forward; attention twice, first with experts, too. */
  readonly everyLayer?: 'p' | 'm-' | 'aa';
  /** Layers of linear attention are of this kind, with as many heads as those of attention. */
  readonly linear?: 'lightning';
}

const untied = { tie_word_embeddings: false };
const tied = { tie_word_embeddings: true };
const noBias = { qkvBias: false, attentionOutputBias: false, feedForwardBias: false };
const allBias = { qkvBias: true, attentionOutputBias: true, feedForwardBias: true };
/** Biases as the keys say, and none where no key speaks of them. */
const base: Partial<ModelFields> = {
  gatedFeedForward: true,
  norm: 'rmsNorm',
  normsPerLayer: 2,
};
const classic: Partial<ModelFields> = { ...base, gatedFeedForward: false, norm: 'layerNorm' };
const sparse = { ...base, ...noBias };

const sizes = (
  vocabulary: number,
  hidden: number,
  feedForward: number,
  layers: number,
  heads: number,
  context: number,
): Record<string, number> => ({
  vocab_size: vocabulary,
  hidden_size: hidden,
  intermediate_size: feedForward,
  num_hidden_layers: layers,
  num_attention_heads: heads,
  max_position_embeddings: context,
});

const llama: Architecture = {
  defaults: { ...untied, ...sizes(32000, 4096, 11008, 32, 32, 2048) },
  facts: base,
};
const mistral: Architecture = {
  defaults: {
    ...untied,
    ...sizes(32000, 4096, 14336, 32, 32, 131072),
    num_key_value_heads: 8,
    sliding_window: 4096,
  },
  facts: { ...base, ...noBias },
};
const qwen2: Architecture = {
  defaults: {
    ...untied,
    ...sizes(151936, 4096, 22016, 32, 32, 32768),
    num_key_value_heads: 32,
    use_sliding_window: false,
    max_window_layers: 28,
  },
  facts: { ...base, ...noBias, qkvBias: true },
};
const qwen3: Architecture = {
  defaults: { ...qwen2.defaults, head_dim: 128 },
  facts: { ...base, feedForwardBias: false, qkNorm: 'perHead' },
};
const qwen3Moe: Architecture = {
  defaults: {
    ...untied,
    ...sizes(151936, 2048, 6144, 24, 32, 32768),
    num_key_value_heads: 4,
    num_experts: 128,
    num_experts_per_tok: 8,
    moe_intermediate_size: 768,
    use_sliding_window: false,
  },
  facts: qwen3.facts,
};
const gemma: Architecture = {
  defaults: {
    ...tied,
    ...sizes(256000, 3072, 24576, 28, 16, 8192),
    num_key_value_heads: 16,
    head_dim: 256,
  },
  facts: base,
};
const gemma3: Architecture = {
  defaults: {
    ...tied,
    ...sizes(262208, 2304, 9216, 26, 8, 131072),
    num_key_value_heads: 4,
    head_dim: 256,
    sliding_window: 4096,
  },
  facts: { ...base, normsPerLayer: 4, qkNorm: 'perHead' },
  pattern: 6,
};
const llama4: Architecture = {
  defaults: {
    ...untied,
    ...sizes(202048, 5120, 8192, 48, 40, 131072),
    intermediate_size_mlp: 16384,
    num_key_value_heads: 8,
    head_dim: 128,
    num_local_experts: 16,
    num_experts_per_tok: 1,
    attention_chunk_size: 8192,
    no_rope_layer_interval: 4,
  },
  // Its norm of queries and keys has no weights.
  facts: { ...base, feedForwardBias: false, qkNorm: 'none', sharedExperts: 1 },
};
const deepseek: Architecture = { defaults: untied, facts: sparse };
const glm: Architecture = {
  defaults: { ...untied, attention_bias: true },
  facts: { ...base, attentionOutputBias: false, feedForwardBias: false },
};
/** Gated DeltaNet in three of four layers, and a gate on the result of attention. */
const qwen3Next: Architecture = {
  defaults: {
    ...untied,
    head_dim: 256,
    full_attention_interval: 4,
    linear_conv_kernel_dim: 4,
    linear_key_head_dim: 128,
    linear_value_head_dim: 128,
    linear_num_key_heads: 16,
    linear_num_value_heads: 32,
  },
  facts: {
    ...base,
    feedForwardBias: false,
    qkNorm: 'perHead',
    outputGate: 'elementwise',
    sharedExpertGate: true,
  },
};
/** Mamba-2, attention and feed-forward are layers of their own. */
const nemotronH: Architecture = {
  defaults: { ...untied, conv_kernel: 4, attention_bias: false, mlp_bias: false },
  facts: { ...base, ...noBias, gatedFeedForward: false, scoreBias: true },
  halves: true,
};
const gemma4: Architecture = {
  defaults: {
    ...tied,
    head_dim: 256,
    global_head_dim: 512,
    sliding_window: 512,
    hidden_size_per_layer_input: 256,
    vocab_size_per_layer_input: 262144,
  },
  facts: { ...base, normsPerLayer: 4, qkNorm: 'perHead', routerScale: true },
  pattern: 6,
};
const kimiLinear: Architecture = {
  defaults: untied,
  facts: { ...sparse, scoreBias: true },
};
const minimaxM3: Architecture = {
  defaults: untied,
  facts: { ...sparse, qkNorm: 'perHead', scoreBias: true },
};
const mimoV2: Architecture = { defaults: untied, facts: { ...sparse, scoreBias: true } };
const step3: Architecture = {
  defaults: untied,
  facts: { ...sparse, qkNorm: 'perHead', scoreBias: true },
};
const nemotronNas: Architecture = { defaults: untied, facts: base };
const hunyuan: Architecture = {
  defaults: { ...untied, attention_bias: false },
  facts: { ...base, feedForwardBias: false, qkNorm: 'perHead' },
};

/** Gated convolutions beside attention. */
const lfm2: Architecture = {
  defaults: {
    ...tied,
    block_auto_adjust_ff_dim: true,
    block_multiple_of: 256,
  },
  facts: { ...base, ...noBias, qkNorm: 'perHead' },
};
const lfm2Moe: Architecture = {
  defaults: tied,
  facts: lfm2.facts,
};
const lightning: Architecture = {
  defaults: untied,
  facts: { ...sparse, linearConvolution: 0 },
  linear: 'lightning',
};
/** Latent attention in one of so many layers; norms of queries and keys in the others alone. */
const bailing25: Architecture = { ...lightning, facts: { ...lightning.facts, qkNorm: 'none' } };
/** Mamba-1 alone; norms inside of it have no weights. */
const mamba: Architecture = {
  defaults: { ...tied, state_size: 16, expand: 2, conv_kernel: 4, time_step_rank: 'auto' },
  facts: { ...base, ...noBias, mambaNorm: false },
  everyLayer: 'm-',
};

const glm4: Architecture = { ...glm, facts: { ...glm.facts, normsPerLayer: 4 } };
const glm4moe: Architecture = {
  defaults: untied,
  facts: { ...glm.facts, scoreBias: true },
};

const gpt: Architecture = {
  defaults: tied,
  facts: { ...classic, ...allBias },
  learned: 0,
  widening: 4,
};

const falcon: Architecture = {
  // The library would tie them; the published checkpoints hold both.
  defaults: {
    ...untied,
    bias: false,
    multi_query: true,
    new_decoder_architecture: false,
    parallel_attn: true,
  },
  facts: { gatedFeedForward: false, norm: 'layerNorm' },
  widening: 4,
};

const table: Record<string, Architecture> = {
  llama,
  mistral,
  ministral: mistral,
  ministral3: { defaults: { ...untied, sliding_window: null }, facts: mistral.facts },
  mixtral: {
    defaults: {
      ...mistral.defaults,
      sliding_window: null,
      num_local_experts: 8,
      num_experts_per_tok: 2,
    },
    facts: mistral.facts,
  },
  yi: llama,
  smollm3: { defaults: tied, facts: base },
  granite: llama,
  granitemoehybrid: {
    defaults: { ...untied, attention_bias: false },
    facts: { ...base, feedForwardBias: false },
  },
  granitemoeshared: { defaults: untied, facts: { ...base, feedForwardBias: false } },
  granitemoe: { defaults: untied, facts: { ...base, feedForwardBias: false } },
  arcee: { defaults: untied, facts: { ...base, gatedFeedForward: false } },
  internlm: { defaults: { ...untied, bias: true }, facts: { ...base, feedForwardBias: false } },
  internlm2: { defaults: { ...untied, bias: true }, facts: { ...base, feedForwardBias: false } },
  internlm3: { defaults: untied, facts: base },
  baichuan: { defaults: untied, facts: sparse },
  minicpm: { defaults: tied, facts: base },
  minicpm3: { defaults: tied, facts: base },
  seedoss: {
    defaults: { ...untied, attention_bias: true, attention_out_bias: false },
    facts: base,
  },
  exaone: { defaults: untied, facts: sparse },
  exaone4: {
    defaults: { ...untied, sliding_window: 4096, sliding_window_pattern: 4 },
    facts: { ...base, ...noBias, qkNorm: 'perHead' },
  },
  ernie45: { defaults: { ...tied, use_bias: false }, facts: base },
  ernie45moe: {
    defaults: { ...tied, use_bias: false, moe_layer_start_index: 1, moe_num_shared_experts: 2 },
    facts: { ...base, scoreBias: true },
  },
  apertus: {
    defaults: untied,
    facts: { ...base, gatedFeedForward: false, feedForwardBias: false, qkNorm: 'perHead' },
  },

  qwen: { defaults: untied, facts: qwen2.facts, gateAndUp: true },
  qwen2,
  qwen2moe: { defaults: qwen2.defaults, facts: { ...qwen2.facts, sharedExpertGate: true } },
  qwen2vl: qwen2,
  qwen25vl: qwen2,
  qwen3,
  qwen3moe: qwen3Moe,
  qwen3vl: qwen3,
  qwen3vlmoe: qwen3Moe,
  qwen3omnimoe: qwen3Moe,
  qwen3next: qwen3Next,
  qwen35: qwen3Next,
  qwen35moe: qwen3Next,
  mimov2: mimoV2,
  mimov2flash: mimoV2,
  mimo: { defaults: { ...untied, use_sliding_window: false }, facts: glm.facts },

  gemma,
  gemma2: {
    defaults: {
      ...tied,
      ...sizes(256000, 2304, 9216, 26, 8, 8192),
      num_key_value_heads: 4,
      head_dim: 256,
      sliding_window: 4096,
    },
    facts: { ...base, normsPerLayer: 4 },
    pattern: 2,
  },
  gemma3,
  gemma4,

  lfm2,
  lfm2moe: lfm2Moe,
  minimax: lightning,
  minimaxtext01: lightning,
  minimaxm1: lightning,
  bailingmoev25: bailing25,
  bailingmoelinear: lightning,
  bailingmoelinearv2: lightning,
  jamba: {
    defaults: {
      ...untied,
      ...{ attn_layer_period: 8, attn_layer_offset: 4, mamba_dt_rank: 'auto' },
      ...{ expert_layer_period: 2, expert_layer_offset: 1 },
    },
    facts: sparse,
  },
  mamba,
  falconmamba: mamba,

  phi: {
    defaults: untied,
    facts: { ...classic, ...allBias, normsPerLayer: 1, headBias: true },
    widening: 4,
  },
  phi3: { defaults: untied, facts: { ...base, ...noBias } },
  phimoe: { defaults: untied, facts: { ...base, norm: 'layerNorm', feedForwardBias: false } },

  gpt2: gpt,
  gptbigcode: { ...gpt, defaults: { ...tied, multi_query: true } },
  gptneo: {
    ...gpt,
    defaults: { ...tied, window_size: 256 },
    facts: { ...gpt.facts, qkvBias: false },
    pattern: 2,
  },
  gptj: {
    defaults: untied,
    facts: { ...classic, ...noBias, feedForwardBias: true, normsPerLayer: 1, headBias: true },
    widening: 4,
  },
  codegen: {
    defaults: untied,
    facts: { ...classic, ...noBias, feedForwardBias: true, normsPerLayer: 1, headBias: true },
    widening: 4,
  },
  gptneox: { defaults: untied, facts: { ...classic, ...allBias } },
  opt: { defaults: tied, facts: { ...classic, ...allBias }, learned: 2 },
  bloom: {
    defaults: tied,
    facts: { ...classic, ...allBias, embeddingNorm: true },
    widening: 4,
  },
  falcon,
  refinedwebmodel: falcon,
  refinedweb: { ...falcon, defaults: { ...falcon.defaults, new_decoder_architecture: true } },
  mpt: {
    defaults: { ...tied, no_bias: true },
    facts: { ...classic, norm: 'layerNormNoBias' },
    widening: 4,
    fullQkNorm: true,
  },
  starcoder2: {
    defaults: { ...tied, use_bias: true, sliding_window: 4096 },
    facts: { ...classic },
  },
  stablelm: {
    defaults: { ...untied, use_qkv_bias: false, use_parallel_residual: false },
    facts: {
      gatedFeedForward: true,
      norm: 'layerNorm',
      attentionOutputBias: false,
      feedForwardBias: false,
    },
    fullQkNorm: true,
  },
  nemotronh: nemotronH,
  nemotronnas: nemotronNas,
  decilm: nemotronNas,
  nemotron: { defaults: untied, facts: { ...classic } },
  dbrx: {
    defaults: untied,
    facts: { ...base, ...noBias, norm: 'layerNormNoBias' },
  },
  cohere: {
    defaults: { ...tied, use_qk_norm: false },
    facts: {
      gatedFeedForward: true,
      norm: 'layerNormNoBias',
      normsPerLayer: 1,
      feedForwardBias: false,
    },
    fullQkNorm: true,
  },
  cohere2: {
    defaults: { ...tied, sliding_window: 4096, sliding_window_pattern: 4 },
    facts: { ...base, norm: 'layerNormNoBias', normsPerLayer: 1, feedForwardBias: false },
  },

  olmo: { defaults: untied, facts: { ...base, normsPerLayer: 0, feedForwardBias: false } },
  olmo2: { defaults: untied, facts: { ...base, feedForwardBias: false, qkNorm: 'full' } },
  olmo3: {
    defaults: { ...untied, sliding_window: 4096 },
    facts: { ...base, feedForwardBias: false, qkNorm: 'full' },
    pattern: 4,
  },
  olmoe: { defaults: untied, facts: { ...base, feedForwardBias: false, qkNorm: 'full' } },

  deepseek,
  deepseekv2: deepseek,
  deepseekv3: deepseek,
  deepseekv32: { ...deepseek, facts: { ...sparse, scoreBias: true } },
  glmmoedsa: { ...deepseek, facts: { ...sparse, scoreBias: true } },
  // Each layer sees a window beside what it compresses, and its one key is its value, too.
  deepseekv4: {
    defaults: { ...untied, head_dim: 512, sliding_window: 128, num_hash_layers: 3 },
    facts: { ...sparse, attentionSinks: true, sharedKeyValue: true, scoreBias: true },
  },
  kimik2: deepseek,
  longcatflash: { defaults: untied, facts: { ...sparse, scoreBias: true }, everyLayer: 'aa' },
  kimilinear: kimiLinear,
  glm4moelite: { ...deepseek, facts: { ...sparse, scoreBias: true } },
  hunyuan,
  hunyuanv1dense: hunyuan,
  hunyuandensev1: hunyuan,
  hunyuanv1moe: hunyuan,
  hunyuanmoev1: hunyuan,
  falconh1: {
    defaults: { ...untied, attention_bias: false },
    facts: { ...base, feedForwardBias: false },
    everyLayer: 'p',
  },
  bamba: { defaults: untied, facts: base },
  arctic: { defaults: { ...untied, moe_layer_frequency: 2 }, facts: sparse },
  step3p5: step3,
  step3p7: step3,
  step3p7flash: step3,
  glm,
  glm4,
  glm4v: glm4,
  glm4moe,
  glm4vmoe: glm4moe,
  chatglm: {
    defaults: { ...untied, multi_query_attention: false },
    facts: base,
  },
  dots1: {
    defaults: untied,
    facts: { ...base, feedForwardBias: false, qkNorm: 'perHead', scoreBias: true },
  },
  gptoss: {
    defaults: { ...untied, attention_bias: true, sliding_window: 128 },
    facts: {
      ...base,
      feedForwardBias: false,
      attentionSinks: true,
      routerBias: true,
      expertBias: true,
    },
    pattern: 2,
  },
  llama4,
  minimaxm3: minimaxM3,
  minimaxm3sparse: minimaxM3,
  minimaxm3vl: minimaxM3,
  minimaxm2: { defaults: untied, facts: { ...sparse, qkNorm: 'full' } },
};

/** `qwen3_vl_moe_text` and `Qwen3VLMoeForCausalLM` are one. */
export const plainly = (name: string): string =>
  name
    .replace(
      /For(CausalLM|ConditionalGeneration|Generation|SequenceClassification)$|LMHeadModel$/,
      '',
    )
    .replace(/[_-]text$/, '')
    .replace(/[^A-Za-z0-9]/g, '')
    .toLowerCase();

export function architectureOf(name: string): Architecture | undefined {
  const plain = plainly(name);
  return Object.hasOwn(table, plain) ? table[plain] : undefined;
}

/** Architectures other than decoders of attention layers, which the calculator does not know. */
export type OtherKind =
  'encoder' | 'encoderDecoder' | 'stateSpace' | 'hybrid' | 'diffusion' | 'vision' | 'audio';

const others: [OtherKind, RegExp][] = [
  [
    'encoderDecoder',
    /^(u|m|mt|by|long|switch|flan|code)?t5|bart|pegasus|marian|m2m100|nllb|blenderbot|^led$|prophetnet|whisper|speech2text|fsmt|^umt5/,
  ],
  [
    'encoder',
    /bert|electra|mpnet|^xlm|^esm$|funnel|longformer|bigbird|roformer|^canine|^ibert|nomic|squeeze|fnet|layoutlm|retribert/,
  ],
  ['hybrid', /zamba|hybrid|plamo|lfm|griffin|recurrentgemma|samba/],
  ['stateSpace', /mamba|rwkv|retnet|hyena|xlstm|^s4|^s5/],
  [
    'vision',
    /vit|swin|dino|^clip|siglip|^beit|^deit|resnet|convnext|segformer|detr|^sam|yolos|dpt/,
  ],
  ['audio', /wav2vec|hubert|^wavlm|unispeech|encodec|^sew|^vits|bark|clap/],
  ['diffusion', /unet|diffusion|dit$|transformer2d|transformer3d|autoencoder|^flux|pipeline$/],
];

export const otherKindOf = (name: string): OtherKind | undefined =>
  others.find(([, pattern]) => pattern.test(plainly(name)))?.[0];
