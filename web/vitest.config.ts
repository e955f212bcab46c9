import { defineConfig, mergeConfig } from 'vitest/config';
import vite from './vite.config.ts';

export default defineConfig(async (environment) =>
  mergeConfig(await vite(environment), {
    test: {
      root: new URL('..', import.meta.url).pathname,
      include: ['tests/**/*.test.ts'],
      environment: 'node',
      // Browsers and the engine share few cores; more at once only makes them time out.
      maxWorkers: 2,
      testTimeout: 60_000,
      hookTimeout: 60_000,
      // How long a busy machine may take to show what is awaited.
      expect: { poll: { timeout: 20_000 } },
    },
  }),
);
