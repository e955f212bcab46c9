import type { Draft } from './draft.ts';
import type { Keys } from './keys.ts';

/** Parts of the file that the calculator has no fields for, or counts in its own way. */
export type Unsupported =
  | 'vision'
  | 'audio'
  | 'linearAttention'
  | 'indexer'
  | 'projectedEmbeddings'
  | 'chunks'
  | 'quantized';

export function unsupportedIn(keys: Keys, draft: Draft): Unsupported[] {
  const projected = keys.find('word_embed_proj_dim')?.value;
  const found: Record<Unsupported, boolean> = {
    vision: keys.mentions('vision_config', 'visual', 'vision_tower', 'mm_vision_tower'),
    audio: keys.mentions('audio_config', 'speech_config', 'audio_encoder'),
    linearAttention: hasOtherLayers(keys),
    indexer: keys.mentions('index_topk', 'index_n_heads'),
    projectedEmbeddings: typeof projected === 'number' && projected !== draft.number('hidden'),
    chunks: Boolean(draft.number('slidingWindow')) && keys.mentions('attention_chunk_size'),
    quantized: keys.mentions('quantization_config'),
  };
  return (Object.keys(found) as Unsupported[]).filter((key) => found[key]);
}

/** Layers that do not attend, or not to keys and values. */
function hasOtherLayers(keys: Keys): boolean {
  const types = ['layer_types', 'layers_block_type', 'block_types'].flatMap((name) => {
    const value = keys.find(name)?.value;
    return Array.isArray(value) ? value : [];
  });
  const other = /linear|mamba|conv|recurrent|ssm/i;
  return types.some((type) => typeof type === 'string' && other.test(type));
}
