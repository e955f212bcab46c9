/** The bytes of a module, as its glue takes them. */
export interface Given {
  wasm: Uint8Array;
  wasmBinary: Uint8Array;
}

export function given(wasm: Uint8Array): Given;
