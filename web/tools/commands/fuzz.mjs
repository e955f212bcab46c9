// npm run fuzz: fuzzes the core for as long as one likes. `npm run fuzz -- plan 600` fuzzes one
// part of it for 600 s; `npm run fuzz -- --merge` keeps in the corpus what covers more of the core.

import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { compile, folderOf } from '../cmake.mjs';
import { Failure, filesUnder, main, root, run, step } from '../run.mjs';
import { setUp } from '../setup.mjs';

/** Seconds of each fuzzer in npm test: enough to run the corpus, and to look a little further. */
const secondsInTests = 15;

const names = filesUnder('tests/fuzz')
  .filter((file) => file.endsWith('.cpp'))
  .map((file) => path.basename(file, '.cpp'));

const program = (name) => path.join(root, folderOf('sanitized'), 'programs', `fuzz_${name}`);

/** Inputs that earlier runs found and the sources keep: one a line, in Base64. */
const corpusOf = (name) => path.join(root, 'tests/fuzz/corpus', `${name}.txt`);

/** Writes the corpus to files, as libFuzzer reads it. Returns their folder. */
function unpack(name) {
  const folder = path.join('build/fuzz', `${name}-corpus`);
  rmSync(path.join(root, folder), { recursive: true, force: true });
  mkdirSync(path.join(root, folder), { recursive: true });
  if (!existsSync(corpusOf(name))) return folder;
  const inputs = readFileSync(corpusOf(name), 'utf8').split('\n').slice(0, -1);
  for (const [number, input] of inputs.entries()) {
    writeFileSync(path.join(root, folder, String(number)), Buffer.from(input, 'base64'));
  }
  return folder;
}

/** Inputs that this machine found besides. */
function foundBy(name) {
  const folder = path.join('build/fuzz', name);
  mkdirSync(path.join(root, folder), { recursive: true });
  return folder;
}

/** What a fuzzer found, and the input in Base64, which the corpus can take. */
function foundIn(name, output) {
  const said = output.match(/^(?:.*ERROR: .*|.*runtime error: .*|fuzz: .*)$/m)?.[0] ?? 'it ended';
  const input = output.match(/^Base64: (.*)$/m)?.[1];
  return `${name}: ${said}${input ? ` (input ${input})` : ''}`;
}

/** Runs the fuzzers that were compiled with the sanitized tests. */
export async function fuzz({ only = names, seconds = secondsInTests } = {}) {
  let passed = 0;
  const failures = [];
  for (const name of only) {
    step(`fuzzing ${name} for ${seconds} s`);
    const found = foundBy(name);
    const { status, output } = await run(
      program(name),
      [
        // A hang is told from a slow machine by a limit that no input comes near.
        ...[`-max_total_time=${seconds}`, '-timeout=120', '-rss_limit_mb=2048'],
        ...[`-artifact_prefix=${found}-`, found, unpack(name)],
      ],
      { accept: true },
    );
    if (status === 0) passed += 1;
    else {
      failures.push(foundIn(name, output));
      console.error(output.split('\n').slice(-60).join('\n'));
    }
  }
  return { passed, failed: failures.length, failures };
}

/** Writes the corpus anew: few inputs that cover what the present one and all found cover. */
async function merge(name) {
  step(`merging what ${name} found into its corpus`);
  const merged = path.join('build/fuzz', `${name}-merged`);
  rmSync(path.join(root, merged), { recursive: true, force: true });
  mkdirSync(path.join(root, merged), { recursive: true });
  await run(program(name), ['-set_cover_merge=1', merged, unpack(name), foundBy(name)]);
  const inputs = filesUnder(merged).map((file) => readFileSync(path.join(root, file)));
  const lines = inputs.map((input) => `${input.toString('base64')}\n`).sort();
  mkdirSync(path.dirname(corpusOf(name)), { recursive: true });
  writeFileSync(corpusOf(name), lines.join(''));
}

await main(import.meta, async (words) => {
  const given = words.find((word) => /^\d+$/.test(word));
  const only = words.filter((word) => names.includes(word));
  const wrong = words.find((word) => word !== given && word !== '--merge' && !names.includes(word));
  if (wrong) throw new Failure(`${wrong}: neither a fuzzer (${names.join(', ')}) nor seconds`);
  await setUp('build', 'core');
  await compile('sanitized', 'compiling the fuzzers', { configure: true, targets: ['fuzzers'] });
  const chosen = only.length > 0 ? only : names;
  if (words.includes('--merge')) {
    for (const name of chosen) await merge(name);
    return 0;
  }
  const { failed } = await fuzz({ only: chosen, seconds: Number(given ?? 600) });
  return failed === 0 ? 0 : 1;
});
