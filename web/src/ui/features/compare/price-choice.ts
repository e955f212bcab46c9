// The choice of the price of a chip-hour, which loads on first use.

export { basisChoice, owners } from './prices.ts';
