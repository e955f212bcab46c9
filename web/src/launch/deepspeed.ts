// DeepSpeed. Settings: deepspeedai/DeepSpeed@edaa7221 (August 2026), docs/_pages/config-json.md. Settings
// of Hugging Face's Trainer on the same command stand for those that are "auto".

import { launcher } from './launcher.ts';
import {
  flags,
  replicas,
  sequences,
  ways,
  type Check,
  type Option,
  type Software,
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
  type Value,
  type Write,
} from './values.ts';

const steps = (ours: Write): number =>
  sequences(ours) / (ours.number('layout.microBatch') * replicas(ours));

const unsharded = (ours: Write): boolean => ours.of('layout.sharding') === 'none';

const batchOf = (count: number, read: Read): Ours | undefined =>
  positive('run.batchTokens', count * read.number('run.sequenceLength'));

const formatIf = (value: Value, format: string): Ours | undefined => {
  const on = switchOf(value);
  return on === undefined ? undefined : on ? { 'run.computeFormat': format } : {};
};

const rows: readonly Row[] = [
  ...launcher,
  number(
    ['model_max_length', 'max_seq_length', 'max_length', 'seq_length', 'cutoff_len'],
    'run.sequenceLength',
    {
      if: () => false,
    },
  ),
  number('tensor_parallel.autotp_size', 'layout.tensor', {
    if: (ours) => ours.number('layout.tensor') > 1,
    usual: () => ({ 'layout.tensor': 1 }),
  }),
  {
    keys: ['sequence_parallel_size'],
    put: (ours) =>
      ours.number('layout.context') > 1 && ours.of('layout.contextKind') === 'ulysses'
        ? ours.number('layout.context')
        : undefined,
    take: (value) => {
      const count = numberOf(value);
      if (!(count >= 1)) return undefined;
      return count > 1
        ? { 'layout.context': count, 'layout.contextKind': 'ulysses' }
        : { 'layout.context': 1 };
    },
    usual: () => ({ 'layout.context': 1 }),
  },
  number(['pipeline_parallel_size', 'pipe_parallel_size'], 'layout.pipeline', {
    if: () => false,
    usual: () => ({ 'layout.pipeline': 1 }),
  }),
  number(['expert_parallel.autoep_size'], 'layout.expert', {
    if: (ours) => ours.number('layout.expert') > 1,
    usual: () => ({ 'layout.expert': 1 }),
  }),
  follows((read) =>
    read.said('run.chips') === undefined
      ? { 'run.chips': ways(read) * Math.max(1, read.number('layout.expert')) }
      : undefined,
  ),
  {
    keys: ['zero_optimization.stage', 'zero_stage'],
    put: (ours) =>
      ['none', 'optimizer', 'gradients', 'parameters'].indexOf(String(ours.of('layout.sharding'))),
    take: (value) => {
      const stage = ['none', 'optimizer', 'gradients', 'parameters'][numberOf(value)];
      return stage === undefined ? undefined : { 'layout.sharding': stage };
    },
    usual: () => ({ 'layout.sharding': 'none' }),
  },
  {
    keys: ['zero_optimization.zero_hpz_partition_size', 'zero_optimization.mics_shard_size'],
    put: (ours) => (unsharded(ours) ? undefined : ours.number('layout.shardGroup') || undefined),
    take: (value) =>
      numberOf(value) >= 0
        ? { 'layout.shardGroup': Math.max(0, numberOf(value) === 1 ? 0 : numberOf(value)) }
        : undefined,
    usual: () => ({ 'layout.shardGroup': 0 }),
  },
  {
    keys: ['train_micro_batch_size_per_gpu', 'per_device_train_batch_size'],
    put: (ours) => ours.number('layout.microBatch'),
    take: (value) => positive('layout.microBatch', numberOf(value)),
    usual: (read) => {
      const all = read.other('train_batch_size', NaN);
      const each = all / replicas(read) / read.other('gradient_accumulation_steps', 1);
      return Number.isNaN(all) ? undefined : { 'layout.microBatch': Math.max(1, Math.floor(each)) };
    },
  },
  {
    keys: ['gradient_accumulation_steps'],
    put: (ours) => (Number.isInteger(steps(ours)) ? steps(ours) : undefined),
    take: (value, read) =>
      numberOf(value) >= 1
        ? batchOf(read.number('layout.microBatch') * replicas(read) * numberOf(value), read)
        : undefined,
  },
  {
    keys: ['train_batch_size'],
    put: (ours) => sequences(ours),
    take: (value, read) => batchOf(numberOf(value), read),
  },
  follows((read) =>
    read.said('run.batchTokens') === undefined
      ? batchOf(read.number('layout.microBatch') * replicas(read), read)
      : undefined,
  ),
  {
    keys: ['max_steps', 'train_steps'],
    put: () => undefined,
    take: (value, read) =>
      numberOf(value) === -1
        ? {}
        : positive('run.tokens', numberOf(value) * read.number('run.batchTokens')),
  },
  {
    keys: ['bf16.enabled', 'bf16'],
    put: (ours) => ours.of('run.computeFormat') === 'bf16' || undefined,
    take: (value) => formatIf(value, 'bf16'),
  },
  {
    keys: ['fp16.enabled', 'fp16'],
    put: (ours) => ours.of('run.computeFormat') === 'fp16' || undefined,
    take: (value) => formatIf(value, 'fp16'),
  },
  choice(
    'data_types.grad_accum_dtype',
    'layout.gradientFormat',
    { bf16: ['bf16', 'bfloat16'], fp32: ['fp32', 'float32'] },
    {
      if: (ours) =>
        ours.of('layout.gradientFormat') === 'bf16' || ours.of('layout.gradientFormat') === 'fp32',
    },
  ),
  choice(
    ['zero_optimization.offload_optimizer.device'],
    'layout.offload',
    { optimizer: ['cpu', 'nvme'], none: 'none' },
    {
      if: (ours) => ours.of('layout.offload') === 'optimizer',
      usual: () => ({ 'layout.offload': 'none' }),
    },
  ),
  {
    keys: ['zero_optimization.offload_param.device'],
    put: (ours) => (ours.of('layout.offload') === 'all' ? 'cpu' : undefined),
    take: (value) => (/^(cpu|nvme)$/.test(String(value)) ? { 'layout.offload': 'all' } : {}),
  },
  {
    keys: ['zero_optimization.overlap_comm'],
    put: (ours) => (unsharded(ours) ? undefined : ours.of('stack.dataOverlap') === true),
    take: (value) => {
      const on = switchOf(value);
      return on === undefined ? undefined : { 'stack.dataOverlap': on };
    },
    usual: (read) => ({ 'stack.dataOverlap': read.said('layout.sharding') === 'parameters' }),
  },
  choice(
    'communication_data_type',
    'stack.reduceFormat',
    { bf16: ['bf16', 'bfp16', 'fp16'], gradients: 'fp32' },
    { if: (ours) => ours.of('stack.reduceFormat') === 'bf16' },
  ),
  {
    keys: ['gradient_checkpointing'],
    is: 'switch',
    put: () => undefined,
    take: (value) => ({ 'layout.recompute': switchOf(value) ? 'full' : 'none' }),
  },
  {
    keys: ['optimizer.type', 'optim'],
    put: (ours) =>
      ({ adam: 'AdamW', adam8bit: 'adamw_8bit', lion: 'Lion', muon: 'Muon', sgd: 'SGD' })[
        String(ours.of('layout.optimizer'))
      ],
    take: (value) => {
      const said = textOf(value).toLowerCase();
      const found = /8bit/.test(said)
        ? 'adam8bit'
        : ['adafactor', 'lion', 'muon', 'sgd', 'adam'].find((each) => said.includes(each));
      return found === undefined ? undefined : { 'layout.optimizer': found };
    },
  },
];

const checks: readonly Check[] = [
  {
    field: 'layout.microBatch',
    says: (ours) => {
      const [all, micro, copies] = [
        sequences(ours),
        ours.number('layout.microBatch'),
        replicas(ours),
      ];
      return (
        !Number.isInteger(steps(ours)) &&
        `Check batch related parameters. train_batch_size is not equal to micro_batch_per_gpu * gradient_acc_step * world_size ${all} != ${micro} * ${Math.floor(steps(ours))} * ${copies}`
      );
    },
  },
  {
    field: 'layout.sharding',
    says: (ours) =>
      ours.number('layout.pipeline') > 1 &&
      ['gradients', 'parameters'].includes(String(ours.of('layout.sharding'))) &&
      'ZeRO-2 and ZeRO-3 are incompatible with pipeline parallelism',
  },
];

/** Settings as the nested object that the file is. */
function nested(options: readonly Option[]): Record<string, unknown> {
  const file: Record<string, unknown> = {};
  for (const [key, value] of options) {
    const path = key.split('.');
    const last = path.pop()!;
    let place = file;
    for (const part of path) place = (place[part] ??= {}) as Record<string, unknown>;
    place[last] = value;
  }
  return file;
}

export const deepspeed: Software = {
  id: 'deepspeed',
  name: 'DeepSpeed',
  question: 'plan',
  preset: 'usual',
  rows,
  unplaced:
    /^(zero_optimization\.(zero_quantized|offload_optimizer\.(ratio|nvme)|sub_group|stage3_(max|param|prefetch))|activation_checkpointing|moe|compression|hybrid_engine|amp|torch_autocast|fp8|curriculum|sparse_attention|tensor_parallel|expert_parallel|pipeline)/,
  quiet:
    /^(gradient_clipping|steps_per_print|wall_clock|optimizer|scheduler|zero_(optimization|allow|force)|flops_profiler|tensorboard|wandb|csv|comms_logger|dump|logging|checkpoint|aio|elasticity|autotuning|prescale|gradient_predivide|bf16|fp16|deepspeed|data_types|communication|disable_allgather|output|save|learning|lr|weight|warmup|eval|do_|model|tokenizer|dataset|data|num[-_](train|epochs)|report|logging|seed|overwrite|ddp|hostfile|master|node|include|exclude|launcher|local[-_]rank|template|stage|finetuning|lora|preprocessing|max[-_]samples|plot|torch_dtype|attn|gradient[-_]check)/,
  checks,
  text: ({ launcher: by, program }, { model }) => {
    const launch = by.map(([key, value]): Option => [
      key === 'nnodes' ? 'num_nodes' : 'num_gpus',
      value,
    ]);
    const body = JSON.stringify(nested(program as readonly (readonly [string, Value])[]), null, 2);
    return [
      "cat > ds_config.json <<'EOF'",
      body,
      'EOF',
      `deepspeed ${flags(launch).join(' ')} \${SCRIPT} --model_name_or_path ${model} --deepspeed ds_config.json\n`,
    ].join('\n');
  },
};
