// TensorRT-LLM. Options: NVIDIA/TensorRT-LLM@fcd3f316 (August 2026), tensorrt_llm/llmapi/llm_args.py, in
// the YAML of trtllm-serve or as its flags. Its tensor ways are all chips of a stage; with attention by
// data, its data ways are as many.

import { chips, drafts, heads, spread, weights } from './serving-rows.ts';
import { isSparse, word, type Option, type Software } from './software.ts';
import { choice, number, numberOf, switchOf, textOf, type Row } from './values.ts';

const rows: readonly Row[] = [
  {
    keys: ['tensor_parallel_size', 'tp_size'],
    put: (ours) => spread(ours),
    take: (value, read) => {
      const ways = numberOf(value);
      if (!(ways >= 1)) return undefined;
      return read.on('enable_attention_dp')
        ? { 'serving.tensor': 1, 'serving.attentionData': ways }
        : { 'serving.tensor': ways, 'serving.attentionData': 1 };
    },
    usual: () => ({ 'serving.tensor': 1, 'serving.attentionData': 1 }),
  },
  {
    keys: ['enable_attention_dp'],
    put: (ours) => (ours.number('serving.attentionData') > 1 ? true : undefined),
    take: (value) => (switchOf(value) === undefined ? undefined : {}),
  },
  number(['pipeline_parallel_size', 'pp_size'], 'serving.pipeline', {
    if: (ours) => ours.number('serving.pipeline') > 1,
    usual: () => ({ 'serving.pipeline': 1 }),
  }),
  {
    keys: ['moe_expert_parallel_size', 'ep_size'],
    put: (ours) => (isSparse(ours) ? ours.number('serving.expert') : undefined),
    take: (value, read) => {
      const ways = numberOf(value);
      // −1: as the other degree leaves.
      if (ways === -1) return { 'serving.expert': 1 };
      return ways >= 1 ? { 'serving.expert': isSparse(read) ? ways : 1 } : undefined;
    },
    usual: (read) => {
      const tensor = read.other('moe_tensor_parallel_size', -1);
      return { 'serving.expert': tensor > 0 ? Math.max(1, Math.floor(spread(read) / tensor)) : 1 };
    },
  },
  {
    keys: ['moe_tensor_parallel_size'],
    put: () => undefined,
    take: (value) => (Number.isFinite(numberOf(value)) ? {} : undefined),
  },
  chips(() => 1),
  number('max_batch_size', 'server.mostSequences'),
  number('max_num_tokens', 'server.tokenBudget'),
  number('max_seq_len', 'server.longestSequence'),
  {
    keys: [
      'kv_cache_config.free_gpu_memory_fraction',
      'kv_cache_free_gpu_memory_fraction',
      'free_gpu_memory_fraction',
    ],
    put: (ours) =>
      ours.of('server.shareOf') === 'free' ? ours.number('server.memoryShare') : undefined,
    take: (value) => {
      const share = numberOf(value);
      return share > 0 && share <= 1
        ? { 'server.shareOf': 'free', 'server.memoryShare': share }
        : undefined;
    },
    usual: () => ({ 'server.shareOf': 'free', 'server.memoryShare': 0.9 }),
  },
  number('kv_cache_config.tokens_per_block', 'server.blockTokens', {
    usual: () => ({ 'server.blockTokens': 32 }),
  }),
  choice(
    ['kv_cache_config.dtype', 'kv_cache_dtype'],
    'server.cacheFormat',
    { bf16: ['auto', 'bfloat16', 'float16'], fp8: 'fp8', nvfp4: 'nvfp4', int8: 'int8' },
    {
      if: (ours) => ours.of('server.cacheFormat') !== 'bf16',
      usual: () => ({ 'server.cacheFormat': 'bf16' }),
    },
  ),
  weights('quant_config.quant_algo'),
  {
    keys: ['kv_cache_config.enable_block_reuse'],
    put: () => undefined,
    take: (value) => (switchOf(value) === false ? { 'serving.prefixShare': 0 } : {}),
  },
  {
    keys: ['speculative_config.decoding_type'],
    put: (ours) => {
      if (ours.number('serving.draftTokens') === 0) return undefined;
      return ours.number('model.mtpModules') > 0 ? 'MTP' : 'Eagle';
    },
    take: (value) => (textOf(value) ? {} : undefined),
    usual: () => ({ 'serving.draftTokens': 0 }),
  },
  {
    keys: ['speculative_config.max_draft_len', 'speculative_config.num_nextn_predict_layers'],
    put: (ours) => ours.number('serving.draftTokens') || undefined,
    take: (value) => drafts(value),
  },
  number('stream_interval', 'server.streamInterval', {
    if: (ours) => ours.number('server.streamInterval') > 1,
    usual: () => ({ 'server.streamInterval': 1 }),
  }),
  {
    keys: ['disable_overlap_scheduler'],
    put: (ours) => (ours.of('server.host') === 'between' ? true : undefined),
    take: (value) => {
      const off = switchOf(value);
      return off === undefined ? undefined : { 'server.host': off ? 'between' : 'beside' };
    },
    usual: () => ({ 'server.host': 'beside' }),
  },
];

/** Options as YAML, whose names are paths. */
function yaml(options: readonly Option[]): string {
  const lines: string[] = [];
  let section = '';
  for (const [key, value] of [...options].sort(
    ([one], [other]) => Number(one.includes('.')) - Number(other.includes('.')),
  )) {
    const [first = '', inner] = key.split('.');
    if (inner !== undefined && first !== section) lines.push(`${(section = first)}:`);
    lines.push(`${inner === undefined ? '' : '  '}${inner ?? first}: ${String(value)}`);
  }
  return lines.join('\n');
}

export const tensorrt: Software = {
  id: 'tensorrt',
  name: 'TensorRT-LLM',
  question: 'serving',
  preset: 'tensorrt-llm',
  rows,
  unplaced:
    /^(cuda_graph_config|enable_chunked_prefill|moe_config|moe_cluster|attention_dp_config|context_parallel|cp_config|kv_cache_config\.(max_tokens|host_cache|max_attention|event|sink)|lora_config|batching|scheduler_config|enable_autotuner|torch_compile|kv_connector|sparse_attention|num_instances|speculative_config)/,
  quiet:
    /^(host|port|backend|trust_remote|tokenizer|log_level|extra_llm|config|reasoning|tool|served|print_iter|iter_stats|enable_iter|return_perf|gpus_per|num_postprocess|max_beam|max_input|model|revision|dtype|load_format|cache_transceiver|attn_backend|guided|metadata|server_role|fail_fast|postproc|gather|garbage|hostname|kv_cache_config|quant_config|metrics|otlp|disagg|custom|telemetry)/,
  checks: [
    {
      field: 'serving.expert',
      says: (ours) =>
        isSparse(ours) &&
        spread(ours) % ours.number('serving.expert') !== 0 &&
        `moe_tp_size * moe_ep_size * moe_cluster_size must equal to tp_size`,
    },
    heads((count, ways) => `num_attention_heads (${count}) must be divisible by tp_size (${ways})`),
  ],
  text: ({ program }, { model, role }) => {
    const file = `${role ?? 'config'}.yaml`;
    const body = yaml(
      role ? [...program, ['cache_transceiver_config.backend', 'DEFAULT']] : program,
    );
    return [
      `cat > ${file} <<'EOF'`,
      body,
      'EOF',
      `trtllm-serve ${word(model)} --config ${file}\n`,
    ].join('\n');
  },
};
