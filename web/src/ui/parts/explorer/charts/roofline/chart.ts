import { html } from 'lit';
import { RooflineChart } from '../../../../../charts/roofline/roofline.ts';
import { define } from '../../../../../dom/define.ts';
import type { Move } from '../../../../../charts/index.ts';
import { fieldAlong } from '../../axis.ts';
import { chartKind } from '../../chart-kind.ts';
import { rooflineData } from './data.ts';
import { rooflineSetting } from './setting.ts';

export default chartKind(rooflineData, rooflineSetting, (data, host) => {
  define('scaling-roofline', RooflineChart);
  return html`<scaling-roofline
    .data=${data}
    .format=${host.ctx.format}
    .words=${host.words}
    @move=${({ detail }: CustomEvent<Move>) =>
      host.move([[fieldAlong(host.ctx), data.track?.steps[detail.index]?.value]], detail.done)}
  ></scaling-roofline>`;
});
