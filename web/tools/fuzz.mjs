// npm run fuzz: fuzzes the core for as long as one likes. `npm run fuzz -- plan 600` fuzzes one
// part of it for 600 s; `npm run fuzz -- --merge` keeps in the corpus what covers more of the core.

import { existsSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { compile, folderOf } from './cmake.mjs';
import { Failure, filesUnder, main, root, run, step } from './run.mjs';
import { setUp } from './setup.mjs';

/** Of each fuzzer in npm test: enough to run the corpus, and to look a little further. */
const secondsInTests = 15;

const names = filesUnder('tests/fuzz')
  .filter((file) => file.endsWith('.cpp'))
  .map((file) => path.basename(file, '.cpp'));

const program = (name) => path.join(root, folderOf('sanitized'), 'programs', `fuzz_${name}`);

/** Inputs that were found by earlier runs and are kept with the sources. */
const corpusOf = (name) => path.join('tests/fuzz/corpus', name);

/** What this machine finds on top of them. */
function foundBy(name) {
  const folder = path.join('build/fuzz', name);
  mkdirSync(path.join(root, folder), { recursive: true });
  return folder;
}

/** Runs the fuzzers that were compiled with the sanitized tests. */
export async function fuzz({ only = names, seconds = secondsInTests } = {}) {
  let passed = 0;
  let failed = 0;
  for (const name of only) {
    step(`fuzzing ${name} for ${seconds} s`);
    const found = foundBy(name);
    const { status, output } = await run(
      program(name),
      [
        // A hang is told from a slow machine by a limit that no input comes near.
        ...[`-max_total_time=${seconds}`, '-timeout=120', '-rss_limit_mb=2048'],
        ...[`-artifact_prefix=${found}-`, found],
        ...(existsSync(path.join(root, corpusOf(name))) ? [corpusOf(name)] : []),
      ],
      { accept: true },
    );
    if (status === 0) passed += 1;
    else {
      failed += 1;
      console.error(output.split('\n').slice(-60).join('\n'));
    }
  }
  return { passed, failed };
}

/** Writes the corpus anew: the fewest inputs that cover what the present one and all found do. */
async function merge(name) {
  step(`merging what ${name} found into its corpus`);
  const fresh = path.join('build/fuzz', `${name}-merged`);
  const before = corpusOf(name);
  rmSync(path.join(root, fresh), { recursive: true, force: true });
  mkdirSync(path.join(root, fresh), { recursive: true });
  const sources = [foundBy(name), before].filter((folder) => existsSync(path.join(root, folder)));
  await run(program(name), ['-merge=1', fresh, ...sources]);
  rmSync(path.join(root, before), { recursive: true, force: true });
  mkdirSync(path.join(root, before), { recursive: true });
  for (const file of filesUnder(fresh)) {
    await run('cp', [file, path.join(before, path.basename(file))]);
  }
}

await main(import.meta, async (words) => {
  const given = words.find((word) => /^\d+$/.test(word));
  const only = words.filter((word) => names.includes(word));
  const wrong = words.find((word) => word !== given && word !== '--merge' && !names.includes(word));
  if (wrong) throw new Failure(`${wrong}: neither a fuzzer (${names.join(', ')}) nor seconds`);
  await setUp('build', 'test');
  await compile('sanitized', 'compiling the fuzzers', { configure: true, targets: ['fuzzers'] });
  const chosen = only.length > 0 ? only : names;
  if (words.includes('--merge')) {
    for (const name of chosen) await merge(name);
    return 0;
  }
  const { failed } = await fuzz({ only: chosen, seconds: Number(given ?? 600) });
  return failed === 0 ? 0 : 1;
});
