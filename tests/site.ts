// A static host for dist/ and a browser to visit it with.

import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
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

/**
 * Pages of tests are left too soon for the slower of two compilers, or memory that is freed early, to
 * pay. The faster one pays where axe runs.
 */
const scriptFlags = [
  '--no-opt',
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
 * The reader of most tests is one who has left all folds of the page open, as most tests are about what
 * stands behind them. What a reader sees who comes for the first time has tests of its own.
 */
const unfold = (): void => {
  const key = 'scaling-calculator.folds';
  try {
    if (localStorage.getItem(key) === null) localStorage.setItem(key, 'why assumptions compare');
  } catch {
    // A sandboxed frame has no storage.
  }
};

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
      await context.addInitScript(unfold);
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

/** Size and media of windows unless a test says otherwise. They can be changed later. */
export const usualLook = {
  colorScheme: 'light',
  contrast: 'no-preference',
  forcedColors: 'none',
  reducedMotion: 'no-preference',
  viewport: { width: 1280, height: 720 },
} as const;

/** Whether a window opened with one of these can be given the other: size and media can change. */
export function areOfAKind(one: BrowserContextOptions, other: BrowserContextOptions): boolean {
  const [lasting, others] = [one, other].map((options) => [
    { ...options, ...usualLook },
    options.viewport === null,
  ]);
  return isDeepStrictEqual(lasting, others);
}

/** Gives a window the size and the media of these options. */
export async function setLook(page: Page, options: BrowserContextOptions): Promise<void> {
  const { viewport, colorScheme, contrast, forcedColors, reducedMotion } = {
    ...usualLook,
    ...options,
  };
  await page.emulateMedia({ media: null, colorScheme, contrast, forcedColors, reducedMotion });
  if (viewport) await page.setViewportSize(viewport);
}

interface Window extends Visit {
  options: BrowserContextOptions;
  /** Who listened to its page when it was opened. */
  listeners: Set<unknown>;
}

/** Events that tests listen to, each with one who listens. */
function* listenersTo(page: Page) {
  const emitter = page as unknown as NodeJS.EventEmitter;
  for (const event of ['console', 'dialog', 'download', 'pageerror', 'request', 'response']) {
    for (const listener of emitter.listeners(event)) yield [event, listener] as const;
  }
}

/** The window's listeners that were added since it was opened. */
function addedListenersTo(page: Page) {
  const first = windows.get(page)?.listeners;
  return [...listenersTo(page)].filter(([, listener]) => !first?.has(listener));
}

/** Whether a test listens to the page of a visit. */
export const isListenedTo = (page: Page): boolean => addedListenersTo(page).length > 0;

/** The windows of visits, and those that were left, to go on in. */
const windows = new WeakMap<Page, Window>();
const left = new WeakMap<Browser, Window[]>();

/** A page of its own to go anywhere with, and what it notes on the way. */
export async function newVisit(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<Visit> {
  const all = { locale: 'en-US', ...options };
  const free = left.get(browser) ?? [];
  const at = free.findIndex((window) => areOfAKind(window.options, all));
  const [window = await openWindow(browser, all)] = at < 0 ? [] : free.splice(at, 1);
  if (at >= 0) await setLook(window.page, all);
  Object.assign(window, { errors: [], requests: [] });
  const { page, errors, requests } = window;
  return { page, errors, requests };
}

async function openWindow(browser: Browser, options: BrowserContextOptions): Promise<Window> {
  const context = await newContext(browser, options);
  // The offline cache has tests of its own.
  await context.addInitScript(() => {
    if ('ServiceWorkerContainer' in globalThis)
      ServiceWorkerContainer.prototype.register = () => new Promise(() => {});
  });
  const page = await context.newPage();
  const window: Window = { page, errors: [], requests: [], options, listeners: new Set() };
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) window.errors.push(message.text());
  });
  page.on('pageerror', (error) => window.errors.push(String(error)));
  page.on('request', (request) => window.requests.push(request.url()));
  page.on('requestfailed', (request) => {
    // Requests that a page had open when it was left are no faults.
    const left = request.failure()?.errorText === 'net::ERR_ABORTED';
    if (!left) window.errors.push(`failed: ${request.url()}`);
  });
  for (const [, listener] of listenersTo(page)) window.listeners.add(listener);
  windows.set(page, window);
  return window;
}

/**
 * Ends a visit. A later one of this browser goes on in its window, with nothing kept of it: a new
 * window takes longer than a page. Where a test did something to the window for good, such as
 * `addInitScript`, it closes the context instead.
 */
export async function leave(browser: Browser, { page }: Pick<Visit, 'page'>): Promise<void> {
  const window = windows.get(page);
  const context = page.context();
  if (!window || context.pages().length > 1) return context.close();
  for (const [event, listener] of addedListenersTo(page)) {
    page.off(event as 'console', listener as () => void);
  }
  const client = await context.newCDPSession(page);
  const { origin } = new URL(page.url());
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.mouse.move(0, 0);
  await page.goto('about:blank');
  await context.clearCookies();
  if (origin !== 'null') {
    await client.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
  }
  await client.send('Page.resetNavigationHistory');
  await client.detach();
  left.set(browser, [...(left.get(browser) ?? []), window]);
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
