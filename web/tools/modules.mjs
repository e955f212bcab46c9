// The wasm modules as the build links them, started in Node.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { given } from '../src/engine/given.mjs';
import { root } from './run.mjs';

/** The linked wasm of a module; with `js`, its glue. */
export const placeOf = (name, kind = 'wasm') => path.join(root, 'build/wasm', `${name}.${kind}`);

/**
 * Starts a module by its own glue; `wasm`: its bytes, if the build changed them.
 * @param {string} name
 * @param {Uint8Array} [wasm]
 */
export async function startModule(name, wasm = readFileSync(placeOf(name))) {
  const { default: start } = await import(/* @vite-ignore */ pathToFileURL(placeOf(name, 'js')));
  return start(given(wasm));
}

/** The description that a module gives of itself. */
export const describeModule = async (name) => (await startModule(name)).describe();
