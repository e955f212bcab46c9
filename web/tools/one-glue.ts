// One glue for all modules. Emscripten writes each module with glue of its own; here they differ in
// nothing but the letters by which module and glue call each other's functions. A module whose
// letters are changed to the core's (wasm-parts.ts) is served by the core's glue: what loads later
// brings none.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { withLetters } from './wasm-parts.ts';

const imported = /(?<=asmLibraryArg=\{[^}]*)"(\w)":/.source;
const exported = /\basm(?:"\])?\["(\w)"\]/.source;

/** A glue without letters, and these in their order. */
function apart(file: string): { text: string; letters: string[] } {
  const letters: string[] = [];
  const text = readFileSync(file, 'utf8')
    .replace(`"${path.basename(file, '.js')}.wasm"`, '""')
    .replace(new RegExp(`${imported}|${exported}`, 'g'), (_all, one, other) => {
      letters.push(one ?? other);
      return '';
    });
  return { text, letters };
}

/**
 * The core's letters by those of the module beside it, where its glue is the core's but for them.
 * Another version of Emscripten may write glue that differs in more.
 */
export function coreLetters(glue: string): Map<string, string> | undefined {
  const own = apart(glue);
  const core = apart(path.join(path.dirname(glue), 'core.js'));
  if (own.text !== core.text || core.letters.length === 0) return undefined;
  return new Map(own.letters.map((letter, i) => [letter, core.letters[i]!]));
}

/** A linked module, to be started by the glue that is imported for it. */
export function forItsGlue(file: string): Buffer {
  const letters = coreLetters(file.replace(/wasm$/, 'js'));
  const linked = readFileSync(file);
  return letters ? withLetters(linked, letters) : linked;
}
