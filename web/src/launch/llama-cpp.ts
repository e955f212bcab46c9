// llama.cpp. Options: ggml-org/llama.cpp, common/arg.cpp and tools/server/README.md. One instance runs on
// the cards of one machine, a stage on each; layers and experts beyond them stay in its memory.

import { bitsOfKind } from '../custom/gguf.ts';
import { isSparse, type Software } from './software.ts';
import {
  choice,
  follows,
  number,
  numberOf,
  textOf,
  toggle,
  type Read,
  type Row,
} from './values.ts';

/** The first layers, without those that have no experts, of so many. */
const withExperts = (read: Read, first: number): number => {
  const [layers, dense] = [read.number('model.layers'), read.number('model.denseLayers')];
  return isSparse(read) ? Math.max(0, Math.min(first, layers) - (dense > 0 ? dense : 0)) : 0;
};

const cacheWords = {
  bf16: ['f16', 'bf16'],
  scaled8: 'q8_0',
  int4: ['q4_0', 'iq4_nl'],
};

const rows: readonly Row[] = [
  follows(() => ({ 'serving.tensor': 1, 'serving.attentionData': 1, 'serving.expert': 1 })),
  {
    keys: ['tensor-split', 'ts'],
    put: () => undefined,
    take: (value) => {
      const cards = String(value)
        .split(/[,/]/)
        .filter((each) => numberOf(each) > 0).length;
      return cards > 0 ? { 'serving.pipeline': cards, 'serving.chips': cards } : undefined;
    },
    usual: () => ({ 'serving.pipeline': 1, 'serving.chips': 1 }),
  },
  {
    keys: ['n-gpu-layers', 'gpu-layers', 'ngl'],
    put: () => undefined,
    take: (value, read) => {
      if (/^(all|auto|-1)$/.test(String(value))) return { 'serving.hostLayers': 0 };
      const [layers, all] = [numberOf(value), read.number('model.layers')];
      if (!(layers >= 0)) return undefined;
      return all > 0 ? { 'serving.hostLayers': Math.max(0, all - layers) } : {};
    },
    usual: () => ({ 'serving.hostLayers': 0 }),
  },
  {
    keys: ['n-cpu-moe', 'ncmoe'],
    put: () => undefined,
    take: (value, read) =>
      numberOf(value) >= 0
        ? { 'serving.hostExperts': withExperts(read, numberOf(value)) }
        : undefined,
    usual: () => ({ 'serving.hostExperts': 0 }),
  },
  toggle(
    ['cpu-moe', 'cmoe'],
    () => false,
    (on, read) => (on ? { 'serving.hostExperts': withExperts(read, Infinity) } : {}),
  ),
  {
    // A pattern is not run, since it may take for ever: it means all experts, or is not understood.
    keys: ['override-tensor', 'ot'],
    put: () => undefined,
    take: (value, read) =>
      /^[^\d,=]*exps[^\d,=]*=CPU$/.test(textOf(value))
        ? { 'serving.hostExperts': withExperts(read, Infinity) }
        : undefined,
  },
  {
    keys: ['model', 'm', 'hf-repo', 'hf', 'hfr', 'hf-file', 'hff'],
    put: () => undefined,
    take: (value) => {
      const bits = bitsOfKind(textOf(value));
      // Files of gpt-oss keep all else in Q8_0.
      if (/mxfp4/i.test(textOf(value))) {
        return {
          'server.weights': 'int8',
          'server.headWeights': 'asWeights',
          'server.expertWeights': 'mxfp4',
        };
      }
      if (bits === undefined) return {};
      return {
        'server.weights': bits > 6 ? 'int8' : 'int4',
        'server.headWeights': 'asWeights',
        'server.weightBits': bits,
      };
    },
  },
  choice(['cache-type-k', 'ctk', 'cache-type-v', 'ctv'], 'server.cacheFormat', cacheWords, {
    usual: () => ({ 'server.cacheFormat': 'bf16' }),
  }),
  {
    keys: ['ctx-size', 'c'],
    put: () => undefined,
    take: (value) => (numberOf(value) > 0 ? { 'server.cacheTokens': numberOf(value) } : {}),
  },
  number(['ubatch-size', 'ub'], 'server.tokenBudget', {
    usual: () => ({ 'server.tokenBudget': 512 }),
  }),
  number(['parallel', 'np'], 'server.mostSequences'),
];

/** Read alone: a launch would name a file of weights that no preset has. */
export const llamaCpp: Software = {
  id: 'llama-cpp',
  name: 'llama.cpp',
  question: 'serving',
  preset: 'llama.cpp',
  rows,
  unplaced:
    /^(split-mode|sm|main-gpu|mg|device|dev|no-kv-offload|nkvo|kv-offload|no-op-offload|model-draft|md|draft|spec|mmproj|rpc|lora|rope|yarn|swa-full|fit|cpu-moe-draft|numa)/,
  quiet:
    /^(host|port|threads|t$|tb$|batch-size|b$|flash-attn|fa$|jinja|alias|a$|api-key|no-mmap|mmap|mlock|temp|top|min-p|seed|s$|n-predict|n$|predict|log|verbose|v$|no-webui|webui|chat-template|reasoning|cont-batching|cb$|prompt|p$|pg$|file|f$|interactive|color|conversation|cnv|metrics|slots|timeout|repeat|presence|frequency|no-warmup|warmup|repetitions|r$|output|o$|progress|gpus|runtime|rm|it|name|volume|prio|poll|cpu-(mask|range|strict)|check-tensors|offline|hf-token|ignore-eos|keep|kv-unified|kvu|cache-(ram|reuse|prompt)|context-shift)/,
  checks: [],
};
