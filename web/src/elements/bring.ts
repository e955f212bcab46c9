// Loads optional parts of a calculator on first use.

import type { Engine } from '../engine/index.ts';
import { bringDerivations, bringPlanner } from '../state/ask.ts';
import type { Ladder } from './scope.ts';
import { addViews } from './view.ts';

/** The view of plans and the planner. */
export async function loadPlans(engine: Engine): Promise<void> {
  const [{ plan }] = await Promise.all([import('./plan/plan.ts'), bringPlanner(engine)]);
  addViews({ plan });
}

/** Derivations, and what draws them. */
export async function loadReasons(engine: Engine): Promise<Ladder> {
  const [{ ladder }] = await Promise.all([import('../math/ladder.ts'), bringDerivations(engine)]);
  return ladder;
}
