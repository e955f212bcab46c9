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

  // The page's files come with what asks for them first. Texts are named after their language, and
  // after their part: `en`, `en.plan`.
  const hash = '-01234567.js'.length;
  const nameOf = (file) => path.basename(file).slice(0, -hash);
  const ofPlans = site.filter((file) => ['plan', 'planner'].includes(nameOf(file)));
  const isText = (file) => file.endsWith('.js') && languages.includes(nameOf(file).split('.')[0]);
  const texts = site.filter(isText);
  /** The texts of the language that takes most. */
  const most = (isWanted) =>
    Math.max(
      0,
      ...languages.map((language) =>
        gz(
          texts.filter((file) => {
            const [spoken, part] = nameOf(file).split('.');
            return spoken === language && isWanted(part);
          }),
        ),
      ),
    );
  const apart = [...texts, ...ofPlans];
  const rest = site.filter((file) => !apart.includes(file));
  const entry = rest.find((file) => file.endsWith('.js') && nameOf(file) === 'index') ?? '';
  // What the entry can't start without comes with it.
  const needed = [...readFileSync(path.join(root, entry), 'utf8').matchAll(/\bfrom"\.\/([^"]+)"/g)];
  const started = needed.map(([, name]) => name);
  const first = rest.filter(
    (file) => !file.endsWith('.js') || file === entry || started.includes(path.basename(file)),
  );
  return [
    { name: 'wasm', gz: gz(['build/wasm/core.wasm']) },
    { name: 'wasm of the planner', gz: gz(['build/wasm/planner.wasm']) },
    { name: 'glue', gz: gz(['build/wasm/core.js']) },
    { name: 'first view', gz: gz(first) + most((part) => !part) },
    { name: 'page', gz: gz(rest) + most((part) => part !== 'plan') },
    { name: 'planner', gz: gz(ofPlans) + most((part) => part === 'plan') },
    { name: 'all in all languages', gz: gz(site) },
    ...alone.map((file) => ({ name: path.basename(file), gz: gz([file]) })),
  ];
}
