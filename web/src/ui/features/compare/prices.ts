// The common basis of prices in a comparison of chips.

import type { Description } from '../../../engine/index.ts';
import '../../../model/more-presets.ts';
import { chipOf, chips, citedOf, type Chip, type Price } from '../../../model/presets.ts';
import { inputOf, withField, type State } from '../../../model/state.ts';
import { listed } from '../../../i18n/language.ts';
import type { RenderContext } from '../../kit/render-context.ts';

/** The latest list price of each chip, or the list prices of one provider. */
export type Basis = 'latest' | { provider: string };

/** All that is known of a chip's price, the latest list price first. */
function pricesOf({ figures: { price }, otherPrices = [] }: Chip): Price[] {
  const cited = [price, price?.book].filter((each) => typeof each?.value === 'number');
  return [...(cited as Price[]), ...otherPrices];
}

/** The price of a chip on a basis; nothing where none is listed. */
export function priceOn(basis: Basis, chip: Chip): Price | undefined {
  if (basis === 'latest') return chip.figures.price as Price | undefined;
  return pricesOf(chip).find(({ provider }) => provider === basis.provider);
}

/** Bases for comparing prices: providers that list more than one chip. */
export const bases: readonly Basis[] = [
  'latest',
  ...[...new Set(chips.flatMap((chip) => pricesOf(chip).map(({ provider }) => provider!)))]
    .map((provider) => ({ provider }))
    .filter((basis) => chips.filter((chip) => priceOn(basis, chip)).length > 1),
];

/** The state with the price of its chip on a basis, unless the reader has given one. */
export function onBasis(description: Description, state: State, basis: Basis): State {
  if (isOwnPrice(state)) return state;
  const price = priceOn(basis, chipOf(state.chip))?.value ?? null;
  return withField(description, state, 'chip.price', price);
}

/** Whether the reader has set the price. */
export const isOwnPrice = ({ edits }: State): boolean => 'price' in edits.chip;

/** The reader's own price, or that on the basis. */
export function priceIn(description: Description, state: State, basis: Basis): Price | undefined {
  if (!isOwnPrice(state)) return priceOn(basis, chipOf(state.chip));
  const { price } = inputOf(description, state, 'chip');
  return typeof price === 'number' ? { value: price } : undefined;
}

/** Provider and date of the price of a state's chip; undefined for the reader's own price. */
export function sayListed({ format }: RenderContext, state: State): string {
  const figure = chipOf(state.chip).figures.price;
  if (!figure || isOwnPrice(state)) return '';
  const { provider, date } = citedOf(figure, state.figures);
  return listed([provider ?? '', date ? format.month(date) : ''].filter(Boolean));
}
