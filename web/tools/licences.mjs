// The licences of what ships: of each package whose code the build puts into dist/, and of the runtime
// that Emscripten links.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { main, root } from './run.mjs';

/** Packages whose code is in dist/, as the build has noted them. */
export const shipped = () =>
  JSON.parse(readFileSync(path.join(root, 'build/shipped.json'), 'utf8'));

function licenceOf(name) {
  const folder = path.join(root, 'node_modules', name);
  const { version, license } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const file = existsSync(folder) && readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
  const text = file ? readFileSync(path.join(folder, file), 'utf8').trim() : '';
  return { name, version, license, text };
}

/** All of them as one text. */
export function licences() {
  const own = readFileSync(path.join(root, 'LICENSE'), 'utf8').trim();
  const packages = shipped().map(licenceOf);
  const parts = packages.map(
    ({ name, version, license, text }) => `${name} ${version} (${license})\n\n${text}`,
  );
  const runtime =
    'Emscripten (MIT or University of Illinois/NCSA), musl (MIT), libc++ (Apache-2.0)';
  return `${[`Scaling Calculator\n\n${own}`, ...parts, runtime].join('\n\n---\n\n')}\n`;
}

await main(import.meta, () => {
  console.log(licences());
});
