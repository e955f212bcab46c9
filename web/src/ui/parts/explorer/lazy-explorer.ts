import { html } from 'lit';
import { Lazy } from '../../../engine/lazy.ts';
import { lazily } from '../../kit/lazily.ts';
import type { Results } from '../answers/results.ts';
import type { RenderContext } from '../../kit/render-context.ts';

const charts = new Lazy(() => import('./explorer.ts'));

/** The charts of a question, which load on first use; `alone`: the one that is shown, and no others. */
export function explorer(ctx: RenderContext, results: Results, alone = false): unknown {
  return lazily(
    ctx,
    charts,
    () =>
      html`<scaling-laboratory
        class="charts"
        .ctx=${ctx}
        .results=${results}
        .alone=${alone}
      ></scaling-laboratory>`,
  );
}
