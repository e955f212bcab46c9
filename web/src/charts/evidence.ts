// The chart of measured runs, as one chunk: `await import('../charts/evidence.ts')`, then
//
//   html`<scaling-scatter .data=${data} .format=${formatter} .words=${words} @move=${…}>`
//
// `move` tells which point the reader chose (`Move`).

export type * from './kit/data.ts';
export type { ScatterWords } from './kit/words.ts';
export { Scatter } from './scatter/scatter.ts';
