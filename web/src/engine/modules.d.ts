// What the bundler resolves for the engine, and TypeScript cannot see.

/** Emscripten's glue, made by the build: it starts the module from the given bytes. */
declare module '@core/core.js' {
  const start: (options: { wasmBinary: Uint8Array }) => Promise<unknown>;
  export default start;
}

declare module '@core/derivations.js' {
  export { default } from '@core/core.js';
}

declare module '@core/planner.js' {
  export { default } from '@core/core.js';
}

declare module '@core/training.js' {
  export { default } from '@core/core.js';
}

declare module '*?deflated' {
  const base64: string;
  export default base64;
}
