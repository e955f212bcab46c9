// What `npm run dev` has beside the page: a socket through which Vite tells of changes, and a core that
// is compiled again when one of its sources changes.

import path from 'node:path';
import type { Plugin } from 'vite';
import { compile } from '../cmake.mjs';
import { root } from '../run.mjs';

/** The modules that a change of the core reaches; derivations are those of the last build. */
export const devModules = /^@core\/(?=(?:first|search)\.)/;

export function dev(): Plugin {
  return {
    name: 'dev',
    apply: 'serve',
    transformIndexHtml: {
      order: 'pre',
      // Vite's client has a socket, and writes styles into the page.
      handler: (html) =>
        html
          .replace("connect-src 'none'", "connect-src 'self' ws:")
          .replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")
          .replace("require-trusted-types-for 'script'; ", ''),
    },
    configureServer(server) {
      let running: Promise<void> | undefined;
      let again = false;
      const build = async (): Promise<void> => {
        do {
          again = false;
          try {
            await compile('dev', 'compiling the core', { targets: ['answering'] });
          } catch (error) {
            server.config.logger.error(String(error));
          }
        } while (again);
        running = undefined;
      };
      const sources = path.join(root, 'wasm');
      server.watcher.add([sources, path.join(root, 'shared')]);
      server.watcher.on('all', (_event, file) => {
        const reached =
          (file.startsWith(sources) && /\.[ch]pp$/.test(file)) ||
          file === path.join(root, 'shared/efficiency.json');
        if (!reached) return;
        again = true;
        running ??= build();
      });
    },
  };
}
