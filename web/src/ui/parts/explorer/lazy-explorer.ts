import { html } from 'lit';
import { Lazy } from '../../../engine/lazy.ts';
import { hasParts } from '../../../i18n/dictionary.ts';
import { progressOf } from '../../kit/lazily.ts';
import type { Results } from '../../kit/results.ts';
import type { RenderContext } from '../../kit/render-context.ts';

const charts = new Lazy(async () => {
  (await import('./explorer.ts')).defineCharts();
  return true;
});

/** The charts of a question. Module and texts load on first use. `alone`: only the chart that the
 *  state names. */
export function explorer(ctx: RenderContext, results: Results, alone = false): unknown {
  const { actions, text } = ctx;
  return charts.use(actions) && hasParts(text, ['explorer'])
    ? html`<scaling-explorer
        class="charts"
        .ctx=${ctx}
        .results=${results}
        .alone=${alone}
      ></scaling-explorer>`
    : progressOf(ctx, charts, actions.texts);
}
