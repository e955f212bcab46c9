// embed-operation.js: the views of operations and collectives, with their charts.

import { startCore } from '../engine/core.ts';
import type { Engine } from '../engine/index.ts';
import { startKernels } from '../engine/kernel-rates.ts';
import { Lazy } from '../engine/lazy.ts';
import { makeEngine } from '../engine/make.ts';
import { collective } from '../ui/views/collective/collective.ts';
import { operation } from '../ui/views/operation/operation.ts';
import { addViews } from '../ui/parts/view.ts';
import { bringDerivations } from './derivations.ts';
import { defineInside } from './define.ts';
import { Embedded, noView } from './embedded.ts';

addViews({ operation, collective });

const engine = new Lazy(async () =>
  makeEngine(await startCore(), {
    derivations: {
      core: (description) => bringDerivations('why', description),
      plan: noView,
      serving: noView,
    },
    kernels: startKernels,
    planner: noView,
    serving: noView,
    targets: noView,
  }),
);

class Operation extends Embedded {
  protected override startEngine(): Promise<Engine> {
    return engine.get();
  }
}

defineInside('operation', Operation);
