// npm run check: what can be said of the files without running the program.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from './build.mjs';
import { writeTable } from '../efficiency.mjs';
import { generated } from '../generate.mjs';
import { manualFaults, readManuals } from '../manuals.mjs';
import { digest, Failure, filesUnder, main, root, run, step } from '../run.mjs';
import { setUp } from '../setup.mjs';
import { describe } from '../modules.mjs';
import { grown, sizes, tooLarge } from './sizes.mjs';
import { viewTexts } from '../views.mjs';
import { faultsOf, flatTexts, model, readTexts } from '../texts.mjs';

const node = process.execPath;
const read = (file) => readFileSync(path.join(root, file), 'utf8');
const sources = (...folders) => filesUnder(...folders).filter((file) => /\.[ch]pp$/.test(file));

function fail(lines) {
  if (lines.length > 0) throw new Failure(lines.join('\n'));
}

// Versions of clang's tools differ in what they want; the sources are as this one wants them.
const clangVersion = '14';
const lintTool = 'web/tools/commands/check.mjs';

/** Whether the tool has that version; says so if not. */
async function isPinned(tool) {
  const version = /version (\d+)/.exec((await run(tool, ['--version'])).output)?.[1];
  if (version !== clangVersion) {
    step(`skipped: the sources follow ${tool} ${clangVersion}, not ${version}`);
  }
  return version === clangVersion;
}

async function checkFormat() {
  if (!(await isPinned('clang-format'))) return;
  await run('clang-format', ['--dry-run', '--Werror', ...sources('wasm', 'tests')]);
}

/**
 * Lints sources of the core as one file, which halves the time: they share their headers. Clean
 * sources are left out for as long as neither they nor any header changes.
 */
async function checkLint() {
  if (!(await isPinned('clang-tidy'))) return;
  const record = path.join(root, 'build/lint.json');
  const all = sources('wasm/scaling').filter((file) => file.endsWith('.cpp'));
  const headers = sources('wasm/scaling').filter((file) => file.endsWith('.hpp'));
  const common = digest([...headers, '.clang-tidy', 'shared/efficiency.json', lintTool]);
  const wanted = Object.fromEntries(all.map((file) => [file, digest([file])]));
  const before = existsSync(record) ? JSON.parse(readFileSync(record, 'utf8')) : {};
  const clean = before.common === common ? before.clean : {};
  const files = all.filter((file) => clean[file] !== wanted[file]);
  if (files.length === 0) return;

  const texts = files.map(read);
  writeFileSync(path.join(root, 'build/lint.cpp'), texts.join(''));
  // Formulas have many paths that differ in nothing the analyzer looks for: it takes fewer of them.
  const fewerPaths = ['-Xclang', '-analyzer-config', '-Xclang', 'max-nodes=20000'];
  // The table of constants that the core includes.
  writeTable(path.join(root, 'build/generated'));
  const options = [
    '--',
    '-std=c++20',
    '-Iwasm',
    '-Ibuild/generated',
    '-DSCALING_REP=double',
    ...fewerPaths,
  ];
  const { status, output } = await run('clang-tidy', ['--quiet', 'build/lint.cpp', ...options], {
    accept: true,
  });
  /** A line of the one file, as a line of the file it is from. */
  const place = (line) => {
    let left = line;
    for (const [index, text] of texts.entries()) {
      const lines = text.split('\n').length - 1;
      if (left <= lines) return `${files[index]}:${left}`;
      left -= lines;
    }
    return `build/lint.cpp:${line}`;
  };
  if (status !== 0)
    fail([output.replace(/\S*build\/lint\.cpp:(\d+)/g, (_, line) => place(Number(line)))]);
  writeFileSync(record, JSON.stringify({ common, clean: wanted }));
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
    needed.push(`groups.${group}.name`, `groups.${group}.help`);
    for (const { key, kind, choices } of fields) {
      needed.push(`fields.${group}.${key}.label`, `fields.${group}.${key}.help`);
      // A text field offers no choices.
      const offered = kind === 'text' ? [] : choices;
      for (const choice of offered.filter((name) => !isFormat(name))) {
        needed.push(`choices.${group}.${key}.${choice}`);
      }
    }
  }
  for (const [question, { answers }] of Object.entries(questions)) {
    needed.push(`questions.${question}.name`, `questions.${question}.help`);
    for (const { key } of answers) needed.push(`answers.${key}.label`, `answers.${key}.help`);
  }
  return needed;
}

async function checkTexts() {
  const languages = readTexts(path.join(root, 'shared/text'));
  // Texts that come with views, such as issues, have the shape of the first ones.
  const all = languages[model];
  const there = new Set(
    [all, ...viewTexts.map((part) => all[part])]
      .flatMap((each) => flatTexts(each))
      .map(([key]) => key),
  );
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

/** Places that ask what an object has, and count in what a page has put on all objects. */
function inherited(file, { parseSync, Visitor }) {
  const text = read(file);
  const places = [];
  const found = ({ start, end }) =>
    places.push(
      `${file}:${text.slice(0, start).split('\n').length}: ${text.slice(start, end)}; Object.hasOwn asks for an object’s own`,
    );
  new Visitor({
    BinaryExpression: (node) => {
      if (node.operator === 'in' && node.left.type !== 'PrivateIdentifier') found(node);
    },
    ForInStatement: ({ start, right }) => found({ start, end: right.end }),
  }).visit(parseSync(file, text).program);
  return places;
}

async function checkPatterns() {
  // Loaded here, as it is there only once the set-up has run.
  const syntax = await import('vite');
  const files = filesUnder('web/src', 'web/index.html');
  const scripts = files.filter((file) => /\.m?[jt]s$/.test(file));
  fail([
    ...files.flatMap((file) =>
      read(file)
        .split('\n')
        .flatMap((line, index) =>
          forbidden.test(line) ? [`${file}:${index + 1}: ${line.trim()}`] : [],
        ),
    ),
    ...scripts.flatMap((file) => inherited(file, syntax)),
  ]);
}

// Another Emscripten links modules of other sizes.
const emscriptenVersion = '3.1.6';

async function checkSizes() {
  const all = sizes();
  for (const line of await grown(all)) step(line);
  const version = /\d+\.\d+\.\d+/.exec((await run('emcc', ['--version'])).output)?.[0];
  if (version === emscriptenVersion) fail(tooLarge(all));
  else step(`skipped: ceilings follow Emscripten ${emscriptenVersion}, not ${version}`);
}

/** Checks the types of a project; those of files that no change reaches were checked before. */
const checkTypes = (project, name) =>
  run(node, [
    ...['node_modules/typescript/bin/tsc', '-p', project],
    ...['--incremental', '--tsBuildInfoFile', `build/types-${name}.tsbuildinfo`],
  ]);

const checks = {
  'C++ format': checkFormat,
  'C++ lint': checkLint,
  'other formats': () =>
    run(node, [
      ...['node_modules/prettier/bin/prettier.cjs', '--check', '--log-level', 'warn', '.'],
      ...['--cache', '--cache-strategy', 'content', '--cache-location', 'build/prettier-cache'],
    ]),
  'types of the page': () => checkTypes('web/tsconfig.json', 'page'),
  'types of tests and configuration': () => checkTypes('web/tsconfig.node.json', 'node'),
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
  manuals: () => fail(manualFaults(readManuals())),
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
