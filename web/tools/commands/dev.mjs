// npm run dev: serves the page from its sources. A change of TypeScript or of the core is on the page
// within seconds.

import path from 'node:path';
import { compile } from '../cmake.mjs';
import { main, root } from '../run.mjs';
import { portOr } from '../serve.mjs';
import { setUp } from '../setup.mjs';

await main(import.meta, async () => {
  const port = portOr(5173);
  await setUp('build');
  await compile('dev', 'compiling the core for development', { targets: ['answering'] });
  await compile('wasm', 'compiling derivations', { targets: ['modules'] });
  const { createServer } = await import('vite');
  const server = await createServer({
    mode: 'development',
    configFile: path.join(root, 'web/vite.config.ts'),
    server: { port },
  });
  await server.listen();
  console.log(`The page is at ${server.resolvedUrls.local[0]} (Ctrl+C ends)`);
});
