// How a module's glue is given its bytes. Plain JavaScript: the build's own scripts start modules too.

/** Emscripten's minimal runtime asks for `wasm`, its other one for `wasmBinary`. */
export const given = (wasm) => ({ wasm, wasmBinary: wasm });
