// The view of budgets, as the page has it: drawn for several chips, and a budget leads to its training.

import { Lazy } from '../../engine/lazy.ts';
import { chipsBeside } from '../features/compare/usual-chips.ts';
import { pictureOf } from '../parts/picture/picture.ts';
import type { View } from '../parts/view.ts';
import { budget as alone, onwards } from './budget/budget.ts';
import { lossChart } from './budget/loss-chart.ts';
import { verdictKeys, verdictOf } from './budget/slots.ts';

/** The heights of the drawing for each chip, and for what stands over and between its axes [px]. */
const rows = { narrow: 80, wide: 32 };
const besides = { narrow: 106, wide: 58 };

export const view: View = {
  ...alone,
  picture: pictureOf({
    drawing: new Lazy(() => import('../features/compare/rivals/budget.ts')),
    keys: verdictKeys,
    verdict: verdictOf,
    height({ state }) {
      const chips = chipsBeside(state).length;
      return [chips * rows.narrow + besides.narrow, chips * rows.wide + besides.wide];
    },
  }),
  stills: new Lazy(() => import('./budget-stills.ts')),
  figures: lossChart,
  rows: (ctx, results) =>
    alone
      .rows(ctx, results)
      .map((row) =>
        row.key === 'budgetTokens' && results.number(row.key) !== undefined
          ? { ...row, offer: onwards(ctx.present, results) }
          : row,
      ),
};
