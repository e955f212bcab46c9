// One glue for all modules. Emscripten writes each module with glue of its own; here they differ in
// nothing but the letters by which module and glue call each other's functions. A module whose
// letters are changed to the core's is served by the core's glue: what loads later brings none.

import { readFileSync } from 'node:fs';
import path from 'node:path';

const imported = /(?<=asmLibraryArg=\{[^}]*)"(\w)":/.source;
const exported = /\["asm"\]\["(\w)"\]/.source;

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

const importSection = 2;
const exportSection = 7;
const functionKind = 0;

/** The module, with its imports and exports under other letters. */
export function withLetters(module: Buffer, letters: Map<string, string>): Buffer {
  const bytes = Buffer.from(module);
  let at = 8; // behind the magic number and the version
  const number = () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++]!;
      value |= (byte & 127) << shift;
      if (byte < 128) return value;
    }
  };
  /** Passes a name; under which other one it stands from now on. */
  const name = (change: boolean) => {
    const length = number();
    const letter = change ? letters.get(bytes.toString('latin1', at, at + length)) : undefined;
    if (letter) bytes.write(letter, at, 'latin1');
    at += length;
  };
  while (at < bytes.length) {
    const id = bytes[at++]!;
    const end = number() + at;
    if (id === importSection || id === exportSection) {
      for (let left = number(); left > 0; left -= 1) {
        if (id === importSection) name(false);
        name(true);
        if (bytes[at++] !== functionKind && id === importSection) {
          throw new Error('only functions are imported');
        }
        number();
      }
    }
    at = end;
  }
  return bytes;
}
