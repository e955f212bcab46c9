// The view of plans, with fixes, and with what measured runs say of a step's time.

import { html, nothing } from 'lit';
import { Lazy } from '../../engine/lazy.ts';
import type { View } from '../parts/view.ts';
import { howSure, ownRun } from './evidence/entry.ts';
import { isBest } from './plan/finder.ts';
import { planFixes } from './plan/fixes.ts';
import { planLine } from './plan/line.ts';
import { plan as alone } from './plan/plan.ts';
import { pictureOf } from '../parts/picture/picture.ts';
import { verdictOf } from './plan/slots.ts';

export { searchedInput } from './plan/input.ts';
export { predictedMfu } from './plan/predicted-mfu.ts';
export { Searching } from './plan/searching.ts';
export { howSure };

export const view: View = {
  ...alone,
  ...planFixes,
  picture: pictureOf({
    drawing: new Lazy(() => import('./plan/drawn.ts')),
    keys: ['wallTime', 'wallCost', 'memoryUsed', 'planBound'],
    verdict: verdictOf,
    // The best layout, where the reader has fixed another or none fits.
    between: (ctx) => (isBest(ctx) ? nothing : planLine(ctx)),
    // One chip has no cluster and no replica to be drawn, and nothing to send.
    height: (ctx) => (ctx.value('run.chips') === 1 ? [308, 270] : [550, 550]),
  }),
  stills: new Lazy(() => import('./plan/stills.ts')),
  rows: (ctx, results) =>
    alone.rows(ctx, results).map((row) =>
      row.key === 'stepExpected' && results.range('stepExpected')
        ? {
            ...row,
            offer: html`${howSure(ctx, ctx.text.planner.howSure, results)} ${ownRun(ctx, results)}`,
          }
        : row,
    ),
};
