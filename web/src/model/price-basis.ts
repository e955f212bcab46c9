// The common basis of prices, where several chips are compared.

import { latest } from './presets.ts';
import type { State } from './state.ts';

/** The basis of prices of the present state and of all beside it. */
export const basisOf = ({ prices = latest }: State): string => prices;

/** Whether the reader has set the price. */
export const isOwnPrice = ({ edits }: State): boolean => Object.hasOwn(edits.chip, 'price');

/** The state with the price of its chip on a basis; links leave out the usual one. */
export function withBasis(state: State, chosen: string): State {
  return { ...state, prices: chosen === latest ? undefined : chosen };
}

/** The same, unless the reader has given a price. */
export const onBasis = (state: State, prices: string): State =>
  isOwnPrice(state) ? state : withBasis(state, prices);
