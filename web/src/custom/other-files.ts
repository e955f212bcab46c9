// Files that lie beside a model's config.json, and are taken for it: which of them a file is, by
// the keys that it has.

import { entriesOf, type Entries } from './json.ts';
import { cleanName } from '../link/address.ts';

const kinds = [
  'adapter', // LoRA and its like
  'deepSpeed',
  'generation',
  'weightIndex', // which file of weights holds which tensor
  'gguf', // metadata of llama.cpp's files
  'tokenizer',
  'processor', // of images or sounds
  'maxText',
  'torchTitan',
  'megatron', // and NeMo, which is built on it
  'trainer', // settings and states of other trainers
  'quantisation', // how weights were quantised, without the model
  'arguments', // of a command
  'settings', // YAML or TOML of something else
] as const;

export interface OtherFile {
  code: 'otherFile';
  kind: (typeof kinds)[number];
  /** The model that an adapter is for, if the file names it. */
  base?: string;
}

/** A file is the first of these of which it has a key, or all keys of a group. */
const signs: [OtherFile['kind'], (string | RegExp | (string | RegExp)[])[]][] = [
  ['adapter', ['peft_type', 'lora_alpha', 'lora_r']],
  ['gguf', [/^general\.(architecture|name|file_type|quantization_version)$/, /\.block_count$/]],
  ['weightIndex', ['weight_map']],
  ['maxText', ['base_emb_dim', 'base_num_decoder_layers', 'base_num_query_heads']],
  ['deepSpeed', ['zero_optimization', 'train_micro_batch_size_per_gpu', 'deepspeed', 'zero_stage']],
  [
    'megatron',
    [
      ...[
        'tensor_model_parallel_size',
        'pipeline_model_parallel_size',
        'tensor-model-parallel-size',
      ],
      ...['tensor_model_parallel', 'micro_batch_size_per_gpu', 'megatron_amp_O2'],
    ],
  ],
  ['torchTitan', ['flavor', 'data_parallel_shard_degree', 'hf_assets_path']],
  [
    'trainer',
    [
      ...['per_device_train_batch_size', 'num_train_epochs', 'log_history', 'training_args'],
      ...['gradient_accumulation_steps', 'learning_rate', 'distributed_type', 'fsdp_config'],
      ...['compute_environment', 'lr_scheduler', 'optimizer', 'micro_batch_size'],
    ],
  ],
  [
    'processor',
    ['image_processor_type', 'feature_extractor_type', 'processor_class', 'image_mean'],
  ],
  [
    'tokenizer',
    [
      ...['tokenizer_class', 'added_tokens_decoder', 'added_tokens', 'pre_tokenizer'],
      ...['chat_template', 'unk_token', 'bos_token', 'eos_token', 'additional_special_tokens'],
    ],
  ],
  [
    'generation',
    ['do_sample', 'temperature', 'top_p', 'top_k', '_from_model_config', 'max_new_tokens'],
  ],
  ['generation', [['eos_token_id', 'transformers_version']]],
  [
    'quantisation',
    [
      ['bits', 'group_size'],
      ['w_bit', 'q_group_size'],
      ['producer', 'quantization'],
    ],
  ],
  ['quantisation', ['quant_method', 'quant_algo']],
];

/** The kind of a file that has no sizes of a model. */
export function otherFileOf(entries: Entries): OtherFile | undefined {
  const inner = [...entries.values()].flatMap((value) => [...(entriesOf(value)?.keys() ?? [])]);
  const kind = kindOf(new Set(entries.keys())) ?? kindOf(new Set(inner));
  if (!kind) return undefined;
  const base = entries.get('base_model_name_or_path');
  const named = kind === 'adapter' && typeof base === 'string' ? cleanName(base) : '';
  return { code: 'otherFile', kind, ...(named ? { base: named } : {}) };
}

/** The kind of a text that is no JSON. */
export function otherTextOf(text: string): OtherFile | undefined {
  // Long ones are no settings; whatever their kind, their beginning shows it.
  const lines = text.slice(0, 1e5).split('\n');
  const written = lines.map((line) => line.trim()).filter((line) => line && !line.startsWith('#'));
  const other = (kind: OtherFile['kind']): OtherFile => ({ code: 'otherFile', kind });
  if (written.some((line) => /\bgeneral\.architecture\b/.test(line))) return other('gguf');
  const most = (pattern: RegExp): boolean =>
    written.filter((line) => pattern.test(line)).length > 0.6 * written.length;
  if (most(/^(\S+\s+){0,4}--[a-z]/i)) return other('arguments');
  const setting = /^(- )?([A-Za-z_][\w.-]*)\s*[:=](\s|$|["'\d[{])|^\[[\w."-]+\]$|^- /;
  if (written.length < 2 || !most(setting)) return undefined;
  const keys = written.flatMap((line) => /^(?:- )?([A-Za-z_][\w.-]*)\s*[:=]/.exec(line)?.[1] ?? []);
  return other(kindOf(new Set(keys)) ?? 'settings');
}

function kindOf(keys: ReadonlySet<string>): OtherFile['kind'] | undefined {
  const has = (sign: string | RegExp): boolean =>
    typeof sign === 'string' ? keys.has(sign) : [...keys].some((key) => sign.test(key));
  return signs.find(([, any]) => any.some((sign) => [sign].flat().every(has)))?.[0];
}
