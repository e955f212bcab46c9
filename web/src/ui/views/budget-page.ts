// The view of budgets: what asks backward loads with it, and a budget leads to its training.

import type { View } from '../parts/view.ts';
import { budget as alone, onwards } from './budget/budget.ts';
import '../features/target/panel.ts';
import './plan-targets.ts';
import './serving-targets.ts';

export const view: View = {
  ...alone,
  rows: (ctx, results) =>
    alone
      .rows(ctx, results)
      .map((row) =>
        row.key === 'budgetTokens' && results.number(row.key) !== undefined
          ? { ...row, offer: onwards(ctx.present, results) }
          : row,
      ),
};
