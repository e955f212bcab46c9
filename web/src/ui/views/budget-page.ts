// The view of budgets, as the page has it: a budget leads to its training.

import type { View } from '../parts/view.ts';
import { budget as alone, onwards } from './budget/budget.ts';
import { lossChart } from './budget/loss-chart.ts';

export const view: View = {
  ...alone,
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
