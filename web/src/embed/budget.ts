// embed-budget.js: the view of budgets.

import type { Engine } from '../engine/index.ts';
import { freeze } from '../engine/freeze.ts';
import { Lazy } from '../engine/lazy.ts';
import { describeBudgets, startTargets } from '../engine/targets.ts';
import { loadModule } from '../model/evaluate.ts';
import type { Question } from '../model/views.ts';
import { addViews } from '../ui/parts/view.ts';
import { budget } from '../ui/views/budget/budget.ts';
import { bringDerivations } from './derivations.ts';
import { defineInside } from './define.ts';
import { Embedded } from './embedded.ts';

addViews({ budget });

/** The part of the engine that budgets ask for. Their module explains them; what draws that is brought. */
const engine = new Lazy(async () => {
  const description = freeze(await describeBudgets());
  const module = await startTargets(() => description);
  const engine: Pick<Engine, 'describe' | 'targets' | 'derivations'> = {
    describe: () => description,
    targets: () => Promise.resolve(module),
    derivations: async () => {
      await bringDerivations('why', description);
      return module;
    },
  };
  return engine as Engine;
});

class Budget extends Embedded {
  protected override startEngine(): Promise<Engine> {
    return engine.get();
  }

  protected override async loadView(_view: Question, engine: Engine): Promise<void> {
    await loadModule(engine, 'targets');
  }
}

defineInside('budget', Budget);
