// Starts a linked module. Plain JavaScript: the build's own scripts start modules, too.

/**
 * Starts a module by its glue. Rejects where it can't be compiled, as under a policy that forbids
 * WebAssembly. Emscripten's minimal runtime takes what is compiled, its other one the bytes.
 */
export const startedBytes = async (start, bytes) =>
  start({ wasm: await WebAssembly.compile(bytes), wasmBinary: bytes });
