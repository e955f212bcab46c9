// The view of serving, with fixes, the runs most like each prediction, and the reader's own.

import { html, nothing } from 'lit';
import type { View } from '../parts/view.ts';
import { howSureOfServing, ownServers } from './evidence/entry.ts';
import { servingFixes } from './serving/fixes.ts';
import { withKept } from './serving/kept.ts';
import { serving as alone } from './serving/serving.ts';

const measures = ['firstToken', 'tokenTime', 'outputSpeed'] as const;

export const view: View = {
  ...alone,
  ...servingFixes,
  rows: (ctx, results) =>
    alone.rows(ctx, results).map((row) => {
      if (row.key === 'servingFits') return withKept(ctx, results, row);
      const measure = measures.find((each) => each === row.key);
      if (!measure || !results.hasRange(measure)) return row;
      return {
        ...row,
        offer: html`${row.offer ?? nothing}
        ${howSureOfServing(ctx, measure, ctx.text.served.howSure)}
        ${measure === 'outputSpeed' ? ownServers(ctx, results) : nothing}`,
      };
    }),
};
