// The engine: the only part of the page that knows the wasm modules, and a library of its own
// (dist/engine.js). Runs in pages, workers and Node.

import { startCore } from './core.ts';
import { Lazy } from './lazy.ts';
import { makeEngine } from './make.ts';
import { moduleImports } from './module-imports.ts';
import type { Engine } from './types.ts';

export type * from './generated.ts';
export type * from './types.ts';

const engine = new Lazy(async () => {
  const made = makeEngine(await startCore(), {
    derivations: {
      core: async (description) => (await import('./derivations.ts')).startDerivations(description),
      plan: async (description) =>
        (await import('./plan-derivations.ts')).startDerivations(description),
      serving: async (description) =>
        (await import('./serving-derivations.ts')).startDerivations(description),
    },
    kernels: async () => (await import('./kernel-rates.ts')).startKernels(),
    planner: async (description) => (await moduleImports.planner()).startPlanner(description),
    serving: async () => (await moduleImports.serving()).startServing(),
    targets: async (description) => (await moduleImports.targets()).startTargets(description),
  });
  // A page loads it later; a library is loaded whole.
  if (import.meta.env.MODE === 'engine') await made.kernels();
  return made;
});

/** Starts the engine; further calls give the same one. Rejects where WebAssembly is not allowed. */
export const createEngine = (): Promise<Engine> => engine.get();
