// The view of training with a part of the core that answers it alone: all that most posts need.

import deflated from '@core/training.wasm?deflated';
import start from '@core/training.js';
import type { PropertyValues } from 'lit';
import { makeAsking } from '../engine/asking.ts';
import type { Core } from '../engine/core.ts';
import type { Engine } from '../engine/index.ts';
import { started } from '../engine/start.ts';
import { Lazy } from '../engine/lazy.ts';
import { freeze } from '../engine/freeze.ts';
import type { Dictionary } from '../i18n/dictionary.ts';
import { loadDerivations } from '../model/evaluate.ts';
import { morePresets, providePresets } from '../model/presets.ts';
import type { DrawDerivation } from '../ui/kit/render-context.ts';
import { training } from '../ui/views/training/training.ts';
import { addViews } from '../ui/parts/view.ts';
import { areRefused, importModules } from './beside.ts';
import { Embedded } from './embedded.ts';

addViews({ training });
providePresets({
  more: async () => (await importModules()).presetParts.more(),
  sources: async () => (await importModules()).presetParts.sources(),
});

/** The part of the engine that training needs. */
const engine = new Lazy(async () => {
  const module = (await started(start, deflated)) as Core;
  const description = freeze(module.describe());
  const { answer } = makeAsking(description);
  const engine: Pick<Engine, 'describe' | 'estimate' | 'derivations'> = {
    describe: () => description,
    estimate: (input) => answer(module, 'training', input, module.estimateTraining) as never,
    derivations: async () => (await (await importModules()).derivations()).derivations,
  };
  return engine as Engine;
});

export class Training extends Embedded {
  /** Shows a link by what has all views and presets. */
  declare leave: (link: string) => void;
  private modules: typeof import('./modules.ts') | undefined;

  protected override startEngine(): Promise<Engine> {
    return engine.get();
  }

  /** Where modules can't be imported, what needs them is shown in another way. */
  protected override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    if (morePresets.state !== 'failed' || !areRefused()) return;
    if (this.unread) this.leave(this.settings!.link);
    else if (this.wish) this.leave(this.linkOf(this.wish.state));
  }

  protected override async loadDerivations(engine: Engine): Promise<DrawDerivation> {
    try {
      this.modules = await importModules();
      const { drawDerivation } = await this.modules.derivations();
      await loadDerivations(engine);
      return drawDerivation;
    } catch (error) {
      if (areRefused()) this.leave(this.linkOf(this.state));
      throw error;
    }
  }

  protected override loadView(): Promise<never> {
    return Promise.reject(new Error('no such view here'));
  }

  protected override sourceTitles(): Dictionary['sources'] {
    return this.modules?.sourceTitles(this.language).use(this);
  }
}
