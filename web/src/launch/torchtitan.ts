// torchtitan. Options and rules: pytorch/torchtitan@b5bcd76c (August 2026), torchtitan/config/configs.py
// and distributed/parallel_dims.py; the names of its toml files, which it had until 2026, are read, too.

import { launcher } from './launcher.ts';
import { flags, joined, replicas, ways, type Check, type Software, isSparse } from './software.ts';
import {
  choice,
  follows,
  number,
  numberOf,
  positive,
  switchOf,
  toggle,
  type Ours,
  type Read,
  type Row,
  type Value,
  type Write,
} from './values.ts';

const inPart = (part: string, ...names: string[]): string[] =>
  names.map((name) => `${part}.${name}`);

const isSharded = (ours: Write): boolean => ours.of('layout.sharding') !== 'none';
const group = (ours: Write): number => ours.number('layout.shardGroup') || replicas(ours);

/** Replicas as far as they are said: −1 is all that the chips leave. */
function divided(shard: number, read: Read): Ours {
  const copies = read.other('parallelism.data_parallel_replicate_degree', 1);
  const reshard = read.is('parallelism.fsdp_reshard_after_forward', 'never');
  const sharding = shard === 1 ? 'none' : reshard ? 'gradients' : 'parameters';
  const isHybrid = copies > 1 && shard !== 1;
  return {
    'layout.sharding': sharding,
    'layout.shardGroup': isHybrid ? (shard > 0 ? shard : replicas(read) / copies) : 0,
  };
}

const schedules: Row = choice(
  inPart('parallelism', 'pipeline_parallel_schedule'),
  'layout.schedule',
  {
    oneFOneB: '1F1B',
    interleaved: ['Interleaved1F1B', 'LoopedBFS'],
    gpipe: 'GPipe',
    zb1p: ['InterleavedZeroBubble', 'ZeroBubble'],
    zbv: 'ZBVZeroBubble',
  },
  {
    if: (ours) => ours.number('layout.pipeline') > 1,
    usual: (read) =>
      read.number('layout.pipeline') > 1 ? { 'layout.schedule': 'oneFOneB' } : undefined,
  },
);

const rows: readonly Row[] = [
  ...launcher,
  number(inPart('training', 'max_context_length', 'seq_len'), 'run.sequenceLength'),
  ...(
    [
      ['tensor_parallel_degree', 'layout.tensor'],
      ['pipeline_parallel_degree', 'layout.pipeline'],
      ['context_parallel_degree', 'layout.context'],
      ['expert_parallel_degree', 'layout.expert'],
      ['expert_tensor_parallel_degree', 'layout.expertTensor'],
    ] as const
  ).map(([key, id]) =>
    number(inPart('parallelism', key), id, {
      if: (ours) => ours.number(id) > 1 && id !== 'layout.expertTensor',
      usual: () => ({ [id]: 1 }),
    }),
  ),
  follows((read) => {
    if (read.said('run.chips') !== undefined) return undefined;
    const shard = Math.max(1, read.other('parallelism.data_parallel_shard_degree', 1));
    const copies = read.other('parallelism.data_parallel_replicate_degree', 1);
    return { 'run.chips': ways(read) * shard * copies };
  }),
  {
    keys: inPart('parallelism', 'enable_sequence_parallel'),
    put: (ours) =>
      ours.number('layout.tensor') > 1 && ours.of('layout.sequenceParallel') === false
        ? 'False'
        : undefined,
    take: (value) => {
      const on = switchOf(value);
      return on === undefined ? undefined : { 'layout.sequenceParallel': on };
    },
    usual: (read) =>
      read.number('layout.tensor') > 1 ? { 'layout.sequenceParallel': true } : undefined,
  },
  choice(
    inPart('parallelism', 'context_parallel_rotate_method'),
    'layout.contextKind',
    { allGather: 'allgather', ring: 'alltoall' },
    {
      if: () => false,
      usual: (read) =>
        read.number('layout.context') > 1 ? { 'layout.contextKind': 'allGather' } : undefined,
    },
  ),
  {
    ...schedules,
    // Its interleaved schedule takes more than one part.
    put: (ours) =>
      ours.of('layout.schedule') === 'interleaved' && ours.number('layout.virtualStages') === 1
        ? ours.number('layout.pipeline') > 1
          ? '1F1B'
          : undefined
        : schedules.put(ours),
  },
  {
    keys: inPart('parallelism', 'pipeline_parallel_layers_per_stage'),
    put: (ours) => {
      const each =
        ours.number('model.layers') /
        ours.number('layout.pipeline') /
        ours.number('layout.virtualStages');
      const chunks =
        ours.number('layout.virtualStages') > 1 && ours.of('layout.schedule') === 'interleaved';
      return ours.number('layout.pipeline') > 1 && chunks && Number.isInteger(each)
        ? each
        : undefined;
    },
    take: (value, read) => {
      // The last virtual stage may have fewer.
      const stages = Math.ceil(read.number('model.layers') / numberOf(value));
      const chunks = stages / read.number('layout.pipeline');
      return Number.isInteger(chunks) ? { 'layout.virtualStages': chunks } : undefined;
    },
    usual: (read) =>
      read.number('layout.pipeline') > 1
        ? { 'layout.virtualStages': read.said('layout.schedule') === 'interleaved' ? 2 : 1 }
        : undefined,
  },
  {
    keys: inPart('parallelism', 'fsdp_reshard_after_forward'),
    put: (ours) => {
      if (!isSharded(ours)) return undefined;
      return ours.of('layout.sharding') === 'parameters' ? 'always' : 'never';
    },
    take: (value) => (/^(always|never|default)$/i.test(String(value)) ? {} : undefined),
  },
  {
    keys: inPart('parallelism', 'data_parallel_shard_degree'),
    put: (ours) => (isSharded(ours) ? group(ours) : 1),
    take: (value, read) => {
      const shard = numberOf(value);
      return shard === -1 || shard >= 1 ? divided(shard, read) : undefined;
    },
    usual: (read) => divided(-1, read),
  },
  {
    keys: inPart('parallelism', 'data_parallel_replicate_degree'),
    put: (ours) => {
      const copies = isSharded(ours) ? replicas(ours) / group(ours) : replicas(ours);
      return copies > 1 ? copies : undefined;
    },
    take: (value) => (numberOf(value) >= 1 ? {} : undefined),
  },
  {
    keys: [
      ...inPart('training', 'num_tokens_per_microbatch_per_dp_rank'),
      ...inPart('training', 'local_batch_size', 'batch_size'),
    ],
    put: (ours) => ours.number('layout.microBatch') * ours.number('run.sequenceLength'),
    take: (value, read) => {
      // Tokens now, sequences once; with stages, these were divided further.
      const isTokens = read.on('training.num_tokens_per_microbatch_per_dp_rank');
      const staged = read.number('layout.pipeline') > 1;
      const found = isTokens
        ? numberOf(value) / read.number('run.sequenceLength')
        : staged
          ? read.other('parallelism.pipeline_parallel_microbatch_size', 1)
          : numberOf(value);
      return found > 0 ? { 'layout.microBatch': Math.max(1, Math.floor(found)) } : undefined;
    },
  },
  {
    keys: inPart('parallelism', 'pipeline_parallel_microbatch_size'),
    put: () => undefined,
    take: (value) => (numberOf(value) > 0 ? {} : undefined),
  },
  {
    keys: inPart('parallelism', 'num_pp_microbatches'),
    put: (ours) => {
      const count =
        ours.number('run.batchTokens') /
        (ours.number('layout.microBatch') * ours.number('run.sequenceLength') * replicas(ours));
      return ours.number('layout.pipeline') > 1 && Number.isInteger(count) ? count : undefined;
    },
    take: (value) => (numberOf(value) > 0 ? {} : undefined),
  },
  {
    keys: inPart('training', 'num_tokens_per_train_step'),
    put: (ours) => ours.number('run.batchTokens'),
    take: (value, read) =>
      numberOf(value) === -1 ? oneEach(read) : positive('run.batchTokens', numberOf(value)),
  },
  {
    keys: inPart('training', 'global_batch_size'),
    put: () => undefined,
    take: (value, read) =>
      numberOf(value) === -1
        ? oneEach(read)
        : positive('run.batchTokens', numberOf(value) * read.number('run.sequenceLength')),
  },
  follows((read) => (read.said('run.batchTokens') === undefined ? oneEach(read) : undefined)),
  {
    keys: inPart('training', 'steps'),
    put: (ours) => Math.ceil(ours.number('run.tokens') / ours.number('run.batchTokens')),
    take: (value, read) => positive('run.tokens', numberOf(value) * read.number('run.batchTokens')),
  },
  choice(
    ['activation-checkpoint', 'activation_checkpoint.mode'],
    'layout.recompute',
    { none: 'none', selective: 'selective', full: 'full' },
    { if: (ours) => ['none', 'selective', 'full'].includes(String(ours.of('layout.recompute'))) },
  ),
  {
    keys: inPart('training', 'enable_cpu_offload'),
    put: (ours) => (ours.of('layout.offload') === 'all' ? 'True' : undefined),
    take: (value) => {
      const on = switchOf(value);
      return on === undefined ? undefined : { 'layout.offload': on ? 'all' : 'none' };
    },
    usual: () => ({ 'layout.offload': 'none' }),
  },
  {
    keys: ['model.converters', 'quantize.linear.float8', 'float8.enable_float8_linear'],
    is: 'list',
    put: () => undefined,
    take: (value) => (/float8|mx/i.test(String(value)) ? { 'layout.fp8Matmuls': true } : {}),
  },
  toggle(
    'compile.enable_async_tensor_parallel',
    () => false,
    (on) => ({ 'stack.tensorOverlap': on }),
  ),
];

/** One micro-batch of each replica. */
function oneEach(read: Read): Ours | undefined {
  const local = read.other('training.local_batch_size', read.other('training.batch_size', NaN));
  const micro = Number.isNaN(local)
    ? read.number('layout.microBatch') * read.other('parallelism.num_pp_microbatches', 1)
    : local;
  return positive('run.batchTokens', micro * replicas(read) * read.number('run.sequenceLength'));
}

const checks: readonly Check[] = [
  {
    field: 'run.chips',
    says: (ours) => {
      const [cp, tp, pp] = ['context', 'tensor', 'pipeline'].map((key) =>
        ours.number(`layout.${key}`),
      );
      const shard = isSharded(ours) ? Math.floor(group(ours)) : 1;
      const copies = Math.floor(replicas(ours) / shard);
      return (
        copies * shard * ways(ours) !== ours.number('run.chips') &&
        `Invalid parallel dims: dp_replicate(${copies}) * dp_shard(${shard}) * cp(${cp}) * tp(${tp}) * pp(${pp}) != WORLD_SIZE(${ours.number('run.chips')})`
      );
    },
  },
  {
    field: 'layout.expert',
    says: (ours) => {
      const shard = isSharded(ours) ? group(ours) : 1;
      const region = shard * ours.number('layout.context') * ours.number('layout.tensor');
      const expert = ours.number('layout.expert');
      return (
        isSparse(ours) &&
        region % expert !== 0 &&
        `expert_parallel_degree (${expert}) must divide dp_shard * cp * tp (${region})`
      );
    },
  },
];

export const torchtitan: Software = {
  id: 'torchtitan',
  name: 'torchtitan',
  question: 'plan',
  preset: 'torchtitan',
  rows,
  unplaced:
    /^(parallelism\.(module_fqns|pipeline_parallel_(first|last|split|schedule_csv)|context_parallel_(load|ptrr))|quantize|float8|mx|training\.(mixed_precision|dtype)|optimizer\.(name|early_step)|compile\.enable$|fault_tolerance)/,
  quiet:
    /^(job|profil|metrics|checkpoint|comm|experimental|lr_scheduler|optimizer|validat|data|model|compile|activation_checkpoint|memory_estimation|debug|training\.(dataset|max_norm|seed|gc|deterministic|warmup|lr|compile|data_path)|parallelism\.(enable_(async|compiled|fsdp)|spmd|disable_loss)|module|config|rdzv|local[-_]ranks|role|tee|master|node|m$|max[-_]restarts)/,
  checks,
  text: ({ launcher: by, program }, { model }) => {
    const policy = program.find(([key]) => key === 'activation-checkpoint');
    const others = program.filter((each) => each !== policy);
    return joined([
      ['torchrun', ...flags(by)].join(' '),
      '-m torchtitan.train',
      `--module \${MODULE} --config \${CONFIG} --hf_assets_path ${model}`,
      ...flags(others),
      ...(policy ? [`activation-checkpoint:${String(policy[1] as Value)}`] : []),
    ]);
  },
};
