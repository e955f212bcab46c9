// The charts of a plan, as one chunk: `await import('../charts/plan.ts')`, then
//
//   html`<scaling-bars .data=${data} .format=${formatter} .words=${words}>`
//
// and likewise <scaling-timeline>, <scaling-pareto-frontier>, <scaling-value-map> and <scaling-sweep>. Bars,
// timelines and Pareto fronts take further words (`PlanWords`). `move` tells which point of a front the
// reader chose (`Move`) and which cell of a map (`MapMove`).

export type * from './kit/data.ts';
export type { PlanWords, Words } from './kit/words.ts';
export { Bars } from './bars/bars.ts';
export { ParetoFront } from './pareto-front/pareto-front.ts';
export { SweepChart } from './sweep/sweep.ts';
export { Timeline } from './timeline/timeline.ts';
export { ValueMap } from './value-map/value-map.ts';
