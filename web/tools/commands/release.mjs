// npm run release: writes build/release/, what a release offers: the page as dist.zip, embed.js alone,
// the package, the licences of what ships, and the notes of the version.

import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from './build.mjs';
import { licences } from '../licences.mjs';
import { Failure, filesUnder, main, root, run, step } from '../run.mjs';
import { setUp } from '../setup.mjs';

const folder = 'build/release';
const at = (...names) => path.join(root, ...names);

/** What the changelog says of a version. */
export function notesOf(changelog, version) {
  const parts = changelog.split(/^## /m).slice(1);
  const own = parts.find((part) => part.split(/\s/, 1)[0] === version);
  if (!own) throw new Failure(`web/CHANGELOG.md says nothing of ${version}`);
  return `${own.slice(own.indexOf('\n') + 1).trim()}\n`;
}

await main(import.meta, async () => {
  await setUp('build');
  await build();
  step(`writing ${folder}`);
  rmSync(at(folder), { recursive: true, force: true });
  mkdirSync(at(folder), { recursive: true });
  const { version } = JSON.parse(readFileSync(at('package.json'), 'utf8'));
  const notes = notesOf(readFileSync(at('web/CHANGELOG.md'), 'utf8'), version);
  writeFileSync(at(folder, 'notes.md'), notes);
  // Loaded here, as it is there only once the set-up has run.
  const { zipSync } = await import('fflate');
  const files = filesUnder('dist').map((file) => [file, new Uint8Array(readFileSync(at(file)))]);
  writeFileSync(at(folder, 'dist.zip'), zipSync(Object.fromEntries(files), { level: 9 }));
  copyFileSync(at('dist/embed.js'), at(folder, 'embed.js'));
  writeFileSync(at(folder, 'licences.txt'), licences());
  await run('npm', ['pack', '--pack-destination', folder, '--ignore-scripts']);
});
