// The view of serving, with fixes, the runs most like each prediction, and the reader's own.

import { html, nothing } from 'lit';
import { Lazy } from '../../engine/lazy.ts';
import { pictureOf } from '../parts/picture/picture.ts';
import type { View } from '../parts/view.ts';
import { howSureOfServing, ownServers } from './evidence/entry.ts';
import { servingFixes } from './serving/fixes.ts';
import { withKept } from './serving/kept.ts';
import { serving as alone } from './serving/serving.ts';
import { verdictKeys, verdictOf } from './serving/slots.ts';

const measures = ['firstToken', 'tokenTime', 'outputSpeed'] as const;

export const view: View = {
  ...alone,
  ...servingFixes,
  picture: pictureOf({
    drawing: new Lazy(() => import('./serving/drawn.ts')),
    keys: verdictKeys,
    verdict: verdictOf,
    // Where no answer comes, no request is drawn.
    height: (_, results) =>
      results && results.number('firstToken') === undefined ? [382, 310] : [720, 498],
    look: 'served',
  }),
  stills: new Lazy(() => import('./serving/stills.ts')),
  rows: (ctx, results) =>
    alone.rows(ctx, results).map((row) => {
      if (row.key === 'servingFits') return withKept(ctx, results, row);
      const measure = measures.find((each) => each === row.key);
      if (!measure || !results.range(measure)) return row;
      return {
        ...row,
        offer: html`${row.offer ?? nothing}
        ${howSureOfServing(ctx, measure, ctx.text.served.howSure, results)}
        ${measure === 'outputSpeed' ? ownServers(ctx, results) : nothing}`,
      };
    }),
};
