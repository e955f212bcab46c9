// The chart of what can be had for what, as one chunk: `await import('../charts/trade.ts')`, then
//
//   html`<scaling-trade .data=${data} .format=${formatter} .words=${words} @move=${…}>`
//
// `move` tells which point the reader chose (`Move`).

export type * from './kit/trade-data.ts';
export type { Words } from './kit/words.ts';
export { Trade } from './trade/trade.ts';
