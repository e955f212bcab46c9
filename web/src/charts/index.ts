// The charts, as one chunk: `await import('../charts/index.ts')`, then
//
//   html`<scaling-roofline .data=${data} .format=${formatter} .words=${words} @move=${…}>`
//
// and likewise <scaling-sweep> and <scaling-heat-map>. Each takes its data as a property, anew for
// each change, and the page's formatter and words. `move` tells where the reader dragged or stepped
// their own state: a step of the track (`Move`), an index of x (`Move`), a cell (`MapMove`).

import { HeatMap } from './heat-map.ts';
import { RooflineChart } from './roofline.ts';
import { SweepChart } from './sweep.ts';

export type * from './data.ts';
export type { Words } from './words.ts';
export { HeatMap, RooflineChart, SweepChart };

customElements.define('scaling-roofline', RooflineChart);
customElements.define('scaling-sweep', SweepChart);
customElements.define('scaling-heat-map', HeatMap);
