// The planner's prediction of a training's MFU, on request. The script of the element offers none.

import { html, nothing, type TemplateResult } from 'lit';
import { Feature } from '../kit/lazily.ts';
import type { RenderContext } from '../kit/render-context.ts';
import type { View } from '../parts/view.ts';
import { loadPage } from './lazy-views.ts';
import { training } from './training/training.ts';

const part = 'predicted mfu';
type PlanPage = typeof import('./plan-page.ts');
const feature = new Feature(
  ({ engine }) => Promise.all([loadPage<PlanPage>('plan'), engine.planner()]),
  'plan',
);

/** Offers the MFU of the best plan, which takes the planner to find. */
function offer({ present: ctx }: RenderContext): TemplateResult {
  const open = ctx.open.has(part);
  return html`<div class="offer">
    <button
      type="button"
      class="predict"
      aria-expanded=${open}
      @click=${() => ctx.actions.toggle(part)}
    >
      ${ctx.text.says.predictMfu}
    </button>
    ${
      open
        ? feature.show(
            ctx,
            ({ planner }, [{ howSure, predictedMfu }]) =>
              html`${predictedMfu(ctx, planner.predictedMfu)} ${howSure(ctx, planner.howSure)}`,
          )
        : nothing
    }
  </div>`;
}

/** Names what the book counts otherwise, and says why. */
const bookCounts = ({ text }: RenderContext): TemplateResult =>
  html`<p class="line">${text.says.bookCounts}</p>`;

export const trainingOffers = {
  lead: bookCounts,
  rows: (ctx, results) =>
    training
      .rows(ctx, results)
      .map((row) => (row.key === 'trainingTime' ? { ...row, offer: offer(ctx) } : row)),
} satisfies Partial<View>;
