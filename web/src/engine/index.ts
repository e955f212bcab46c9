// The engine: the only part of the page that knows the wasm modules. Runs in pages, workers and Node.

import { startCore } from './core.ts';
import { Lazy } from './lazy.ts';
import { makeEngine } from './make.ts';
import { moduleImports } from './module-imports.ts';
import type { Engine } from './types.ts';

export type * from './generated.ts';
export type * from './types.ts';

const engine = new Lazy(async () => makeEngine(await startCore(), moduleImports));

/** Starts the engine; further calls give the same one. Rejects where WebAssembly is not allowed. */
export const createEngine = (): Promise<Engine> => engine.get();
