// Serving, in each of the scripts that show it.

import type { PropertyValues } from 'lit';
import type { Engine } from '../engine/index.ts';
import { Lazy } from '../engine/lazy.ts';
import { startServing } from '../engine/serving.ts';
import { writeAddress } from '../link/address.ts';
import { loadServing } from '../model/divide-servers.ts';
import type { Bundle, Question } from '../model/views.ts';
import { addViews, type View } from '../ui/parts/view.ts';
import { bringDerivations } from './derivations.ts';
import { defineInside } from './define.ts';
import { Embedded } from './embedded.ts';
import { bundleOf } from './views.ts';

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

export class Serving extends Embedded {
  /** Several answers side by side, and one of them with its charts, are matters of two scripts. */
  protected override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    const { engine, settings, state } = this;
    if (!engine || !settings || settings.answer || this.unread) return;
    const wanted = bundleOf(state.view, state.charts.sides !== undefined);
    if (wanted !== settings.shown.bundle) this.leave(writeAddress(engine.describe(), state));
  }

  protected override startEngine(): Promise<Engine> {
    return engine.get();
  }

  protected override loadView(_view: Question, engine: Engine): Promise<void> {
    return loadServing(engine);
  }
}

/** Defines the calculator of a script that draws serving as `view`. */
export function defineServing(bundle: Bundle, view: View, inside: new () => Serving): void {
  addViews({ serving: view });
  defineInside(bundle, inside);
}
