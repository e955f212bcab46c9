// Starts the wasm modules from the bytes that the build put into scripts.

import { startedBytes, type Start } from './started.mjs';

/** A module's bytes, of the deflated base64 that a script holds. */
export async function inflated(base64: string): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const whole = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return new Uint8Array(await new Response(whole).arrayBuffer());
}

/** Starts a module by its glue. */
export async function started(start: Start, base64: string): Promise<unknown> {
  try {
    return await startedBytes(start, await inflated(base64));
  } catch (error) {
    console.error(error); // hosts of the page need it: their policy may forbid wasm
    throw error;
  }
}
