// SGLang. Options: sgl-project/sglang@004813e1 (docs/advanced_features/server_arguments.md) and @469c63e5
// (server_args.py), August 2026. Its tensor ways are all chips of a stage, whatever attention does.

import {
  chips,
  copies,
  dispatch,
  drafts,
  heads,
  load,
  spread,
  twoBatches,
  weights,
} from './serving-rows.ts';
import { flags, isSparse, joined, type Software } from './software.ts';
import {
  choice,
  number,
  numberOf,
  scaled,
  toggle,
  type Read,
  type Row,
  type Write,
} from './values.ts';

/** Whether the data ranks are those of attention, and not whole servers. */
const byAttention = (read: Read): boolean => read.on('enable-dp-attention');
const ranks = (read: Read): number => Math.max(1, read.other('dp-size', 1));

/** Limits of the whole server are shared out among the data ranks of attention. */
const shared = (of: { number(id: 'serving.attentionData'): number }): number =>
  of.number('serving.attentionData');

/** The spellings by which experts are spread over all ranks. */
const everywhere = ['enable-ep-moe', 'enable-deepep-moe'];

const rows: readonly Row[] = [
  {
    keys: ['tp-size', 'tensor-parallel-size', 'tp'],
    put: (ours) => spread(ours),
    take: (value, read) => {
      const data = byAttention(read) ? ranks(read) : 1;
      const tensor = numberOf(value) / data;
      return Number.isInteger(tensor) && tensor > 0
        ? { 'serving.tensor': tensor, 'serving.attentionData': data }
        : undefined;
    },
    usual: () => ({ 'serving.tensor': 1, 'serving.attentionData': 1 }),
  },
  {
    keys: ['dp-size', 'data-parallel-size', 'dp'],
    put: (ours) => {
      const ways =
        ours.number('serving.attentionData') > 1
          ? ours.number('serving.attentionData')
          : copies(ours);
      return ways > 1 ? ways : undefined;
    },
    take: (value) => (numberOf(value) >= 1 ? {} : undefined),
  },
  toggle(
    'enable-dp-attention',
    (ours) => ours.number('serving.attentionData') > 1,
    () => ({}),
  ),
  number(['pp-size', 'pipeline-parallel-size'], 'serving.pipeline', {
    if: (ours) => ours.number('serving.pipeline') > 1,
    usual: () => ({ 'serving.pipeline': 1 }),
  }),
  number(['ep-size', 'expert-parallel-size', 'ep'], 'serving.expert', {
    if: (ours) => isSparse(ours) && ours.number('serving.expert') > 1,
    usual: () => ({ 'serving.expert': 1 }),
  }),
  ...everywhere.map((key) =>
    toggle(
      key,
      () => false,
      (on, read) =>
        on && read.said('serving.expert') === 1 ? { 'serving.expert': spread(read) } : {},
    ),
  ),
  {
    ...dispatch('moe-a2a-backend', { kernels: ['deepep'] }),
    // It spreads the experts over all ranks.
    take: (value, read) =>
      value === 'none'
        ? {}
        : { 'serving.expert': spread(read), 'server.expertDispatch': 'kernels' },
  },
  twoBatches('enable-two-batch-overlap'),
  chips((read) => (byAttention(read) ? 1 : ranks(read))),
  scaled('max-running-requests', 'server.mostSequences', shared),
  {
    ...scaled('chunked-prefill-size', 'server.tokenBudget', shared),
    take: (value, read) => {
      const count = numberOf(value);
      // −1: prompts come whole.
      if (count === -1) return { 'server.tokenBudget': 1e9 };
      return count > 0
        ? { 'server.tokenBudget': Math.max(1, Math.floor(count / shared(read))) }
        : undefined;
    },
  },
  number(['context-length', 'context-len'], 'server.longestSequence'),
  {
    keys: ['mem-fraction-static'],
    put: (ours: Write) =>
      ours.of('server.shareOf') === 'whole' ? ours.number('server.memoryShare') : undefined,
    take: (value) => {
      const share = numberOf(value);
      return share > 0 && share <= 1
        ? { 'server.shareOf': 'whole', 'server.memoryShare': share }
        : undefined;
    },
  },
  number('page-size', 'server.blockTokens', { usual: () => ({ 'server.blockTokens': 1 }) }),
  choice(
    'kv-cache-dtype',
    'server.cacheFormat',
    { bf16: ['auto', 'bf16', 'bfloat16'], fp8: ['fp8_e4m3', 'fp8_e5m2'], nvfp4: 'fp4_e2m1' },
    {
      if: (ours) => ours.of('server.cacheFormat') !== 'bf16',
      usual: () => ({ 'server.cacheFormat': 'bf16' }),
    },
  ),
  weights('quantization'),
  toggle(
    'disable-radix-cache',
    () => false,
    (off) => (off ? { 'serving.prefixShare': 0 } : {}),
  ),
  {
    keys: ['speculative-algorithm', 'speculative-algo'],
    put: (ours) => {
      if (ours.number('serving.draftTokens') === 0) return undefined;
      return ours.number('model.mtpModules') > 0 ? 'NEXTN' : 'EAGLE3';
    },
    take: () => ({}),
    usual: () => ({ 'serving.draftTokens': 0 }),
  },
  {
    keys: ['speculative-num-steps'],
    put: (ours) => ours.number('serving.draftTokens') || undefined,
    take: (value, read) => (read.on('speculative-num-draft-tokens') ? {} : drafts(value)),
  },
  {
    keys: ['speculative-eagle-topk'],
    put: (ours) => (ours.number('serving.draftTokens') > 0 ? 1 : undefined),
    // More than one make a tree of drafts.
    take: (value) => (numberOf(value) === 1 ? {} : undefined),
  },
  {
    // What is verified: the drafts and the token before them.
    keys: ['speculative-num-draft-tokens'],
    put: (ours) =>
      ours.number('serving.draftTokens') > 0 ? ours.number('serving.draftTokens') + 1 : undefined,
    take: (value) => drafts(numberOf(value) - 1),
  },
  number('stream-interval', 'server.streamInterval', {
    if: (ours) => ours.number('server.streamInterval') > 1,
    usual: () => ({ 'server.streamInterval': 1 }),
  }),
  toggle(
    'disable-overlap-schedule',
    (ours) => ours.of('server.host') === 'between',
    (off) => ({ 'server.host': off ? 'between' : 'beside' }),
    { usual: () => ({ 'server.host': 'beside' }) },
  ),
  number('ep-num-redundant-experts', 'server.redundantExperts', {
    if: (ours) => ours.number('server.redundantExperts') > 0,
    usual: () => ({ 'server.redundantExperts': 0 }),
  }),
  ...load,
];

export const sglang: Software = {
  id: 'sglang',
  name: 'SGLang',
  question: 'serving',
  preset: 'sglang',
  rows,
  unplaced:
    /^(disable-cuda-graph|cuda-graph|enable-mixed-chunk|max-prefill|max-total|enable-eplb|enable-hierarchical|hicache|enable-torch-compile|cpu-offload|enable-lora|max-lora|max-loras|schedule-conserv|moe-dense-tp|attn-cp|attention-context|enable-prefill-cp|enable-nsa|dp-size-lm|enable-dp-lm-head|init-expert|expert-distribution|deepep-mode|swa-full|num-continuous|enable-single-batch|disable-custom-all|prefill-round)/,
  quiet:
    /^(host|port|api-key|served-model|trust-remote|download|load-format|dtype|tokenizer|random-seed|log|show|enable-metrics|chat-template|tool-call|reasoning|nnodes|node-rank|dist-|nccl|device|base-gpu|skip|watchdog|disaggregation|attention-backend|prefill-attention|decode-attention|sampling|mm-|enable-multimodal|grammar|constrained|moe-runner|fp8-gemm|enable-flashinfer|flashinfer|speculative-(draft|token|attention|moe)|load-balance|preferred|json-model|revision|stream-output|allow-auto|schedule-policy|quantization-param|disable-shared|warmups|enable-cache-report|decode-log|gpus|shm|ipc|network|env|v$|p$|e$|rm|it|name|dataset|num-prompts|backend|base-url|seed|bootstrap|crash|router|policy|ulimit|privileged|entrypoint|runtime)/,
  checks: [
    {
      field: 'serving.attentionData',
      says: (ours) =>
        spread(ours) % ours.number('serving.attentionData') !== 0 &&
        'tp_size must be divisible by dp_size',
    },
    {
      field: 'serving.expert',
      says: (ours) =>
        isSparse(ours) &&
        spread(ours) % ours.number('serving.expert') !== 0 &&
        `tp_size (${spread(ours)}) must be divisible by ep_size (${ours.number('serving.expert')})`,
    },
    heads(
      (count, ways) =>
        `Total number of attention heads (${count}) must be divisible by tensor parallel size (${ways}).`,
    ),
  ],
  text: ({ program }, { model, role }) =>
    joined([
      'python3 -m sglang.launch_server',
      `--model-path ${model}`,
      ...flags(role ? [...program, ['disaggregation-mode', role]] : program),
    ]),
};
