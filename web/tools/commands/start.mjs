// npm start: builds what changed, then serves the page.

import path from 'node:path';
import { build } from './build.mjs';
import { main, root } from '../run.mjs';
import { portOr, serve } from '../serve.mjs';
import { setUp } from '../setup.mjs';

await main(import.meta, async () => {
  const port = portOr(8080);
  await setUp('build');
  await build();
  const { url } = await serve(path.join(root, 'dist'), { port });
  console.log(`The page is at ${url} (Ctrl+C ends)`);
});
