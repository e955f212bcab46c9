// Reads the metadata of llama.cpp's files as the config that they were made from: as JSON, from
// gguf-dump, or from the log of the program that loads them.
// Source: llama.cpp, gguf-py/gguf/constants.py (Keys, LlamaFileType) and convert_hf_to_gguf.py.

import { has } from '../model/own-value.ts';
import { entriesOf, readObject, type Entries, type Json, type Unreadable } from './json.ts';

export interface Gguf {
  /** The metadata under the names of a config.json. */
  entries: Entries;
  /** The key of the metadata behind each of these names. */
  names: ReadonlyMap<string, string>;
  /** The first key of a part of layers that has no place here. */
  unknown: string | undefined;
}

/** Keys behind the architecture's name, and what a config calls them. */
const called: Readonly<Record<string, string>> = {
  block_count: 'num_hidden_layers',
  context_length: 'max_position_embeddings',
  embedding_length: 'hidden_size',
  feed_forward_length: 'intermediate_size',
  vocab_size: 'vocab_size',
  nextn_predict_layers: 'num_nextn_predict_layers',
  leading_dense_block_count: 'first_k_dense_replace',
  expert_count: 'num_experts',
  expert_used_count: 'num_experts_per_tok',
  expert_feed_forward_length: 'moe_intermediate_size',
  expert_shared_count: 'n_shared_experts',
  expert_group_count: 'n_group',
  expert_group_used_count: 'topk_group',
  expert_shared_feed_forward_length: 'shared_expert_intermediate_size',
  interleave_moe_layer_step: 'interleave_moe_layer_step',
  'attention.head_count': 'num_attention_heads',
  'attention.head_count_kv': 'num_key_value_heads',
  'attention.sliding_window': 'sliding_window',
  'attention.q_lora_rank': 'q_lora_rank',
  'attention.kv_lora_rank': 'kv_lora_rank',
  full_attention_interval: 'full_attention_interval',
};
/** The same of linear attention; other layers with a state are not told apart by their keys. */
const linear: Readonly<Record<string, string>> = {
  'ssm.conv_kernel': 'linear_conv_kernel_dim',
  'ssm.state_size': 'linear_key_head_dim',
  'ssm.group_count': 'linear_num_key_heads',
  'ssm.time_step_rank': 'linear_num_value_heads',
};

/** Architectures that a config calls otherwise than by its letters. */
const architectures: Readonly<Record<string, string>> = {
  deepseek2: 'deepseek_v3',
  'command-r': 'cohere',
};

/** Numbers of kinds of files: their names, and the bits of a weight of Llama 3.1 8B; of formats of
 * one block those of the block. Source: llama.cpp, tools/quantize/README.md. */
const kinds: Readonly<Record<number, readonly [name: string, bits: number]>> = {
  2: ['Q4_0', 4.5],
  3: ['Q4_1', 5],
  7: ['Q8_0', 8.5],
  8: ['Q5_0', 5.5],
  9: ['Q5_1', 6],
  10: ['Q2_K', 3.1593],
  11: ['Q3_K_S', 3.6429],
  12: ['Q3_K_M', 3.996],
  13: ['Q3_K_L', 4.2979],
  14: ['Q4_K_S', 4.6672],
  15: ['Q4_K_M', 4.8944],
  16: ['Q5_K_S', 5.5704],
  17: ['Q5_K_M', 5.7036],
  18: ['Q6_K', 6.5633],
  19: ['IQ2_XXS', 2.3824],
  20: ['IQ2_XS', 2.5882],
  21: ['Q2_K_S', 2.9697],
  22: ['IQ3_XS', 3.4977],
  23: ['IQ3_XXS', 3.2548],
  24: ['IQ1_S', 2.0042],
  25: ['IQ4_NL', 4.6818],
  26: ['IQ3_S', 3.6606],
  27: ['IQ3_M', 3.7628],
  28: ['IQ2_S', 2.7403],
  29: ['IQ2_M', 2.9294],
  30: ['IQ4_XS', 4.4597],
  31: ['IQ1_M', 2.146],
};

/** The bits of a weight by the kind at the end of a file's name, such as Q4_K_M. */
export function bitsOfKind(name: string): number | undefined {
  const kind = /(?:^|[-.:_/])(I?Q\d(?:_[A-Z0-9]+){1,2})(?:-\d{5}-of-\d{5})?(?:\.gguf)?$/i.exec(
    name,
  );
  const known = kind?.[1]?.toUpperCase();
  return Object.values(kinds).find(([each]) => each === known)?.[1];
}

/** Types of tensors: their numbers, and the weights and bytes of a block.
 * Source: llama.cpp, gguf-py/gguf/constants.py (GGMLQuantizationType, GGML_QUANT_SIZES). */
const blocks: Readonly<Record<string, readonly [number, weights: number, bytes: number]>> = {
  F32: [0, 1, 4],
  F16: [1, 1, 2],
  BF16: [30, 1, 2],
  Q4_0: [2, 32, 18],
  Q4_1: [3, 32, 20],
  Q5_0: [6, 32, 22],
  Q5_1: [7, 32, 24],
  Q8_0: [8, 32, 34],
  Q2_K: [10, 256, 84],
  Q3_K: [11, 256, 110],
  Q4_K: [12, 256, 144],
  Q5_K: [13, 256, 176],
  Q6_K: [14, 256, 210],
  IQ2_XXS: [16, 256, 66],
  IQ2_XS: [17, 256, 74],
  IQ3_XXS: [18, 256, 98],
  IQ1_S: [19, 256, 50],
  IQ4_NL: [20, 32, 18],
  IQ3_S: [21, 256, 110],
  IQ2_S: [22, 256, 82],
  IQ4_XS: [23, 256, 136],
  IQ1_M: [29, 256, 56],
  TQ1_0: [34, 256, 54],
  TQ2_0: [35, 256, 66],
  MXFP4: [39, 32, 17],
};

/** Parts of layers that change a model's size, and have no place here. */
const others = /_swa$|shared_kv|^ssm\.|altup|laurel|cross_attention|indexer|^wkv|token_shift/;

/** The pairs in JSON, also as gguf-dump writes it, where values have their types. */
function metadataOf(entries: Entries): Entries {
  const typed = entriesOf(entries.get('metadata')) ?? entries;
  return new Map(
    [...typed].map(([key, value]): [string, Json] => {
      const inner = entriesOf(value);
      return [key, inner?.has('value') ? inner.get('value')! : value];
    }),
  );
}

/** A name, its type or an array's length, and a value, as logs and dumps write them. */
const line =
  /([A-Za-z][\w-]*(?:\.[\w-]+)+)\s+(?:(?:[a-z]+\d*|arr\[\w+,\s*(\d+)\])\s+)?(?:[=:|]\s*)?(\S.*?)[\s|]*$/;
/** A line of gguf-dump, whose arrays have their length before their name. */
const dumped = /^[\s|]*\d+\s*[:|]\s*[A-Z[\]\d]+\s*\|\s*(\d+)\s*\|\s*(.*)$/;

/** A tensor in a list of gguf-dump: its number of weights, dimensions, type and name. */
const listed = /^\s*\d+:\s+(\d+)\s+\|(?:\s*\d+\s*,){2,}\s*\d+\s*\|\s*(\w+)\s*\|\s*(\S+)/;

/** The metadata in a text that is no JSON; undefined where it names no architecture. */
function ggufText(text: string): Entries | undefined {
  const found = new Map<string, Json>();
  for (const written of text.slice(0, 1e6).split(/\r?\n/)) {
    const [, each] = /\(([\d.]+) BPW\)/.exec(written) ?? [];
    if (each) found.set(bits, Number(each));
    const [, weights, type, tensor] = listed.exec(written) ?? [];
    if (weights && type && tensor) {
      found.set(tensor, { shape: [Number(weights), 1], type });
      continue;
    }
    const [, length, rest] = dumped.exec(written) ?? [];
    const [, key, items, value] = line.exec(rest ?? written) ?? [];
    if (!key || value === undefined) continue;
    const many = items ?? (Number(length) > 1 ? length : undefined);
    if (key === 'tokenizer.ggml.tokens' && many) found.set(tokens, Number(many));
    else if (!found.has(key)) found.set(key, valueOf(value));
  }
  return found.has('general.architecture') ? found : undefined;
}

/** Stands for the length of the list of tokens. */
const tokens = 'tokenizer.ggml.tokens';
/** Stands for the bits of a weight that a loader logs with the size of a file. */
const bits = 'general.bits_per_weight';

function valueOf(written: string): Json {
  const plain = written.replace(/^(['"`])(.*)\1$/, '$2');
  if (/^-?\d+(\.\d+)?$/.test(plain)) return Number(plain);
  if (plain === 'true' || plain === 'false') return plain === 'true';
  if (/^\[[\d,\s]+\]$/.test(plain)) return JSON.parse(plain) as Json;
  return plain;
}

/** The keys of a text: of JSON, or of metadata that is none. */
export function readKeys(text: string): { entries: Entries } | { unreadable: Unreadable } {
  const read = readObject(text);
  const metadata = has(read, 'unreadable') ? ggufText(text) : undefined;
  return metadata ? { entries: metadata } : read;
}

/** A config from the metadata of a file; undefined where it is none. */
export function ggufOf(given: Entries): Gguf | undefined {
  const data = metadataOf(given);
  const architecture = data.get('general.architecture');
  if (typeof architecture !== 'string') return undefined;
  const prefix = `${architecture}.`;
  const own = new Map(
    [...data].flatMap(([key, value]): [string, Json][] =>
      key.startsWith(prefix) ? [[key.slice(prefix.length), value]] : [],
    ),
  );
  const config = new Map<string, Json>();
  const names = new Map<string, string>();
  const put = (name: string, key: string, value: Json | undefined): void => {
    if (value === undefined) return;
    config.set(name, value);
    names.set(name, prefix + key);
  };
  const number = (key: string): number | undefined => {
    const value = own.get(key);
    return typeof value === 'number' ? value : undefined;
  };
  const isLinear = own.has('full_attention_interval') || /^qwen3(next|5)/.test(architecture);
  const known = { ...called, ...(isLinear ? linear : {}) };
  config.set('model_type', architectures[architecture] ?? architecture);
  const name = data.get('general.name') ?? data.get('general.basename');
  if (typeof name === 'string') config.set('_name_or_path', name);
  for (const [key, value] of own) put(known[key] ?? prefix + key, key, value);

  // Layers of a module for drafts are among the others.
  const [blocks, drafts] = [number('block_count'), number('nextn_predict_layers')];
  if (blocks && drafts) put('num_hidden_layers', 'block_count', blocks - drafts);
  if (isLinear) {
    const [inner, heads] = [number('ssm.inner_size'), number('ssm.time_step_rank')];
    if (inner && heads) put('linear_value_head_dim', 'ssm.inner_size', inner / heads);
  }
  const whole = number('attention.key_length_mla') ?? number('attention.key_length');
  const rotary = number('rope.dimension_count');
  const [key, value] = own.has('attention.key_length_mla')
    ? ['attention.key_length_mla', 'attention.value_length_mla']
    : ['attention.key_length', 'attention.value_length'];
  if (!own.has('attention.kv_lora_rank')) put('head_dim', key, whole);
  else if (whole && rotary) {
    put('qk_nope_head_dim', key, whole - rotary);
    put('qk_rope_head_dim', 'rope.dimension_count', rotary);
    put('v_head_dim', value, number(value));
  }
  for (const used of [
    ...['attention.key_length', 'attention.value_length', key, value],
    ...(isLinear ? ['ssm.inner_size'] : []),
  ]) {
    config.delete(prefix + used);
  }
  // DeepSeek-V3 has sigmoid scores with a bias for each expert, DeepSeek-V2 has neither.
  if (number('expert_gating_func') === 2) config.set('topk_method', 'noaux_tc');
  const vocabulary = data.get(tokens);
  if (!config.has('vocab_size') && vocabulary !== undefined) {
    config.set('vocab_size', Array.isArray(vocabulary) ? vocabulary.length : vocabulary);
    names.set('vocab_size', tokens);
  }
  // A file has nothing of a key that it leaves out: no library has a default for it.
  for (const name of [...Object.values(known), 'head_dim']) {
    if (!config.has(name)) config.set(name, null);
  }
  const matrices = entriesOf(given.get('tensors')) ?? given;
  if (matrices.has('token_embd.weight')) {
    config.set('tie_word_embeddings', !matrices.has('output.weight'));
  }
  const format = formatOf(data.get('general.file_type'), matrices, data.get(bits));
  if (format) config.set('quantization_config', format);
  const left = [...config.keys()].filter((each) => each.startsWith(prefix));
  const unknown = left.find((each) => others.test(each.slice(prefix.length)));
  return { entries: config, names, unknown };
}

/** The kind of a file as the quantisation of a config: blocks of 32 weights, each with a scale of 16
 * bits, or as many bits in blocks of blocks; undefined where weights have 16 bits or more. */
function formatOf(
  type: Json | undefined,
  matrices: Entries,
  said: Json | undefined,
): Record<string, Json> | undefined {
  const kind = typeof type === 'number' ? kinds[type] : undefined;
  const mxfp4 = type === 38;
  if (!kind && !mxfp4) return undefined;
  const [experts, others] = [bitsOf(matrices, true), bitsOf(matrices, false)];
  if (mxfp4 && !others) return { quant_method: 'mxfp4' };
  const whole = typeof said === 'number' ? said : kind?.[1];
  const all = others ?? whole;
  return {
    quant_method: `GGUF ${kind?.[0] ?? 'MXFP4'}`,
    // The nearest format of whole bits: kernels compute as with that.
    bits: all !== undefined && all > 6 ? 8 : 4,
    group_size: 32,
    ...(all !== undefined && { weight_bits: all }),
    ...(experts !== undefined && { expert_bits: experts }),
  };
}

/** The bits of a weight of all matrices: of routed experts, or of all else; undefined where none is
 * told with its size and its type. */
function bitsOf(matrices: Entries, ofExperts: boolean): number | undefined {
  let [bytes, weights] = [0, 0];
  for (const [name, value] of matrices) {
    const tensor = entriesOf(value);
    const [shape, type] = [tensor?.get('shape'), tensor?.get('type')];
    if (!Array.isArray(shape) || shape.length < 2 || /_exps\./.test(name) !== ofExperts) continue;
    const block = Object.entries(blocks).find(
      ([key, [number]]) => type === number || type === key,
    )?.[1];
    const count = shape.map(Number).reduce((product, each) => product * each, 1);
    if (!block || !(count > 0)) return undefined;
    weights += count;
    bytes += (count / block[1]) * block[2];
  }
  return weights > 0 ? Math.round((8e4 * bytes) / weights) / 1e4 : undefined;
}
