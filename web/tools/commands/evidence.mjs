// npm run evidence: how far predictions are from measurements.
//   npm run evidence                                  fits and cross-validates the constants of steps
//   npm run evidence -- --predictions                 renews what the page shows, without a fit
//   npm run evidence -- --rows FILE --json OUT        predicts published trainings
//   npm run evidence -- --kernels FOLDER --json OUT   predicts measured kernels

import { existsSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { compile, folderOf } from '../cmake.mjs';
import { Failure, main, root, run } from '../run.mjs';
import { setUp } from '../setup.mjs';

const golden = 'tests/golden/evidence.json';

/** The program's arguments behind the folder of presets. */
function wanted(given) {
  const { values } = parseArgs({
    args: given,
    options: {
      rows: { type: 'string' },
      kernels: { type: 'string' },
      'fit-kernels': { type: 'string' },
      'sample-kernels': { type: 'string' },
      predictions: { type: 'boolean' },
      json: { type: 'string' },
    },
  });
  const all = ['rows', 'kernels', 'fit-kernels', 'sample-kernels', 'predictions'];
  const what = all.filter((name) => values[name] !== undefined);
  if (what.length > 1) throw new Failure(`--${what[0]} or --${what[1]}, not both`);
  if (what.length === 0) {
    if (values.json) throw new Failure('--json is for --rows and --kernels');
    return [path.join(root, golden)];
  }
  if (values.predictions) return ['--predictions'];
  const from = path.resolve(values[what[0]]);
  if (!existsSync(from)) throw new Failure(`${from} is not there`);
  return [`--${what[0]}`, from, ...(values.json ? [path.resolve(values.json)] : [])];
}

await main(import.meta, async (given) => {
  const what = wanted(given);
  await setUp('build', 'core');
  await compile('native', 'compiling the evidence', { targets: ['evidence'] });
  const program = path.join(root, folderOf('native'), 'programs/evidence');
  await run(program, [path.join(root, 'shared'), ...what], { show: 'all' });
});
