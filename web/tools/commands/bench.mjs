// npm run bench: measures and prints a table; `-- --json FILE` also writes the figures by name.

import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from './build.mjs';
import { pageFigures } from '../bench/page.mjs';
import { measuredRuns } from '../bench/runs.mjs';
import { compile, folderOf } from '../cmake.mjs';
import { median } from '../bench/quantile.mjs';
import { Failure, main, root, run, step } from '../run.mjs';
import { setUp } from '../setup.mjs';
import { sizes } from './sizes.mjs';

/** The same loops natively and as wasm, in turns, so that both meet the same machine. */
async function coreFigures() {
  const options = { targets: ['core_bench'] };
  await compile('native', 'compiling the benchmark with g++', options);
  await compile('wasm', 'compiling the benchmark to WebAssembly', options);
  step('measuring the core, native and wasm');
  const native = path.join(root, folderOf('native'), 'programs/core_bench');
  const wasm = path.join(root, folderOf('wasm'), 'programs/core_bench.js');
  const sums = new Set();
  const measure = async (command, ...args) => {
    const { checksums, ...nanoseconds } = JSON.parse((await run(command, args)).output);
    sums.add(String(checksums));
    return nanoseconds;
  };
  const rounds = [];
  for (let round = 0; round < 3; ++round) {
    rounds.push({
      native: await measure(native),
      // Old glue would fetch the module, which Node's own fetch refuses.
      wasm: await measure(process.execPath, '--no-experimental-fetch', wasm),
    });
  }
  if (sums.size > 1) throw new Failure(`native and wasm differ: ${[...sums].join(', ')}`);
  const compared = (name, unit, read) => ({
    [`${name}, native (${unit})`]: median(rounds.map(({ native }) => read(native))),
    [`${name}, wasm (${unit})`]: median(rounds.map(({ wasm }) => read(wasm))),
    [`${name}, wasm / native`]: median(rounds.map(({ native, wasm }) => read(wasm) / read(native))),
  });
  const figures = (name, key) => compared(name, 'ns', (times) => times[key]);
  const searches = Object.entries(rounds[0].native.searches).map(([name, { layouts }]) => ({
    ...compared(`${name}: best`, 'ms', ({ searches }) => searches[name].best / 1e6),
    [`${name}: layouts`]: layouts,
    ...compared(`${name}: layouts`, 'M/s', ({ searches }) => (layouts * 1e3) / searches[name].all),
  }));
  // Growth of time is a ratio within one run: the machine's speed is in neither.
  const grown = Object.keys(rounds[0].native.searches).filter((name) => name.includes(' x'));
  const growth = grown.slice(1).map((name) => ({
    ...compared(
      `${name} / ${grown[0]}: best`,
      'times',
      ({ searches }) => searches[name].best / searches[grown[0]].best,
    ),
    ...compared(
      `${name} / ${grown[0]}: all`,
      'times',
      ({ searches }) => searches[name].all / searches[grown[0]].all,
    ),
  }));
  // A search of servers runs within one frame of 16.7 ms, also the slowest in a hundred.
  const serving = Object.entries(rounds[0].native.serving).map(([name, { grid }]) => ({
    ...compared(`${name}: median`, 'ms', ({ serving }) => serving[name].median / 1e6),
    ...compared(`${name}: p99`, 'ms', ({ serving }) => serving[name].p99 / 1e6),
    [`${name}: grid`]: grid,
  }));
  return Object.assign(
    {
      ...figures('estimate', 'estimateNanoseconds'),
      ...figures('operation', 'operationNanoseconds'),
      ...figures('sample of a map', 'mapSampleNanoseconds'),
    },
    ...searches,
    ...growth,
    ...serving,
  );
}

/** The book's example: LLaMA 3-70B on TPU v5p. */
function example() {
  const presets = (file, key, id) =>
    JSON.parse(readFileSync(path.join(root, 'shared', file), 'utf8'))[key].find(
      (preset) => preset.id === id,
    );
  const { figures } = presets('chips.json', 'chips', 'tpu-v5p');
  const { architecture } = presets('models.json', 'models', 'llama-3-70b');
  const chip = Object.fromEntries(
    Object.entries(figures).map(([key, figure]) => [key, (figure.book ?? figure).value]),
  );
  return { chip, model: architecture, run: {} };
}

async function engineFigures(input) {
  step('measuring the engine in Node');
  const { createEngine } = await import(pathToFileURL(path.join(root, 'dist/engine.js')));
  const engine = await createEngine();
  const derivations = await engine.derivations();
  const calls = 2000;
  const time = (call) => {
    const rounds = [];
    for (let round = 0; round < 11; ++round) {
      const start = performance.now();
      for (let i = 0; i < calls; ++i) call(i);
      rounds.push(((performance.now() - start) * 1000) / calls);
    }
    return median(rounds);
  };
  const estimate = (i) => engine.estimate({ ...input, run: { tokens: 1e12 + i } });
  const outcome = estimate(0);
  if (!outcome.ok) throw new Failure(`the example is refused: ${JSON.stringify(outcome.issues)}`);
  return {
    'engine, estimate (µs)': time(estimate),
    'engine, explain (µs)': time(() => derivations.explain('training', input, 'trainingTime')),
  };
}

const sizeFigures = () =>
  Object.fromEntries(
    Object.entries(sizes()).map(([name, bytes]) => [`size, ${name} (B gz)`, bytes]),
  );

function printRuns(runs) {
  const columns = ['measured', 'lower', 'expected', 'upper'];
  const row = (name, cells) =>
    console.log(name.padEnd(28) + cells.map((c) => c.padStart(12)).join(''));
  console.log('');
  row('seconds of a step', [...columns, 'exp./meas.']);
  for (const run of runs) {
    const ratio = run.expected / run.measured;
    row(run.id, [...columns.map((column) => run[column].toFixed(3)), ratio.toFixed(2)]);
  }
}

await main(import.meta, async (args) => {
  const flag = args.indexOf('--json');
  const file = flag < 0 ? undefined : args[flag + 1];
  if (flag >= 0 && !file) throw new Failure('--json needs the name of a file');
  await setUp('build', 'bench');
  await build();
  const input = example();
  const figures = {
    ...(await coreFigures()),
    ...(await engineFigures(input)),
    ...(await pageFigures(input)),
    ...sizeFigures(),
  };
  const runs = await measuredRuns();
  console.log('');
  for (const [name, value] of Object.entries(figures)) {
    const shown = Number.isInteger(value) ? String(value) : value.toPrecision(4);
    console.log(`${name.padEnd(48)}${shown.padStart(12)}`);
  }
  printRuns(runs);
  const all = { ...figures, runs };
  if (file) writeFileSync(path.resolve(file), `${JSON.stringify(all, null, 2)}\n`);
});
