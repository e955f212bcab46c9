/** The export of a module's glue. */
export type Start = (options: {
  wasm: WebAssembly.Module;
  wasmBinary: Uint8Array;
}) => Promise<unknown>;

export function startedBytes(start: Start, bytes: Uint8Array<ArrayBuffer>): Promise<unknown>;
