import type { Engine } from '../engine/index.ts';
import { bringPlanner } from '../state/ask.ts';
import { addViews } from './view.ts';

/** Brings the view of plans and the planner, which most readers don't need. */
export async function bringPlans(engine: Engine): Promise<void> {
  const [{ plan }] = await Promise.all([import('./plan/plan.ts'), bringPlanner(engine)]);
  addViews({ plan });
}
