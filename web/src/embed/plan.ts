// embed-plan.js: the view of plans.

import type { Engine } from '../engine/index.ts';
import { Lazy } from '../engine/lazy.ts';
import { freeze } from '../engine/make.ts';
import { describePlans, startPlanner } from '../engine/planner.ts';
import { plan } from '../ui/views/plan/plan.ts';
import { addViews } from '../ui/parts/view.ts';
import { loadPlanner } from '../model/evaluate.ts';
import { bringDerivations } from './derivations.ts';
import { defineInside } from './define.ts';
import { Embedded } from './embedded.ts';

addViews({ plan });

/** Of the engine, what plans ask for. */
const engine = new Lazy(async () => {
  const description = freeze(await describePlans());
  const engine: Pick<Engine, 'describe' | 'planner' | 'derivations'> = {
    describe: () => description,
    planner: () => startPlanner(description),
    derivations: () => bringDerivations(description),
  };
  return engine as Engine;
});

class Plan extends Embedded {
  protected override startEngine(): Promise<Engine> {
    return engine.get();
  }

  protected override loadPlans(engine: Engine): Promise<void> {
    return loadPlanner(engine);
  }
}

defineInside('plan', Plan);
