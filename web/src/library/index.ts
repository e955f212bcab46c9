// The engine as a library of its own (dist/engine.js): all questions, described in words.

import words from 'virtual:words';
import type { WholeDescription } from '../engine/described.ts';
import { createEngine as createBareEngine } from '../engine/index.ts';
import { Lazy } from '../engine/lazy.ts';
import type { Engine } from '../engine/types.ts';
import { inWords } from './describe.ts';

export type * from '../engine/described.ts';
export type * from '../engine/generated.ts';
export type * from '../engine/types.ts';
export { schemaOf } from '../engine/schema.ts';
export type { Schema, SchemaOptions } from '../engine/schema.ts';

/** The languages that describe fields and answers. */
export const languages: readonly string[] = Object.keys(words);

/** The engine with all that it describes, in words. */
export interface DescribedEngine extends Engine {
  /** All fields, answers, presets and codes, with names and sentences in one of `languages`; English
   *  if none is named. */
  describe(language?: string): WholeDescription;
}

const engine = new Lazy(async (): Promise<DescribedEngine> => {
  const made = await createBareEngine();
  return { ...made, describe: (language) => inWords(made.describe(), language) };
});

/** Starts the engine; further calls give the same one. Rejects where WebAssembly is not allowed. */
export const createEngine = (): Promise<DescribedEngine> => engine.get();
