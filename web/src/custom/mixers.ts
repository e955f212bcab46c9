// Reads what the kinds of layers have: which kind each layer is, and the sizes of each kind.

import type { Architecture } from './architectures.ts';
import type { Draft, ModelKey } from './draft.ts';
import { placesOf, readPlaces } from './experts.ts';
import type { Given } from './keys.ts';
import { listedLayers, UnknownLayers, type Layer, type Listed } from './layers.ts';
import { patternOf } from './pattern.ts';
import { withSharedKeys } from './sharing.ts';
import { readWindows } from './windows.ts';

/** Reads the kinds of layers, as counts where these say it all, else as a pattern. */
export function readMixers(draft: Draft, architecture: Architecture | undefined): void {
  const count = draft.number('layers');
  const found =
    count === undefined ? undefined : listedLayers(draft.keys, Math.min(count, 1e5), architecture);
  if (found instanceof UnknownLayers) {
    draft.unknown.push(...found.names);
    return;
  }
  const listed = withSharedKeys(draft, found && fitting(draft, found, count!));
  const has = (letter: string): boolean =>
    Boolean(listed?.layers.some(({ mixer }) => mixer.startsWith(letter)));
  readGates(draft);
  readWindowSizes(draft);
  if (has('l')) readLinear(draft, architecture);
  // Without a list, its layers would pass for attention.
  else if (architecture?.linear) draft.unknown.push(architecture.linear);
  if (has('m') || has('p')) readMamba(draft, architecture);
  if (has('v')) readConvolution(draft);
  readIndexer(draft);
  if (has('c')) readCompressed(draft);
  readResidual(draft);
  readPerLayerInput(draft);
  if (listed && needsPattern(draft, listed)) {
    if (draft.has('slidingWindow') || has('w') || has('c')) readWindow(draft);
    setPattern(draft, listed, count!);
    return;
  }
  readWindows(draft, architecture, listed);
  readPlaces(draft);
}

/** The list without what it has of prediction modules, if it is as long as there are layers. */
function fitting(draft: Draft, { given, layers }: Listed, count: number): Listed | undefined {
  const more = layers.length - count;
  const modules = draft.keys.find('num_nextn_predict_layers', 'num_mtp_modules')?.value;
  if (more === 0 || more === modules) return { given, layers: layers.slice(0, count) };
  draft.problem('listLength', 'layerPattern', given.key, String(layers.length));
  return undefined;
}

const plain = /^[aw]$/;

/** Counts tell full attention from windows, and dense layers from those with experts; all layers
 *  are sparse where no pattern says otherwise. */
function needsPattern(draft: Draft, { layers }: Listed): boolean {
  const sizes: ModelKey[] = ['windowHeads', 'windowKvHeads', 'windowHeadDim', 'windowValueDim'];
  if (sizes.some((field) => draft.number(field))) return true;
  if (layers.every(({ mixer, feedForward }) => mixer === 's' && !feedForward)) return false;
  return layers.some(({ mixer, feedForward }) => feedForward !== undefined || !plain.test(mixer));
}

function setPattern(draft: Draft, { given, layers, also = [] }: Listed, count: number): void {
  const places = draft.number('experts') ? placesOf(draft) : undefined;
  const sparse = (at: number): boolean =>
    Boolean(draft.number('experts')) && (places === undefined || places.has(at));
  const widths = usual(draft, layers, 'feedForward', 'd', 'feedForward', given);
  const heads = usual(draft, layers, 'mixer', 'a', 'kvHeads', given);
  const letters = layers.flatMap(({ mixer, feedForward }, at) => {
    const part = feedForward ?? (sparse(at) ? 'e' : 'd');
    const ff = part === widths ? 'd' : part;
    // Side by side in one layer; one after the other they cost as much.
    if (mixer === 'p') return ['m-', `a${ff}`];
    if (mixer === 'aa') return ['ae', 'ad'];
    return [`${mixer === heads ? 'a' : mixer}${ff}`];
  });
  if (letters.length !== count) draft.assume('parallel', 'layers', letters.length);
  draft.text('layerPattern', patternOf(letters), given);
  for (const each of [places?.denseKey, places?.stepKey, ...also]) {
    if (each) draft.also('layerPattern', each);
  }
}

/** The field of a number that differs by layer takes the one that most have: it is written without. */
function usual(
  draft: Draft,
  layers: readonly Layer[],
  half: 'mixer' | 'feedForward',
  letter: string,
  field: 'feedForward' | 'kvHeads',
  given: Given,
): string | undefined {
  if (half === 'feedForward' && draft.has(field)) return undefined;
  const counts = new Map<string, number>();
  for (const layer of layers) {
    const each = layer[half];
    if (each?.startsWith(letter) && Number(each.slice(letter.length)) > 0)
      counts.set(each, (counts.get(each) ?? 0) + 1);
  }
  const [most] = [...counts].sort(([, one], [, other]) => other - one);
  if (!most) return undefined;
  draft.take(field, given, Number(most[0].slice(letter.length)));
  return most[0];
}

function readGates(draft: Draft): void {
  const { keys } = draft;
  const elementwise = keys.find('attn_output_gate', 'attention_output_gate', 'mla_use_output_gate');
  const headwise = keys.find('use_head_wise_attn_gate');
  if (headwise?.value === true) draft.set('outputGate', 'headwise', headwise);
  else if (typeof elementwise?.value === 'boolean') {
    draft.set('outputGate', elementwise.value ? 'elementwise' : 'none', elementwise);
  }
}

/** Sizes that layers with a window have of their own, or those without one. */
function readWindowSizes(draft: Draft): void {
  const { keys } = draft;
  draft.count('windowHeads', 'swa_num_attention_heads');
  draft.count('windowKvHeads', 'swa_num_key_value_heads');
  draft.count('windowHeadDim', 'swa_head_dim');
  draft.count('windowValueDim', 'swa_v_head_dim');
  const other = keys.find('attention_other_setting.attention_type')?.value;
  if (typeof other === 'string' && /sliding/.test(other)) {
    draft.count('windowHeads', 'attention_other_setting.num_attention_heads');
    draft.count('windowKvHeads', 'attention_other_setting.num_attention_groups');
    draft.count('windowHeadDim', 'attention_other_setting.head_dim');
  }
  // Gemma 4 gives the sizes of layers with a window, and beside them those of the others.
  const global = keys.find('global_head_dim');
  const one = keys.find('attention_k_eq_v');
  if (one) draft.flag('keyIsValue', one);
  if (global && draft.number('headDim')) {
    draft.move('headDim', 'windowHeadDim');
    draft.take('headDim', global);
  }
  const globalHeads = one?.value === true && keys.find('num_global_key_value_heads');
  if (globalHeads) {
    draft.move('kvHeads', 'windowKvHeads');
    draft.take('kvHeads', globalHeads);
  }
  // Sizes that are those of the other layers say nothing.
  draft.dropIfSame('windowHeads', 'heads');
  draft.dropIfSame('windowKvHeads', 'kvHeads');
  draft.dropIfSame('windowHeadDim', 'headDim');
  draft.dropIfSame('windowValueDim', 'valueDim');
  const sinks = keys.find('add_swa_attention_sink_bias');
  const everywhere = keys.find('add_full_attention_sink_bias');
  if (everywhere) draft.flag('attentionSinks', everywhere);
  if (sinks && everywhere?.value !== true) draft.flag('windowSinks', sinks);
}

/** The length of the window alone: the pattern says which layers have it. */
function readWindow(draft: Draft): void {
  const given = draft.keys.find('sliding_window', 'sliding_window_size', 'attention_chunk_size');
  if (given) draft.take('slidingWindow', given);
  else if (!draft.has('slidingWindow')) draft.missing('slidingWindow', 'sliding_window');
}

function readLinear(draft: Draft, architecture: Architecture | undefined): void {
  const { keys } = draft;
  if (architecture?.linear === 'lightning') {
    readLightning(draft);
    return;
  }
  const kimi = keys.find('linear_attn_config.num_heads');
  const kind = kimi ? 'kimiDelta' : 'gatedDeltaNet';
  draft.assume(architecture ? 'architecture' : 'usual', 'linearAttention', kind);
  if (kimi) {
    draft.take('linearKeyHeads', kimi);
    draft.take('linearValueHeads', kimi);
    need(draft, 'linearKeyDim', 'linear_attn_config.head_dim');
    need(draft, 'linearValueDim', 'linear_attn_config.head_dim');
    need(draft, 'linearConvolution', 'linear_attn_config.short_conv_kernel_size');
    const full = keys.find('linear_attn_config.use_full_rank_gate');
    const rank = full?.value === true ? 0 : draft.number('linearKeyDim');
    if (full && rank !== undefined) draft.take('linearGateRank', full, rank);
    else if (rank !== undefined) draft.assume('architecture', 'linearGateRank', rank);
    return;
  }
  need(draft, 'linearKeyHeads', 'linear_num_key_heads');
  need(draft, 'linearValueHeads', 'linear_num_value_heads');
  need(draft, 'linearKeyDim', 'linear_key_head_dim');
  need(draft, 'linearValueDim', 'linear_value_head_dim');
  need(draft, 'linearConvolution', 'linear_conv_kernel_dim');
}

/** Lightning attention: as many heads of keys and values as attention has of queries, of its size. */
function readLightning(draft: Draft): void {
  const { keys } = draft;
  draft.assume('architecture', 'linearAttention', 'lightning');
  need(draft, 'linearKeyHeads', 'num_attention_heads');
  need(draft, 'linearValueHeads', 'num_attention_heads');
  need(draft, 'linearKeyDim', 'head_dim');
  need(draft, 'linearValueDim', 'head_dim');
  const norm = keys.find('use_qk_norm');
  if (norm) draft.flag('linearQkNorm', norm);
}

/** LFM2: taps of a filter for each channel. */
function readConvolution(draft: Draft): void {
  need(draft, 'shortConvolution', 'conv_L_cache');
  if (draft.count('convolutionChannels', 'conv_dim')) {
    draft.dropIfSame('convolutionChannels', 'hidden');
  }
}

/** Gemma 3n and 4: an input of its own to each layer, from a table. */
function readPerLayerInput(draft: Draft): void {
  const { keys } = draft;
  if (keys.find('hidden_size_per_layer_input')?.value === 0) return;
  if (!draft.count('perLayerInput', 'hidden_size_per_layer_input')) return;
  draft.count('perLayerVocabulary', 'vocab_size_per_layer_input');
  draft.dropIfSame('perLayerVocabulary', 'vocabulary');
}

/** Mamba-1: each channel is a head of one number. */
function readMamba1(draft: Draft, architecture: Architecture | undefined): void {
  const { keys } = draft;
  if (keys.find('use_bias')?.value === true) draft.unknown.push('use_bias');
  const hidden = draft.number('hidden');
  const widening = keys.find('mamba_expand', 'expand');
  // A file without feed-forward parts gives the channels as their size, whatever the multiple.
  const alone = architecture?.everyLayer === 'm-';
  if (!(alone && draft.count('mambaHeads', 'intermediate_size'))) {
    if (typeof widening?.value === 'number' && hidden) {
      draft.take('mambaHeads', widening, widening.value * hidden);
    } else draft.missing('mambaHeads', 'mamba_expand');
  }
  draft.assume('architecture', 'mambaHeadDim', 1);
  const rank = keys.find('mamba_dt_rank', 'time_step_rank');
  if (typeof rank?.value === 'number') draft.take('mambaRank', rank);
  else if (rank && hidden) draft.take('mambaRank', rank, Math.ceil(hidden / 16));
  need(draft, 'mambaState', 'mamba_d_state', 'state_size');
  need(draft, 'mambaConvolution', 'mamba_d_conv', 'conv_kernel');
}

function readMamba(draft: Draft, architecture: Architecture | undefined): void {
  const { keys } = draft;
  const heads = keys.find('mamba_num_heads', 'mamba_n_heads');
  if (!heads) {
    if (keys.find('mamba_dt_rank', 'time_step_rank')) readMamba1(draft, architecture);
    else draft.unknown.push('Mamba-1');
    return;
  }
  const norm = keys.find('mamba_rms_norm');
  if (norm) draft.flag('mambaNorm', norm);
  draft.take('mambaHeads', heads);
  const size = keys.find('mamba_head_dim', 'mamba_d_head');
  if (typeof size?.value === 'number') draft.take('mambaHeadDim', size);
  else {
    // `auto`: what the widened hidden size leaves for each
    const widening = keys.find('mamba_expand', 'expand');
    const [hidden, number] = [draft.number('hidden'), draft.number('mambaHeads')];
    if (typeof widening?.value === 'number' && hidden && number) {
      draft.take('mambaHeadDim', widening, (widening.value * hidden) / number);
    } else draft.missing('mambaHeadDim', 'mamba_head_dim');
  }
  need(draft, 'mambaState', 'ssm_state_size', 'mamba_d_state', 'mamba_state_dim');
  need(draft, 'mambaGroups', 'n_groups', 'mamba_n_groups', 'mamba_ngroups');
  need(draft, 'mambaConvolution', 'conv_kernel', 'mamba_d_conv');
}

function readIndexer(draft: Draft): void {
  const { keys } = draft;
  const blocks = keys.find('sparse_attention_config.sparse_topk_blocks');
  if (blocks && keys.find('sparse_attention_config.use_sparse_attention')?.value !== false) {
    draft.take('indexTopK', blocks);
    need(draft, 'indexBlock', 'sparse_attention_config.sparse_block_size');
    need(draft, 'indexHeads', 'sparse_attention_config.sparse_num_index_heads');
    need(draft, 'indexHeadDim', 'sparse_attention_config.sparse_index_dim');
    return;
  }
  if (!draft.count('indexTopK', 'index_topk')) return;
  need(draft, 'indexHeads', 'index_n_heads');
  need(draft, 'indexHeadDim', 'index_head_dim');
  // Layers that share an index take what the last one before them has picked.
  const types = keys.find('indexer_types');
  if (Array.isArray(types?.value)) {
    const own = types.value.filter((type) => type === 'full').length;
    if (own < types.value.length) draft.take('indexLayers', types, own);
  }
}

/** DeepSeek-V4: one key and value for all heads, and an output in groups of low rank. */
function readCompressed(draft: Draft): void {
  draft.count('queryRank', 'q_lora_rank');
  need(draft, 'outputGroups', 'o_groups');
  need(draft, 'outputRank', 'o_lora_rank');
  draft.count('hashLayers', 'num_hash_layers');
  const types = draft.keys.find('mlp_layer_types');
  if (!draft.has('hashLayers') && Array.isArray(types?.value)) {
    draft.take('hashLayers', types, types.value.filter((type) => type === 'hash_moe').length);
  }
}

function readResidual(draft: Draft): void {
  draft.count('residualStreams', 'hc_mult');
  draft.count('residualBlock', 'attn_res_block_size');
}

/** Reads a field that a layer of the kind cannot be without. */
function need(draft: Draft, field: ModelKey, ...keys: string[]): void {
  if (!draft.count(field, ...keys)) draft.missing(field, keys[0]!);
}
