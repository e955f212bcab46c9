// Declares modules that the bundler resolves and TypeScript cannot see.

declare module '*.css';

/** A style sheet as text. */
declare module '*.css?inline' {
  const text: string;
  export default text;
}

/** The languages that there are files for, and loaders of their texts (see texts-plugin.ts). */
declare module 'virtual:texts' {
  export const languages: Record<string, import('./src/i18n/language.ts').Manner>;
  export const loaders: Record<string, Record<string, () => Promise<{ default: object }>>>;
}

/** Names and sentences of all that is described: JSON, by language (see word-parts.ts). */
declare module 'virtual:words' {
  const words: Record<string, string>;
  export default words;
}

/** All presets as lists know them, and the figures of the first (see presets-plugin.ts). */
declare module 'virtual:presets' {
  export const chipEntries: import('./src/model/presets.ts').ChipEntry[];
  export const modelEntries: import('./src/model/presets.ts').ModelEntry[];
  /** Names of the providers that list prices of chips, by their ids in links. */
  export const providers: Record<string, string>;
  export const first: import('./src/model/presets.ts').MorePresets;
}

/** The kinds of the providers that list prices of chips. */
declare module 'virtual:provider-kinds' {
  export const kinds: Record<string, string>;
}

/** The figures of the other presets. */
declare module 'virtual:more-presets' {
  export const more: import('./src/model/presets.ts').MorePresets;
}

/** A file as it stands. */
declare module '*?raw' {
  const text: string;
  export default text;
}

/** The version of the program and of its data (see offline-plugin.ts). */
declare module 'virtual:version' {
  export const version: string;
  export const data: string;
}

interface ImportMeta {
  /** `MODE`: which of the modes of vite.config.ts this is. */
  readonly env: { readonly MODE: string };
  /** Imports of the files that a pattern, written out, finds, by their paths. */
  glob<Module>(pattern: string): Record<string, () => Promise<Module>>;
  glob<Export>(pattern: string, options: { eager: true; import: string }): Record<string, Export>;
}
