// The kinds of layers that a file lists. Each family has a key of its own for that.

import type { Architecture } from './architectures.ts';
import { entriesOf, type Entries, type Json } from './json.ts';
import type { Given, Keys } from './keys.ts';

/** The halves of a layer in letters of the core's pattern; a mixer alone where its feed-forward
 *  follows from the rule for experts. */
export interface Layer {
  mixer: string;
  feedForward?: string;
}

export interface Listed {
  given: Given;
  /** Further keys that say what layers are. */
  also?: readonly (Given | undefined)[];
  layers: readonly Layer[];
}

/** Names of kinds that the core has no letter for. */
export class UnknownLayers {
  constructor(readonly names: readonly string[]) {}
}

type Found = Listed | UnknownLayers | undefined;
type Reader = (keys: Keys, layers: number, architecture: Architecture | undefined) => Found;

/** Kinds of mixers by what libraries call them, in the order in which they are tried. */
const mixers: [RegExp, string][] = [
  [/^compressed_sparse_attention$/, 'c4'],
  [/^heavily_compressed_attention$/, 'c128'],
  [/^(deepseek_)?sparse_attention$/, 's'],
  [/sliding|chunked|local|window|^swa$/, 'w'],
  [/^(linear_attention|gated_deltanet|gdn|kda)$/, 'l'],
  [/^mamba2?$/, 'm'],
  [/^(short_?)?conv$/, 'v'],
  [/^(full|global|attention|attn|self_attention|full_attention|global_attention)$/, 'a'],
];

const letterOf = (name: string): string | undefined =>
  mixers.find(([pattern]) => pattern.test(name.toLowerCase()))?.[1];

/** The kinds of layers, by the first key that lists them. */
export function listedLayers(
  keys: Keys,
  layers: number,
  architecture: Architecture | undefined,
): Found {
  for (const read of readers) {
    const found = read(keys, layers, architecture);
    if (found) return found;
  }
  return undefined;
}

/** The number of layers that a file lists without stating their number. */
export function lengthOfList(keys: Keys): { given: Given; length: number } | undefined {
  const given = keys.find(
    'hybrid_override_pattern',
    'layers_block_type',
    'layer_types',
    'block_configs',
  );
  if (!given) return undefined;
  const { value } = given;
  const length = typeof value === 'string' || Array.isArray(value) ? value.length : 0;
  return length > 0 ? { given, length } : undefined;
}

/** Nemotron-H: each layer is a mixer or a feed-forward, of one letter. */
const halves = {
  M: { mixer: 'm', feedForward: '-' },
  '*': { mixer: 'a', feedForward: '-' },
  E: { mixer: '-', feedForward: 'e' },
  '-': { mixer: '-', feedForward: 'd' },
} satisfies Record<string, Layer>;

const halfOfSign = new Map<Json, Layer>(Object.entries(halves));
const halfOfWord = new Map<Json, Layer>([
  ['mamba', halves.M],
  ['attention', halves['*']],
  ['moe', halves.E],
  ['mlp', halves['-']],
]);

const listOf = (given: Given | undefined): readonly Json[] | undefined =>
  Array.isArray(given?.value) ? given.value : undefined;

const mixed = (letter: string | undefined): Layer | undefined =>
  letter === undefined ? undefined : { mixer: letter };

/** More layers than any model has: longer lists are cut there, and are then too long. */
const mostLayers = 1e5 + 1;

/** A layer for each entry; the names of those without are gathered. */
function each(
  given: Given,
  entries: readonly Json[],
  layerOf: (entry: Json, at: number) => Layer | undefined,
): Listed | UnknownLayers {
  const unknown = new Set<string>();
  const layers: Layer[] = [];
  for (const [at, entry] of entries.slice(0, mostLayers).entries()) {
    const layer = layerOf(entry, at);
    if (layer) layers.push(layer);
    else if (unknown.size < 4) unknown.add(nameOf(entry));
  }
  return unknown.size > 0 ? new UnknownLayers([...unknown]) : { given, layers };
}

const nameOf = (entry: Json): string =>
  typeof entry === 'string' || typeof entry === 'number' ? String(entry).slice(0, 40) : '…';

/** A layer for each number from 0. */
const numbered = (
  given: Given,
  layers: number,
  letterOf: (at: number) => string | undefined,
): Listed | UnknownLayers =>
  each(
    given,
    Array.from({ length: layers }, (_, at) => at),
    (_, at) => mixed(letterOf(at)),
  );

/** The number of the first layer in lists of layers: they count from 0 where they name it, from 1
 *  where they name as many as there are; elsewhere as their family does. */
export function firstNumber(list: readonly unknown[], layers: number, usual: 0 | 1): 0 | 1 {
  if (list.includes(0)) return 0;
  return list.includes(layers) ? 1 : usual;
}

const whole = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : undefined;

const readers: Reader[] = [
  // Nemotron-H and Nemotron 3
  (keys, _, architecture) => {
    if (!architecture?.halves) return undefined;
    const signs = keys.find('hybrid_override_pattern');
    if (typeof signs?.value === 'string') {
      return each(signs, [...signs.value.slice(0, mostLayers)], (sign) => halfOfSign.get(sign));
    }
    const words = keys.find('layers_block_type');
    const list = listOf(words);
    return list && each(words!, list, (word) => halfOfWord.get(word));
  },

  // Llama-Nemotron: what a search has left of each layer
  (keys) => {
    const given = keys.find('block_configs');
    const list = listOf(given);
    if (!list) return undefined;
    const hidden = whole(keys.find('hidden_size')?.value) ?? 0;
    const heads = whole(keys.find('num_attention_heads')?.value) ?? 0;
    const unknown = new Set<string>();
    const found = each(given!, list, (block) => blockOf(entriesOf(block), hidden, heads, unknown));
    return unknown.size > 0 ? new UnknownLayers([...unknown]) : found;
  },

  // Kimi Linear and Kimi K3: layers by their numbers
  (keys, layers) => {
    const given = keys.find('linear_attn_config.full_attn_layers');
    const list = listOf(given);
    if (!list || !keys.find('linear_attn_config.num_heads')) return undefined;
    const full = new Set(list);
    const linear = listOf(keys.find('linear_attn_config.kda_layers'));
    const others = linear && new Set(linear);
    const first = firstNumber([...list, ...(linear ?? [])], layers, 1);
    return numbered(given!, layers, (at) => {
      if (full.has(at + first)) return 'a';
      return !others || others.has(at + first) ? 'l' : undefined;
    });
  },

  // DeepSeek-V4: by what ratio keys are compressed
  (keys) => {
    const given = keys.find('compress_ratios');
    const list = listOf(given);
    return (
      list &&
      each(given!, list, (ratio) => {
        const number = whole(ratio);
        return mixed(number === undefined ? undefined : number === 0 ? 'w' : `c${number}`);
      })
    );
  },

  // MiniMax-M3: whether a layer attends to blocks that an indexer picks
  (keys) => {
    if (keys.find('sparse_attention_config.use_sparse_attention')?.value === false) {
      return undefined;
    }
    const given = keys.find('sparse_attention_config.sparse_attention_freq');
    const list = listOf(given);
    return list && each(given!, list, (sparse) => mixed(sparse === 0 ? 'a' : 's'));
  },

  // MiMo-V2: whether a layer has a window
  (keys) => {
    const given = keys.find('hybrid_layer_pattern');
    const list = listOf(given);
    return list && each(given!, list, (windowed) => mixed(windowed === 1 ? 'w' : 'a'));
  },

  // MiniMax-01: 0 for lightning attention
  (keys, _, architecture) => {
    const given = keys.find('attn_type_list');
    const list = listOf(given);
    if (!list?.includes(0)) return undefined;
    if (architecture?.linear !== 'lightning') return new UnknownLayers(['lightning attention']);
    return each(given!, list, (type) => mixed(type === 0 ? 'l' : type === 1 ? 'a' : undefined));
  },

  // Ling and Ring 2.5: one of so many attends, and what is left at the end
  (keys, layers, architecture) => {
    const given = keys.find('layer_group_size');
    const every = whole(given?.value);
    if (!every || architecture?.linear !== 'lightning') return undefined;
    const groups = Math.floor(layers / every) * every;
    return numbered(given!, layers, (at) => ((at + 1) % every === 0 || at >= groups ? 'a' : 'l'));
  },

  // most others: in words
  (keys) => {
    const given = keys.find('layer_types', 'layers_block_type', 'block_types');
    const list = listOf(given);
    if (!list) return undefined;
    return each(given!, list, (type) =>
      mixed(typeof type === 'string' ? letterOf(type) : undefined),
    );
  },

  // Qwen3-Next: one of so many attends
  (keys, layers) => {
    const given = keys.find('full_attention_interval');
    const every = whole(given?.value);
    if (!every || !keys.find('linear_num_value_heads')) return undefined;
    return numbered(given!, layers, (at) => ((at + 1) % every === 0 ? 'a' : 'l'));
  },

  // Jamba, Bamba, LFM2: those that attend; the others are state spaces, or convolutions
  (keys, layers) => {
    const given = keys.find('attn_layer_indices', 'full_attn_idxs');
    const list = listOf(given);
    if (list) {
      const attend = new Set(list);
      const first = firstNumber(list, layers, 0);
      const other = keys.find('conv_L_cache') ? 'v' : 'm';
      return numbered(given!, layers, (at) => (attend.has(at + first) ? 'a' : other));
    }
    const period = keys.find('attn_layer_period');
    const every = whole(period?.value);
    if (!every) return undefined;
    const from = whole(keys.find('attn_layer_offset')?.value) ?? 0;
    return numbered(period!, layers, (at) => (at % every === from ? 'a' : 'm'));
  },

  // Gemma 3n and 4, where layers share keys: the last of so many attends to all
  (keys, layers, architecture) => {
    const given = keys.find('num_kv_shared_layers');
    const every = architecture?.pattern;
    if (!whole(given?.value) || !every) return undefined;
    return numbered(given!, layers, (at) =>
      (at + 1) % every === 0 || at === layers - 1 ? 'a' : 'w',
    );
  },

  // all alike
  (keys, layers, architecture) => {
    const every = architecture?.everyLayer;
    if (!every || layers <= 0) return undefined;
    const layer = every === 'm-' ? { mixer: 'm', feedForward: '-' } : { mixer: every };
    const alike = Array.from({ length: layers }, () => null);
    return each(architectureKey(keys), alike, () => layer);
  },
];

/** The key that stands behind what the architecture alone says. */
const architectureKey = (keys: Keys): Given => keys.find('model_type', 'architectures')!;

/** A block of Llama-Nemotron, with its own widths; what is no block goes into `unknown`. */
function blockOf(
  block: Entries | undefined,
  hidden: number,
  heads: number,
  unknown: Set<string>,
): Layer | undefined {
  const attention = entriesOf(block?.get('attention'));
  const ffn = entriesOf(block?.get('ffn'));
  if (!attention || !ffn) return undefined;
  for (const [name, part] of [
    ['attention', attention],
    ['ffn', ffn],
  ] as const) {
    for (const change of ['replace_with_linear', 'sparsify', 'moe', 'mamba']) {
      const value = part.get(change);
      if (value != null && value !== false) unknown.add(`${name}.${change}`);
    }
  }
  const group = whole(attention.get('n_heads_in_group'));
  const kvHeads = group ? heads / group : whole(attention.get('num_key_value_heads'));
  const window = attention.get('window_length');
  if (window != null) unknown.add('attention.window_length');
  const mixer = attention.get('no_op') === true ? '-' : kvHeads && `a${kvHeads}`;
  const width = widthOf(ffn, hidden);
  const feedForward = ffn.get('no_op') === true ? '-' : width && `d${width}`;
  return mixer && feedForward ? { mixer, feedForward } : undefined;
}

/** Two thirds of a multiple of the hidden size, up to the next multiple of 256. */
function widthOf(ffn: Entries, hidden: number): number | undefined {
  const given = whole(ffn.get('intermediate_size'));
  if (given) return given;
  const multiple = ffn.get('ffn_mult');
  if (typeof multiple !== 'number' || !(multiple > 0) || multiple > 1e4) return undefined;
  return 256 * Math.ceil(Math.floor((2 * multiple * hidden) / 3) / 256);
}
