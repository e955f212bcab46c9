// vLLM. Options: vllm-project/vllm@00193b82 (vllm/config/parallel.py) and @002f10e0 (vllm/config/cache.py),
// August 2026. Its tensor ways are those of one data rank.

import {
  chips,
  copies,
  dispatch,
  drafts,
  heads,
  inJson,
  load,
  spread,
  twoBatches,
  weights,
} from './serving-rows.ts';
import { flags, isSparse, joined, type Software } from './software.ts';
import { choice, number, numberOf, scaledOf, toggle, type Row, type Value } from './values.ts';

/** A number of tokens, such as 131072, 128k or 128K. */
const tokens = (
  keys: string | readonly string[],
  id: 'server.longestSequence' | 'server.tokenBudget',
): Row => ({
  ...number(keys, id),
  take: (value) => {
    const count = scaledOf(value);
    return count > 0
      ? { [id]: Math.round(count) }
      : String(value) === '-1' || value === 'auto'
        ? {}
        : undefined;
  },
});

const rows: readonly Row[] = [
  number(['tensor-parallel-size', 'tp'], 'serving.tensor', {
    usual: () => ({ 'serving.tensor': 1 }),
  }),
  number(['pipeline-parallel-size', 'pp'], 'serving.pipeline', {
    if: (ours) => ours.number('serving.pipeline') > 1,
    usual: () => ({ 'serving.pipeline': 1 }),
  }),
  {
    // Without experts, these are whole copies.
    keys: ['data-parallel-size', 'dp'],
    put: (ours) => {
      const ways = isSparse(ours) ? ours.number('serving.attentionData') : copies(ours);
      return ways > 1 ? ways : undefined;
    },
    take: (value, read) => {
      const ways = numberOf(value);
      return ways >= 1 ? { 'serving.attentionData': isSparse(read) ? ways : 1 } : undefined;
    },
    usual: () => ({ 'serving.attentionData': 1 }),
  },
  toggle(
    ['enable-expert-parallel', 'ep'],
    (ours) => isSparse(ours) && ours.number('serving.expert') > 1,
    (on, read) => ({ 'serving.expert': on && isSparse(read) ? spread(read) : 1 }),
    { usual: () => ({ 'serving.expert': 1 }) },
  ),
  dispatch('all2all-backend', {
    kernels: [
      'deepep_high_throughput',
      'deepep_low_latency',
      'pplx',
      'flashinfer_all2allv',
      'mori_high_throughput',
      'mori_low_latency',
    ],
    allGather: ['allgather_reducescatter', 'naive'],
  }),
  twoBatches('enable-dbo'),
  chips((read) => (isSparse(read) ? 1 : Math.max(1, read.other('data-parallel-size', 1)))),
  number('max-num-seqs', 'server.mostSequences'),
  tokens('max-num-batched-tokens', 'server.tokenBudget'),
  tokens('max-model-len', 'server.longestSequence'),
  {
    keys: ['gpu-memory-utilization'],
    put: (ours) =>
      ours.of('server.shareOf') === 'whole' ? ours.number('server.memoryShare') : undefined,
    take: (value) => {
      const share = numberOf(value);
      return share > 0 && share <= 1
        ? { 'server.shareOf': 'whole', 'server.memoryShare': share }
        : undefined;
    },
    usual: () => ({ 'server.shareOf': 'whole', 'server.memoryShare': 0.92 }),
  },
  number('block-size', 'server.blockTokens', { usual: () => ({ 'server.blockTokens': 16 }) }),
  choice(
    'kv-cache-dtype',
    'server.cacheFormat',
    {
      bf16: ['auto', 'bfloat16', 'float16'],
      fp8: ['fp8', 'fp8_e4m3', 'fp8_e5m2', 'fp8_inc', 'fp8_ds_mla'],
      nvfp4: 'nvfp4',
      int8: 'int8_per_token_head',
      int4: 'int4_per_token_head',
    },
    {
      if: (ours) => ours.of('server.cacheFormat') !== 'bf16',
      usual: () => ({ 'server.cacheFormat': 'bf16' }),
    },
  ),
  weights('quantization'),
  toggle(
    'enable-prefix-caching',
    () => false,
    (on) => (on ? {} : { 'serving.prefixShare': 0 }),
  ),
  {
    keys: ['speculative-config'],
    put: (ours) => {
      const count = ours.number('serving.draftTokens');
      if (count === 0) return undefined;
      const method =
        ours.number('model.mtpModules') > 0
          ? { method: 'mtp' }
          : { method: 'draft_model', model: '${DRAFT_MODEL}' };
      return JSON.stringify({ ...method, num_speculative_tokens: count });
    },
    take: (value) => drafts(inJson(value, 'num_speculative_tokens')),
    usual: () => ({ 'serving.draftTokens': 0 }),
  },
  {
    keys: ['num-speculative-tokens'],
    put: () => undefined,
    take: (value) => drafts(value),
  },
  number('stream-interval', 'server.streamInterval', {
    if: (ours) => ours.number('server.streamInterval') > 1,
    usual: () => ({ 'server.streamInterval': 1 }),
  }),
  {
    // Ranks beyond the key heads hold other tokens instead of copies.
    keys: ['decode-context-parallel-size', 'dcp'],
    put: (ours) => {
      const heads = ours.of('model.attention') === 'latent' ? 1 : ours.number('model.kvHeads');
      const ways = ours.number('serving.tensor') / heads;
      return ours.of('server.divideByBatch') === true && Number.isInteger(ways) && ways > 1
        ? ways
        : undefined;
    },
    take: (value) =>
      numberOf(value) >= 1 ? { 'server.divideByBatch': numberOf(value) > 1 } : undefined,
    usual: () => ({ 'server.divideByBatch': false }),
  },
  {
    keys: ['num-redundant-experts', 'eplb-config'],
    put: (ours) => ours.number('server.redundantExperts') || undefined,
    take: (value) => {
      const count = numberOf(inJson(value, 'num_redundant_experts') ?? value);
      return count >= 0 ? { 'server.redundantExperts': count } : {};
    },
    usual: () => ({ 'server.redundantExperts': 0 }),
  },
  ...load,
];

export const vllm: Software = {
  id: 'vllm',
  name: 'vLLM',
  question: 'serving',
  preset: 'vllm',
  rows,
  unplaced:
    /^(enforce-eager|async-scheduling|enable-chunked|enable-eplb|compilation-config|cpu-offload|kv-offloading|kv-cache-memory|swap-space|enable-lora|max-lora|prefill-context|hf-overrides|rope-|num-gpu-blocks|max-num-partial|long-prefill|calculate-kv|max-cudagraph|cuda-graph|O\d?$)/,
  quiet:
    /^(host|port|api-key|served-model|trust-remote|download-dir|load-format|dtype|tokenizer|seed|disable-log|enable-log|uvicorn|chat-template|enable-auto-tool|tool-call|reasoning|enable-reasoning|limit-mm|mm-|distributed-executor|data-parallel-(size-local|address|rpc|start|backend|hybrid|external|rank)|headless|nnodes|node-rank|master|api-server|kv-transfer|revision|generation-config|override-|max-logprobs|ssl|root-path|middleware|response-role|guided|structured|attention-(backend|config)|enable-prefix|worker|language-model|allowed|config|gpus|runtime|shm|ipc|network|env|v$|p$|e$|rm|it|name|dataset|num-prompts|num-warmups|backend|endpoint|base-url|ignore-eos|percentile|save-result|result|ready|burst|restart|device|ulimit|privileged|entrypoint)/,
  checks: [
    heads(
      (count, ways) =>
        `Total number of attention heads (${count}) must be divisible by tensor parallel size (${ways}).`,
    ),
  ],
  text: ({ program }, { model, role }) => {
    const transfer =
      role &&
      JSON.stringify({
        kv_connector: 'NixlConnector',
        kv_role: role === 'prefill' ? 'kv_producer' : 'kv_consumer',
      });
    return joined([
      `vllm serve ${model}`,
      ...flags(transfer ? [...program, ['kv-transfer-config', transfer as Value]] : program),
    ]);
  },
};
