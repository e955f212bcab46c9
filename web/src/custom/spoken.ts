// Keys that nothing was read from, but that speak of what would be assumed. With such a key in the
// file an assumption is a guess against it: the reader is asked instead, or the file is refused.

import type { Draft, ModelKey } from './draft.ts';
import type { Unread } from './keys.ts';

interface Matter {
  field: ModelKey;
  /** Keys that speak of it, and those that only sound so. */
  of: RegExp;
  but: RegExp;
  /** Whether the file, or the architecture by a fact, has settled it. */
  settled?: (draft: Draft) => boolean;
}

/** Words of keys that hold no sizes. */
const asides = 'bias|drop|norm|init|std|scal|dtype|quant|cache|clip|loss|coef|rope|rotary|lora';
const but = (more: string): RegExp => new RegExp(`${asides}|${more}`);

const anyOf =
  (...fields: ModelKey[]) =>
  (draft: Draft): boolean =>
    fields.some((field) => draft.has(field));

/** Fields that a model cannot be without: assumed ones stay open. */
const required: Matter[] = [
  {
    field: 'kvHeads',
    of: /(^|[_.])n?kv([_.]|$)|kv_?heads|key_?value|query_?groups?|gqa|mqa|multi_?query|group(ed)?_query/,
    but: but('shared|channels'),
  },
  {
    field: 'headDim',
    of: /head_?(dim|size|width|channels)|d_head|dim_head|d_kv|channels_per|per_head|qkv?_(dim|size)|(attn|attention|query|key|value)_(dim|size|width|hidden)/,
    but: but('linear|mamba|ssm|index|lightning|conv|mtp|router|embed|swa|sliding|window'),
  },
  {
    field: 'feedForward',
    of: /ffn|feed_?forward|intermediate|(^|[_.])ff([_.]|$)|mlp|inner|widen|expansion/,
    but: but('moe|expert|shared|act|layers|layer_(type|freq)|gate|mamba|conv|linear|type'),
  },
];

/** The parts that a model is taken to lack where no key is understood: the file is refused. */
const optional: Matter[] = [
  {
    field: 'experts',
    of: /expert/,
    but: but('per_tok|top|capac|aux|layer|parallel|group|implementation'),
    settled: ({ keys }) => keys.find('enable_moe_block')?.value === false,
  },
  {
    field: 'sharedExperts',
    of: /shared?_?experts?|expert.*shared/,
    but: but('gate|overlap'),
    settled: (draft) => !draft.number('experts'),
  },
  {
    field: 'denseLayers',
    of: /dense.*layer|layer.*dense|moe.*layer|layer.*moe|expert.*layer|layer.*expert|(moe|sparse|expert).*(step|every|interval|freq|period)/,
    but: but('router|shared|num_hash'),
    settled: (draft) => !draft.number('experts') || anyOf('moeEvery', 'layerPattern')(draft),
  },
  {
    field: 'slidingWindow',
    of: /window|sliding|local_att|attention_span/,
    but: but('vision|conv|mamba|ssm|use_|max_window_layers'),
    settled: (draft) => draft.keys.states('sliding_window') || anyOf('layerPattern')(draft),
  },
  {
    field: 'windowedLayers',
    of: /(global|local|full_att|sliding|window).*(layer|every|interval|pattern|freq|ratio)/,
    but: but('theta|heads|dim'),
    settled: (draft) => !draft.number('slidingWindow') || anyOf('layerPattern')(draft),
  },
  {
    field: 'layerPattern',
    of: /(layer|block|mixer|attn|attention)s?_?(type|kind|pattern|mixer|order|schedule)|hybrid|(mamba|ssm|recurrent|linear|conv)\w*(layers|idx|indices|interval|every|period)/,
    but: but('window|sliding|mlp|mtp'),
    settled: (draft) => !draft.number('layers') || anyOf('windowedLayers')(draft),
  },
];

/** Reasons to assume that a key may speak against. */
const guesses: ReadonlySet<string> = new Set([
  ...['kvHeads', 'headDim', 'widening', 'noDenseWidth', 'library', 'everyLayer'],
]);

/** Puts what keys speak of, but do not tell in a way that is understood, to the reader. */
export function heedSpoken(draft: Draft): void {
  const unread = draft.keys.unread().filter(({ key, value }) => says(key, value));
  if (unread.length === 0) return;
  const guessed = (field: ModelKey): boolean =>
    draft.assumptions.some((each) => each.field === field && guesses.has(each.code));
  const speaking = ({ field, of, but }: Matter): Unread | undefined => {
    const assumed = draft.model[field];
    return unread.find(({ name, value }) => of.test(name) && !but.test(name) && value !== assumed);
  };
  for (const matter of required) {
    const found = guessed(matter.field) ? speaking(matter) : undefined;
    if (found) draft.fail('spokenOf', matter.field, found);
  }
  for (const matter of optional) {
    const { field, settled } = matter;
    if ((draft.has(field) && !guessed(field)) || draft.failed(field) || settled?.(draft)) continue;
    const found = speaking(matter);
    if (found) draft.unknown.push(found.name);
  }
}

/** Whether there is something in a value: numbers, lists of what differs, patterns of letters. */
function says(key: string, value: Unread['value']): boolean {
  if (typeof value === 'number') return value > 0;
  if (typeof value === 'string') return value.length > 1 && /pattern/.test(key);
  if (value === true) return /query|gqa|mqa/.test(key);
  return Array.isArray(value) && value.length > 0;
}
