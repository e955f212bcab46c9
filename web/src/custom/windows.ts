import type { Architecture } from './architectures.ts';
import type { Draft } from './draft.ts';
import type { Listed } from './layers.ts';

/** Reads how far attention looks back, and in which layers; `listed`: the kinds of all of them. */
export function readWindows(
  draft: Draft,
  architecture: Architecture | undefined,
  listed: Listed | undefined,
): void {
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

  if (listed) {
    const windowed = listed.layers.filter(({ mixer }) => mixer === 'w');
    draft.take('windowedLayers', listed.given, windowed.length);
    return;
  }
  const rotated = keys.find('no_rope_layers');
  if (rotated && Array.isArray(rotated.value) && rotated.value.length === layers) {
    const ones = rotated.value.filter((rope) => rope === 1);
    draft.take('windowedLayers', rotated, ones.length);
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
