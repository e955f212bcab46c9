// MaxText. Options: AI-Hypercomputer/maxtext@e591f30c (August 2026), src/maxtext/configs/base.yml and
// types.py. Its axes are those inside a slice (ici_) times those across slices (dcn_).

import {
  replicas,
  sequences,
  ways,
  word,
  type Check,
  type Size,
  type Software,
  isSparse,
} from './software.ts';
import {
  choice,
  follows,
  number,
  numberOf,
  positive,
  switchOf,
  textOf,
  type Ours,
  type Read,
  type Row,
  type Write,
} from './values.ts';

const axis = (read: Read, ...names: string[]): number =>
  names.reduce(
    (all, name) =>
      all * read.other(`ici_${name}_parallelism`, 1) * read.other(`dcn_${name}_parallelism`, 1),
    1,
  );

const fully = ['fsdp', 'fsdp_transpose'] as const;
const tensors = ['tensor', 'tensor_transpose', 'tensor_sequence', 'autoregressive'] as const;
/** Every axis; an axis of −1 has all chips that the others leave. */
const axes = [
  ...fully,
  ...tensors,
  'data',
  'sequence',
  'context',
  'context_autoregressive',
  'expert',
  'pipeline',
] as const;

/** The product of an axis's two degrees, with what is left to one of them. */
function degree(read: Read, ...names: readonly string[]): number {
  return names.reduce((all, name) => {
    const inside = read.other(`ici_${name}_parallelism`, name === 'fsdp' ? -1 : 1);
    const across = read.other(`dcn_${name}_parallelism`, name === 'data' ? -1 : 1);
    return (
      all * (inside < 0 ? left(read, 'ici') : inside) * (across < 0 ? left(read, 'dcn') : across)
    );
  }, 1);
}

/** What the axes of one level leave of its chips or slices. */
function left(read: Read, level: 'ici' | 'dcn'): number {
  const slices = read.number('run.slices');
  const all = level === 'dcn' ? slices : read.number('run.chips') / slices;
  const others = axes.reduce((product, name) => {
    const usual = level === 'ici' ? (name === 'fsdp' ? -1 : 1) : name === 'data' ? -1 : 1;
    const found = read.other(`${level}_${name}_parallelism`, usual);
    return found > 0 ? product * found : product;
  }, 1);
  return Math.max(1, Math.floor(all / others));
}

/** The chips that the axes name, where none of them is left open. */
function named(read: Read): number | undefined {
  const open =
    read.other('ici_fsdp_parallelism', -1) < 0 ||
    axes.some((name) => read.other(`ici_${name}_parallelism`, 1) < 0);
  return open ? undefined : axis(read, ...axes);
}

const isSharded = (ours: Write): boolean => ours.of('layout.sharding') === 'parameters';
const group = (ours: Write): number =>
  ours.number('layout.shardGroup') || replicas(ours) / ours.number('run.slices');
const chunks = (ours: Write): number =>
  sequences(ours) / (ours.number('layout.microBatch') * replicas(ours));

/** Chips of a slice's name, whose number is that of cores before v5e and v6e. */
const topology = /^(v\d+[a-z]*|tpu7x?|trillium)(?:-|litepod-)(\d+)$/i;
const coresOf = (name: string): number => (/^(v(2|3|4|5p)|tpu7x?)$/i.test(name) ? 2 : 1);
/** A chip of the seventh generation is two devices to a program. */
const devices = (read: Read): number =>
  read.number('run.chips') *
  (['compile_topology', 'device-type', 'tpu-type'].some((key) => read.starts(key, 'tpu7x'))
    ? 2
    : 1);
const chipOf: Readonly<Record<string, string>> = {
  v3: 'tpu-v3',
  v4: 'tpu-v4',
  v5e: 'tpu-v5e',
  v5: 'tpu-v5e',
  v5p: 'tpu-v5p',
  v6e: 'tpu-v6e',
  trillium: 'tpu-v6e',
  tpu7x: 'tpu-v7',
};

/** The chip that a slice's name stands for. */
export const chipIn = (name: string): string | undefined =>
  chipOf[topology.exec(name)?.[1]?.toLowerCase() ?? ''];

const rows: readonly Row[] = [
  {
    keys: ['compile_topology', 'device-type', 'tpu-type'],
    place: 'launcher',
    put: () => undefined,
    take: (value, read) => {
      const [, chip = '', count = ''] = topology.exec(String(value)) ?? [];
      const slices = read.other('num_slices', read.other('compile_topology_num_slices', 1));
      const chips = (Number(count) / coresOf(chip)) * slices;
      return chips > 0 ? { 'run.chips': chips, 'run.slices': slices } : undefined;
    },
  },
  {
    keys: ['num_slices', 'compile_topology_num_slices'],
    place: 'launcher',
    put: () => undefined,
    take: (value) => positive('run.slices', numberOf(value)),
  },
  follows((read) => {
    if (read.said('run.chips') !== undefined) return undefined;
    const found = named(read);
    if (found === undefined) return undefined;
    const slices = axes.reduce(
      (all, name) => all * Math.max(1, read.other(`dcn_${name}_parallelism`, 1)),
      1,
    );
    return { 'run.chips': found, 'run.slices': slices };
  }),
  number('max_target_length', 'run.sequenceLength', {
    usual: () => ({ 'run.sequenceLength': 2048 }),
  }),
  number('ici_tensor_parallelism', 'layout.tensor', {
    if: (ours) => ours.number('layout.tensor') > 1 && ours.of('layout.sequenceParallel') === false,
    usual: (read) => ({ 'layout.tensor': degree(read, ...tensors) }),
  }),
  {
    keys: ['ici_tensor_sequence_parallelism'],
    put: (ours) =>
      ours.number('layout.tensor') > 1 && ours.of('layout.sequenceParallel') === true
        ? ours.number('layout.tensor')
        : undefined,
    take: (_, read) => ({
      'layout.tensor': degree(read, ...tensors),
      ...(degree(read, 'tensor_sequence') > 1 && { 'layout.sequenceParallel': true }),
    }),
    usual: (read) =>
      degree(read, ...tensors) > 1 && degree(read, 'tensor_sequence') === 1
        ? { 'layout.sequenceParallel': false }
        : undefined,
  },
  {
    keys: ['ici_context_parallelism'],
    put: (ours) => (ours.number('layout.context') > 1 ? ours.number('layout.context') : undefined),
    take: (_, read) => ({ 'layout.context': degree(read, 'context', 'sequence') }),
    usual: (read) => ({ 'layout.context': degree(read, 'context', 'sequence') }),
  },
  choice(
    'context_parallel_strategy',
    'layout.contextKind',
    { allGather: 'all_gather', ring: 'ring', ulysses: 'ulysses' },
    {
      if: (ours) => ours.number('layout.context') > 1,
      usual: (read) =>
        read.number('layout.context') > 1 ? { 'layout.contextKind': 'allGather' } : undefined,
    },
  ),
  {
    keys: ['ici_pipeline_parallelism'],
    put: (ours) =>
      ours.number('layout.pipeline') > 1 ? ours.number('layout.pipeline') : undefined,
    take: (_, read) => ({ 'layout.pipeline': degree(read, 'pipeline') }),
    usual: (read) => ({ 'layout.pipeline': degree(read, 'pipeline') }),
  },
  number('num_pipeline_repeats', 'layout.virtualStages', {
    if: (ours) =>
      ours.number('layout.pipeline') > 1 && ours.of('layout.schedule') === 'interleaved',
    usual: (read) => {
      if (read.number('layout.pipeline') === 1) return undefined;
      const each = read.other('num_layers_per_pipeline_stage', 1);
      const turns = read.number('model.layers') / read.number('layout.pipeline') / each;
      return Number.isInteger(turns) && turns > 0 ? { 'layout.virtualStages': turns } : undefined;
    },
  }),
  {
    keys: ['num_layers_per_pipeline_stage'],
    put: (ours) => {
      const each =
        ours.number('model.layers') /
        ours.number('layout.pipeline') /
        ours.number('layout.virtualStages');
      return ours.number('layout.pipeline') > 1 && Number.isInteger(each) ? each : undefined;
    },
    take: (value) => (numberOf(value) > 0 ? {} : undefined),
  },
  {
    keys: ['ici_expert_parallelism'],
    put: (ours) => (ours.number('layout.expert') > 1 ? ours.number('layout.expert') : undefined),
    take: (_, read) => ({ 'layout.expert': degree(read, 'expert') }),
    usual: (read) => ({ 'layout.expert': degree(read, 'expert') }),
  },
  {
    keys: ['ici_fsdp_parallelism'],
    // Its experts have an axis of their own, over which all else is divided by batch, too.
    put: (ours) => (isSharded(ours) ? group(ours) / ours.number('layout.expert') : 1),
    take: (value, read) => (numberOf(value) >= -1 ? sharded(read) : undefined),
    usual: (read) => sharded(read),
  },
  {
    keys: ['ici_data_parallelism'],
    put: (ours) => {
      const within = replicas(ours) / ours.number('run.slices');
      const each = isSharded(ours) ? within / group(ours) : within / ours.number('layout.expert');
      return each > 1 ? each : undefined;
    },
    take: (value) => (numberOf(value) >= -1 ? {} : undefined),
  },
  {
    keys: ['dcn_data_parallelism'],
    put: (ours) => (ours.number('run.slices') > 1 ? ours.number('run.slices') : undefined),
    take: (value) => (numberOf(value) >= -1 ? {} : undefined),
  },
  ...axes
    .flatMap((name) => [`ici_${name}_parallelism`, `dcn_${name}_parallelism`])
    .filter(
      (key) =>
        !/^ici_(tensor|tensor_sequence|context|pipeline|expert|fsdp|data)_|^dcn_data_/.test(key),
    )
    .map((key): Row => ({
      keys: [key],
      put: () => undefined,
      take: (value) => (numberOf(value) >= -1 ? {} : undefined),
    })),
  {
    keys: ['shard_optimizer_over_data'],
    put: (ours) => (ours.of('layout.sharding') === 'optimizer' ? 'True' : undefined),
    take: (value, read) =>
      switchOf(value) && read.said('layout.sharding') === 'none'
        ? { 'layout.sharding': 'optimizer' }
        : {},
  },
  {
    keys: ['gradient_accumulation_steps'],
    put: (ours) =>
      ours.number('layout.pipeline') === 1 && chunks(ours) > 1 ? chunks(ours) : undefined,
    take: (value) => (numberOf(value) >= 1 ? {} : undefined),
  },
  {
    keys: ['num_pipeline_microbatches'],
    put: (ours) => (ours.number('layout.pipeline') > 1 ? chunks(ours) : undefined),
    take: (value) => (numberOf(value) >= -1 ? {} : undefined),
  },
  {
    // Of one chip, not of a replica; it may be less than a sequence.
    keys: ['per_device_batch_size'],
    put: (ours) => {
      const steps = ours.number('layout.pipeline') === 1 ? chunks(ours) : 1;
      return sequences(ours) / ours.number('run.chips') / steps;
    },
    take: (value, read) => {
      const steps = read.other('gradient_accumulation_steps', 1);
      const all = numberOf(value) * devices(read);
      const parts = read.other('num_pipeline_microbatches', -1);
      const stages = read.number('layout.pipeline');
      const micro = all / replicas(read) / (stages > 1 ? (parts > 0 ? parts : stages) : 1);
      return all > 0
        ? {
            'layout.microBatch': Math.max(1, Math.round(micro)),
            'run.batchTokens': Math.round(all * steps) * read.number('run.sequenceLength'),
          }
        : undefined;
    },
  },
  {
    keys: ['steps'],
    put: (ours) => Math.ceil(ours.number('run.tokens') / ours.number('run.batchTokens')),
    take: (value, read) => positive('run.tokens', numberOf(value) * read.number('run.batchTokens')),
  },
  choice(
    'remat_policy',
    'layout.recompute',
    {
      full: ['full'],
      selective: [
        'minimal',
        'minimal_flash',
        'minimal_with_context',
        'save_qkv_proj',
        'save_dot_except_mlp',
        'save_dot_except_mlpwi',
        'save_dot_with_context_except_mlp',
        'qkv_proj_offloaded',
        'minimal_offloaded',
        'save_out_proj',
        'custom',
      ],
      none: 'none',
    },
    {
      if: (ours) => ['full', 'selective'].includes(String(ours.of('layout.recompute'))),
      usual: () => ({ 'layout.recompute': 'full' }),
    },
  ),
  {
    keys: ['quantization'],
    put: (ours) => (ours.of('layout.fp8Matmuls') === true ? 'fp8' : undefined),
    take: (value) => {
      const said = textOf(value).toLowerCase();
      if (/fp8/.test(said)) return { 'layout.fp8Matmuls': true };
      return said === ''
        ? {}
        : said.startsWith('int8')
          ? { 'run.computeFormat': 'int8' }
          : undefined;
    },
  },
  {
    keys: ['optimizer_memory_host_offload'],
    put: (ours) => (ours.of('layout.offload') === 'none' ? undefined : 'True'),
    take: (value) => ({ 'layout.offload': switchOf(value) ? 'optimizer' : 'none' }),
    usual: () => ({ 'layout.offload': 'none' }),
  },
  {
    keys: ['parameter_memory_host_offload'],
    put: (ours) => (ours.of('layout.offload') === 'all' ? 'True' : undefined),
    take: (value) => (switchOf(value) ? { 'layout.offload': 'all' } : {}),
  },
  choice(
    'opt_type',
    'layout.optimizer',
    { adam: ['adamw', 'adam_pax', 'adam'], sgd: 'sgd', muon: 'muon' },
    {
      if: (ours) => ours.of('layout.optimizer') !== 'adam',
      usual: () => ({ 'layout.optimizer': 'adam' }),
    },
  ),
  {
    keys: ['dropout_rate'],
    put: (ours) => (ours.of('layout.dropout') === true ? 0.1 : undefined),
    take: (value) => ({ 'layout.dropout': numberOf(value) > 0 }),
    usual: () => ({ 'layout.dropout': false }),
  },
  choice(
    'attention',
    'layout.attentionKernel',
    {
      flash: ['flash', 'autoselected', 'cudnn_flash_te', 'cudnn_flash_jax', 'vllm_rpa'],
      naive: 'dot_product',
    },
    { if: (ours) => ours.of('layout.attentionKernel') === 'naive' },
  ),
];

function sharded(read: Read): Ours {
  const shards = degree(read, ...fully);
  const within = shards * degree(read, 'expert');
  const all = replicas(read);
  if (shards <= 1) return { 'layout.sharding': 'none', 'layout.shardGroup': 0 };
  const slices = read.number('run.slices');
  return {
    'layout.sharding': 'parameters',
    'layout.shardGroup':
      Math.round(within) === Math.round(all / slices) ? 0 : Math.min(within, all),
  };
}

const field = (
  key: string,
  config: string,
  id: `model.${string}`,
  when?: (ours: Write) => boolean,
): Size => ({
  keys: [key],
  config,
  put: (ours) => ((when?.(ours) ?? true) ? ours.number(id) : undefined),
});
const isLatent = (ours: Write): boolean => ours.of('model.attention') === 'latent';

const sizes: readonly Size[] = [
  field('base_num_decoder_layers', 'num_layers', 'model.layers'),
  field('base_emb_dim', 'hidden_size', 'model.hidden'),
  field('base_mlp_dim', 'ffn_hidden_size', 'model.feedForward'),
  field('base_num_query_heads', 'num_attention_heads', 'model.heads'),
  field('base_num_kv_heads', 'num_key_value_heads', 'model.kvHeads', (ours) => !isLatent(ours)),
  field('head_dim', 'head_dim', 'model.headDim', (ours) => !isLatent(ours)),
  field('vocab_size', 'vocab_size', 'model.vocabulary'),
  field('num_experts', 'num_experts', 'model.experts', isSparse),
  field('num_experts_per_tok', 'num_experts_per_tok', 'model.expertsPerToken', isSparse),
  field('base_moe_mlp_dim', 'moe_intermediate_size', 'model.expertFeedForward', isSparse),
  field(
    'shared_experts',
    'n_shared_experts',
    'model.sharedExperts',
    (ours) => isSparse(ours) && ours.number('model.sharedExperts') > 0,
  ),
  field(
    'first_num_dense_layers',
    'first_k_dense_replace',
    'model.denseLayers',
    (ours) => isSparse(ours) && ours.number('model.denseLayers') > 0,
  ),
  field(
    'q_lora_rank',
    'q_lora_rank',
    'model.queryRank',
    (ours) => isLatent(ours) && ours.number('model.queryRank') > 0,
  ),
  field('kv_lora_rank', 'kv_lora_rank', 'model.kvRank', isLatent),
  field('qk_nope_head_dim', 'qk_nope_head_dim', 'model.nopeDim', isLatent),
  field('qk_rope_head_dim', 'qk_rope_head_dim', 'model.ropeDim', isLatent),
  field('v_head_dim', 'v_head_dim', 'model.valueDim', isLatent),
  {
    keys: ['logits_via_embedding'],
    config: 'tie_word_embeddings',
    put: (ours) => (ours.of('model.tiedEmbeddings') === true ? 'True' : undefined),
    take: switchOf,
  },
];

const checks: readonly Check[] = [
  {
    field: 'layout.pipeline',
    says: (ours) => {
      const [layers, stages] = [ours.number('model.layers'), ours.number('layout.pipeline')];
      const each = Math.max(1, Math.floor(layers / stages / ours.number('layout.virtualStages')));
      return (
        stages > 1 &&
        layers % (stages * each) !== 0 &&
        `The number of layers per stage (${each}) times the number of stages (${stages}) must divide the number of pipeline_parallel_layers which defaults to decoder layers (${layers})`
      );
    },
  },
  {
    field: 'layout.microBatch',
    says: (ours) =>
      ours.number('layout.pipeline') > 1 &&
      chunks(ours) % ours.number('layout.pipeline') !== 0 &&
      `The number of microbatches (${chunks(ours)}) must be divisible by the number of stages (${ours.number('layout.pipeline')})`,
  },
  {
    field: 'run.chips',
    says: (ours) => {
      const each = ours.number('run.chips') / ours.number('run.slices');
      return (
        each % ways(ours) !== 0 &&
        `Number of devices per slice ${each} does not match the product of the ICI parallelism ${ways(ours)}`
      );
    },
  },
];

export const maxtext: Software = {
  id: 'maxtext',
  name: 'MaxText',
  question: 'plan',
  preset: 'maxtext',
  rows,
  sizes,
  unplaced:
    /^(mlpwi|mlpwo|query_proj|key_proj|value_proj|out_proj|qkv_proj|decoder_layer_input|context|scan_layers|sparse_matmul|megablox|capacity_factor|dtype|weight_dtype|grad_dtype|mu_dtype|use_iota|n_routing_groups|topk_routing_group|dcn_pipeline|pipeline_(delay|fsdp)|set_remat_policy|remat_policy_for)/,
  quiet:
    /^(run_name|base_output|dataset|tokenizer|learning_rate|warmup|cosine|enable_(checkpoint|tensorboard|goodput|data)|async|save|load|checkpoint|profil|log|gcs|metrics|data_|hf_|grain|tfds|eval|max_prefill|rope|reuse_example|adam|use_vertex|hardware|jax|compilation|xprof|skip_jax|monitor|packing|allow_split|sa_|override_model|model_call|z_loss|generate|steps_|init_|weights|vertex|cluster|command|workload|zone|project|docker|base_docker|priority|env|megascale)/,
  checks,
  text: ({ model, launcher, program }, named) =>
    `${[
      'python3 -m MaxText.train MaxText/configs/base.yml',
      `run_name=\${RUN_NAME} tokenizer_path=${named.model}`,
      ...[...model, ...launcher, ...program].map(([key, value]) => `${key}=${word(value)}`),
    ].join(' \\\n  ')}\n`,
};
