// npm run check: what can be said of the files without running the program.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { build } from './build.mjs';
import { describe, generated } from './generate.mjs';
import { Failure, filesUnder, main, root, run, step } from './run.mjs';
import { setUp } from './setup.mjs';
import { artefacts, budgets } from './sizes.mjs';
import { faultsOf, flatTexts, model, readTexts } from './texts.mjs';

const node = process.execPath;
const read = (file) => readFileSync(path.join(root, file), 'utf8');
const sources = (...folders) => filesUnder(...folders).filter((file) => /\.[ch]pp$/.test(file));

function fail(lines) {
  if (lines.length > 0) throw new Failure(lines.join('\n'));
}

// Versions of clang-format differ in details; the sources are laid out as this one does.
const formatVersion = '14';

async function checkFormat() {
  const version = /version (\d+)/.exec((await run('clang-format', ['--version'])).output)?.[1];
  if (version !== formatVersion) {
    return step(
      `C++ format is not checked: that needs clang-format ${formatVersion}, not ${version}`,
    );
  }
  await run('clang-format', ['--dry-run', '--Werror', ...sources('wasm', 'tests')]);
}

async function checkLint() {
  const files = sources('wasm/src').filter((file) => file.endsWith('.cpp'));
  const options = ['--', '-std=c++20', '-Iwasm/include', '-DSCALING_REP=double'];
  const half = files.length / 2;
  await Promise.all(
    [files.slice(0, half), files.slice(half)].map((part) =>
      run('clang-tidy', ['--quiet', ...part, ...options]),
    ),
  );
}

/** Number formats are their own names in every language. */
const isFormat = (name) => /^(bf|fp|int|tf)\d+$/.test(name);

/** The texts that the core's description asks for. */
function textsNeeded({ groups, questions, issueCodes, absences }) {
  const needed = [
    ...issueCodes.map((code) => `issues.${code}`),
    ...absences.map((reason) => `absences.${reason}`),
  ];
  for (const [group, fields] of Object.entries(groups)) {
    for (const { key, choices } of fields) {
      needed.push(`fields.${group}.${key}.label`);
      for (const choice of choices.filter((name) => !isFormat(name))) {
        needed.push(`choices.${group}.${key}.${choice}`);
      }
    }
  }
  for (const { key } of Object.values(questions).flatMap(({ answers }) => answers)) {
    needed.push(`answers.${key}.label`);
  }
  return needed;
}

async function checkTexts() {
  const languages = readTexts(path.join(root, 'shared/text'));
  // What only plans need stands apart, in the same shape.
  const { plan, ...first } = languages[model];
  const there = new Set([...flatTexts(first), ...flatTexts(plan)].map(([key]) => key));
  const missing = textsNeeded(await describe()).filter((text) => !there.has(text));
  fail([...missing.map((text) => `${model}.json lacks ${text}`), ...faultsOf(languages)]);
}

async function checkGenerated() {
  const stale = (await generated()).filter(({ is, should }) => is !== should);
  fail(stale.map(({ name }) => `${name} differs from what the core says; npm run build renews it`));
}

// Markup or code made from strings: a strict Content-Security-Policy and Trusted Types refuse it.
const forbidden =
  /innerHTML|outerHTML|insertAdjacentHTML|document\.write|unsafeHTML|\beval\(|new Function|javascript:/;

function checkPatterns() {
  const files = filesUnder('web/src', 'web/index.html');
  fail(
    files.flatMap((file) =>
      read(file)
        .split('\n')
        .flatMap((line, index) =>
          forbidden.test(line) ? [`${file}:${index + 1}: ${line.trim()}`] : [],
        ),
    ),
  );
}

function checkSizes() {
  const sizes = artefacts();
  fail(
    Object.entries(budgets).flatMap(([name, most]) => {
      const { gz } = sizes.find((artefact) => artefact.name === name);
      return gz > most ? [`${name}: ${gz} B gz, more than ${most}`] : [];
    }),
  );
}

const checks = {
  'C++ format': checkFormat,
  'C++ lint': checkLint,
  'other formats': () =>
    run(node, ['node_modules/prettier/bin/prettier.cjs', '--check', '--log-level', 'warn', '.']),
  'types of the page': () =>
    run(node, ['node_modules/typescript/bin/tsc', '-p', 'web/tsconfig.json']),
  'types of tests and configuration': () =>
    run(node, ['node_modules/typescript/bin/tsc', '-p', 'web/tsconfig.node.json']),
  'types of engine.d.ts': () =>
    run(node, [
      'node_modules/typescript/bin/tsc',
      '--ignoreConfig',
      '--noEmit',
      '--strict',
      'dist/engine.d.ts',
    ]),
  'generated files': checkGenerated,
  texts: checkTexts,
  'forbidden patterns': checkPatterns,
  sizes: checkSizes,
};

/** Runs every check; tells how many passed and failed. */
export async function runChecks() {
  let failed = 0;
  for (const [name, check] of Object.entries(checks)) {
    step(`checking ${name}`);
    try {
      await check();
    } catch (error) {
      failed += 1;
      console.error(error instanceof Failure ? `${name}: ${error.message}` : error);
    }
  }
  return { passed: Object.keys(checks).length - failed, failed };
}

await main(import.meta, async () => {
  await setUp('build', 'check');
  await build({ write: false });
  const { failed } = await runChecks();
  return failed === 0 ? 0 : 1;
});
