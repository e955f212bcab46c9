// One Chromium for all tests of pages and hosts: starting one takes longer than most visits.

import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';
import { headlessChromium } from '../web/tools/setup.mjs';

declare module 'vitest' {
  interface ProvidedContext {
    /** Address at which the browser listens. */
    browser: string;
    /** Milliseconds after which what a test waits for counts as never coming. */
    awaited: number;
  }
}

export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const server = await chromium.launchServer({
    executablePath: headlessChromium()!, // npm test has installed it
    // Where the system has no UTF-8 locale, Chromium saves no name with other letters than ASCII's.
    env: { ...process.env, LC_ALL: 'C.UTF-8' },
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
  project.provide('browser', server.wsEndpoint());
  return () => server.close();
}
