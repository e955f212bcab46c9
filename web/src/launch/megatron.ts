// Megatron-LM, with Megatron-Bridge and NeMo, whose keys are the same with underscores.
// Options and rules: NVIDIA/Megatron-LM@d98e8a64 (August 2026), megatron/training/arguments.py,
// megatron/core/transformer/transformer_config.py, parallel_state.py and model_parallel_config.py.

import type { Json } from '../custom/json.ts';
import type { FieldId } from '../model/fields.ts';
import { launcher } from './launcher.ts';
import {
  flags,
  joined,
  replicas,
  sequences,
  ways,
  type Check,
  type Size,
  type Software,
  isSparse,
} from './software.ts';
import { partsIn, spread, stagesOf, uneven } from './stages.ts';
import {
  choice,
  follows,
  number,
  numberOf,
  positive,
  switchOf,
  textOf,
  toggle,
  type Ours,
  type Read,
  type Row,
  type Value,
  type Write,
} from './values.ts';

const one = (id: FieldId) => (): Ours => ({ [id]: 1 });

/** The modules that it recomputes, and what they are here. */
const modules = {
  attention: ['core_attn'],
  scores: ['core_attn'],
  activations: ['layernorm', 'moe_act'],
  matmuls: ['mlp'],
  operators: ['mlp'],
  experts: ['moe'],
  behindAttention: ['mlp'],
  latent: ['layernorm', 'moe_act', 'mla_up_proj'],
  projections: ['core_attn', 'mlp'],
} as const;

/** What is computed again as needed, by the module that has it. */
const needed: readonly (readonly [answer: string, module: string])[] = [
  ['againNorms', 'layernorm'],
  ['againProduct', 'moe_act'],
  ['againQkv', 'mla_up_proj'],
  ['againAttention', 'core_attn'],
  ['againHidden', 'mlp'],
  ['againMiddle', 'mlp'],
  ['againResults', 'moe'],
];

const isSelective = (ours: Write): boolean =>
  ours.of('layout.recompute') === 'selective' || ours.of('layout.recompute') === 'cheapest';

function modulesOf(ours: Write): string[] {
  if (ours.of('layout.recompute') === 'selective') {
    const found = modules[ours.of('stack.selective') as keyof typeof modules] ?? ['core_attn'];
    return found.filter((each) => each !== 'moe_act' || isSparse(ours));
  }
  const sparse = isSparse(ours);
  const latent = ours.of('model.attention') === 'latent';
  const may = (module: string): string =>
    module === 'moe_act' && !sparse ? 'mlp' : module === 'moe' && !sparse ? 'mlp' : module;
  const found = needed
    .filter(([answer]) => ours.again(answer) > 0)
    .map(([, module]) => may(module));
  const kept = found.filter((module) => module !== 'mla_up_proj' || latent);
  // The whole experts hold their activation.
  return [...new Set(kept)].filter((each) => each !== 'moe_act' || !kept.includes('moe'));
}

function selectiveOf(named: readonly string[]): string {
  if (named.includes('moe')) return 'experts';
  if (named.includes('mlp')) return 'matmuls';
  if (named.includes('core_attn')) return 'attention';
  if (named.includes('mla_up_proj')) return 'latent';
  return 'activations';
}

const interleaves = (ours: Write): boolean =>
  ours.number('layout.virtualStages') > 1 &&
  ours.number('layout.pipeline') > 1 &&
  stagesOf(ours) === undefined &&
  ours.of('layout.schedule') === 'interleaved';

const rows: readonly Row[] = [
  ...launcher,
  number(['seq-length', 'sequence-length', 'encoder-seq-length'], 'run.sequenceLength'),
  number('tensor-model-parallel-size', 'layout.tensor', { usual: one('layout.tensor') }),
  number('pipeline-model-parallel-size', 'layout.pipeline', { usual: one('layout.pipeline') }),
  number('context-parallel-size', 'layout.context', {
    if: (ours) => ours.number('layout.context') > 1,
    usual: one('layout.context'),
  }),
  choice(
    'cp-comm-type',
    'layout.contextKind',
    { ring: 'p2p', allGather: 'all_gather', ulysses: ['a2a'] },
    {
      if: (ours) => ours.number('layout.context') > 1,
      usual: (read) =>
        read.number('layout.context') > 1 ? { 'layout.contextKind': 'ring' } : undefined,
    },
  ),
  // A run without a launcher in sight has as many chips as its layout needs.
  follows((read) =>
    read.said('run.chips') === undefined ? { 'run.chips': fewest(read) } : undefined,
  ),
  number('expert-model-parallel-size', 'layout.expert', {
    if: isSparse,
    usual: one('layout.expert'),
  }),
  // Left out, experts are divided by tensor as everything else is.
  number('expert-tensor-parallel-size', 'layout.expertTensor', {
    if: isSparse,
    usual: (read) =>
      isSparse(read) ? { 'layout.expertTensor': read.number('layout.tensor') } : undefined,
  }),
  toggle(
    'sequence-parallel',
    (ours) => ours.number('layout.tensor') > 1 && ours.of('layout.sequenceParallel') === true,
    (on) => ({ 'layout.sequenceParallel': on }),
    {
      usual: (read) =>
        read.number('layout.tensor') > 1 ? { 'layout.sequenceParallel': false } : undefined,
    },
  ),
  {
    keys: ['num-virtual-stages-per-pipeline-rank', 'virtual-pipeline-model-parallel-size'],
    put: (ours) => (interleaves(ours) ? ours.number('layout.virtualStages') : undefined),
    take: (value) => {
      // Bridge writes that there are none.
      if (/^(none|null|)$/i.test(String(value))) return { 'layout.virtualStages': 1 };
      const count = numberOf(value);
      return count > 0
        ? { 'layout.schedule': 'interleaved', 'layout.virtualStages': count }
        : undefined;
    },
    usual: one('layout.virtualStages'),
  },
  {
    keys: ['num-layers-per-virtual-pipeline-stage'],
    put: () => undefined,
    take: (value, read) => {
      const chunks = read.number('model.layers') / read.number('layout.pipeline') / numberOf(value);
      return Number.isInteger(chunks)
        ? { 'layout.schedule': 'interleaved', 'layout.virtualStages': chunks }
        : undefined;
    },
  },
  {
    keys: ['pipeline-model-parallel-layout'],
    put: (ours) => (ours.number('layout.pipeline') > 1 ? stagesOf(ours) : undefined),
    take: (value, read) => {
      const text = textOf(value).replaceAll(/\s/g, '');
      const parts = partsIn(text);
      const chunks = parts / read.number('layout.pipeline');
      if (!text || !Number.isInteger(chunks)) return undefined;
      return {
        // Layers that are spread as usual need no list.
        ...(text !== spread(read, chunks) && { 'layout.stageLayers': text }),
        'layout.virtualStages': chunks,
        ...(chunks > 1 && { 'layout.schedule': 'interleaved' }),
      };
    },
  },
  {
    keys: ['decoder-first-pipeline-num-layers', 'num-layers-in-first-pipeline-stage'],
    put: () => undefined,
    take: (value, read) => {
      const last = read.other('decoder-last-pipeline-num-layers', NaN);
      return uneven(read, numberOf(value), Number.isNaN(last) ? undefined : last);
    },
  },
  {
    keys: ['decoder-last-pipeline-num-layers', 'num-layers-in-last-pipeline-stage'],
    put: () => undefined,
    take: (value, read) => {
      const first = read.other('decoder-first-pipeline-num-layers', NaN);
      return uneven(read, Number.isNaN(first) ? undefined : first, numberOf(value));
    },
  },
  ...(['embedding', 'loss'] as const).map((end): Row => ({
    keys: [`account-for-${end}-in-pipeline-split`],
    is: 'switch',
    put: () => undefined,
    take: (value, read) => {
      if (!switchOf(value)) return {};
      const [first, last] = ['embedding', 'loss'].map((each) =>
        Number(read.on(`account-for-${each}-in-pipeline-split`)),
      ) as [number, number];
      const each = (read.number('model.layers') + first + last) / read.number('layout.pipeline');
      return uneven(read, first ? each - 1 : undefined, last ? each - 1 : undefined);
    },
  })),
  number('micro-batch-size', 'layout.microBatch', { usual: one('layout.microBatch') }),
  {
    keys: ['global-batch-size'],
    put: (ours) => sequences(ours),
    take: (value, read) => tokensOf(numberOf(value), read),
    usual: (read) => tokensOf(read.number('layout.microBatch') * replicas(read), read),
  },
  {
    keys: ['train-samples'],
    put: (ours) => {
      const samples = ours.number('run.tokens') / ours.number('run.sequenceLength');
      return isWholeBatches(ours) || !Number.isInteger(samples) ? undefined : samples;
    },
    take: (value, read) =>
      positive('run.tokens', numberOf(value) * read.number('run.sequenceLength')),
  },
  {
    keys: ['train-iters', 'max-steps'],
    put: (ours) =>
      isWholeBatches(ours) ||
      !Number.isInteger(ours.number('run.tokens') / ours.number('run.sequenceLength'))
        ? Math.ceil(ours.number('run.tokens') / ours.number('run.batchTokens'))
        : undefined,
    take: (value, read) => positive('run.tokens', numberOf(value) * read.number('run.batchTokens')),
  },
  toggle(
    'use-distributed-optimizer',
    (ours) => ours.of('layout.sharding') !== 'none',
    (on) => ({ 'layout.sharding': on ? 'optimizer' : 'none' }),
    { usual: () => ({ 'layout.sharding': 'none' }) },
  ),
  toggle(
    'use-torch-fsdp2',
    () => false,
    (on) => (on ? { 'layout.sharding': 'parameters' } : {}),
  ),
  toggle(
    ['use-megatron-fsdp', 'use-custom-fsdp'],
    (ours) => ['gradients', 'parameters'].includes(String(ours.of('layout.sharding'))),
    (on) => (on ? {} : {}),
  ),
  choice(
    'data-parallel-sharding-strategy',
    'layout.sharding',
    {
      none: 'no_shard',
      optimizer: 'optim',
      gradients: 'optim_grads',
      parameters: 'optim_grads_params',
    },
    { if: (ours) => ['gradients', 'parameters'].includes(String(ours.of('layout.sharding'))) },
  ),
  {
    keys: ['num-distributed-optimizer-instances'],
    put: (ours) => {
      const group = ours.number('layout.shardGroup');
      const instances = replicas(ours) / group;
      return group > 0 && instances > 1 && Number.isInteger(instances) ? instances : undefined;
    },
    take: (value, read) => {
      const instances = numberOf(value);
      if (instances === 1) return { 'layout.shardGroup': 0 };
      const group = replicas(read) / instances;
      return Number.isInteger(group) ? { 'layout.shardGroup': group } : undefined;
    },
    usual: () => ({ 'layout.shardGroup': 0 }),
  },
  {
    keys: ['recompute-granularity', 'activations-checkpoint-granularity'],
    put: (ours) => {
      if (['full', 'everyN'].includes(String(ours.of('layout.recompute')))) return 'full';
      return isSelective(ours) && modulesOf(ours).length > 0 ? 'selective' : undefined;
    },
    take: (value, read) => {
      if (/^(none|null|)$/i.test(String(value))) return { 'layout.recompute': 'none' };
      if (value === 'selective')
        return { 'layout.recompute': 'selective', 'stack.selective': 'attention' };
      if (value !== 'full') return undefined;
      const layers = read.other('recompute-num-layers', 1);
      return layers > 1 && !read.is('recompute-method', 'block')
        ? { 'layout.recompute': 'everyN', 'layout.recomputeLayers': layers }
        : { 'layout.recompute': 'full' };
    },
    usual: () => ({ 'layout.recompute': 'none' }),
  },
  toggle(
    ['recompute-activations', 'checkpoint-activations'],
    () => false,
    (on) => (on ? { 'layout.recompute': 'selective', 'stack.selective': 'attention' } : {}),
  ),
  {
    keys: ['recompute-method', 'activations-checkpoint-method'],
    put: (ours) =>
      ['full', 'everyN'].includes(String(ours.of('layout.recompute'))) ? 'uniform' : undefined,
    // Of blocks, only the first layers of a stage are computed again.
    take: (value) => (/^(uniform|none|null)$/i.test(String(value)) ? {} : undefined),
  },
  {
    keys: ['recompute-num-layers', 'activations-checkpoint-num-layers'],
    put: (ours) => {
      if (ours.of('layout.recompute') === 'full') return 1;
      return ours.of('layout.recompute') === 'everyN'
        ? ours.number('layout.recomputeLayers')
        : undefined;
    },
    take: (value, read) => {
      if (/^(none|null|)$/i.test(String(value))) return {};
      const layers = numberOf(value);
      if (!(layers >= 1)) return undefined;
      if (
        layers === 1 ||
        read.said('layout.recompute') !== 'full' ||
        read.is('recompute-method', 'block')
      )
        return {};
      return { 'layout.recompute': 'everyN', 'layout.recomputeLayers': layers };
    },
  },
  {
    keys: ['recompute-modules'],
    is: 'list',
    put: (ours) => {
      const found = isSelective(ours) ? modulesOf(ours) : [];
      return found.length > 0 ? found : undefined;
    },
    take: (value, read) => {
      const named = listOf(value);
      if (read.said('layout.recompute') !== 'selective') return {};
      return { 'stack.selective': selectiveOf(named) };
    },
  },
  toggle(
    'bf16',
    (ours) => ours.of('run.computeFormat') === 'bf16',
    (on) => (on ? { 'run.computeFormat': 'bf16' } : {}),
  ),
  toggle(
    'fp16',
    (ours) => ours.of('run.computeFormat') === 'fp16',
    (on) => (on ? { 'run.computeFormat': 'fp16' } : {}),
  ),
  {
    keys: ['fp8-format', 'fp8'],
    put: (ours) => (ours.of('layout.fp8Matmuls') === true ? 'hybrid' : undefined),
    take: (value) => ({ 'layout.fp8Matmuls': /^(e4m3|hybrid|true)$/i.test(String(value)) }),
    usual: () => ({ 'layout.fp8Matmuls': false }),
  },
  choice(
    ['optimizer', 'optimizer.optimizer', 'optim.name'],
    'layout.optimizer',
    {
      adam: ['adam', 'distributed_fused_adam', 'fused_adam', 'adamw'],
      sgd: 'sgd',
      muon: ['muon', 'dist_muon'],
      lion: 'lion',
    },
    {
      if: (ours) => ours.of('layout.optimizer') !== 'adam',
      usual: () => ({ 'layout.optimizer': 'adam' }),
    },
  ),
  toggle(
    'activation-func-fp8-input-store',
    (ours) => ours.of('layout.fp8Hidden') === true,
    (on) => ({ 'layout.fp8Hidden': on }),
    { usual: () => ({ 'layout.fp8Hidden': false }) },
  ),
  toggle(
    'optimizer-cpu-offload',
    (ours) => ours.of('layout.offload') !== 'none',
    (on) => ({ 'layout.offload': on ? 'optimizer' : 'none' }),
    { usual: () => ({ 'layout.offload': 'none' }) },
  ),
  toggle(
    ['use-precision-aware-optimizer'],
    (ours) => ours.of('layout.gradientFormat') === 'bf16' || ours.of('layout.offload') !== 'none',
    () => ({}),
  ),
  choice(
    'main-grads-dtype',
    'layout.gradientFormat',
    { bf16: 'bf16', fp32: 'fp32' },
    {
      if: (ours) => ours.of('layout.gradientFormat') === 'bf16',
      usual: () => ({ 'layout.gradientFormat': 'fp32' }),
    },
  ),
  toggle(
    'grad-reduce-in-bf16',
    (ours) => ours.of('stack.reduceFormat') === 'bf16',
    (on) => ({ 'stack.reduceFormat': on ? 'bf16' : 'gradients' }),
    { usual: () => ({ 'stack.reduceFormat': 'gradients' }) },
  ),
  toggle(
    ['grad-reduce-in-fp32', 'accumulate-allreduce-grads-in-fp32'],
    () => false,
    (on) => (on ? { 'stack.reduceFormat': 'gradients' } : {}),
  ),
  {
    keys: ['mixed-precision', 'precision'],
    put: () => undefined,
    take: (value) => ({
      ...(/bf16/i.test(String(value)) && { 'run.computeFormat': 'bf16' }),
      ...(/fp8/i.test(String(value)) && { 'layout.fp8Matmuls': true }),
    }),
  },
  toggle(
    'overlap-grad-reduce',
    (ours) => ours.of('stack.dataOverlap') === true,
    (on) => ({ 'stack.dataOverlap': on }),
    { usual: () => ({ 'stack.dataOverlap': false }) },
  ),
  toggle(
    'overlap-param-gather',
    (ours) => ours.of('stack.dataOverlap') === true && ours.of('layout.sharding') !== 'none',
    () => ({}),
  ),
  toggle(
    ['tp-comm-overlap', 'ub-tp-comm-overlap'],
    (ours) =>
      ours.of('stack.tensorOverlap') === true &&
      ours.number('layout.tensor') > 1 &&
      ours.of('layout.sequenceParallel') === true,
    (on) => ({ 'stack.tensorOverlap': on }),
    {
      usual: (read) =>
        read.number('layout.tensor') > 1 ? { 'stack.tensorOverlap': false } : undefined,
    },
  ),
  choice(
    'cuda-graph-impl',
    'stack.graphs',
    { none: 'none', partial: ['transformer_engine', 'local'], full: 'full_iteration' },
    { if: (ours) => ours.of('stack.graphs') !== 'none', usual: () => ({ 'stack.graphs': 'none' }) },
  ),
  ...['attention-dropout', 'hidden-dropout'].map((key): Row => ({
    keys: [key],
    put: (ours) => (ours.of('layout.dropout') === true ? undefined : 0),
    take: (value, read) => {
      const share = numberOf(value);
      if (!(share >= 0)) return undefined;
      const other = read.other(key.startsWith('a') ? 'hidden-dropout' : 'attention-dropout', share);
      return { 'layout.dropout': share > 0 || other > 0 };
    },
    usual: (read) =>
      read.said('layout.dropout') === undefined ? { 'layout.dropout': true } : undefined,
  })),
  choice(
    'attention-backend',
    'layout.attentionKernel',
    { flash: ['flash', 'fused', 'auto'], naive: ['unfused', 'local'] },
    {
      if: (ours) => ours.of('layout.attentionKernel') === 'naive',
      usual: () => ({ 'layout.attentionKernel': 'flash' }),
    },
  ),
];

/** The fewest chips on which the layout can run. */
function fewest(read: Read): number {
  const dense = ways(read);
  const experts = read.other('expert-model-parallel-size', 1);
  const each = read.other('expert-tensor-parallel-size', read.number('layout.tensor'));
  const sparse = experts * each * read.number('layout.pipeline');
  let chips = dense;
  while (chips % sparse !== 0 && chips < dense * sparse) chips += dense;
  return chips;
}

const isWholeBatches = (ours: Write): boolean =>
  Number.isInteger(ours.number('run.tokens') / ours.number('run.batchTokens'));

const tokensOf = (count: number, read: Read): Ours | undefined =>
  positive('run.batchTokens', count * read.number('run.sequenceLength'));

/** The names of a list, however it is written. */
export const listOf = (value: Value): string[] =>
  (Array.isArray(value) ? value.map(String) : String(value).split(/[\s,]+/))
    .map((each) => each.replace(/^[["']+|[\]"']+$/g, ''))
    .filter(Boolean);

const field = (
  keys: string | readonly string[],
  config: string,
  id: FieldId,
  when?: (ours: Write) => boolean,
): Size => ({
  keys: [keys].flat(),
  config,
  put: (ours) => ((when?.(ours) ?? true) ? ours.number(id) : undefined),
});

const isLatent = (ours: Write): boolean => ours.of('model.attention') === 'latent';
const isGrouped = (ours: Write): boolean =>
  !isLatent(ours) && ours.number('model.kvHeads') !== ours.number('model.heads');

const on = (
  key: string,
  config: string,
  when: (ours: Write) => boolean,
  take?: (on: boolean) => Json,
): Size => ({
  keys: [key],
  config,
  is: 'switch',
  put: (ours) => when(ours) || undefined,
  take: (value) => {
    const said = switchOf(value);
    return said === undefined ? undefined : (take?.(said) ?? said);
  },
});

const sizes: readonly Size[] = [
  field('num-layers', 'num_layers', 'model.layers'),
  field('hidden-size', 'hidden_size', 'model.hidden'),
  field('ffn-hidden-size', 'ffn_hidden_size', 'model.feedForward'),
  field('num-attention-heads', 'num_attention_heads', 'model.heads'),
  on('group-query-attention', 'group_query_attention', isGrouped),
  field('num-query-groups', 'num_query_groups', 'model.kvHeads', isGrouped),
  field('kv-channels', 'kv_channels', 'model.headDim', (ours) => !isLatent(ours)),
  on('multi-latent-attention', 'multi_latent_attention', isLatent),
  field(
    'q-lora-rank',
    'q_lora_rank',
    'model.queryRank',
    (ours) => isLatent(ours) && ours.number('model.queryRank') > 0,
  ),
  field('kv-lora-rank', 'kv_lora_rank', 'model.kvRank', isLatent),
  field('qk-head-dim', 'qk_nope_head_dim', 'model.nopeDim', isLatent),
  field('qk-pos-emb-head-dim', 'qk_rope_head_dim', 'model.ropeDim', isLatent),
  field('v-head-dim', 'v_head_dim', 'model.valueDim', isLatent),
  field('num-experts', 'num_experts', 'model.experts', isSparse),
  field('moe-router-topk', 'moe_router_topk', 'model.expertsPerToken', isSparse),
  field('moe-ffn-hidden-size', 'moe_ffn_hidden_size', 'model.expertFeedForward', isSparse),
  {
    keys: ['moe-shared-expert-intermediate-size'],
    config: 'shared_expert_intermediate_size',
    put: (ours) => {
      const all =
        ours.number('model.sharedExperts') *
        (ours.number('model.sharedExpertFeedForward') || ours.number('model.expertFeedForward'));
      return isSparse(ours) && all > 0 ? all : undefined;
    },
  },
  {
    keys: ['moe-layer-freq'],
    config: 'moe_layer_freq',
    put: (ours) => {
      const dense = ours.number('model.denseLayers');
      if (!isSparse(ours) || dense === 0 || ours.number('model.moeEvery') !== 1) return undefined;
      return `([0]*${dense}+[1]*${ours.number('model.layers') - dense})`;
    },
    take: (value) => (Array.isArray(value) ? (value as Json) : pythonList(String(value))),
  },
  {
    keys: ['mtp-num-layers'],
    config: 'num_nextn_predict_layers',
    put: (ours) => ours.number('model.mtpModules') || undefined,
  },
  field(
    'max-position-embeddings',
    'max_position_embeddings',
    'model.contextLength',
    (ours) => ours.number('model.contextLength') > 0,
  ),
  field(['vocab-size', 'padded-vocab-size'], 'vocab_size', 'model.vocabulary'),
  on('swiglu', 'swiglu', (ours) => ours.of('model.gatedFeedForward') === true),
  on(
    'untie-embeddings-and-output-weights',
    'untie_embeddings_and_output_weights',
    (ours) => ours.of('model.tiedEmbeddings') === false,
  ),
  // Bridge and NeMo say the same the other way round.
  {
    keys: ['share-embeddings-and-output-weights'],
    config: 'share_embeddings_and_output_weights',
    is: 'switch',
    put: () => undefined,
    take: switchOf,
  },
  {
    keys: ['add-bias-linear'],
    config: 'add_bias_linear',
    is: 'switch',
    put: () => undefined,
    take: switchOf,
  },
  on(
    'disable-bias-linear',
    'add_bias_linear',
    (ours) => ours.of('model.feedForwardBias') === false,
    (off) => !off,
  ),
  on(
    'add-qkv-bias',
    'add_qkv_bias',
    (ours) => ours.of('model.qkvBias') === true && ours.of('model.feedForwardBias') === false,
  ),
  on('qk-layernorm', 'qk_layernorm', (ours) => ours.of('model.qkNorm') !== 'none'),
  {
    keys: ['normalization'],
    config: 'normalization',
    put: (ours) => (ours.of('model.norm') === 'rmsNorm' ? 'RMSNorm' : 'LayerNorm'),
  },
];

/** A list as Python computes it: `([0]*3+[1]*58)`, `[1]*32`; a number is the distance of such layers. */
function pythonList(text: string): Json | undefined {
  const plain = text.replaceAll(/[\s'"]/g, '');
  if (/^\d+$/.test(plain)) return Number(plain);
  const parts = plain.replace(/^\((.*)\)$/, '$1').split('+');
  const found: number[] = [];
  for (const part of parts) {
    const [, inner, times = '1'] = /^\(?\[([\d,]+)\]\)?(?:\*(\d+))?\)?$/.exec(part) ?? [];
    if (inner === undefined || Number(times) > 10_000) return undefined;
    for (let turn = 0; turn < Number(times); turn += 1) found.push(...inner.split(',').map(Number));
    if (found.length > 100_000) return undefined;
  }
  return found;
}

/** The rules of the software, in its words. */
const checks: readonly Check[] = [
  {
    field: 'run.chips',
    says: (ours) =>
      ours.number('run.chips') % ways(ours) !== 0 &&
      `world size (${ours.number('run.chips')}) is not divisible by total_model_size (total_model_size=${ways(ours)})`,
  },
  {
    field: 'layout.tensor',
    says: (ours) =>
      ours.number('model.heads') % ours.number('layout.tensor') !== 0 &&
      `num_attention_heads (${ours.number('model.heads')}) must be a multiple of tensor_model_parallel_size (${ours.number('layout.tensor')}).`,
  },
  {
    field: 'layout.tensor',
    says: (ours) => {
      const [groups, ways] = [ours.number('model.kvHeads'), ours.number('layout.tensor')];
      return (
        !isLatent(ours) &&
        groups % ways !== 0 &&
        ways % groups !== 0 &&
        `num_query_groups (${groups}) must be a multiple or divisor of tensor_model_parallel_size (${ways}).`
      );
    },
  },
  {
    field: 'layout.context',
    says: (ours) =>
      ours.number('layout.context') > 1 &&
      ours.number('run.sequenceLength') % (2 * ours.number('layout.context')) !== 0 &&
      'seq-length should be a multiple of 2 * context-parallel-size if context-parallel-size > 1.',
  },
  {
    field: 'layout.pipeline',
    says: (ours) =>
      stagesOf(ours) === undefined &&
      ours.number('model.layers') % ours.number('layout.pipeline') !== 0 &&
      'Number of layers should be divisible by the pipeline-model-parallel size',
  },
  {
    field: 'layout.virtualStages',
    says: (ours) => {
      const each = ours.number('model.layers') / ours.number('layout.pipeline');
      const chunks = ours.number('layout.virtualStages');
      return (
        interleaves(ours) &&
        Number.isInteger(each) &&
        each % chunks !== 0 &&
        'number of layers per pipeline stage must be divisible number of layers per virtual pipeline stage'
      );
    },
  },
  {
    field: 'layout.expert',
    says: (ours) =>
      isSparse(ours) &&
      ours.number('model.experts') % ours.number('layout.expert') !== 0 &&
      'Number of experts should be a multiple of expert model parallel_size.',
  },
  {
    field: 'layout.expertTensor',
    says: (ours) => {
      const size =
        ours.number('layout.expertTensor') *
        ours.number('layout.expert') *
        ours.number('layout.pipeline');
      return (
        isSparse(ours) &&
        ours.number('run.chips') % size !== 0 &&
        `world_size (${ours.number('run.chips')}) is not divisible by expert_tensor_model_pipeline_parallel size (${size})`
      );
    },
  },
  {
    field: 'layout.sequenceParallel',
    says: (ours) =>
      isSparse(ours) &&
      ours.number('layout.expert') > 1 &&
      ours.number('layout.tensor') > 1 &&
      ours.of('layout.sequenceParallel') === false &&
      'When using expert parallelism and tensor parallelism for training, sequence parallelism must be used',
  },
  {
    field: 'layout.microBatch',
    says: (ours) => {
      const [batch, micro, copies] = [
        sequences(ours),
        ours.number('layout.microBatch'),
        replicas(ours),
      ];
      return (
        Number.isInteger(copies) &&
        batch % (micro * copies) !== 0 &&
        `global batch size (${batch}) is not divisible by micro batch size (${micro}) times data parallel size (${copies})`
      );
    },
  },
  {
    field: 'layout.shardGroup',
    says: (ours) => {
      const group = ours.number('layout.shardGroup');
      return (
        group > 0 &&
        replicas(ours) % group !== 0 &&
        'Data parallel size should be divisible by partial DistOpt shard factor'
      );
    },
  },
];

export const megatron: Software = {
  id: 'megatron',
  name: 'Megatron-LM',
  question: 'plan',
  preset: 'megatron-core',
  rows,
  sizes,
  // What is left out is as in GPT-2: embeddings tied, biases everywhere, four times as wide, LayerNorm.
  *usualSizes(given) {
    const says = (...keys: string[]): boolean => keys.some((key) => given.has(key));
    if (!says('untie_embeddings_and_output_weights', 'share_embeddings_and_output_weights')) {
      yield ['untie_embeddings_and_output_weights', false];
    }
    if (!says('add_bias_linear')) yield ['add_bias_linear', true];
    if (!says('swiglu')) yield ['swiglu', false];
    if (!says('normalization')) yield ['normalization', 'LayerNorm'];
    const hidden = given.get('hidden_size');
    if (!says('ffn_hidden_size') && typeof hidden === 'number')
      yield ['ffn_hidden_size', 4 * hidden];
  },
  unplaced:
    /^(rampup[-_]batch|step[-_]batch|first[-_]last[-_]layers|num[-_]layers[-_]at[-_](start|end)|hierarchical[-_]context|outer[-_]dp|expert[-_]model.*layout|delay[-_]wgrad|overlap[-_]moe|moe[-_]expert[-_]capacity|moe[-_]router[-_](num[-_]groups|group[-_]topk)|exp[-_]avg|main[-_]params|fp4|fp8[-_]recipe|fp8[-_]param|optimizer[-_]offload[-_]fraction|cpu[-_]offloading|moe[-_]shared[-_]expert[-_]overlap|microbatch[-_]group|megatron[-_]fsdp[-_]|distribute[-_]saved|fine[-_]grained|defer[-_]embedding)/,
  quiet:
    /^(fp8[-_]amax|tiktoken|mscale|mtp[-_]loss|auto[-_]detect|enable[-_]experimental|fsdp[-_]double|use[-_]nccl|moe[-_](flex|router[-_](topk[-_]scaling|enable|force))|recipe|lr|min[-_]lr|decoupled|weight[-_]decay|adam|clip|init|seed|save|load|log|tensorboard|wandb|data|split|tokenizer|vocab[-_]file|merge|eval|exit|num[-_]workers|rdzv|master|node[-_]rank|rotary|position[-_]embedding|norm[-_]?eps|layernorm|attention[-_]softmax|no[-_]|use[-_]mcore|transformer[-_]impl|distributed[-_](backend|timeout)|manual[-_]gc|empty[-_]unused|profile|nsys|ckpt|dist[-_]ckpt|mock|finetune|config|timing|moe[-_](grouped|token|aux|router[-_](load|dtype|pre|score|bias)|permute|z[-_]loss|per)|cross[-_]entropy|calculate|use[-_](flash|rotary|tp)|apply|make[-_]vocab|monitor|max[-_]restarts|role|tee|m$|module)/,
  checks,
  text: ({ launcher: by, model, program }) =>
    joined([
      ['torchrun', ...flags(by)].join(' '),
      'pretrain_gpt.py',
      ...flags(model),
      ...flags(program),
    ]),
};
