// Imports that the bundler resolves for the engine.

/** Emscripten's glue, made by the build: it starts the module from the given bytes. */
declare module '@core/first.js' {
  const start: import('./started.mjs').Start;
  export default start;
}

declare module '@core/search.js' {
  export { default } from '@core/first.js';
}

declare module '@core/operations.js' {
  export { default } from '@core/first.js';
}

declare module '@core/reward.js' {
  export { default } from '@core/first.js';
}

declare module '@core/derive.js' {
  export { default } from '@core/first.js';
}

declare module '@core/training.js' {
  export { default } from '@core/first.js';
}

/** A module's bytes, deflated, in base64. */
declare module '*?deflated' {
  const base64: string;
  export default base64;
}

/** The sources that the files of presets name. */
declare module 'virtual:preset-sources' {
  type Sources = Record<string, { title: string; url?: string }>;
  export const chips: Sources;
  export const models: Sources;
}
