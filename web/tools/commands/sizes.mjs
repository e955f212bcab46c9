// The size of everything that ships, after gzip. Two sizes have a ceiling, because readers wait for
// them; all others are a report. `node web/tools/commands/sizes.mjs` writes it to web/tools/sizes.json, and
// `npm run check` says what has grown since the last commit.

import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { filesUnder, main, root, run } from '../run.mjs';
import { setUp } from '../setup.mjs';

const record = 'web/tools/sizes.json';

/** Bytes after gzip, in one language. */
export const ceilings = {
  /** The files that a visit loads before the reader asks for more. */
  'first view': 150_000,
  /** What a post loads for an element of training. */
  'embed.js': 100_000,
};

/** A part that grew by less is not worth a line. */
const noted = 1.05;

const read = (file) => readFileSync(path.join(root, file));
const gz = (file) => gzipSync(read(file), { level: 9 }).length;
/** The name that the bundler gave a chunk, without its hash. */
const nameOf = (file) => path.basename(file).replace(/-[\w-]{8}(\.\w+)$/, '$1');

/** A script, and all that it can't start without. */
function withImports(file, found = new Set()) {
  if (found.has(file)) return found;
  found.add(file);
  for (const [, name] of String(read(file)).matchAll(/\b(?:from|import)\s*"\.\/([^"]+)"/g)) {
    withImports(`dist/assets/${name}`, found);
  }
  return found;
}

/** The bytes of every part, after gzip: of the first view, and of each file or chunk. */
export function sizes() {
  const site = filesUnder('dist').filter((file) => !file.startsWith('dist/hosts/'));
  const named = [...String(read('dist/index.html')).matchAll(/"\.\/(assets\/[^"]+)"/g)];
  const first = new Set(['dist/index.html']);
  for (const [, name] of named) {
    if (name.endsWith('.js')) withImports(`dist/${name}`, first);
    else first.add(`dist/${name}`);
  }
  // A reader loads the dictionary of one language.
  const languages = filesUnder('shared/text').map((file) => path.basename(file, '.json'));
  const dictionaries = site.filter((file) => languages.includes(nameOf(file).split('.')[0]));
  const plain = dictionaries.filter((file) => nameOf(file).split('.').length === 2);
  const firstView = [...first].filter((file) => !plain.includes(file)).map(gz);
  const all = {
    'first view': firstView.reduce((a, b) => a + b, 0) + Math.max(...plain.map(gz)),
  };
  for (const file of site.filter((each) => /\.(js|css|html)$/.test(each))) {
    const name = nameOf(file);
    all[name] = (all[name] ?? 0) + gz(file);
  }
  // The element's script has all languages; a further one takes none of the others' room.
  const others = plain
    .map(gz)
    .sort((one, other) => one - other)
    .slice(0, -1);
  all['embed.js'] -= others.reduce((sum, bytes) => sum + bytes, 0);
  for (const file of filesUnder('build/wasm').filter((each) => /wasm\/\w+\.wasm$/.test(each))) {
    all[path.basename(file)] = gz(file);
  }
  return all;
}

/** Parts above their ceilings, as sentences. */
export const tooLarge = (all) =>
  Object.entries(ceilings)
    .filter(([name, most]) => !(all[name] <= most))
    .map(([name, most]) => `${name}: ${all[name]} bytes after gzip, more than ${most}`);

/** The parts that have grown since the last commit, as sentences. */
export async function grown(all) {
  const { output } = await run('git', ['show', `HEAD:${record}`]).catch(() => ({ output: '{}' }));
  const before = JSON.parse(output);
  return Object.entries(all)
    .filter(([name, bytes]) => bytes > noted * (before[name] ?? Infinity))
    .map(([name, bytes]) => {
      const percent = (100 * (bytes / before[name] - 1)).toFixed(0);
      return `${name} has grown by ${percent} %: ${before[name]} to ${bytes} bytes after gzip`;
    });
}

await main(import.meta, async () => {
  await setUp('build');
  const all = sizes();
  for (const [name, bytes] of Object.entries(all)) console.log(name.padEnd(40), bytes);
  for (const line of await grown(all)) console.log(line);
  writeFileSync(path.join(root, record), `${JSON.stringify(all, null, 2)}\n`);
});
