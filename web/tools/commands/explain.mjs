// npm run explain -- LINK ANSWER: prints the derivation of an answer; without ANSWER, the keys of all.

import path from 'node:path';
import { build } from './build.mjs';
import { main, root, run } from '../run.mjs';
import { setUp } from '../setup.mjs';

await main(import.meta, async (words) => {
  await setUp('build');
  await build();
  const program = path.join(root, 'build/cli/cli.js');
  const { status } = await run(process.execPath, [program, 'explain', ...words], {
    show: 'all',
    accept: true,
  });
  return status;
});
