import type { Draft } from './draft.ts';
import type { Keys } from './keys.ts';

/** Parts of the file that the calculator has no fields for, or counts in its own way. */
export type Unsupported = 'vision' | 'audio' | 'projectedEmbeddings' | 'chunks';

/** Keys under which files describe or name a vision tower. */
const ofVision = [
  ...['vision_config', 'vit_config', 'visual', 'vision_tower', 'mm_vision_tower'],
  ...['img_processor', 'embd_layer'],
];

export function unsupportedIn(keys: Keys, draft: Draft): Unsupported[] {
  const projected = keys.find('word_embed_proj_dim')?.value;
  const found: Record<Unsupported, boolean> = {
    vision: !draft.has('towerLayers') && keys.mentions(...ofVision),
    audio: keys.mentions('audio_config', 'speech_config', 'audio_encoder'),
    projectedEmbeddings: typeof projected === 'number' && projected !== draft.number('hidden'),
    chunks: Boolean(draft.number('slidingWindow')) && keys.mentions('attention_chunk_size'),
  };
  return (Object.keys(found) as Unsupported[]).filter((key) => found[key]);
}
