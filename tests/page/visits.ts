// Each test of a page is one visit, after which nothing may have gone wrong.

import { isDeepStrictEqual } from 'node:util';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import {
  areOfAKind,
  isListenedTo,
  newVisit,
  openBrowser,
  serve,
  setLook,
  usualLook,
  type Browser,
  type Site,
  type Visit,
} from '../site.ts';
import { allText } from './calculator.ts';
import { clear, lookOf, noteBefore, renew, surroundingsOf } from './renewal.ts';

/** Texts that no reader should see: numbers that are none or have an exponent, which JavaScript writes
 * from 21 on (a formula may say −1 / e + 2), and sentences with places left open. */
export const unfinished = /NaN|Infinity|undefined|\[object|\d[eE]\+\d\d|[{}]/;

/** Methods that change a window for good. */
const lasting = ['addInitScript', 'bringToFront', 'exposeFunction', 'route'] as const;
const lastingInContext = [
  'addInitScript',
  'clearPermissions',
  'exposeFunction',
  'grantPermissions',
  'newPage',
  'route',
  'setOffline',
] as const;

/** Methods whose changes can be taken back. */
const passing = ['emulateMedia', 'setViewportSize'] as const;

/** There are answers, or a page that needs none. */
const begun = '[data-answer], [data-page] h2, .sides h2';

type Usual = 'colorScheme' | 'contrast' | 'forcedColors' | 'locale' | 'reducedMotion' | 'viewport';
type Options = BrowserContextOptions & Required<Pick<BrowserContextOptions, Usual>>;

/** Options of windows unless a test says otherwise. */
const usual: Options = { ...usualLook, locale: 'en-US' };

/** A window, which visits share one after the other. */
interface Window {
  visit: Visit;
  /** Options of the present visit, or of the last one. */
  options: Options;
  /** The surroundings of the page, once it is loaded. */
  surroundings: Awaited<ReturnType<typeof surroundingsOf>>;
  /** It is, or was put into, another state than it was opened in. */
  isChanged: boolean;
  isResized: boolean;
  /** Buttons and keys that are held down. */
  held: Set<unknown>;
}

type Method = (...words: unknown[]) => unknown;

/** Calls `told` whenever one of these is called, and with what. */
function watch<T extends object>(target: T, names: readonly (keyof T)[], told: Method): void {
  for (const name of names) {
    const method = target[name] as Method;
    Object.assign(target, {
      [name]: (...words: unknown[]) => {
        told(...words);
        return method.apply(target, words);
      },
    });
  }
}

async function load(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await page.locator(begun).first().waitFor();
}

async function openWindow(browser: Browser, address: string, options: Options): Promise<Window> {
  const opened = await newVisit(browser, options);
  const { page } = opened;
  await noteBefore(page.context());
  await load(page, address);
  const window: Window = {
    visit: opened,
    options,
    surroundings: await surroundingsOf(page),
    isChanged: false,
    isResized: false,
    held: new Set(),
  };
  watch(page, lasting, () => (window.isChanged = true));
  watch(page.context(), lastingInContext, () => (window.isChanged = true));
  watch(page, passing, () => (window.isResized = true));
  for (const device of [page.keyboard, page.mouse]) {
    watch(device, ['down'], (key) => window.held.add(typeof key === 'string' ? key : device));
    watch(device, ['up'], (key) => window.held.delete(typeof key === 'string' ? key : device));
  }
  return window;
}

/** Whether another visit can be made in the window. */
const isFree = ({ isChanged, held, visit: { page } }: Window): boolean =>
  !isChanged && held.size === 0 && !isListenedTo(page) && !page.isClosed();

/** Gives the window the size and the media of its options; tells whether it has them. */
async function restore({ options, visit: { page } }: Window): Promise<boolean> {
  await setLook(page, options);
  const { colorScheme, contrast, forcedColors, reducedMotion, viewport } = options;
  const { size, media } = await lookOf(page);
  return (
    (!viewport || isDeepStrictEqual(size, viewport)) &&
    isDeepStrictEqual(media, {
      isPrinted: false,
      isDark: colorScheme === 'dark',
      isStill: reducedMotion === 'reduce',
      isForced: forcedColors === 'active',
      isStrong: contrast === 'more',
    })
  );
}

/** Goes on in the window with nothing kept of earlier visits; tells whether that could be done. */
async function revisit(
  window: Window,
  address: string,
  options: Options,
  anew: boolean,
): Promise<boolean> {
  const { page, errors, requests } = window.visit;
  if (window.isResized || !isDeepStrictEqual(window.options, options)) {
    window.options = options;
    if (!(await restore(window))) return false;
  }
  window.isResized = false;
  await page.mouse.move(0, 0);
  errors.length = 0;
  requests.length = 0;
  if (!anew && (await renew(page, new URL(address).hash, window.surroundings))) {
    await page.locator(begun).first().waitFor();
    return true;
  }
  await page.evaluate(() => [localStorage, sessionStorage].forEach((storage) => storage.clear()));
  await page.goto('about:blank');
  await load(page, address);
  return (await surroundingsOf(page)).said === window.surroundings.said;
}

/** Windows that are free, the one that was left last at the end. */
const free: Window[] = [];
const mostFree = 6;

const close = ({ visit: { page } }: Window): Promise<void> => page.context().close();

/** Most tests begin with the book's own example as the book counts, which takes no search. */
const start = 'view=training';

/** Opens the page with what follows # in its address; with nothing there, it begins with a plan. */
export interface Open {
  (hash?: string, options?: BrowserContextOptions): Promise<Page>;
  /** The same, with all of the page loaded anew. */
  anew(hash?: string, options?: BrowserContextOptions): Promise<Page>;
}

let browser: Browser | undefined;
let site: Site | undefined;

/**
 * Gives a function that opens the page. Where a test leaves the window as it found it, a later visit
 * is in the same one: a new one takes far longer than most visits, and so does loading the page.
 * A visit ends after its test, or with `afterAll` after the tests of its group.
 */
export function visits(after: typeof afterEach | typeof afterAll = afterEach): Open {
  let current: Window | undefined;
  let hasFailed = false;

  beforeAll(async () => {
    // All files of tests in this process share these.
    browser ??= await openBrowser();
    site ??= await serve();
  });

  /** Nothing went wrong with the visit. */
  async function leave(): Promise<void> {
    const window = current;
    current = undefined;
    const isUnsound = hasFailed;
    hasFailed = false;
    if (!window) return;
    const { page, errors, requests } = window.visit;
    let isSound = false;
    try {
      expect(errors).toEqual([]);
      expect(requests.filter((url) => !url.startsWith(site!.address))).toEqual([]);
      // The readers' own text is repeated to them in quotation marks.
      const said = (await allText(page)).replaceAll(/[“「][^”」]*[”」]/g, '');
      expect(said).not.toMatch(unfinished);
      isSound = !isUnsound;
    } finally {
      if (isSound && isFree(window)) {
        await clear(page);
        free.push(window);
      } else await close(window);
      if (free.length > mostFree) await close(free.shift()!);
    }
  }
  after(leave);
  // Hooks that are registered last run first.
  afterEach(({ task }) => {
    hasFailed ||= task.result?.state === 'fail';
  });

  async function open(hash: string, options: BrowserContextOptions, anew: boolean): Promise<Page> {
    await leave();
    const address = site!.address + (hash && `#${hash}`);
    const all = { ...usual, ...options };
    const at = free.findLastIndex((window) => areOfAKind(window.options, all));
    const [window] = at < 0 ? [] : free.splice(at, 1);
    if (window && (await revisit(window, address, all, anew))) current = window;
    else {
      if (window) await close(window);
      current = await openWindow(browser!, address, all);
    }
    return current.visit.page;
  }

  return Object.assign(
    (hash = start, options: BrowserContextOptions = {}) => open(hash, options, false),
    { anew: (hash = start, options: BrowserContextOptions = {}) => open(hash, options, true) },
  );
}
