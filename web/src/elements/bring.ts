// What most readers don't need is brought when they do.

import type { Engine } from '../engine/index.ts';
import { bringDerivations, bringPlanner } from '../state/ask.ts';
import { addViews } from './view.ts';
import { drawDerivations } from './why.ts';

/** The view of plans and the planner. */
export async function bringPlans(engine: Engine): Promise<void> {
  const [{ plan }] = await Promise.all([import('./plan/plan.ts'), bringPlanner(engine)]);
  addViews({ plan });
}

/** Derivations, and what draws them. */
export async function bringReasons(engine: Engine): Promise<void> {
  const [{ ladder }] = await Promise.all([import('../math/ladder.ts'), bringDerivations(engine)]);
  drawDerivations(ladder);
}
