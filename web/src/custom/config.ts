// Reads a model's fields from a Hugging Face config.json.

import { has } from '../model/own-value.ts';
import type { FieldInfo, FieldValue } from '../engine/index.ts';
import { cleanName } from '../link/address.ts';
import { architectureOf, otherKindOf, type Architecture, type OtherKind } from './architectures.ts';
import { Draft, type Assumption, type ModelKey, type Problem, type Recognised } from './draft.ts';
import { readExperts } from './experts.ts';
import { ggufFile } from './gguf-file.ts';
import { ggufOf, readKeys } from './gguf.ts';
import type { Entries, Unreadable } from './json.ts';
import { Keys, type Given } from './keys.ts';
import { lengthOfList } from './layers.ts';
import { readMixers } from './mixers.ts';
import { nominalOf, type Nominal } from './nominal.ts';
import { otherFileOf, otherTextOf, type OtherFile } from './other-files.ts';
import { readQuantised, type Quantised } from './quantised.ts';
import { heedSpoken } from './spoken.ts';
import { readTower } from './tower.ts';
import { readStructure } from './structure.ts';
import { unsupportedIn, type Unsupported } from './unsupported.ts';

export type { Assumption, ModelKey, Problem, Recognised } from './draft.ts';
export type { Unsupported as LeftOut } from './unsupported.ts';

export interface Reading {
  ok: true;
  /** The name that the file gives itself; empty if it gives none. */
  name: string;
  architecture: string;
  /** Whether the calculator knows what the layers of this architecture have. */
  standing: 'known' | 'unknown' | 'unnamed' | OtherKind;
  fields: Recognised[];
  assumptions: Assumption[];
  unsupported: Unsupported[];
  /** Keys that nothing was read from: the first of them, and the number of all. */
  ignored: string[];
  unused: number;
  problems: Problem[];
  /** The size by the model's name, if that has one. */
  nominal: Nominal | undefined;
  /** The formats of its weights, where the file names them. */
  quantised: Quantised | undefined;
  /** All fields, recognised and assumed. */
  model: Partial<Record<ModelKey, FieldValue>>;
}

export interface Refusal {
  ok: false;
  reason:
    | Unreadable
    | { code: 'notAModel' }
    | OtherFile
    | { code: OtherKind; architecture: string }
    /** Kinds of layers, or parts of them, that no field describes. */
    | { code: 'unknownParts' | 'crossAttention'; architecture: string; parts: string };
}

/** Reads the text of a config; `infos` are the core's own fields of models. */
export function readConfig(text: string, infos: readonly FieldInfo[]): Reading | Refusal {
  const read = readKeys(text);
  if (has(read, 'unreadable')) return { ok: false, reason: otherTextOf(text) ?? read.unreadable };
  return readEntries(read.entries, infos);
}

/** Reads the beginning of a file: one of llama.cpp's, or the text of a config. */
export function readConfigFile(
  bytes: Uint8Array<ArrayBuffer>,
  infos: readonly FieldInfo[],
): Reading | Refusal {
  const metadata = ggufFile(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
  if (metadata) return readEntries(metadata, infos);
  return readConfig(new TextDecoder().decode(bytes), infos);
}

/** Reads a config from its keys, or from the metadata of llama.cpp's files. */
export function readEntries(given: Entries, infos: readonly FieldInfo[]): Reading | Refusal {
  const gguf = ggufOf(given);
  if (!gguf) return readNamed(given, infos);
  const { entries, names, unknown } = gguf;
  const reading = readNamed(entries, infos);
  if (!reading.ok && reading.reason.code === 'notAModel') {
    return { ok: false, reason: { code: 'otherFile', kind: 'gguf' } };
  }
  if (!reading.ok) return reading;
  if (unknown !== undefined) {
    const { architecture } = reading;
    return { ok: false, reason: { code: 'unknownParts', architecture, parts: unknown } };
  }
  const named = <One extends { key: string }>(each: One): One => ({
    ...each,
    key: names.get(each.key) ?? each.key,
  });
  return {
    ...reading,
    fields: reading.fields.map(named),
    problems: reading.problems.map(named),
  };
}

function readNamed(entries: Entries, infos: readonly FieldInfo[]): Reading | Refusal {
  const keys = Keys.of(entries);
  const names = keys.names();
  const known = names.map(architectureOf).find((each) => each !== undefined);
  const other = known ? undefined : otherKind(keys, names);
  keys.suppose(known);
  const architecture = cleanName(names[0] ?? '');

  const draft = new Draft(infos, keys);
  readSizes(draft, known);
  const isDecoder = ['layers', 'hidden', 'heads'].every(
    (field) => draft.has(field as ModelKey) || draft.failed(field as ModelKey),
  );
  if (!isDecoder) {
    const kind = otherKind(keys, names);
    if (kind) return { ok: false, reason: { code: kind, architecture } };
    return { ok: false, reason: otherFileOf(entries) ?? { code: 'notAModel' } };
  }
  readExperts(draft, known !== undefined);
  readMixers(draft, known);
  readFeedForward(draft, known);
  readStructure(draft, known);
  const across = crossAttention(keys);
  if (across) {
    return { ok: false, reason: { code: 'crossAttention', architecture, parts: across } };
  }
  draft.unknown.push(...unknownParts(keys, known !== undefined));
  if (draft.unknown.length === 0) heedSpoken(draft);
  if (draft.unknown.length > 0) {
    const parts = cleanName([...new Set(draft.unknown)].join(', '));
    return { ok: false, reason: { code: 'unknownParts', architecture, parts } };
  }
  // Its numbers as a decoder would be another model's.
  if (other === 'hybrid' || other === 'stateSpace') {
    return { ok: false, reason: { code: other, architecture } };
  }
  const extra = keys.find('num_nextn_predict_layers', 'mtp_num_hidden_layers', 'num_mtp_modules');
  if (extra && keys.find('use_mtp')?.value !== false) draft.take('mtpModules', extra);

  readTower(draft);

  const path = keys.find('_name_or_path')?.value;
  const name = typeof path === 'string' ? (path.split(/[\\/]/).filter(Boolean).pop() ?? '') : '';
  const quantised = readQuantised(keys, draft.number('layers') ?? 0);
  const unused = keys.ignored();
  return {
    ok: true,
    name: cleanName(name),
    architecture,
    standing: known ? 'known' : (other ?? (architecture ? 'unknown' : 'unnamed')),
    fields: draft.recognised,
    assumptions: draft.assumptions,
    unsupported: unsupportedIn(keys, draft),
    ignored: unused.slice(0, mostNamed).map(cleanName),
    unused: unused.length,
    problems: draft.problems,
    nominal: nominalOf(cleanName(name)),
    quantised,
    model: draft.model,
  };
}

/** Unused keys that are named. */
const mostNamed = 200;

/** Parts of layers that change a model's size, and that no field describes. */
function unknownParts(keys: Keys, known: boolean): string[] {
  // Gemma 3n has several streams, and a low-rank way beside attention.
  const parts = ['altup_num_inputs', 'laurel_rank', 'use_cla', 'conv_bias', 'mamba_proj_bias'];
  // GLM-5.3 has streams and an indexer of its own.
  parts.push('mhc_num_residual_streams', 'index_kpool');
  if (!known) parts.push('zero_expert_num');
  return parts.filter((key) => keys.mentions(key));
}

/** The key by which layers attend to something other than the text: they keep nothing of it, so
 *  their cache as attention would be wrong. */
const crossAttention = (keys: Keys): string | undefined =>
  keys
    .unread()
    .find(
      ({ name, value }) =>
        /(^|_)cross_?(att|layer)/.test(name) &&
        !/_(hidden_size|dim)$/.test(name) &&
        (value === true ||
          (typeof value === 'number' && value > 0) ||
          (Array.isArray(value) && value.length > 0)),
    )?.name;

function otherKind(keys: Keys, names: string[]): OtherKind | undefined {
  const named = names.map(otherKindOf).find((each) => each !== undefined);
  if (named) return named;
  if (keys.find('is_encoder_decoder')?.value === true) return 'encoderDecoder';
  if (keys.mentions('_diffusers_version')) return 'diffusion';
  if (keys.mentions('ssm_cfg', 'state_size', 'mamba_d_state', 'ssm_state_size')) {
    return keys.mentions('num_attention_heads') ? 'hybrid' : 'stateSpace';
  }
  return undefined;
}

function readSizes(draft: Draft, architecture: Architecture | undefined): void {
  const { keys } = draft;
  if (!draft.count('layers', 'num_hidden_layers', 'n_layer', 'n_layers', 'num_layers')) {
    const listed = lengthOfList(keys);
    if (listed) draft.take('layers', listed.given, listed.length);
  }
  draft.count('hidden', 'hidden_size', 'n_embd', 'n_embed', 'd_model', 'dim', 'model_dim');
  if (architecture?.everyLayer === 'm-') {
    // The core asks for heads and a feed-forward whatever the layers.
    const unused = ['heads', 'kvHeads', 'headDim', 'feedForward'] as const;
    if (draft.has('layers')) for (const field of unused) draft.assume('noLayers', field, 1);
  } else draft.count('heads', 'num_attention_heads', 'n_head', 'n_heads', 'num_heads');
  if (!draft.count('vocabulary', 'vocab_size', 'padded_vocab_size', 'n_vocab', 'embedding_size')) {
    draft.missing('vocabulary', 'vocab_size');
  }
  draft.count(
    'contextLength',
    'max_position_embeddings',
    'n_positions',
    'n_ctx',
    'max_seq_len',
    'seq_length',
    'max_sequence_length',
    'model_max_length',
  );
  if (architecture?.everyLayer === 'm-') return;
  const latent = keys.find('kv_lora_rank');
  if (latent) {
    draft.set('attention', 'latent', latent);
    draft.take('kvRank', latent);
    draft.count('queryRank', 'q_lora_rank');
    draft.count('nopeDim', 'qk_nope_head_dim');
    draft.count('ropeDim', 'qk_rope_head_dim');
    draft.count('valueDim', 'v_head_dim');
    for (const [field, key] of latentFields) if (!draft.has(field)) draft.missing(field, key);
    return;
  }
  readHeads(draft);
}

const latentFields = [
  ['nopeDim', 'qk_nope_head_dim'],
  ['ropeDim', 'qk_rope_head_dim'],
  ['valueDim', 'v_head_dim'],
] as const;

/** Names of key heads in other libraries, and of lists with a number for each layer. */
const otherKeyHeads = [
  ...['num_kv_heads', 'n_kv_heads', 'n_head_kv', 'n_kv_head', 'num_heads_kv', 'n_heads_kv'],
  ...['kv_heads', 'num_attention_heads_kv', 'head_count_kv', 'kv_n_heads', 'n_query_groups'],
  ...['num_key_value_heads_per_layer', 'num_kv_heads_per_layer'],
];

const otherHeadDims = [
  ...['head_size', 'd_head', 'dim_head', 'd_kv', 'attention_head_size', 'size_per_head'],
  ...['head_dim_per_layer', 'hidden_size_per_attention_head'],
];

function readHeads(draft: Draft): void {
  const { keys } = draft;
  const heads = draft.number('heads');
  // Falcon's older layers have one key/value head, whatever number stands there.
  const single = keys.find('multi_query');
  const grouped = keys.find('new_decoder_architecture')?.value === true;
  const group = keys.find('multi_query_attention');
  const names = ['num_key_value_heads', ...otherKeyHeads];
  if (group?.value !== false) names.push('multi_query_group_num');
  // Megatron's default is one group, and counts only where it is asked for groups.
  const asked = keys.find('group_query_attention');
  if (asked?.value !== false) names.push('num_query_groups');
  const none = [asked, group].find((each) => each?.by === 'file' && each.value === false);
  if (single?.value === true && !grouped) draft.set('kvHeads', 1, single);
  else if (none && heads) draft.set('kvHeads', heads, none);
  else if (!draft.count('kvHeads', ...names, 'num_attention_groups', 'attn_config.kv_n_heads')) {
    if (asked?.value === true) draft.missing('kvHeads', 'num_query_groups');
    else if (heads) draft.assume('kvHeads', 'kvHeads', heads);
  }

  if (draft.count('headDim', 'head_dim', 'kv_channels', 'attention_head_dim', ...otherHeadDims)) {
    draft.count('valueDim', 'v_head_dim');
    draft.dropIfSame('valueDim', 'headDim');
    return;
  }
  const hidden = draft.number('hidden');
  if (!heads || !hidden) return;
  if (hidden % heads === 0) draft.assume('headDim', 'headDim', hidden / heads);
  else draft.problem('notDivisible', 'headDim', 'head_dim', `${hidden} / ${heads}`);
}

function readFeedForward(draft: Draft, architecture: Architecture | undefined): void {
  if (draft.has('feedForward') || draft.failed('feedForward')) return;
  const given = draft.keys.find(
    'block_ff_dim', // LFM2, as first published
    'intermediate_size_mlp', // Llama 4's dense layers; its other size is that of the experts
    'dense_intermediate_size', // MiniMax-M3's, likewise
    'intermediate_size',
    'n_inner',
    'ffn_dim',
    'ffn_hidden_size',
    'd_ff',
    'inner_dim',
    'hidden_dim',
    ...['feed_forward_size', 'ffn_size', 'mlp_dim', 'd_ffn', 'ff_dim', 'dim_feedforward'],
    ...['intermediate_sizes', 'intermediate_size_per_layer', 'ffn_hidden_sizes'],
    'ffn_config.ffn_hidden_size',
    // Granite 4, without experts
    ...(draft.number('experts') ? [] : ['shared_intermediate_size']),
  );
  if (given) {
    const halved = architecture?.gateAndUp && typeof given.value === 'number';
    const adjusted = adjustedWidth(draft, given);
    draft.take('feedForward', given, halved ? Number(given.value) / 2 : adjusted);
    return;
  }
  const hidden = draft.number('hidden');
  const multiple = draft.keys.find('multiple_of');
  if (hidden && typeof multiple?.value === 'number' && multiple.value > 0) {
    const times = draft.keys.find('ffn_dim_multiplier');
    draft.take('feedForward', multiple, multipliedWidth(hidden, multiple.value, times?.value));
    if (times) draft.also('feedForward', times);
    return;
  }
  const ratio = draft.keys.find('expansion_ratio');
  const widening = ratio ? ratio.value : architecture?.widening;
  const ofExperts = draft.number('expertFeedForward');
  if (ofExperts) draft.assume('noDenseWidth', 'feedForward', ofExperts);
  else if (typeof widening !== 'number') draft.missing('feedForward', 'intermediate_size');
  else if (hidden && ratio) draft.take('feedForward', ratio, widening * hidden);
  else if (hidden) draft.assume('widening', 'feedForward', widening * hidden);
}

/** Meta's and torchtitan's files: two thirds of four times the hidden size, times a multiplier, up
 *  to the next multiple. Source: meta-llama/llama-models, models/llama3/model.py (FeedForward). */
function multipliedWidth(hidden: number, multiple: number, times: Given['value'] = 1): number {
  const width = Math.floor((8 * hidden) / 3);
  return multiple * Math.ceil(Math.floor(Number(times) * width) / multiple);
}

/** LFM2: two thirds of the size that is given, up to the next multiple. Source: transformers,
 *  modeling_lfm2.py (Lfm2MLP). */
function adjustedWidth(draft: Draft, given: Given): number | undefined {
  const { keys } = draft;
  if (keys.find('block_auto_adjust_ff_dim')?.value !== true) return undefined;
  const times = Number(keys.find('block_ffn_dim_multiplier')?.value ?? 1);
  const multiple = Number(keys.find('block_multiple_of')?.value ?? 1);
  const width = Math.floor(times * Math.floor((2 * Number(given.value)) / 3));
  return multiple * Math.ceil(width / multiple);
}
