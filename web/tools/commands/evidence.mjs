// npm run evidence: how far predictions are from measurements.
//   npm run evidence                                  fits and cross-validates the constants of steps
//   npm run evidence -- --why WHY --why-zh CHINESE     the same, where it makes a figure worse, and why
//   npm run evidence -- --fit                         fits them alone, and writes them to efficiency.json
//   npm run evidence -- --predictions                 renews what the page shows, without a fit
//   npm run evidence -- --tuning                      renews the figures of fine-tunings alone
//   npm run evidence -- --serving                     renews those of serving alone
//   npm run evidence -- --rows FILE --json OUT        predicts published trainings
//   npm run evidence -- --kernels FOLDER --json OUT   predicts measured kernels

import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { compile, folderOf } from '../cmake.mjs';
import { withVersion, worseIn } from '../evidence-gate.mjs';
import { constantsFile } from '../efficiency.mjs';
import { Failure, main, root, run } from '../run.mjs';
import { setUp } from '../setup.mjs';

const golden = path.join(root, 'tests/golden/evidence.json');
const history = path.join(root, 'shared/evidence-history.json');
/** What predictions come to now, before it is compared with what is committed. */
const renewed = path.join(root, folderOf('native'), 'evidence.json');
/** What a fit writes: for each constant's place, its value. */
const fitted = path.join(root, folderOf('native'), 'fitted.json');

/** Writes the fitted constants to shared/efficiency.json, to three digits. */
async function adopt() {
  const constants = JSON.parse(readFileSync(constantsFile, 'utf8'));
  for (const [place, value] of Object.entries(JSON.parse(readFileSync(fitted, 'utf8')))) {
    const [set, key] = place.split('.');
    const number = Number(value.toPrecision(3));
    if (set === 'step') constants.step[key].value = number;
    else constants.generations[set].rates.training.values[key] = number;
  }
  // Small and large numbers stand as powers of ten.
  const text = JSON.stringify(constants, null, 2).replace(/(?<=: )[\d.]+(?=,?$)/gm, (number) => {
    const value = Number(number);
    const plain = value === 0 || (value >= 1e-3 && value < 1e6);
    return plain ? number : value.toExponential().replace('+', '');
  });
  await write(constantsFile, text);
}

/** Writes a file of JSON as the project formats it. */
async function write(file, text) {
  const { format, resolveConfig } = await import('prettier');
  writeFileSync(file, await format(text, { ...(await resolveConfig(file)), filepath: file }));
}

const read = (file) => JSON.parse(readFileSync(file, 'utf8'));

/** Takes the renewed figures; those that are worse only with a reason, which the history keeps. */
async function take({ en, zh }) {
  const worse = worseIn(read(golden), read(renewed));
  for (const { name, from, to } of worse) {
    console.log(`worse: ${name}: ${from} -> ${to ?? 'not there'}`);
  }
  if (worse.length > 0 && !(en && zh)) {
    throw new Failure(
      `${worse.length} figures are worse, and ${path.relative(root, golden)} stays as it was. ` +
        'Say why with --why "…" --why-zh "…"',
    );
  }
  const today = new Date().toISOString().slice(0, 10);
  const versions = withVersion(read(history), today, read(renewed), worse, { en, zh });
  await write(golden, readFileSync(renewed, 'utf8'));
  await write(history, JSON.stringify(versions));
}

/** The parts that are renewed alone, and the rest kept. */
const parts = ['tuning', 'serving'];

/** The program's arguments behind the folder of presets; of all the evidence, why it is worse. */
function wanted(given) {
  const { values } = parseArgs({
    args: given,
    options: {
      rows: { type: 'string' },
      kernels: { type: 'string' },
      'fit-kernels': { type: 'string' },
      'sample-kernels': { type: 'string' },
      fit: { type: 'boolean' },
      predictions: { type: 'boolean' },
      tuning: { type: 'boolean' },
      serving: { type: 'boolean' },
      json: { type: 'string' },
      why: { type: 'string' },
      'why-zh': { type: 'string' },
    },
  });
  const all = ['rows', 'kernels', 'fit-kernels', 'sample-kernels', 'predictions', 'fit'];
  const what = all.filter((name) => values[name] !== undefined);
  what.push(...parts.filter((name) => values[name]));
  if (what.length > 1) throw new Failure(`--${what[0]} or --${what[1]}, not both`);
  const why = { en: values.why, zh: values['why-zh'] };
  if (what.length === 0) {
    if (values.json) throw new Failure('--json is for --rows and --kernels');
    return { what: [renewed], why };
  }
  if (parts.includes(what[0])) return { what: [`--${what[0]}`, renewed], why };
  if (why.en || why.zh) throw new Failure('--why is for all of the evidence');
  if (values.fit) return { what: ['--fit', fitted] };
  if (values.predictions) return { what: ['--predictions'] };
  const from = path.resolve(values[what[0]]);
  if (!existsSync(from)) throw new Failure(`${from} is not there`);
  return { what: [`--${what[0]}`, from, ...(values.json ? [path.resolve(values.json)] : [])] };
}

await main(import.meta, async (given) => {
  const { what, why } = wanted(given);
  await setUp('build', 'core');
  await compile('native', 'compiling the evidence', { targets: ['evidence'] });
  // The program renews a part of what is there; the build folder is there by now.
  if (parts.includes(what[0].slice(2))) copyFileSync(golden, renewed);
  const program = path.join(root, folderOf('native'), 'programs/evidence');
  await run(program, [path.join(root, 'shared'), ...what], { show: 'all' });
  if (what[0] === '--fit') await adopt();
  if (why) await take(why);
});
