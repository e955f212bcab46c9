// embed-operation.js: the views of operations and collectives, with their charts.

import { startCore } from '../engine/core.ts';
import type { Engine } from '../engine/index.ts';
import { makeEngine } from '../engine/make.ts';
import { collective } from '../elements/collective.ts';
import { operation } from '../elements/operation.ts';
import { addViews } from '../elements/view.ts';
import { bringDerivations } from './derivations.ts';
import { defineInside } from './define.ts';
import { Embedded, noPlans } from './embedded.ts';

addViews({ operation, collective });

let engine: Promise<Engine> | undefined;

class Operation extends Embedded {
  protected override startEngine(): Promise<Engine> {
    engine ??= startCore().then((core) =>
      makeEngine(core, { derivations: bringDerivations, planner: noPlans }),
    );
    return engine;
  }
}

defineInside('operation', Operation);
