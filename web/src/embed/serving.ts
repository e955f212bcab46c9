// embed-serving.js: the view of serving.

import type { Engine } from '../engine/index.ts';
import { Lazy } from '../engine/lazy.ts';
import { startServing } from '../engine/serving.ts';
import { loadServing } from '../model/divide-servers.ts';
import type { Question } from '../model/views.ts';
import { addViews } from '../ui/parts/view.ts';
import { serving } from '../ui/views/serving/serving.ts';
import { bringDerivations } from './derivations.ts';
import { defineInside } from './define.ts';
import { Embedded } from './embedded.ts';

addViews({ serving });

/** The part of the engine that serving asks for. */
const engine = new Lazy(async () => {
  const module = await startServing();
  const engine: Pick<Engine, 'describe' | 'serving' | 'derivations'> = {
    describe: () => module.describe(),
    serving: () => Promise.resolve(module),
    derivations: () => bringDerivations('serving-why', module.describe()),
  };
  return engine as Engine;
});

class Serving extends Embedded {
  protected override startEngine(): Promise<Engine> {
    return engine.get();
  }

  protected override loadView(_view: Question, engine: Engine): Promise<void> {
    return loadServing(engine);
  }
}

defineInside('serving', Serving);
