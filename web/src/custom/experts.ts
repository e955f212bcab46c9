import type { Draft } from './draft.ts';
import type { Given } from './keys.ts';
import { firstNumber } from './layers.ts';

/** Reads what a mixture of experts has: how many, how wide, and in which layers. */
export function readExperts(draft: Draft, known: boolean): void {
  const { keys } = draft;
  // Gemma 4 may name experts and have none.
  if (keys.find('enable_moe_block')?.value === false) return;
  const experts = keys.find(
    'num_local_experts',
    'num_experts',
    'n_routed_experts',
    'moe_num_experts',
    'num_moe_experts',
    'num_routed_experts',
    'n_experts',
    'ffn_config.moe_num_experts',
    'moe.num_experts',
  );
  if (!experts) return;
  // Jamba: one expert is a dense part.
  if (experts.value === 1 && keys.find('expert_layer_period')) return;
  draft.take('experts', experts);
  if (!draft.number('experts')) return;

  const many = draft.count(
    'expertsPerToken',
    'num_experts_per_tok',
    'num_experts_per_token',
    'experts_per_token',
    'num_selected_experts',
    'moe_k',
    'moe_top_k',
    'moe_topk',
    'top_k_experts',
    'moe_router_topk',
    'ffn_config.moe_top_k',
    'moe.num_experts_per_tok',
  );
  if (!many) draft.missing('expertsPerToken', 'num_experts_per_tok');
  // DeepSeek: a token's experts lie in a few of the groups, which lie on nodes of their own.
  const groups = keys.find('n_group', 'num_expert_group', 'moe_router_num_groups');
  const limited = keys.find('topk_group', 'moe_router_group_topk');
  if (limited && groups && Number(groups.value) > 1) draft.take('routedGroups', limited);
  if (keys.find('zero_expert_num')) readZeroExperts(draft);
  readWidth(draft, known);
  readShared(draft);
  readBeside(draft);

  const balanced = keys.find(
    'use_routing_bias',
    'use_moe_router_bias',
    'moe_router_enable_expert_bias',
    'use_expert_bias',
  );
  if (balanced) draft.flag('scoreBias', balanced);
  const method = keys.find('topk_method');
  if (method) draft.set('scoreBias', method.value === 'noaux_tc', method);
}

/** LongCat-Flash: some of the experts that a token chooses give what they take. Which, is the
 *  token's choice: on average they are as many as among all. A dense part stands beside. */
function readZeroExperts(draft: Draft): void {
  draft.count('zeroExperts', 'zero_expert_num');
  const width = draft.keys.find('ffn_hidden_size');
  if (width) draft.take('denseBesideExperts', width);
  const [all, zero, chosen] = (['experts', 'zeroExperts', 'expertsPerToken'] as const).map(
    (field) => draft.number(field) ?? 0,
  );
  const mean = Math.round((chosen! * all!) / (all! + zero!));
  if (mean > 0 && mean < chosen!) draft.assume('zeroExperts', 'expertsPerToken', mean);
}

function readWidth(draft: Draft, known: boolean): void {
  const own = draft.keys.find(
    'moe_intermediate_size',
    'moe_ffn_hidden_size',
    'expert_ffn_hidden_size',
    'expert_intermediate_size',
    'moe_ffn_dim',
    'ffn_config.ffn_hidden_size',
  );
  if (own) {
    draft.take('expertFeedForward', own);
    return;
  }
  const width = draft.keys.find('intermediate_size', 'ffn_dim', 'ffn_hidden_size', 'hidden_dim');
  if (!width) {
    draft.missing('expertFeedForward', 'moe_intermediate_size');
    return;
  }
  draft.take('expertFeedForward', width);
  const value = draft.number('expertFeedForward');
  if (!known && value)
    draft.assumptions.push({ code: 'expertWidth', field: 'expertFeedForward', value });
}

/** Shared experts are given by number, or by a width: of one of them, or of all together. */
function readShared(draft: Draft): void {
  const number = ['n_shared_experts', 'num_shared_experts', 'moe_num_shared_experts'];
  const counted = draft.count('sharedExperts', ...number, 'num_shared_expert');
  const width = draft.keys.find(
    'shared_expert_intermediate_size',
    'moe_shared_expert_intermediate_size',
    'shared_intermediate_size',
    'share_expert_dim',
    'share_expert_dims',
  );
  const one = draft.number('expertFeedForward');
  if (!width || !one) return;
  // MiniMax-01 has one for each layer, all of them 0.
  if ([width.value].flat().every((each) => each === 0)) return;
  const wide = typeof width.value === 'number' ? width.value : NaN;
  if (!counted && wide % one !== 0) {
    draft.take('sharedExpertFeedForward', width);
    if (draft.has('sharedExpertFeedForward')) draft.take('sharedExperts', width, 1);
  } else if (!counted) draft.take('sharedExperts', width, wide / one);
  else if (wide !== one && draft.number('sharedExperts')) {
    draft.take('sharedExpertFeedForward', width);
  }
}

/** The parts around the experts: a narrower input, a dense part beside them. */
function readBeside(draft: Draft): void {
  const { keys } = draft;
  draft.count('expertLatent', 'moe_latent_size', 'routed_expert_hidden_size');
  const norm = keys.find('latent_moe_use_norm');
  if (norm && draft.number('expertLatent')) draft.flag('expertLatentNorm', norm);
  const both = keys.find('enable_moe_block');
  const width = keys.find('intermediate_size');
  if (both?.value === true && width) {
    draft.take('denseBesideExperts', width);
    // Gemma 4: before and after attention, the dense part and the experts, and after both
    draft.assume('architecture', 'normsPerLayer', 7);
  }
  const residual = keys.find('parallel_attn_mlp_res', 'use_residual');
  const hidden = keys.find('hidden_size');
  if (residual?.value === true && hidden) {
    // Arctic: ArcticMLP(is_residual_mlp=True) is as wide as the hidden state, with a norm before it.
    draft.take('denseBesideExperts', hidden);
    draft.assume('architecture', 'normsPerLayer', 3);
  }
}

/** A rule for which layers have experts, and the keys that give its parts. */
interface Rule {
  /** Layers at the start without. */
  dense: number;
  every: number;
  denseKey: Given | undefined;
  stepKey: Given | undefined;
  has(layer: number): boolean;
}

/** The layers that have experts, if the file says which; all have them otherwise. */
export const placesOf = (draft: Draft): Omit<Rule, 'dense' | 'every'> | undefined => ruleOf(draft);

/** The core's rule has dense layers at the start, and after them experts in every n-th layer. */
export function readPlaces(draft: Draft): void {
  if (!draft.number('experts')) return;
  const layers = draft.number('layers');
  const rule = ruleOf(draft);
  if (!rule || layers === undefined) return;
  const { dense, every, denseKey, stepKey } = rule;
  let count = 0;
  let first = layers;
  for (let layer = layers - 1; layer >= 0; layer -= 1) {
    if (!rule.has(layer)) continue;
    count += 1;
    first = layer;
  }
  if (Math.floor((layers - dense) / every) === count) {
    if (denseKey) draft.take('denseLayers', denseKey, dense);
    if (stepKey) draft.take('moeEvery', stepKey, every);
    return;
  }
  const value = layers - count;
  draft.take('denseLayers', (denseKey ?? stepKey)!, value);
  if (first !== value)
    draft.assumptions.push({ code: 'expertLayers', field: 'denseLayers', value });
}

function ruleOf(draft: Draft): Rule | undefined {
  const { keys } = draft;
  const numbered = keys.find('moe_layers', 'moe_layers_enum');
  const numbers = numbered && numbersIn(numbered.value);
  if (numbers) {
    const first = firstNumber([...numbers], draft.number('layers') ?? 0, 0);
    const has = (layer: number): boolean => numbers.has(layer + first);
    return { dense: 0, every: 1, denseKey: numbered, stepKey: undefined, has };
  }
  const listed = keys.find('moe_layer_freq', 'mlp_layer_types', 'is_moe_layer');
  if (listed && Array.isArray(listed.value)) {
    const list: readonly unknown[] = listed.value;
    // Whether a layer has experts
    const signs: ReadonlySet<unknown> = new Set([1, true, 'sparse', 'moe', 'hash_moe']);
    const has = (layer: number): boolean => signs.has(list[layer]);
    return { dense: 0, every: 1, denseKey: listed, stepKey: undefined, has };
  }
  const period = keys.find('expert_layer_period');
  const among = typeof period?.value === 'number' ? period.value : 0;
  if (period && among > 0) {
    const offset = keys.find('expert_layer_offset')?.value ?? 0;
    const has = (layer: number): boolean => layer % among === offset;
    return { dense: 0, every: 1, denseKey: period, stepKey: undefined, has };
  }
  const start = keys.find('first_k_dense_replace', 'moe_layer_start_index', 'num_dense_layers');
  const step = keys.find(
    'moe_layer_freq',
    'moe_layer_frequency',
    'decoder_sparse_step',
    'interleave_moe_layer_step',
    'moe_layer_interval',
  );
  const without = keys.find('mlp_only_layers');
  if (!start && !step && !without) return undefined;

  const dense = start ? draft.check('denseLayers', start) : 0;
  const every = step ? draft.check('moeEvery', step) : 1;
  const skipped = without?.value ?? [];
  if (!Array.isArray(skipped)) draft.fail('notAList', 'denseLayers', without!);
  if (dense === undefined || every === undefined || !Array.isArray(skipped)) return undefined;
  const dropped: ReadonlySet<unknown> = new Set(skipped);
  // DeepSeek counts layers from 0, the others from 1.
  const from = step?.key.endsWith('moe_layer_freq') ? 0 : 1;
  return {
    dense,
    every,
    denseKey: start ?? (dropped.size > 0 ? without : undefined),
    stepKey: step,
    has: (layer) => layer >= dense && !dropped.has(layer) && (layer + from) % every === 0,
  };
}

/** The numbers of a list, or of a text with commas between them. */
function numbersIn(value: Given['value']): Set<unknown> | undefined {
  if (Array.isArray(value)) return new Set(value);
  if (typeof value !== 'string' || !/^\s*\d+(\s*,\s*\d+)*\s*$/.test(value)) return undefined;
  return new Set(value.split(',').map(Number));
}
