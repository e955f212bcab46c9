// The common basis of prices in a comparison of chips.

import { html, type TemplateResult } from 'lit';
import type { Description } from '../../../engine/index.ts';
import {
  chipSources,
  latest,
  providerNames,
  type Price,
  type Source,
} from '../../../model/presets.ts';
import { basisOf, isOwnPrice, onBasis } from '../../../model/price-basis.ts';
import { inputOf, listedPrice, type State } from '../../../model/state.ts';
import { listed } from '../../../i18n/language.ts';
import type { RenderContext } from '../../kit/render-context.ts';
import type { Words } from './words.ts';

/** Bases for comparing prices: the latest of each chip, and providers that list more than one. */
export const bases: readonly string[] = [latest, ...Object.keys(providerNames)];

export { basisOf, isOwnPrice, onBasis };

/** The reader's own price, or the one that is listed. */
export function priceIn(description: Description, state: State): Price | undefined {
  if (!isOwnPrice(state)) return listedPrice(state);
  const { price } = inputOf(description, state, 'chip');
  return typeof price === 'number' ? { value: price } : undefined;
}

/** Provider and date of the price of a state's chip; undefined for the reader's own price. */
export function sayListed({ format }: RenderContext, state: State): string {
  const { provider = '', date } = listedPrice(state) ?? {};
  return listed([provider, date ? format.month(date) : ''].filter(Boolean));
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
  const { value, provider = table.own, date } = price;
  return [format.say(value, 'USD'), provider, date ? format.month(date) : ''];
}

/** Chooses whose prices all chips have; `alone`: of one, which may have the price it starts with. */
export function basisChoice(ctx: RenderContext, { table }: Words, alone = false): TemplateResult {
  const { actions, state } = ctx;
  const { basis: words } = table;
  const say = (basis: string | undefined): string =>
    basis === undefined
      ? words.start
      : basis === latest
        ? words.latest
        : ctx.fill(words.provider, { provider: providerNames[basis]! });
  const options = alone ? [undefined, ...bases] : bases;
  const now = alone ? state.prices : basisOf(state);
  const choose = (index: number): void => {
    const { prices: _, ...others } = state;
    const chosen = options[index];
    actions.go(chosen === undefined ? others : { ...others, prices: chosen });
  };
  return html`<label class="basis"
    ><span>${table.prices}</span>
    <select
      data-basis
      @change=${(event: Event) => choose((event.target as HTMLSelectElement).selectedIndex)}
    >
      ${options.map((basis) => html`<option .selected=${basis === now}>${say(basis)}</option>`)}
    </select></label
  >`;
}
