// The view of training with a part of the core that answers it alone: all that most posts need.

import deflated from '@core/training.wasm?deflated';
import start from '@core/training.js';
import type { PropertyValues } from 'lit';
import { makeQuestionCodec } from '../engine/asking.ts';
import { ownOnly } from '../engine/bare.ts';
import type { Core } from '../engine/core.ts';
import type { Engine } from '../engine/index.ts';
import { started } from '../engine/start.ts';
import { Lazy } from '../engine/lazy.ts';
import { freeze } from '../engine/freeze.ts';
import type { Question } from '../model/views.ts';
import { laterPresets } from '../model/presets.ts';
import { training } from '../ui/views/training/training.ts';
import { areRefused, importModules } from './beside.ts';
import type { CalculatorFeatures } from '../ui/shell/calculator.ts';
import { Embedded } from './embedded.ts';

/** The page's own modules, once anything of them was needed. */
let modules: typeof import('./modules.ts') | undefined;

const derivations = new Lazy(async () => {
  modules = await importModules();
  return modules.derivations();
});

/** The part of the engine that training needs. */
const engine = new Lazy(async () => {
  const module = (await started(start, deflated)) as Core;
  const description = freeze(module.describe());
  const { answer } = makeQuestionCodec(description);
  const engine: Pick<Engine, 'describe' | 'estimate' | 'derivations' | 'loaded'> = {
    describe: () => description,
    estimate: (input) => answer(module, 'training', input, module.estimateTraining) as never,
    derivations: async () => (await derivations.get()).derivations,
    loaded: (name) =>
      (name === 'derivations' ? derivations.value?.derivations : undefined) as never,
  };
  return engine as Engine;
});

/** All that the script of the element has: one view, and what it imports of the page's modules. */
const features: CalculatorFeatures = ownOnly({
  engine: () => engine.get(),
  views: new Map([['training', Lazy.of(ownOnly({ ...training }))]]),
  presets: laterPresets({
    more: async () => (await importModules()).presetModules.more(),
    sources: async () => (await importModules()).presetModules.sources(),
  }),
  derivations: async () => (await derivations.get()).drawDerivation,
  sourceTitles: (language) => modules?.sourceTitles(language),
});

/** Whether the script answers a question by itself. */
export const answers = (question: Question): boolean => features.views.has(question);

export class Training extends Embedded {
  /** Shows a link by what has all views and presets. */
  declare leave: (link: string) => void;
  protected readonly features: CalculatorFeatures = ownOnly({
    ...features,
    derivations: async (...asked) => {
      try {
        return await features.derivations(...asked);
      } catch (error) {
        if (areRefused()) this.leave(this.linkOf(this.state));
        throw error;
      }
    },
  });

  /** Where modules can't be imported, what needs them is shown in another way. */
  protected override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    if (this.features.presets.more.state !== 'failed' || !areRefused()) return;
    if (this.unread) this.leave(this.settings!.link);
    else if (this.wish) this.leave(this.linkOf(this.wish.state));
  }
}
