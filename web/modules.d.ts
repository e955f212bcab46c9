// What the bundler resolves and TypeScript cannot see.

/** Emscripten's glue, made by the build: it starts the module from the given bytes. */
declare module '@core/core.js' {
  const start: (options: { wasmBinary: Uint8Array }) => Promise<unknown>;
  export default start;
}

declare module '@core/planner.js' {
  export { default } from '@core/core.js';
}

declare module '*?deflated' {
  const base64: string;
  export default base64;
}

declare module '*.css';

declare module '*/shared/text/en.json?plan' {
  import type file from '../shared/text/en.json';
  const texts: (typeof file)['plan'];
  export default texts;
}

declare module '*/shared/text/zh.json?plan' {
  export { default } from '*/shared/text/en.json?plan';
}

declare module '*/shared/examples.json?questions' {
  const file: { chapters: unknown[]; examples: unknown[] };
  export default file;
}

/** The words of a chapter or a question, by its id. */
declare module '*/shared/examples.json?en' {
  type Words = Record<
    string,
    { title?: string; question?: string; erratum?: string; note?: string }
  >;
  const file: { chapters: Words; examples: Words };
  export default file;
}

declare module '*/shared/examples.json?zh' {
  export { default } from '*/shared/examples.json?en';
}
