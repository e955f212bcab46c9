// A target for an answer, and what could meet it. Loads on first use.

import { html, nothing, type TemplateResult } from 'lit';
import { ownOnly } from '../../engine/bare.ts';
import { targetBefore } from '../../model/charts.ts';
import { Feature } from '../kit/lazily.ts';
import type { RenderContext } from '../kit/render-context.ts';
import type { Results } from '../kit/results.ts';
import type { View } from '../parts/view.ts';

const feature = new Feature(
  ({ engine }) => Promise.all([import('../features/target/panel.ts'), engine.targets()]),
  'budget',
);

/** The control of a target, below an answer. */
function control(ctx: RenderContext, results: Results, key: string): TemplateResult {
  const { actions, open, state, text } = ctx;
  const part = `target ${key}`;
  const said = state.charts.target?.split(':')[0];
  const isSet = said !== undefined && (said === key || said === targetBefore[key]);
  const isOpen = isSet || open.has(part);
  const toggle = (): void => {
    // A target that a link has set opens it, too.
    if (!isSet || open.has(part)) actions.toggle(part);
    if (isSet) actions.chart({ target: undefined });
  };
  return html`<div class="offer" data-target=${key}>
    <button type="button" class="predict" aria-expanded=${!!isOpen} @click=${toggle}>
      ${text.ui.target}
    </button>
    ${
      isOpen
        ? feature.show(ctx, ({ targets }, [{ targetPanel }]) =>
            targetPanel(ctx, results, key, targets),
          )
        : nothing
    }
  </div>`;
}

/** A view whose answers can be given targets. */
export const withTargets = (view: View): View =>
  ownOnly({
    ...view,
    rows: (ctx, results) =>
      view.rows(ctx, results).map((row) =>
        results.absence(row.key)
          ? row
          : {
              ...row,
              offer: html`${row.offer ?? nothing}${control(ctx.present, results, row.key)}`,
            },
      ),
  });
