// The compressed size of everything that ships.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { filesUnder, root } from './run.mjs';

/** Bytes, compressed, that a reader of the whole page loads: every view, its charts and the worked
 * questions, in one language. */
export const pageBudget = 165_000;

const gz = (files) =>
  files
    .map((file) => gzipSync(readFileSync(path.join(root, file)), { level: 9 }).length)
    .reduce((sum, size) => sum + size, 0);

/** What ships, and the module's two parts, each with its size in bytes after gzip. */
export function artefacts() {
  const alone = ['dist/offline.html', 'dist/engine.js', 'dist/engine.d.ts'];
  const site = filesUnder('dist').filter((file) => !alone.includes(file));
  const languages = filesUnder('shared/text').map((file) => path.basename(file, '.json'));

  // The page's files come with what asks for them first; a dictionary is a file of its language,
  // and what else is there once for each language has one name and as many files.
  const hash = '-01234567.js'.length;
  const nameOf = (file) => path.basename(file).slice(0, -hash);
  const names = site.map(nameOf);
  const repeated = (name) =>
    names.filter((each) => each === name).length === languages.length && name !== 'index';
  const dictionaries = site.filter((file) => languages.includes(nameOf(file)));
  const translated = site.filter((file) => file.endsWith('.js') && repeated(nameOf(file)));
  const rest = site.filter((file) => !dictionaries.includes(file) && !translated.includes(file));
  const first = rest.filter((file) => !file.endsWith('.js') || nameOf(file) === 'index');
  const largest = (files) => Math.max(0, ...files.map((file) => gz([file])));
  return [
    { name: 'wasm', gz: gz(['build/wasm/core.wasm']) },
    { name: 'glue', gz: gz(['build/wasm/core.js']) },
    { name: 'first view', gz: gz(first) + largest(dictionaries) },
    { name: 'page', gz: gz(rest) + largest(dictionaries) + largest(translated) },
    { name: 'page in all languages', gz: gz(site) },
    ...alone.map((file) => ({ name: path.basename(file), gz: gz([file]) })),
  ];
}
