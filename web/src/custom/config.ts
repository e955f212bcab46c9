// Reads a model's fields from a Hugging Face config.json.

import type { FieldInfo, FieldValue } from '../engine/index.ts';
import { cleanName } from '../link/address.ts';
import { architectureOf, otherKindOf, type Architecture, type OtherKind } from './architectures.ts';
import { Draft, type Assumption, type ModelKey, type Problem, type Recognised } from './draft.ts';
import { readExperts } from './experts.ts';
import { readObject, type Unreadable } from './json.ts';
import { Keys } from './keys.ts';
import { unsupportedIn, type Unsupported } from './unsupported.ts';
import { readStructure } from './structure.ts';
import { readWindows } from './windows.ts';

export type { Assumption, ModelKey, Problem, Recognised } from './draft.ts';
export type { Unsupported as LeftOut } from './unsupported.ts';

export interface Reading {
  ok: true;
  /** By what the file calls itself; empty if it does not. */
  name: string;
  architecture: string;
  /** Whether the calculator knows what the layers of this architecture have. */
  standing: 'known' | 'unknown' | 'unnamed' | OtherKind;
  fields: Recognised[];
  assumptions: Assumption[];
  unsupported: Unsupported[];
  ignored: string[];
  problems: Problem[];
  /** All fields, recognised and assumed. */
  model: Partial<Record<ModelKey, FieldValue>>;
}

export interface Refusal {
  ok: false;
  reason: Unreadable | { code: 'notAModel' } | { code: OtherKind; architecture: string };
}

/** Reads the text of a config; `infos` are the core's own fields of models. */
export function readConfig(text: string, infos: readonly FieldInfo[]): Reading | Refusal {
  const read = readObject(text);
  if ('unreadable' in read) return { ok: false, reason: read.unreadable };
  const keys = Keys.of(read.entries);
  const names = keys.names();
  const known = names.map(architectureOf).find((each) => each !== undefined);
  const other = known ? undefined : otherKind(keys, names);
  keys.suppose(known);
  const architecture = cleanName(names[0] ?? '');

  const draft = new Draft(infos, keys);
  readSizes(draft);
  const isDecoder = ['layers', 'hidden', 'heads'].every(
    (field) => draft.has(field as ModelKey) || draft.failed(field as ModelKey),
  );
  if (!isDecoder) {
    const reason = other ? { code: other, architecture } : { code: 'notAModel' as const };
    return { ok: false, reason };
  }
  readExperts(draft, known !== undefined);
  readFeedForward(draft, known);
  readStructure(draft, known);
  readWindows(draft, known);
  const extra = keys.find('num_nextn_predict_layers', 'mtp_num_hidden_layers', 'num_mtp_modules');
  if (extra && keys.find('use_mtp')?.value !== false) draft.take('mtpModules', extra);

  const path = keys.find('_name_or_path')?.value;
  const name = typeof path === 'string' ? (path.split(/[\\/]/).filter(Boolean).pop() ?? '') : '';
  return {
    ok: true,
    name: cleanName(name),
    architecture,
    standing: known ? 'known' : (other ?? (architecture ? 'unknown' : 'unnamed')),
    fields: draft.recognised,
    assumptions: draft.assumptions,
    unsupported: unsupportedIn(keys, draft),
    ignored: keys.ignored().map(cleanName),
    problems: draft.problems,
    model: draft.model,
  };
}

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

function readSizes(draft: Draft): void {
  const { keys } = draft;
  draft.count('layers', 'num_hidden_layers', 'n_layer', 'n_layers', 'num_layers');
  draft.count('hidden', 'hidden_size', 'n_embd', 'n_embed', 'd_model', 'dim', 'model_dim');
  draft.count('heads', 'num_attention_heads', 'n_head', 'n_heads', 'num_heads');
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

function readHeads(draft: Draft): void {
  const { keys } = draft;
  const heads = draft.number('heads');
  // Falcon's older layers have one key/value head, whatever number stands there.
  const single = keys.find('multi_query');
  const grouped = keys.find('new_decoder_architecture')?.value === true;
  const group = keys.find('multi_query_attention')?.value !== false;
  const names = ['num_key_value_heads', 'num_kv_heads', 'n_kv_heads', 'n_head_kv'];
  if (group) names.push('multi_query_group_num');
  if (single?.value === true && !grouped) draft.set('kvHeads', 1, single);
  else if (!draft.count('kvHeads', ...names, 'num_attention_groups', 'attn_config.kv_n_heads')) {
    if (heads) draft.assume('kvHeads', 'kvHeads', heads);
  }

  if (draft.count('headDim', 'head_dim', 'kv_channels', 'attention_head_dim')) return;
  const hidden = draft.number('hidden');
  if (!heads || !hidden) return;
  if (hidden % heads === 0) draft.assume('headDim', 'headDim', hidden / heads);
  else draft.problem('notDivisible', 'headDim', 'head_dim', `${hidden} / ${heads}`);
}

function readFeedForward(draft: Draft, architecture: Architecture | undefined): void {
  const given = draft.keys.find(
    'intermediate_size_mlp', // Llama 4's dense layers; its other size is that of the experts
    'intermediate_size',
    'n_inner',
    'ffn_dim',
    'ffn_hidden_size',
    'd_ff',
    'inner_dim',
    'hidden_dim',
    'ffn_config.ffn_hidden_size',
    'dense_intermediate_size',
  );
  if (given) {
    const halved = architecture?.gateAndUp && typeof given.value === 'number';
    draft.take('feedForward', given, halved ? Number(given.value) / 2 : undefined);
    return;
  }
  const hidden = draft.number('hidden');
  const ratio = draft.keys.find('expansion_ratio');
  const widening = ratio ? ratio.value : architecture?.widening;
  const ofExperts = draft.number('expertFeedForward');
  if (ofExperts) draft.assume('noDenseWidth', 'feedForward', ofExperts);
  else if (typeof widening !== 'number') draft.missing('feedForward', 'intermediate_size');
  else if (hidden && ratio) draft.take('feedForward', ratio, widening * hidden);
  else if (hidden) draft.assume('widening', 'feedForward', widening * hidden);
}
