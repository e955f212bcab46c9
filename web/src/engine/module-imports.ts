// The parts of the engine that load on first use.

/** Imports each, by the method of the engine that starts it. */
export const moduleImports = {
  derivations: () => import('./derivations.ts'),
  operations: () => import('./operations.ts'),
  planner: () => import('./planner.ts'),
  reward: () => import('./reward.ts'),
  serving: () => import('./serving.ts'),
  targets: () => import('./targets.ts'),
};
