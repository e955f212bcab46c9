// The common basis of prices in a comparison of chips.

import { html, nothing, type TemplateResult } from 'lit';
import type { Description } from '../../../engine/index.ts';
import type { FieldId } from '../../../model/fields.ts';
import { chipOf, chipSources, latest, type Price, type Source } from '../../../model/presets.ts';
import type { Answers } from '../../../model/evaluate.ts';
import { basisOf, isOwnPrice, onBasis, withBasis } from '../../../model/price-basis.ts';
import { inputOf, isOwned, listedPrice, type State } from '../../../model/state.ts';
import type { RenderContext } from '../../kit/render-context.ts';
import { fieldBeside } from '../../parts/question/field-beside.ts';
import { basisOptions } from '../../parts/question/basis.ts';
import type { Words } from './words.ts';

export { basisOf, isOwnPrice, onBasis };

/** The reader's own price, what owning the chip comes to among the answers, or what is listed. */
export function priceIn(
  description: Description,
  state: State,
  answers: Answers = {},
): Price | undefined {
  if (isOwned(state)) {
    const { chipHourPrice } = answers;
    if (typeof chipHourPrice !== 'number') return undefined;
    const bought = Object.hasOwn(state.edits.chip, 'purchase')
      ? {}
      : chipOf(state.chip).figures['purchase'];
    return { ...bought, value: chipHourPrice, owned: true };
  }
  if (!isOwnPrice(state)) return listedPrice(state);
  const { price } = inputOf(description, state, 'chip');
  return typeof price === 'number' ? { value: price } : undefined;
}

export const sourceOf = (price: Price | undefined): Source | undefined =>
  chipSources[price?.source ?? ''];

/** A price in words: what it is, whose, and of when. */
export function sayPrice(
  { format }: RenderContext,
  { table }: Words,
  price: Price | undefined,
): [price: string, provider: string, date: string] {
  if (!price) return [table.unlisted, '', ''];
  const { value, provider = price.owned ? table.owned : table.own, date } = price;
  return [format.say(value, 'USD'), provider, date ? format.month(date) : ''];
}

/** Chooses whose prices all chips have; `alone`: beside the cost of one, which may be owned. */
export function basisChoice(ctx: RenderContext, { table }: Words, alone = false): TemplateResult {
  const { actions, state } = ctx;
  const choice = html`<label class="basis"
    ><span>${table.prices}</span>
    <select
      data-basis
      @change=${(event: Event) =>
        actions.go(withBasis(state, (event.target as HTMLSelectElement).value))}
    >
      ${basisOptions(ctx, [latest], basisOf(state))}
    </select></label
  >`;
  return html`${choice}${isOwned(state) && alone ? ownersFields(ctx, table.ownedNote) : nothing}`;
}

/** The inputs of the cost of owning a chip, to be set beside the answer. */
function ownersFields(ctx: RenderContext, note: string): TemplateResult {
  // The source of the purchase price stands beside it.
  ctx.features.presets.sources.use(ctx.actions);
  return html`<div class="owners">
    ${owners(ctx).map((id) => fieldBeside(ctx, id))}
    <p class="help">${note}</p>
  </div>`;
}

/** The fields of what owning a chip costs. */
export const owners = ({ description, state }: RenderContext): FieldId[] => [
  'chip.years',
  'chip.utilisation',
  'chip.power',
  `${description.questions[state.view].groups.includes('run') ? 'run' : 'serving'}.pue`,
  'chip.tariff',
  'chip.hosting',
];
