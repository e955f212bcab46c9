import type { FieldValue } from '../engine/index.ts';
import type { Architecture } from './architectures.ts';
import type { Draft, ModelKey } from './draft.ts';

/** A feed-forward with one of these, alone, has two matrices. */
const plainActivation = /^(gelu|gelu_new|gelu_fast|quick_gelu|relu|relu2|relu_squared|tanh)$/;

/** Reads how a layer is built: norms, biases, gate, embeddings. */
export function readStructure(draft: Draft, architecture: Architecture | undefined): void {
  for (const [key, value] of Object.entries(architecture?.facts ?? {})) {
    const field = key as ModelKey;
    if (draft.matters(field)) settle(draft, architecture, field, value);
  }
  if (architecture?.learned !== undefined) {
    const positions = draft.number('contextLength');
    if (positions) {
      draft.assume('architecture', 'learnedPositions', positions + architecture.learned);
    }
  }
  readGate(draft);
  readNorms(draft, architecture);
  readBiases(draft, architecture);
  const tied = draft.keys.find(
    'tie_word_embeddings',
    'tie_embeddings',
    'tie_embedding',
    'weight_tying',
    'share_embeddings_and_output_weights',
  );
  const apart = draft.keys.find('untie_embeddings_and_output_weights');
  if (tied) draft.flag('tiedEmbeddings', tied);
  else if (apart) draft.flag('tiedEmbeddings', apart, true);
  else settle(draft, architecture, 'tiedEmbeddings', false);
}

/** Settles a field that no key gives. */
function settle(
  draft: Draft,
  architecture: Architecture | undefined,
  field: ModelKey,
  value: FieldValue,
): void {
  if (draft.has(field) || draft.failed(field)) return;
  draft.assume(architecture ? 'architecture' : 'usual', field, value);
}

function readGate(draft: Draft): void {
  if (draft.has('gatedFeedForward')) return;
  const { keys } = draft;
  // Megatron's
  const gated = keys.find('swiglu', 'gated_linear_unit');
  if (gated) {
    draft.flag('gatedFeedForward', gated);
    return;
  }
  const name = keys.find('hidden_act', 'hidden_activation', 'activation_function', 'activation');
  const plain = typeof name?.value === 'string' && plainActivation.test(name.value);
  draft.assume(plain ? 'activation' : 'usual', 'gatedFeedForward', !plain);
}

function readNorms(draft: Draft, architecture: Architecture | undefined): void {
  const { keys } = draft;
  // Megatron's
  const named = keys.find('normalization');
  if (named?.value === 'LayerNorm') draft.set('norm', 'layerNorm', named);
  else if (named?.value === 'RMSNorm') draft.set('norm', 'rmsNorm', named);
  if (!draft.has('norm')) {
    const layerNorm = keys.find('layer_norm_eps', 'layer_norm_epsilon', 'layernorm_epsilon');
    if (layerNorm) draft.assume('epsilon', 'norm', 'layerNorm');
    else draft.assume('usual', 'norm', 'rmsNorm');
  }
  if (!draft.has('normsPerLayer')) {
    const parallel = keys.find('parallel_attn', 'use_parallel_residual');
    const two = keys.find('new_decoder_architecture');
    if (two?.value === true) draft.set('normsPerLayer', 2, two);
    else if (typeof parallel?.value === 'boolean') {
      draft.set('normsPerLayer', parallel.value ? 1 : 2, parallel);
    } else settle(draft, architecture, 'normsPerLayer', 2);
  }
  if (draft.has('qkNorm')) return;
  const over = keys.find('qk_norm_type');
  const kinds = new Map<unknown, string>([
    ['per_layer', 'full'],
    ['per_head', 'perHead'],
  ]);
  const kindNamed = kinds.get(over?.value);
  if (over && kindNamed && keys.find('use_qk_norm')?.value !== false) {
    draft.set('qkNorm', kindNamed, over);
    return;
  }
  const asked = keys.find(
    'use_qk_norm',
    'qk_norm',
    'qk_layernorm',
    'qk_layernorms',
    'use_qk_layernorm',
    'attn_config.qk_ln',
  );
  const kind = architecture?.fullQkNorm ? 'full' : 'perHead';
  if (typeof asked?.value === 'boolean') draft.set('qkNorm', asked.value ? kind : 'none', asked);
  else settle(draft, architecture, 'qkNorm', 'none');
}

function readBiases(draft: Draft, architecture: Architecture | undefined): void {
  const { keys } = draft;
  const everywhere = ['use_bias', 'bias', 'enable_bias', 'add_bias_linear'];
  const places: [ModelKey, string[]][] = [
    ['qkvBias', ['qkv_bias', 'use_qkv_bias', 'add_qkv_bias', 'attention_bias']],
    ['attentionOutputBias', ['attention_out_bias', 'attention_output_bias', 'attention_bias']],
    ['feedForwardBias', ['mlp_bias']],
  ];
  for (const [field, own] of places) {
    if (draft.has(field)) continue;
    const given = keys.find(...own, ...everywhere);
    const without = keys.find('no_bias');
    if (given) draft.flag(field, given);
    else if (without) draft.flag(field, without, true);
    else settle(draft, architecture, field, false);
  }
  const head = keys.find('lm_head_bias');
  if (head) draft.flag('headBias', head);
}
