// The charts of an operation or a collective, as one chunk: `await import('../charts/index.ts')`, then
//
//   html`<scaling-roofline .data=${data} .format=${formatter} .words=${words} @move=${…}>`
//
// and likewise <scaling-sweep> and <scaling-heat-map>; those of a plan are in plan.ts. Each takes its
// data as a property, anew for each change, and the page's formatter and words. `move` tells where
// the reader dragged or stepped their own state: a step of the track (`Move`), an index of x
// (`Move`), a cell (`MapMove`).

export type * from './kit/data.ts';
export type { PlanWords, Words } from './kit/words.ts';
export { HeatMap } from './heat-map/heat-map.ts';
export { RooflineChart } from './roofline/roofline.ts';
export { SweepChart } from './sweep/sweep.ts';
