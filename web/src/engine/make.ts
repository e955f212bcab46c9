// The engine over the core's module.

import { makeQuestionCodec } from './asking.ts';
import type { Core } from './core.ts';
import { freeze } from './freeze.ts';
import { Lazy } from './lazy.ts';
import type { Description, Engine, LaterModules } from './types.ts';

/** A module that loads on first use, as it is imported. */
type Import = () => Promise<{ start(description: Description): Promise<unknown> }>;

export function makeEngine(core: Core, modules: Record<keyof LaterModules, Import>): Engine {
  const description = freeze(core.describe());
  const later = Object.entries(modules).map(
    ([name, load]) => [name, new Lazy(async () => (await load()).start(description))] as const,
  );
  const { answer } = makeQuestionCodec(description);
  return {
    describe: () => description,
    estimate: (input) => answer(core, 'training', input, () => core.estimateTraining()),
    budget: (input) => answer(core, 'budget', input, () => core.estimateBudget()),
    ...Object.fromEntries(later.map(([name, module]) => [name, () => module.get()])),
    loaded: (name: string) => later.find(([each]) => each === name)?.[1].value,
  } as Engine;
}
