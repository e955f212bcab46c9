// The modules of the views that load on first use: how each is drawn, and what computes its answers.
// They load side by side.

export const lazyViews = {
  plan: {
    view: () => import('./plan-page.ts'),
    engine: () => import('../../engine/planner.ts'),
  },
  serving: {
    view: () => import('./serving/serving.ts'),
    engine: () => import('../../engine/serving.ts'),
  },
  budget: {
    view: () => import('./budget-page.ts'),
    engine: () => import('../../engine/targets.ts'),
  },
} as const;
