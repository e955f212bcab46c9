import { html } from 'lit';
import { SweepChart } from '../../../../../charts/sweep/sweep.ts';
import { define } from '../../../../../dom/define.ts';
import type { Move } from '../../../../../charts/index.ts';
import { fieldAlong } from '../../axis.ts';
import { chartKind } from '../../chart-kind.ts';
import { sweepData } from './data.ts';
import { sweepSetting } from './setting.ts';

export default chartKind(sweepData, sweepSetting, (data, host) => {
  define('scaling-sweep', SweepChart);
  return html`<scaling-sweep
    .data=${data}
    .format=${host.ctx.format}
    .words=${host.words}
    @move=${({ detail }: CustomEvent<Move>) =>
      host.move([[fieldAlong(host.ctx), data.x.values[detail.index]]], detail.done)}
  ></scaling-sweep>`;
});
