// Loads optional parts of a calculator on first use.

import type { Engine } from '../../engine/index.ts';
import { bringDerivations, bringPlanner } from '../../model/ask.ts';
import type { Ladder } from '../kit/scope.ts';
import { addViews } from '../parts/view.ts';

/** The view of plans and the planner. */
export async function loadPlans(engine: Engine): Promise<void> {
  const [{ plan }] = await Promise.all([import('../views/plan/plan.ts'), bringPlanner(engine)]);
  addViews({ plan });
}

/** Derivations, and what draws them. */
export async function loadReasons(engine: Engine): Promise<Ladder> {
  const [{ ladder }] = await Promise.all([
    import('../parts/derivation/ladder.ts'),
    bringDerivations(engine),
  ]);
  return ladder;
}
