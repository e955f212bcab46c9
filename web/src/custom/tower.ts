// Reads the vision tower of a config: layers over the patches of an image, and the projector that
// makes tokens of them. Key names and their synonyms are those that most files use.

import { plainly } from './architectures.ts';
import type { Draft } from './draft.ts';
import type { Given, Keys } from './keys.ts';
import {
  defaults,
  inside,
  merger,
  ofRows,
  outside,
  part,
  projectors,
  towers,
  twoMatrices,
  type Sizes,
  type Tower,
} from './tower-families.ts';

/** Files that say nothing of it take images of any size: pixels of a side that are assumed. */
const usualSide = 1024;

/** Between a tower and its projector: others than any above. */
const between = /qformer|perceiver|resampler|abstractor|adapter/;

/** The first of the file's names, or else its part's, that a table has. */
function known<Row>(table: Readonly<Record<string, Row>>, names: string[]): Row | undefined {
  const name = names.find((each) => Object.hasOwn(table, each));
  return name === undefined ? undefined : table[name];
}

const squares = [
  ...['spatial_merge_size', 'merge_kernel_size', 'pooling_kernel_size'],
  'img_token_compression_config.spatial_merge_size',
];
const frames = ['temporal_patch_size', 'img_token_compression_config.temporal_patch_size'];

/** Patches of the side of a square that becomes one token, and whether its own part says so. */
function mergeOf(keys: Keys): { merge: number; own: boolean } {
  const own = inside(keys, ...squares);
  if (own) return { merge: own, own: true };
  const ratio = inside(keys, 'pixel_shuffle_ratio') ?? outside(keys, 'downsample_ratio', 1);
  const beside = outside(keys, 'spatial_merge_size', outside(keys, 'scale_factor', 1 / ratio));
  return { merge: beside, own: false };
}

/** Sets the fields of the tower if all of it is understood; else none of them. */
export function readTower(draft: Draft): void {
  const { keys } = draft;
  const model = draft.number('hidden');
  const type = plainly(String(keys.inPart(part, 'model_type')?.value ?? ''));
  if (!model || keys.partNames().some((name) => between.test(name))) return;
  const names = [...keys.names().map(plainly), type];
  const tower = known(towers, names);
  const read = readSizes(keys, tower ?? {}, defaults[type] ?? {}, model);
  if (!read) return;
  const { sizes, given, own } = read;
  const { side, merge, hidden, headDim, heads } = sizes;
  const joint = known(projectors, names);
  const projector = (joint ?? (own ? merger : twoMatrices))(keys, sizes);
  const any = !given.image || tower?.anySize;
  const rows = merge * (any ? Math.round(side / merge) : Math.floor(side / merge));
  const classTokens = tower?.classTokens ?? 0;
  const ofPixtral = type === 'pixtral' ? ofRows(sizes) : undefined;
  const patches = (projector.patches ?? (any ? rows : side) ** 2) + classTokens;
  const tokens = projector.tokens ?? ofPixtral ?? (rows / merge) ** 2;
  const positions = positionsOf(keys, tower, sizes);
  const gated = tower ? Boolean(tower.gated) : /silu|swiglu/.test(activationOf(keys));
  const rest = restOf(keys, { ...tower, gated }, sizes, positions) + (projector.vectors ?? 0);
  const found = [...Object.values(sizes), patches, tokens, projector.matrices, positions];
  if (!found.every((each) => Number.isInteger(each) && each >= 0)) return;

  keys.readPart(part);
  keys.understood(...used);
  draft.take('towerLayers', given.layers, sizes.layers);
  draft.take('towerHidden', given.hidden, hidden);
  draft.take('towerFeedForward', given.feedForward, sizes.feedForward);
  draft.take('towerHeads', given.heads, heads);
  if (headDim * heads !== hidden) draft.take('towerHeadDim', given.width ?? given.heads, headDim);
  readWindow(draft, sizes);
  if (gated) draft.assume(tower ? 'architecture' : 'activation', 'towerGated', true);
  draft.take('towerRest', given.patch, rest);
  if (joint) draft.take('projectorParameters', given.hidden, projector.matrices);
  else draft.assume('usual', 'projectorParameters', projector.matrices);
  if (any && projector.patches === undefined) {
    draft.assume('imageSize', 'imagePatches', patches);
    draft.assume('imageSize', 'imageTokens', tokens);
  } else {
    draft.take('imagePatches', given.image ?? given.patch, patches);
    draft.take('imageTokens', given.image ?? given.patch, tokens);
  }
}

/** Keys beside the tower that it is read from. */
const used = [
  ...['mm_tokens_per_image', 'vision_soft_tokens_per_image', 'vision_feature_layer'],
  ...['spatial_merge_size', 'downsample_ratio', 'scale_factor', 'projector_hidden_size'],
  ...['force_image_size', 'select_layer'],
];

interface Keyed {
  layers: Given;
  hidden: Given;
  feedForward: Given;
  heads: Given;
  patch: Given;
  image: Given | undefined;
  width: Given | undefined;
}

/** The sizes by their keys; undefined if one is left out or no number. */
function readSizes(
  keys: Keys,
  tower: Tower,
  usual: Readonly<Record<string, number>>,
  model: number,
): { sizes: Sizes; given: Keyed; own: boolean } | undefined {
  const size = (...names: string[]): Given | undefined => {
    const found = keys.inPart(part, ...names);
    if (found) return found;
    const name = names.find((each) => Object.hasOwn(usual, each));
    if (name === undefined) return undefined;
    const value = usual[name]!;
    return { key: `${part}.${name}`, value, written: String(value), by: 'library' };
  };
  const number = (given: Given | undefined): number =>
    Number(Array.isArray(given?.value) ? given.value[0] : given?.value);

  const layers = size('num_hidden_layers', 'depth', 'vt_num_hidden_layers', 'num_layers', 'layers');
  // Qwen2-VL calls the language model's width `hidden_size`.
  const hidden = size('embed_dim', 'hidden_size', 'vt_hidden_size', 'width');
  const widths = ['intermediate_size', 'vt_intermediate_size', 'mlp_dim', 'mlp_ratio'];
  const feedForward = tower.width ? size(tower.width) : size(...widths);
  const heads = size('num_attention_heads', 'num_heads', 'vt_num_attention_heads', 'heads');
  const patch = size('patch_size');
  const image = size('image_size');
  if (!layers || !hidden || !feedForward || !heads || !patch) return undefined;
  // Heads of keys that are fewer have no field.
  const keyHeads = inside(keys, 'num_key_value_heads');
  if (keyHeads !== undefined && keyHeads !== number(heads)) return undefined;
  const width = size('qkv_hidden_size') ?? size('head_dim');
  const ofHeads = width?.key.endsWith('head_dim') ? 1 : number(heads);
  const ratio = feedForward.key.endsWith('mlp_ratio') ? number(hidden) : 1;
  const last =
    keys.outside('vision_feature_layer') ??
    keys.outside('select_layer') ??
    keys.inPart(part, 'vision_feature_layer', 'feature_layer');
  const unused = typeof last?.value === 'number' && last.value < -1 ? -1 - last.value : 0;
  const { merge, own } = mergeOf(keys);
  const pixels = image && !tower.anySize ? number(image) : usualSide;
  const sizes: Sizes = {
    layers: number(layers) - unused,
    hidden: number(hidden),
    feedForward: ratio * number(feedForward),
    heads: number(heads),
    headDim: width ? number(width) / ofHeads : number(hidden) / number(heads),
    patch: number(patch),
    side: Math.floor(pixels / number(patch)),
    model: inside(keys, 'out_hidden_size', 'text_hidden_size') ?? model,
    merge,
  };
  return { sizes, given: { layers, hidden, feedForward, heads, patch, image, width }, own };
}

const activationOf = (keys: Keys): string =>
  String(keys.inPart(part, 'hidden_act', 'hidden_activation', 'activation_func')?.value ?? '');

/** Rows of the table of positions; none where positions are rotations. */
function positionsOf(keys: Keys, tower: Tower | undefined, { patch }: Sizes): number {
  const rows = inside(keys, 'num_position_embeddings');
  if (rows) return rows;
  const grid = inside(keys, 'init_pos_emb_height', 'pos_emb_height');
  if (grid) return grid * (inside(keys, 'init_pos_emb_width', 'pos_emb_width') ?? grid);
  const axis = inside(keys, 'position_embedding_size');
  if (axis) return 2 * axis;
  const pixels = inside(keys, 'image_size');
  if (
    !pixels ||
    !(tower ? tower.learned : !keys.namesIn(part).some((name) => /rope|rotary/.test(name)))
  )
    return 0;
  return Math.floor(pixels / patch) ** 2 + (tower?.classTokens ?? 0);
}

/** Qwen2.5-VL: squares of so many pixels, but for layers that are listed. */
function readWindow(draft: Draft, { layers, patch }: Sizes): void {
  const { keys } = draft;
  const window = keys.inPart(part, 'window_size');
  const whole = keys.inPart(part, 'fullatt_block_indexes');
  if (typeof window?.value !== 'number' || !Array.isArray(whole?.value)) return;
  draft.take('towerWindow', window, Math.floor(window.value / patch) ** 2);
  draft.take('towerWindowedLayers', whole, layers - whole.value.length);
}

/** Patch embedding, of as many frames as make one patch, positions, and biases of the layers. */
function restOf(
  keys: Keys,
  tower: Omit<Tower, 'gated'> & { gated: boolean },
  { layers, hidden, feedForward, patch }: Sizes,
  positions: number,
): number {
  const biases = tower.bare ? 0 : 5 * hidden + (tower.gated ? 2 : 1) * feedForward;
  const norms = tower.bare || tower.rms ? 0 : 2 * hidden;
  const ends = 3 * (inside(keys, ...frames) ?? 1) * patch ** 2 + positions + (tower.vectors ?? 0);
  return ends * hidden + layers * (biases + norms);
}
