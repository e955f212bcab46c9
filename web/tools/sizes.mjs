// The compressed size of everything that ships.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { filesUnder, root } from './run.mjs';

/** Bytes, compressed, in one language. */
export const budgets = {
  /** What a visit loads before the reader asks for more. */
  'first view': 130_000,
  /** All of it but plans: every other view, charts, and the worked questions of all views. */
  page: 176_000,
  /** What the view of plans adds, a module of its own in it. */
  planner: 110_000,
};

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
  const gzOf = (file) => gz([file]);
  // Each language has a dictionary for the page and a smaller one for plans.
  const dictionaries = [];
  const planDictionaries = [];
  const ofPlans = site.filter((file) => ['plan', 'planner'].includes(nameOf(file)));
  for (const language of languages) {
    const files = site.filter((file) => nameOf(file) === language);
    const [main, ...others] = files.sort((a, b) => gzOf(b) - gzOf(a));
    if (main) dictionaries.push(main);
    planDictionaries.push(...others);
  }
  const translated = site.filter(
    (file) => file.endsWith('.js') && repeated(nameOf(file)) && !languages.includes(nameOf(file)),
  );
  const apart = [...dictionaries, ...planDictionaries, ...translated, ...ofPlans];
  const rest = site.filter((file) => !apart.includes(file));
  const entry = rest.find((file) => file.endsWith('.js') && nameOf(file) === 'index') ?? '';
  // What the entry can't start without comes with it.
  const needed = [...readFileSync(path.join(root, entry), 'utf8').matchAll(/\bfrom"\.\/([^"]+)"/g)];
  const started = needed.map(([, name]) => name);
  const first = rest.filter(
    (file) => !file.endsWith('.js') || file === entry || started.includes(path.basename(file)),
  );
  const largest = (files) => Math.max(0, ...files.map(gzOf));
  return [
    { name: 'wasm', gz: gz(['build/wasm/core.wasm']) },
    { name: 'wasm of the planner', gz: gz(['build/wasm/planner.wasm']) },
    { name: 'glue', gz: gz(['build/wasm/core.js']) },
    { name: 'first view', gz: gz(first) + largest(dictionaries) },
    { name: 'page', gz: gz(rest) + largest(dictionaries) + largest(translated) },
    { name: 'planner', gz: gz(ofPlans) + largest(planDictionaries) },
    { name: 'all in all languages', gz: gz(site) },
    ...alone.map((file) => ({ name: path.basename(file), gz: gz([file]) })),
  ];
}
