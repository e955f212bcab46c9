// Layers that look at the keys and values of an earlier one (Gemma 3n and 4): they have none of
// their own, and may have a feed-forward twice as wide. Source: transformers, modeling_gemma4.py
// (Gemma4TextAttention, Gemma4TextMLP).

import type { Draft } from './draft.ts';
import type { Layer, Listed } from './layers.ts';

/** The layers, the last of which share keys if the file says how many do. */
export function withSharedKeys(draft: Draft, listed: Listed | undefined): Listed | undefined {
  const { keys } = draft;
  const given = keys.find('num_kv_shared_layers');
  const shared = typeof given?.value === 'number' ? given.value : 0;
  if (shared <= 0) return listed;
  if (!listed || !Number.isInteger(shared) || shared >= listed.layers.length) {
    draft.unknown.push('num_kv_shared_layers');
    return listed;
  }
  const double = keys.find('use_double_wide_mlp')?.value === true;
  const width = double ? keys.find('intermediate_size') : undefined;
  if (width) draft.take('feedForward', width);
  const usual = draft.number('feedForward');
  const first = listed.layers.length - shared;
  const layers = listed.layers.map((layer, at): Layer => {
    if (at < first || !/^[aw]$/.test(layer.mixer)) return layer;
    const wide = double && usual ? { feedForward: `d${2 * usual}` } : {};
    return { ...layer, mixer: `${layer.mixer}0`, ...wide };
  });
  return {
    ...listed,
    layers,
    also: [given, double ? keys.find('use_double_wide_mlp') : undefined],
  };
}
