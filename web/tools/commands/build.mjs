// npm run build: writes dist/.

import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { compile } from '../cmake.mjs';
import { generate } from '../generate.mjs';
import { counted, digest, filesUnder, main, root, run, step } from '../run.mjs';
import { setUp } from '../setup.mjs';
import { modules } from '../modules.mjs';

const node = process.execPath;
/** The script with which readers measure their machines. */
const script = 'tests/evidence/measure/measure.py';
const stamp = path.join(root, 'build', 'dist-digest');

function currentDigest() {
  const sources = filesUnder('web', 'shared').filter(
    (file) => !/^web\/tools\/.*\.(mjs|png)$|\.md$/.test(file) || /\/(texts|views)\.mjs$/.test(file),
  );
  const core = modules.flatMap((name) =>
    ['js', 'wasm'].map((kind) => `build/wasm/${name}.${kind}`),
  );
  const own = ['web/tools/commands/build.mjs', 'package-lock.json', script];
  return digest([...sources, ...core, ...own]) + (process.env.SITE ?? '');
}

/**
 * The declarations of the engine in one file. TypeScript writes one for each module; they are put
 * one after the other, each after those it imports, so that no export passes on another's name.
 */
async function writeEngineTypes() {
  await run(node, ['node_modules/typescript/bin/tsc', '-p', 'web/tsconfig.engine.json']);
  const relative = /^(?:import|export)\s[^;]*?\sfrom\s+'(\.[^']*)';\n?/gm;
  const parts = [];
  const seen = new Set();
  const visit = (file) => {
    if (seen.has(file)) return;
    seen.add(file);
    const text = readFileSync(file, 'utf8');
    for (const [, name] of text.matchAll(relative)) {
      visit(path.resolve(path.dirname(file), name.replace(/(\.[jt]s)?$/, '.d.ts')));
    }
    parts.push(text.replace(relative, '').replace(/^export (type )?\{[^}]*\};\n?/gm, ''));
  };
  visit(path.join(root, 'build/types/library/index.d.ts'));
  writeFileSync(path.join(root, 'dist/engine.d.ts'), parts.join('\n'));
}

/** Adds the packages whose code ships, for the list of licences. */
const noteShipped = (names) => ({
  name: 'note-shipped',
  generateBundle(_options, bundle) {
    for (const { modules = {} } of Object.values(bundle)) {
      for (const id of Object.keys(modules)) {
        const name = /\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1];
        if (name) names.add(name);
      }
    }
  },
});

/** The JSON schema of each question's input, in one file. */
async function writeSchemas() {
  const { createEngine, schemaOf } = await import(
    `${pathToFileURL(path.join(root, 'dist/engine.js'))}?${Date.now()}`
  );
  const description = (await createEngine()).describe();
  const questions = Object.keys(description.questions);
  const schemas = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Questions of the Scaling Calculator',
    $defs: Object.fromEntries(questions.map((each) => [each, schemaOf(description, each)])),
  };
  writeFileSync(path.join(root, 'dist/schema.json'), `${JSON.stringify(schemas, null, 1)}\n`);
}

/**
 * Makes dist/ if anything it is made of changed. `write` also renews the generated sources; `jobs`
 * limits the compilers that run at once.
 */
export async function build({ write = true, jobs } = {}) {
  await compile('wasm', 'compiling the core to WebAssembly', { targets: ['modules'], jobs });
  if (write) await generate();
  const wanted = currentDigest();
  if (
    existsSync(stamp) &&
    readFileSync(stamp, 'utf8') === wanted &&
    existsSync(path.join(root, 'dist'))
  ) {
    return;
  }
  rmSync(stamp, { force: true });
  step('writing dist/ with Vite');
  const vite = await import('vite');
  const shipped = new Set();
  await counted(async () => {
    for (const mode of ['production', 'offline', 'embed', 'engine', 'cli']) {
      const configFile = path.join(root, 'web/vite.config.ts');
      await vite.build({ mode, configFile, plugins: [noteShipped(shipped)] });
    }
  });
  writeFileSync(path.join(root, 'build/shipped.json'), JSON.stringify([...shipped].sort()));
  const dist = path.join(root, 'dist');
  const made = { 'offline.html': 'offline/index.html' };
  for (const name of ['embed.js', 'engine.js', 'cli.js'])
    made[name] = `${path.parse(name).name}/${name}`;
  for (const [name, file] of Object.entries(made)) {
    copyFileSync(path.join(root, 'build', file), path.join(dist, name));
  }
  copyFileSync(path.join(root, script), path.join(dist, path.basename(script)));
  await writeEngineTypes();
  await writeSchemas();
  writeFileSync(stamp, wanted);
}

await main(import.meta, async () => {
  await setUp('build');
  await build();
});
