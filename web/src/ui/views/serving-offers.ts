// The page's offers beside answers of serving. Elements in posts offer none.

import { html, nothing } from 'lit';
import { Feature } from '../kit/lazily.ts';
import type { View } from '../parts/view.ts';
import { howSureOfServing, ownServers } from './evidence/entry.ts';
import { provideFrontiers } from './serving/frontier-part.ts';
import { withKept } from './serving/kept.ts';

const frontiers = new Feature(() => import('./serving/frontiers.ts'), 'frontier');
provideFrontiers((ctx, answers) =>
  frontiers.show(
    ctx,
    (words) =>
      html`<scaling-frontiers .ctx=${ctx} .words=${words} .answers=${answers}></scaling-frontiers>`,
  ),
);

const measures = ['firstToken', 'tokenTime', 'outputSpeed'] as const;

/** A view that shows the runs most like each prediction, and then the reader's own. */
export const withEvidence = (view: View): View => ({
  ...view,
  rows: (ctx, results) =>
    view.rows(ctx, results).map((row) => {
      if (row.key === 'servingFits') return withKept(ctx, results, row);
      const measure = measures.find((each) => each === row.key);
      if (!measure || results.number(`${measure}Low`) === undefined) return row;
      return {
        ...row,
        offer: html`${row.offer ?? nothing}
        ${howSureOfServing(ctx, measure, ctx.text.served.howSure)}
        ${measure === 'outputSpeed' ? ownServers(ctx, results) : nothing}`,
      };
    }),
});
