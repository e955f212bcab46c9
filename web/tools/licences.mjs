// The licences of what ships: of each package whose code the build puts into dist/, and of the runtime
// that Emscripten links.

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { main, root } from './run.mjs';

/** Packages whose code is in dist/, as the build has noted them. */
export const shipped = () =>
  JSON.parse(readFileSync(path.join(root, 'build/shipped.json'), 'utf8'));

function licenceOf(name) {
  const folder = path.join(root, 'node_modules', name);
  const about = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const { version, license, repository } = about;
  const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
  const text = file && readFileSync(path.join(folder, file), 'utf8').trim();
  return { name, version, license, text, home: repository?.url ?? name };
}

/** All of them as one text. */
export function licences() {
  const own = readFileSync(path.join(root, 'LICENSE'), 'utf8').trim();
  const packages = shipped().map(licenceOf);
  // Of packages from one repository, some leave its licence out.
  const textOf = ({ home, text }) =>
    text ?? packages.find((each) => each.home === home && each.text)?.text ?? '';
  const parts = packages.map(
    (each) => `${each.name} ${each.version} (${each.license})\n\n${textOf(each)}`,
  );
  const runtime =
    'Emscripten (MIT or University of Illinois/NCSA), musl (MIT), libc++ (Apache-2.0)';
  return `${[`Scaling Calculator\n\n${own}`, ...parts, runtime].join('\n\n---\n\n')}\n`;
}

await main(import.meta, () => {
  console.log(licences());
});
