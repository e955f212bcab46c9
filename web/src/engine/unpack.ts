import unpacker from '@core/unpack.wasm?bare';
import type { Packed } from '@core/core.wasm?packed';
import { given, type Given } from './given.mjs';

interface Unpacker {
  memory: WebAssembly.Memory;
  unpack(packed: number, out: number, size: number): void;
}

const page = 1 << 16;

const bytesOf = (base64: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));

/** A module's bytes, of what the build made of them. */
export async function unpack({ base64, size }: Packed): Promise<Uint8Array<ArrayBuffer>> {
  const packed = bytesOf(base64);
  const { instance } = await WebAssembly.instantiate(bytesOf(unpacker));
  const { memory, unpack: write } = instance.exports as unknown as Unpacker;
  // Both lie behind the memory that it has for itself.
  const place = memory.grow(Math.ceil((packed.length + size) / page)) * page;
  const out = place + packed.length;
  new Uint8Array(memory.buffer).set(packed, place);
  write(place, out, size);
  return new Uint8Array(memory.buffer as ArrayBuffer, out, size).slice();
}

/** The export of a module's glue. */
export type Start = (options: Given) => Promise<unknown>;

/** Starts a module of these bytes by its glue. */
export const startedBare = (start: Start, wasm: Uint8Array): Promise<unknown> => start(given(wasm));

/** Starts a module by its glue. */
export async function started(start: Start, packed: Packed): Promise<unknown> {
  try {
    return await startedBare(start, await unpack(packed));
  } catch (error) {
    console.error(error); // hosts of the page need it: their policy may forbid wasm
    throw error;
  }
}
