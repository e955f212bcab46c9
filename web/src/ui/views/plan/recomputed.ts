// Says what a layout computes again, in words and in the names of the software that trains.

import type { Plan, RecomputedPart } from '../../../engine/index.ts';
import { isSparse } from '../../kit/model-parts.ts';
import type { RenderContext } from '../../kit/render-context.ts';

export const recomputedParts: readonly RecomputedPart[] = [
  'attention',
  'norms',
  'product',
  'qkv',
  'hidden',
  'middle',
  'results',
];

/** The answer that tells the share of layers which compute a part again. */
export const answerOf = (part: RecomputedPart): string =>
  `again${part.charAt(0).toUpperCase()}${part.slice(1)}`;

type Recomputed = Pick<Plan, 'again' | 'fullestLayers'> & {
  layout: { recompute: string; pipeline: number };
};

/** Layers of the fullest stage that compute a part again. */
const layersOf = ({ fullestLayers }: Recomputed, share: number): number =>
  Math.ceil(share * fullestLayers - 1e-6);

/** Whether anything is computed again. */
export const computesAgain = ({ layout, again }: Recomputed): boolean =>
  ['full', 'everyN', 'copies'].includes(layout.recompute) || Object.keys(again).length > 0;

/** Says what is computed again, and in how many layers: `attention core, norms · 44 of 64 layers`. */
export function sayRecomputed(ctx: RenderContext, plan: Recomputed): string {
  const { again: words, comma } = ctx.text.planner;
  const { recompute } = plan.layout;
  if (recompute === 'full' || recompute === 'everyN' || recompute === 'copies') {
    return ctx.choice('layout.recompute', recompute);
  }
  const names: Record<string, string> = words.parts;
  const said = recomputedParts.flatMap((part) => {
    const share = plan.again[part];
    if (share === undefined) return [];
    const n = layersOf(plan, share);
    const all = plan.fullestLayers;
    const parts = { part: names[part]!, n: ctx.format.count(n), all: ctx.format.count(all) };
    if (n >= all) return [parts.part];
    return [ctx.fill(plan.layout.pipeline > 1 ? words.someOfStage : words.some, parts)];
  });
  return said.length > 0 ? said.join(comma) : words.nothing;
}

/** The same as settings: of Megatron-Core `recompute_modules`, of MaxText tensors of a custom policy. */
export function saySettings(ctx: RenderContext, plan: Recomputed): string {
  const { again: words } = ctx.text.planner;
  const { recompute } = plan.layout;
  if (recompute === 'everyN' || recompute === 'copies') return '';
  if (recompute === 'full') return words.full;
  const has = (part: RecomputedPart): boolean => plan.again[part] !== undefined;
  const sparse = isSparse(ctx);
  const latent = ctx.value('model.attention') === 'latent';
  // Megatron computes a whole feed-forward part again where its first matmul goes; of a dense one, also
  // where the activation function does.
  const whole = has('hidden');
  const megatron = [
    has('attention') ? 'core_attn' : '',
    has('norms') ? 'layernorm' : '',
    has('qkv') && latent ? 'mla_up_proj' : '',
    whole && sparse ? 'moe' : '',
    has('product') && !whole && sparse ? 'moe_act' : '',
    (whole || has('product')) && !sparse ? 'mlp' : '',
  ].filter(Boolean);
  const maxText = [
    has('attention') ? 'context' : '',
    has('qkv') ? 'query_proj, key_proj, value_proj' : '',
    whole ? 'mlpwi' : '',
    has('middle') ? 'out_proj' : '',
    has('results') ? 'mlpwo' : '',
  ].filter(Boolean);
  return ctx.sentences([
    megatron.length > 0 ? ctx.fill(words.megatron, { modules: megatron.join(' ') }) : '',
    maxText.length > 0 ? ctx.fill(words.maxText, { tensors: maxText.join(', ') }) : '',
  ]);
}
