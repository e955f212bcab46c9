// The common basis of prices, where several chips are compared.

import { latest } from './presets.ts';
import type { State } from './state.ts';

/** The basis of prices of the present state and of all beside it. */
export const basisOf = ({ prices = latest }: State): string => prices;

/** Whether the reader has set the price. */
export const isOwnPrice = ({ edits }: State): boolean => 'price' in edits.chip;

/** The state with the price of its chip on a basis, unless the reader has given one. */
export const onBasis = (state: State, prices: string): State =>
  isOwnPrice(state) ? state : { ...state, prices };
