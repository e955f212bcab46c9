// embed.js: the element, and the view of training with a part of the core that answers it alone.

// First, so that data lies before all code: gzip looks back 32 KB, and code is like other code.
import 'virtual:packed-texts';
import '../model/presets.ts';
import deflated from '@core/training.wasm?deflated';
import start from '@core/training.js';
import { makeAsking } from '../engine/asking.ts';
import type { Core } from '../engine/core.ts';
import type { Engine } from '../engine/index.ts';
import { started } from '../engine/start.ts';
import { Lazy } from '../engine/lazy.ts';
import { freeze } from '../engine/freeze.ts';
import { training } from '../ui/views/training/training.ts';
import { addViews } from '../ui/parts/view.ts';
import { bringDerivations } from './derivations.ts';
import { defineInside } from './define.ts';
import { Embedded } from './embedded.ts';

addViews({ training });

/** The part of the engine that training needs. */
const engine = new Lazy(async () => {
  const module = (await started(start, deflated)) as Core;
  const description = freeze(module.describe());
  const { answer } = makeAsking(description);
  const engine: Pick<Engine, 'describe' | 'estimate' | 'derivations'> = {
    describe: () => description,
    estimate: (input) => answer(module, 'training', input, module.estimateTraining) as never,
    derivations: () => bringDerivations('why', description),
  };
  return engine as Engine;
});

class Training extends Embedded {
  protected override startEngine(): Promise<Engine> {
    return engine.get();
  }
}

defineInside('training', Training);
