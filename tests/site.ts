// A static host for dist/ and a browser to visit it with.

import path from 'node:path';
import {
  chromium,
  type BrowserContext,
  type BrowserContextOptions,
  type Download,
  type Page,
} from 'playwright-core';
import { inject } from 'vitest';
import { serve as serveFolder } from '../web/tools/serve.mjs';
import { headlessChromium } from '../web/tools/setup.mjs';

declare module 'vitest' {
  interface ProvidedContext {
    /** Milliseconds after which what a test waits for counts as never coming. */
    awaited: number;
  }
}

export const dist = path.resolve(import.meta.dirname, '../dist');

export interface Site {
  address: string;
  close(): Promise<void>;
}

/** Serves dist/ below `prefix`, each answer with `headers`. */
export async function serve(prefix = '/', headers: Record<string, string> = {}): Promise<Site> {
  const { url, close } = await serveFolder(dist, { base: prefix, headers });
  return { address: url, close };
}

/** Opens pages, and in the end closes those it opened. */
export interface Browser {
  newContext(options?: BrowserContextOptions): Promise<BrowserContext>;
  close(): Promise<void>;
}

/** Pages of tests are left too soon for optimised code, or memory that is freed early, to pay. */
const scriptFlags = [
  ...['--no-opt', '--no-maglev'],
  ...['--no-memory-reducer', '--initial-heap-size=256', '--min-semi-space-size=16'],
];

const launch = () =>
  chromium.launch({
    executablePath: headlessChromium()!, // npm test has installed it
    // Chromium saves no name with letters other than ASCII's if the system has no UTF-8 locale.
    env: { ...process.env, LC_ALL: 'C.UTF-8' },
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--in-process-gpu', // What is left of its work needs no process of its own.
      `--js-flags=${scriptFlags.join()}`,
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });

let launched: ReturnType<typeof launch> | undefined;

/**
 * One Chromium for all tests of a process, which ends with it: starting one takes longer than most
 * visits. To close what this gives ends the visits that were made with it.
 */
export async function openBrowser(): Promise<Browser> {
  const chromium = await (launched ??= launch());
  if (!chromium.isConnected()) {
    launched = undefined;
    return openBrowser();
  }
  const opened: BrowserContext[] = [];
  return {
    async newContext(options) {
      const context = await chromium.newContext(options);
      opened.push(context);
      return context;
    },
    async close() {
      await Promise.all(opened.map((context) => context.close()));
    },
  };
}

/** The content of a download. */
export async function contentOf(download: Download): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of await download.createReadStream()) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

/** A visit, and what went wrong or outside during it. */
export interface Visit {
  page: Page;
  /** Errors and warnings of the console, uncaught errors, refused requests. */
  errors: string[];
  /** Addresses of all requests. */
  requests: string[];
}

/** A context that waits as long as all tests do. */
export async function newContext(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<BrowserContext> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(inject('awaited'));
  return context;
}

/** A page of its own to go anywhere with, and what it notes on the way. */
export async function newVisit(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<Visit> {
  const context = await newContext(browser, { locale: 'en-US', ...options });
  // The offline cache has tests of its own.
  await context.addInitScript(() => {
    if ('ServiceWorkerContainer' in globalThis)
      ServiceWorkerContainer.prototype.register = () => new Promise(() => {});
  });
  const page = await context.newPage();
  const errors: string[] = [];
  const requests: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) errors.push(message.text());
  });
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('request', (request) => requests.push(request.url()));
  page.on('requestfailed', (request) => {
    // Requests that a page had open when it was left are no faults.
    const left = request.failure()?.errorText === 'net::ERR_ABORTED';
    if (!left) errors.push(`failed: ${request.url()}`);
  });
  return { page, errors, requests };
}

/** Opens the calculator and waits for its answers. */
export async function visit(
  browser: Browser,
  address: string,
  options: BrowserContextOptions = {},
): Promise<Visit> {
  const opened = await newVisit(browser, options);
  await opened.page.goto(address);
  await opened.page.locator('[data-answer]').first().waitFor();
  return opened;
}
