// embed-operation.js: the views of operations and collectives, with their charts.

import { startCore } from '../engine/core.ts';
import type { Engine } from '../engine/index.ts';
import { Lazy } from '../engine/lazy.ts';
import { makeEngine } from '../engine/make.ts';
import { collective } from '../ui/views/collective/collective.ts';
import { operation } from '../ui/views/operation/operation.ts';
import { addViews } from '../ui/parts/view.ts';
import { bringDerivations } from './derivations.ts';
import { defineInside } from './define.ts';
import { Embedded, noPlans } from './embedded.ts';

addViews({ operation, collective });

const engine = new Lazy(async () =>
  makeEngine(await startCore(), { derivations: bringDerivations, planner: noPlans }),
);

class Operation extends Embedded {
  protected override startEngine(): Promise<Engine> {
    return engine.get();
  }
}

defineInside('operation', Operation);
