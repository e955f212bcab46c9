// npm test: builds and runs everything; the last line is `N passed, N failed`.
// npm test -- NAME ...: runs suites, or files, by their names.

import { existsSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { build } from './build.mjs';
import { runChecks } from './check.mjs';
import { compile, folderOf } from '../cmake.mjs';
import { fuzz } from './fuzz.mjs';
import { cpuSeconds, Failure, filesUnder, main, root, run, say, step, workingAs } from '../run.mjs';
import { setUp } from '../setup.mjs';

/** Suites that run at once. The compilers and browsers of one keep a core busy. */
const lanes = 3;
const slowest = 10;

/** The counts in the last lines of a test program: Catch2 2 and 3, and doctest, write alike. */
function countsOf(output) {
  const allPassed = /All tests passed \(\d+ assertions? in (\d+) test cases?\)/.exec(output);
  if (allPassed) return { passed: Number(allPassed[1]), failed: 0 };
  const summary = /test cases:.*/.exec(output)?.[0] ?? '';
  const count = (word) => Number(new RegExp(`(\\d+) ${word}`).exec(summary)?.[1] ?? 0);
  return { passed: count('passed'), failed: count('failed') };
}

/** The time of each test, from the programs' output. */
const timesOf = (output) =>
  [...output.matchAll(/^(?:\d+: )?([\d.]+) s: (.*)$/gm)].map(([, seconds, name]) => ({
    name,
    seconds: Number(seconds),
  }));

/** What failed, a line each, which is said again at the end. */
const failuresOf = (output) => [
  ...new Set([...output.matchAll(/(tests\/\S+): FAILED/g)].map(([, place]) => place)),
];

const compiling = {
  native: 'compiling the core with g++',
  sanitized: 'compiling the core and the fuzzers with clang++ and sanitizers',
  wasm: 'compiling the tests of the core to WebAssembly',
};

/** The tests that the native and the sanitized core are linked with: made once for both. */
let linkedTests;
const compileTests = (jobs) =>
  (linkedTests ??= compile('tests', 'compiling the tests of the core', {
    configure: true,
    targets: ['test_library'],
    jobs,
  }));

async function compileCore(way, jobs) {
  const first = { native: 'scaling', sanitized: 'fuzzers', wasm: 'core_tests' }[way];
  await compile(way, compiling[way], { configure: true, targets: [first], jobs });
  if (way === 'wasm') return;
  await compileTests(jobs);
  await compile(way, 'linking the tests with the core', { targets: ['core_tests'], jobs });
}

/** Settings of the runs: sanitized, many alike cases take several times as long. */
const env = { sanitized: { SCALING_TESTS_ONE_IN: '5' } };

/** The tests of the core, compiled in one of the ways. `files` are those to run, or all. */
async function core(way, { files, jobs }) {
  await compileCore(way, jobs);
  const folder = path.join(root, folderOf(way), 'programs');
  const program = path.join(folder, 'core_tests');
  const [command, ...words] =
    way === 'wasm'
      ? // Old glue would fetch the module, which Node's own fetch refuses.
        [process.execPath, '--no-experimental-fetch', `${program}.js`]
      : [program];
  const tags = files?.map((file) => `[#${path.basename(file, '.cpp')}]`).join(',');
  const filter = tags ? ['--filenames-as-tags', tags] : [];
  const { status, output } = await run(command, [...words, '-d', 'yes', ...filter], {
    accept: true,
    env: env[way],
  });
  const text = output.replace(/\x1b\[[\d;]*m/g, '');
  const counts = countsOf(text);
  if (status !== 0) {
    console.error(text.replace(/^[\d.]+ s: .*\n/gm, ''));
    counts.failed ||= 1;
  }
  return { ...counts, times: timesOf(text), failures: failuresOf(text) };
}

const firstLine = (text) => text.trim().split('\n', 1)[0];

async function vitest(folder, { files, jobs }) {
  const report = `build/reports/${folder}.json`;
  rmSync(path.join(root, report), { force: true });
  const { status } = await run(
    process.execPath,
    [
      ...['node_modules/vitest/vitest.mjs', 'run', '--config', 'web/vitest.config.ts'],
      ...['--reporter', 'default', '--reporter', 'json', `--outputFile.json=${report}`],
      `--maxWorkers=${jobs}`,
      ...(files ?? [`tests/${folder}/`]),
    ],
    { show: (line) => line.trim() !== '', accept: true },
  );
  if (!existsSync(path.join(root, report))) throw new Failure(`tests/${folder}: no report`);
  const { numPassedTests, numTotalTests, testResults } = JSON.parse(
    readFileSync(path.join(root, report), 'utf8'),
  );
  // A skipped test counts as failed, and so does a file that could not be loaded.
  const failed = numTotalTests - numPassedTests;
  const times = testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ fullName, duration }) => ({
      name: `${path.relative(root, name)}: ${fullName}`,
      seconds: (duration ?? 0) / 1000,
    })),
  );
  const failures = testResults.flatMap(({ name, message, assertionResults }) => {
    const file = path.relative(root, name);
    const tests = assertionResults.filter(({ status }) => status !== 'passed');
    if (tests.length === 0 && message) return [`${file}: ${firstLine(message)}`];
    return tests.map(
      ({ fullName, status, failureMessages: [said] }) =>
        `${file}: ${fullName}: ${said ? firstLine(said) : status}`,
    );
  });
  return { passed: numPassedTests, failed: failed || (status === 0 ? 0 : 1), times, failures };
}

/**
 * Every suite, in the order in which they start: the longest first. `after` names what it waits
 * for; `needs` what the machine has to have; `files` where its files lie, so that one of them can be
 * asked for.
 */
const suites = [
  {
    name: 'build',
    needs: ['build'],
    run: async ({ jobs }) => {
      await build({ write: false, jobs });
      return { passed: 1, failed: 0 };
    },
  },
  {
    name: 'native',
    needs: ['core'],
    files: 'tests/core',
    run: (options) => core('native', options),
  },
  {
    name: 'page',
    after: ['build'],
    needs: ['browser'],
    files: 'tests/page',
    // Half of its time a page waits for frames: two keep a core busy.
    run: (each) => vitest('page', { ...each, jobs: 2 * each.jobs }),
  },
  { name: 'sanitized', needs: ['core'], run: (options) => core('sanitized', options) },
  { name: 'fuzz', after: ['sanitized'], needs: ['core'], run: () => fuzz() },
  { name: 'wasm', after: ['build'], needs: ['core'], run: (options) => core('wasm', options) },
  { name: 'checks', after: ['build'], needs: ['check'], run: runChecks },
  {
    name: 'hosts',
    after: ['build'],
    needs: ['browser', 'hosts'],
    files: 'tests/hosts',
    run: (each) => vitest('hosts', each),
  },
  {
    name: 'engine',
    after: ['build'],
    needs: [],
    files: 'tests/engine',
    run: (each) => vitest('engine', each),
  },
  {
    name: 'unit',
    after: ['build'],
    needs: [],
    files: 'tests/unit',
    run: (each) => vitest('unit', each),
  },
];

/** The suites that names mean, with the files where only some are meant, and what these wait for. */
function chosen(names) {
  if (names.length === 0) return suites.map((suite) => ({ ...suite, files: undefined }));
  const wanted = new Map();
  for (const name of names) {
    const suite = suites.find((each) => each.name === name);
    if (suite) {
      wanted.set(suite.name, undefined);
      continue;
    }
    const asked = path.relative(root, path.resolve(name));
    let found = false;
    for (const { name: suite, files } of suites.filter(({ files }) => files)) {
      const meant = filesUnder(files).filter(
        (file) =>
          /(_test\.cpp|\.test\.ts)$/.test(file) &&
          (file === asked || path.basename(file).replace(/[._]test\.\w+$/, '') === name),
      );
      if (meant.length === 0) continue;
      found = true;
      if (!wanted.has(suite)) wanted.set(suite, meant);
      else wanted.get(suite)?.push(...meant);
    }
    if (!found) {
      const all = suites.map((each) => each.name).join(', ');
      throw new Failure(`${name}: neither a suite (${all}) nor a file of tests`);
    }
  }
  const needed = suites.filter(
    ({ name }) =>
      wanted.has(name) ||
      suites.some((each) => wanted.has(each.name) && each.after?.includes(name)),
  );
  return needed.map((suite) => ({ ...suite, files: wanted.get(suite.name) }));
}

/** Runs a suite; tells its counts, its seconds and those that it kept a core busy. */
async function outcomeOf(suite, jobs) {
  const started = performance.now();
  let result;
  try {
    result = await suite.run({ files: suite.files, jobs });
  } catch (error) {
    console.error(error instanceof Failure ? error.message : error);
    result = { passed: 0, failed: 1 };
  }
  // A suite without tests tests nothing.
  if (result.passed + result.failed === 0) result.failed = 1;
  return { ...result, seconds: (performance.now() - started) / 1000, cpu: cpuSeconds() };
}

/** Runs suites in lanes side by side, each as soon as what it waits for is done. */
async function runSuites(list) {
  const results = new Map();
  const waiting = [...list];
  const running = new Set();
  const width = Math.min(lanes, list.length);
  const jobs = Math.max(1, Math.floor(availableParallelism() / width));
  const isNeeded = (name) => list.some((each) => each.name === name);
  while (waiting.length > 0 || running.size > 0) {
    const ready = waiting.findIndex(({ after = [] }) =>
      after.filter(isNeeded).every((name) => results.has(name)),
    );
    if (running.size === width || ready < 0) {
      await Promise.race(running);
      continue;
    }
    const [suite] = waiting.splice(ready, 1);
    // Suites read what the build wrote; fuzzers can run even where a sanitized test fails.
    if (suite.after?.includes('build') && results.get('build')?.failed > 0) {
      results.set(suite.name, { passed: 0, failed: 1, seconds: 0, cpu: 0 });
      continue;
    }
    const work = workingAs(suite.name, async () => {
      step('testing');
      const result = await outcomeOf(suite, jobs);
      say(summaryOf(result));
      results.set(suite.name, result);
    });
    running.add(work);
    work.finally(() => running.delete(work));
  }
  return list.map(({ name }) => ({ name, ...results.get(name) }));
}

const summaryOf = ({ passed, failed, seconds, cpu }) =>
  `${passed} passed, ${failed} failed, ${seconds.toFixed(1)} s, ${cpu.toFixed(1)} CPU s`;

await main(import.meta, async (names) => {
  const list = chosen(names);
  await setUp(...new Set(list.flatMap(({ needs }) => needs)));
  const started = performance.now();
  const results = await runSuites(list);

  const times = results.flatMap(({ name, times = [] }) =>
    times.map((time) => ({ ...time, name: `${name}: ${time.name}` })),
  );
  times.sort((one, other) => other.seconds - one.seconds);
  console.log('\nThe slowest tests:');
  for (const { name, seconds } of times.slice(0, slowest)) {
    console.log(`  ${seconds.toFixed(1).padStart(5)} s  ${name}`);
  }
  console.log('\nThe suites:');
  for (const result of results) console.log(`  ${result.name}: ${summaryOf(result)}`);
  const total = (key) => results.reduce((sum, result) => sum + result[key], 0);
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  console.log(`  in all ${seconds} s, ${total('cpu').toFixed(0)} CPU s`);
  const failures = results.flatMap(({ name, failures = [] }) =>
    failures.map((failure) => `${name}: ${failure}`),
  );
  if (failures.length > 0) console.log('\nWhat failed:');
  for (const failure of failures) console.log(`  ${failure}`);
  console.log(`${total('passed')} passed, ${total('failed')} failed`);
  return total('failed') === 0 ? 0 : 1;
});
