import type { Architecture } from './architectures.ts';
import type { Draft } from './draft.ts';

const windowed = /sliding|chunked|local|window/i;

/** Reads how far attention looks back, and in which layers. */
export function readWindows(draft: Draft, architecture: Architecture | undefined): void {
  const { keys } = draft;
  const layers = draft.number('layers');
  const use = keys.find('use_sliding_window');
  const given = keys.find(
    'sliding_window',
    'sliding_window_size',
    'attention_chunk_size',
    'window_size',
  );
  if (use?.value === false) {
    draft.set('slidingWindow', 0, use);
    return;
  }
  if (!given) return;
  draft.take('slidingWindow', given);
  if (!draft.number('slidingWindow') || layers === undefined) return;

  const types = keys.find('layer_types', 'attention_types', 'no_rope_layers');
  if (types && Array.isArray(types.value) && types.value.length === layers) {
    const counts = types.key.endsWith('no_rope_layers')
      ? (type: unknown) => type === 1
      : (type: unknown) => typeof type === 'string' && windowed.test(type);
    draft.take('windowedLayers', types, types.value.filter(counts).length);
    return;
  }
  // The last layers, in Qwen's models.
  const from = use && keys.find('max_window_layers');
  if (from && typeof from.value === 'number') {
    draft.take('windowedLayers', from, Math.max(0, layers - from.value));
    return;
  }
  const pattern = keys.find('sliding_window_pattern', 'no_rope_layer_interval');
  if (pattern) {
    const { value } = pattern;
    if (typeof value === 'string' && /^[LG]{1,64}$/.test(value)) {
      const letters = Array.from({ length: layers - 1 }, (_, at) => value[at % value.length]);
      draft.take('windowedLayers', pattern, letters.filter((letter) => letter === 'L').length);
    } else if (typeof value === 'number' && Number.isInteger(value) && value > 0) {
      draft.take('windowedLayers', pattern, layers - Math.floor(layers / value));
    } else draft.fail('notANumber', 'windowedLayers', pattern);
    return;
  }
  const every = architecture?.pattern;
  if (every) draft.assume('pattern', 'windowedLayers', layers - Math.floor(layers / every));
  else draft.assume(architecture ? 'architecture' : 'everyLayer', 'windowedLayers', layers);
}
