// Adapters of PEFT. Settings: huggingface/peft@5d602fdb, src/peft/tuners/lora/config.py; what a file leaves
// out, src/peft/utils/constants.py. The file says what is trained, and nothing of where.

import type { Software } from './software.ts';
import { number, textOf, type Ours, type Read, type Row, type Value } from './values.ts';

/** Names of matrices in models, by what they are for. */
const matrices: Readonly<Record<string, readonly string[]>> = {
  query: ['q_proj', 'wq', 'query', 'q', 'q_a_proj', 'q_b_proj', 'q_lin'],
  key: ['k_proj', 'wk', 'key', 'k', 'k_lin'],
  value: ['v_proj', 'wv', 'value', 'v', 'v_lin'],
  keyValue: ['kv_a_proj_with_mqa', 'kv_b_proj'],
  fused: ['qkv_proj', 'query_key_value', 'c_attn', 'wqkv', 'w_pack', 'qkv', 'in_proj_qkvz'],
  mixing: ['o_proj', 'wo', 'out_proj', 'dense', 'o', 'out_lin', 'in_proj', 'x_proj', 'dt_proj'],
  feedForward: [
    ...['gate_proj', 'up_proj', 'down_proj', 'gate_up_proj', 'w1', 'w2', 'w3', 'fc1', 'fc2'],
    ...['dense_h_to_4h', 'dense_4h_to_h', 'fc_in', 'fc_out', 'c_fc', 'wi', 'lin1', 'lin2'],
  ],
  // Of GPT-2, a matrix in either part.
  either: ['c_proj'],
};

/** Parts of layers by their names. */
const parts: readonly (readonly [RegExp, string])[] = [
  [/\b(self_attn|self_attention|attention|attn)\b/, 'attention'],
  [/\b(mlp|feed_forward|ffn|experts)\b/, 'feedForward'],
];

const kindOf = (name: string): string | undefined =>
  Object.keys(matrices).find((kind) => matrices[kind]!.includes(name.toLowerCase()));

interface Targets {
  /** The choice with the fewest matrices that has all of them. */
  targets: string;
  /** Whether that is more than the file names. */
  isMore: boolean;
}

/** The matrices of a list, or the names in a pattern: it is not run, since it may take for ever. */
function targetsOf(value: Value): Targets | undefined {
  if (value === 'all-linear') return { targets: 'all', isMore: false };
  const isPattern = typeof value === 'string' && /[^\w.]/.test(value);
  const words = isPattern
    ? inPattern(value)
    : [value].flat().map((each) =>
        textOf(each as Value)
          .split('.')
          .pop()!,
      );
  const kinds = words.map(kindOf);
  // One of them that is of no layer, or not known.
  if (kinds.length === 0 || kinds.includes(undefined)) return partOf(isPattern ? value : '');
  const has = (...any: string[]): boolean => any.some((kind) => kinds.includes(kind));
  const [query, key, value_] = [
    has('query', 'fused'),
    has('key', 'keyValue', 'fused'),
    has('value', 'keyValue', 'fused'),
  ];
  const ofAttention = query || key || value_ || has('mixing');
  const isWhole = query && key && value_;
  const someLayers = isPattern && /layers\D{0,8}\d|layers\W*\(/.test(value);
  const counted = (targets: string, isAll: boolean): Targets => ({
    targets,
    isMore: !isAll || someLayers,
  });
  const feed = has('feedForward') || (has('either') && !ofAttention);
  if (feed) {
    const isFeed = isWholeFeed(words);
    if (!ofAttention) return counted('feedForward', isFeed);
    return counted('all', isFeed && isWhole && has('mixing', 'either'));
  }
  if (has('mixing', 'either')) return counted('attention', isWhole);
  if (query && value_ && !key) return counted('queryValue', true);
  return counted(key ? 'qkv' : 'queryValue', isWhole);
}

/** Whether the names have all matrices of a feed-forward part: down, and up or what has it. */
function isWholeFeed(words: readonly string[]): boolean {
  const has = (...any: string[]): boolean => words.some((each) => any.includes(each.toLowerCase()));
  if (has('gate_proj') || has('up_proj'))
    return has('gate_proj') && has('up_proj', 'w3') && has('down_proj');
  if (has('w1')) return has('w2') && has('w3');
  if (has('gate_up_proj')) return has('down_proj');
  const pairs = [
    ['fc1', 'fc2'],
    ['fc_in', 'fc_out'],
    ['c_fc', 'c_proj'],
    ['lin1', 'lin2'],
    ['dense_h_to_4h', 'dense_4h_to_h'],
  ];
  return pairs.some((pair) => pair.every((each) => has(each)));
}

/** The whole part of a layer that a pattern names, where it names no matrix. */
function partOf(pattern: string): Targets | undefined {
  const found = parts.filter(([sign]) => sign.test(pattern)).map(([, part]) => part);
  if (found.length === 0 || /_proj|\bw[1-3]\b/.test(pattern)) return undefined;
  return { targets: found.length > 1 ? 'all' : found[0]!, isMore: /layers\D{0,8}\d/.test(pattern) };
}

/** Names of matrices in a regular expression: `(q|k|v)_proj` has three. */
function inPattern(pattern: string): string[] {
  const plain = pattern.slice(0, 2000).replace(/\(\?[!=][^()]*\)/g, '');
  const spread = plain.replace(/\((?:\?:)?([\w|]+)\)(_\w+)/g, (_, words: string, end: string) =>
    words
      .split('|')
      .map((word) => word + end)
      .join('|'),
  );
  return (spread.match(/[A-Za-z]\w*/g) ?? []).filter(
    (name) => name.length > 1 && kindOf(name) !== undefined,
  );
}

/** The end of a base model's name says in which format it is held while adapters are trained. */
const formats: readonly (readonly [RegExp, string])[] = [
  [/bnb|nf4|4-?bit/, 'nf4Double'],
  [/gptq|awq|int4|w4a16/, 'int4'],
  [/int8|8-?bit/, 'int8'],
];

const base = 'base_model_name_or_path';

const isTuning = (read: Read): boolean => {
  const said = read.said('run.trained');
  return said === 'lora' || said === 'qlora';
};

/** LoRA, or QLoRA where the base's name or the reader says so; the file itself doesn't. */
function trained(read: Read): Ours {
  const [, format] = formats.find(([sign]) => sign.test(read.text(base).toLowerCase())) ?? [];
  const before = read.of('run.trained');
  return {
    'run.trained': format || before === 'qlora' ? 'qlora' : 'lora',
    ...(format && { 'run.baseFormat': format }),
    // Who trains adapters has examples, unless tokens were said of such a training.
    ...((before === 'all' || before === null) && { 'run.corpus': 'examples' }),
  };
}

const rows: readonly Row[] = [
  {
    keys: ['peft_type'],
    put: () => undefined,
    take: (value, read) => (String(value).toUpperCase() === 'LORA' ? trained(read) : undefined),
    usual: (read) => (read.text('peft_type') === '' ? trained(read) : undefined),
  },
  number('r', 'run.loraRank', {
    if: () => false,
    usual: (read) => (isTuning(read) ? { 'run.loraRank': 8 } : undefined),
  }),
  {
    keys: ['target_modules'],
    put: () => undefined,
    take: (value) => {
      const found = targetsOf(value);
      return found && { 'run.loraTargets': found.targets };
    },
    isMore: (value) => targetsOf(value)?.isMore === true,
    usual: (read) => (isTuning(read) ? { 'run.loraTargets': 'queryValue' } : undefined),
  },
];

export const peft: Software = {
  id: 'peft',
  name: 'PEFT',
  question: 'plan',
  rows,
  unplaced:
    /^(use_dora|bias|lora_bias|modules_to_save|layers_to_transform|exclude_modules|rank_pattern|target_parameters|trainable_token_indices|layer_replication|megatron_config|use_qalora|alora_invocation_tokens|use_bdlora|arrow_config|ensure_weight_tying)(\.|$)/,
  quiet: /./,
  isNothing: (value) =>
    value === false || value === 'null' || value === 'none' || [value].flat().length === 0,
  checks: [],
};
