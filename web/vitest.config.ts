import { defineConfig, mergeConfig } from 'vitest/config';
import vite from './vite.config.ts';

// A test that hangs ends by these; none comes near them on a machine that does other work too.
const seconds = 1000;
const test = 300 * seconds;
const awaited = 60 * seconds;

/** Suites with what they have in common. */
const project = (name: string, folders: string[], more: object = {}) => ({
  extends: true as const,
  test: { name, include: folders.map((folder) => `tests/${folder}/**/*.test.ts`), ...more },
});

export default defineConfig(async (environment) =>
  mergeConfig(await vite(environment), {
    test: {
      root: new URL('..', import.meta.url).pathname,
      environment: 'node',
      testTimeout: test,
      hookTimeout: test,
      slowTestThreshold: test,
      expect: { poll: { timeout: awaited } },
      provide: { awaited },
      setupFiles: ['tests/all-presets.ts'],
      projects: [
        project('pure', ['unit', 'engine'], { isolate: false }),
        // Files in one process share its browser.
        project('page', ['page'], { isolate: false }),
        project('hosts', ['hosts'], { isolate: false, setupFiles: ['tests/hosts/ending.ts'] }),
      ],
    },
  }),
);
