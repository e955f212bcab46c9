// The choice of the price of a chip-hour, which loads on first use.

export { basisChoice } from './prices.ts';
