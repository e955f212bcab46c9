// npm run format: writes all sources in the form that `npm run check` wants.

import { filesUnder, main, run, step } from '../run.mjs';
import { setUp } from '../setup.mjs';

await main(import.meta, async () => {
  await setUp('check');
  step('formatting C++');
  const sources = filesUnder('wasm', 'tests').filter((file) => /\.[ch]pp$/.test(file));
  await run('clang-format', ['-i', ...sources]);
  step('formatting all else');
  await run(process.execPath, [
    ...['node_modules/prettier/bin/prettier.cjs', '--write', '--log-level', 'warn', '.'],
  ]);
});
