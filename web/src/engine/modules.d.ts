// Imports that the bundler resolves for the engine.

/** Emscripten's glue, made by the build: it starts the module from the given bytes. */
declare module '@core/core.js' {
  const start: (options: import('./given.mjs').Given) => Promise<unknown>;
  export default start;
}

declare module '@core/derivations.js' {
  export { default } from '@core/core.js';
}

declare module '@core/plan_derivations.js' {
  export { default } from '@core/core.js';
}

declare module '@core/kernels.js' {
  export { default } from '@core/core.js';
}

declare module '@core/planner.js' {
  export { default } from '@core/core.js';
}

declare module '@core/serving.js' {
  export { default } from '@core/core.js';
}

declare module '@core/serving_derivations.js' {
  export { default } from '@core/core.js';
}

declare module '@core/targets.js' {
  export { default } from '@core/core.js';
}

declare module '@core/training.js' {
  export { default } from '@core/core.js';
}

/** The target of the build: a page, a script, or the engine as a library. */
interface ImportMeta {
  readonly env: { readonly MODE: string };
}

/** The sources that the files of presets name. */
declare module 'virtual:preset-sources' {
  type Sources = Record<string, { title: string; url?: string }>;
  export const chips: Sources;
  export const models: Sources;
}

/** A module's bytes, packed by LZMA. */
declare module '*?packed' {
  export interface Packed {
    base64: string;
    /** Bytes, unpacked. */
    size: number;
  }
  const packed: Packed;
  export default packed;
}

/** A module's bytes as they are. */
declare module '*?bare' {
  const base64: string;
  export default base64;
}
