// embed-plan.js: the view of plans.

import type { Engine } from '../engine/index.ts';
import { Lazy } from '../engine/lazy.ts';
import { freeze } from '../engine/freeze.ts';
import { describePlans, startPlanner } from '../engine/planner.ts';
import { plan } from '../ui/views/plan/plan.ts';
import type { RenderContext } from '../ui/kit/render-context.ts';
import { addViews } from '../ui/parts/view.ts';
import { loadModule } from '../model/evaluate.ts';
import type { Question } from '../model/views.ts';
import { bringDerivations } from './derivations.ts';
import { defineInside } from './define.ts';
import { Beside } from './beside.ts';
import { Embedded } from './embedded.ts';

addViews({ plan });

/** The part of the engine that plans need. */
const engine = new Lazy(async () => {
  const description = freeze(await describePlans());
  const engine: Pick<Engine, 'describe' | 'planner' | 'derivations'> = {
    describe: () => description,
    planner: () => startPlanner(description),
    derivations: () => bringDerivations('plan-why', description),
  };
  return engine as Engine;
});

class Plan extends Embedded {
  private readonly beside = new Beside('plan');

  protected override renderBeside(ctx: RenderContext): unknown {
    return this.beside.show(ctx);
  }

  protected override startEngine(): Promise<Engine> {
    return engine.get();
  }

  protected override async loadView(_view: Question, engine: Engine): Promise<void> {
    await loadModule(engine, 'planner');
  }
}

defineInside('plan', Plan);
