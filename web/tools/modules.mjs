// The wasm modules as the build links them, started in Node.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { startedBytes } from '../src/engine/started.mjs';
import { root } from './run.mjs';

/** The modules of the page, and that of an element which shows training alone. */
export const modules = ['first', 'operations', 'search', 'reward', 'derive', 'training'];

/** The linked wasm of a module; with `js`, its glue. */
export const placeOf = (name, kind = 'wasm') => path.join(root, 'build/wasm', `${name}.${kind}`);

/** Starts a module. */
export async function startModule(name) {
  const { default: start } = await import(/* @vite-ignore */ pathToFileURL(placeOf(name, 'js')));
  return startedBytes(start, readFileSync(placeOf(name)));
}

/** All that the core describes: fields, questions and answers. */
export const describe = async () => (await startModule('first')).describe();
