// Each test of a page is one visit, after which nothing may have gone wrong.

import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { openBrowser, serve, visit, type Site, type Visit } from '../site.ts';
import { allText } from './calculator.ts';

/** What no reader should see: numbers that are none, and sentences with places left open. */
export const unfinished = /NaN|Infinity|undefined|\[object|\d[eE]\+\d|[{}]/;

/** What changes a page, or what it is in, beyond its next address. */
const lasting = [
  'addInitScript',
  'bringToFront',
  'emulateMedia',
  'exposeFunction',
  'route',
  'setViewportSize',
] as const;
const lastingInContext = [
  'addInitScript',
  'clearPermissions',
  'grantPermissions',
  'newPage',
  'route',
  'setOffline',
] as const;

/** Notes whether any of these is called. */
function watch(page: Page): { touched: boolean } {
  const noted = { touched: false };
  const watched = <T extends object>(target: T, names: readonly (keyof T)[]): void => {
    for (const name of names) {
      const method = target[name] as (...words: unknown[]) => unknown;
      Object.assign(target, {
        [name]: (...words: unknown[]) => {
          noted.touched = true;
          return method.apply(target, words);
        },
      });
    }
  };
  watched(page, lasting);
  watched(page.context(), lastingInContext);
  return noted;
}

/**
 * Gives a function that opens the page with what follows # in its address. Where a test leaves the
 * window as it found it, the next visit is in the same one: a new one takes as long as the page.
 */
export function visits(): (hash?: string, options?: BrowserContextOptions) => Promise<Page> {
  let site: Site;
  let browser: Browser;
  let current: Visit | undefined;
  let noted: { touched: boolean };
  let free: { visit: Visit; noted: { touched: boolean } } | undefined;

  beforeAll(async () => {
    [site, browser] = await Promise.all([serve(), openBrowser()]);
  });
  afterAll(async () => {
    await browser.close();
    await site.close();
  });
  afterEach(async () => {
    if (!current) return;
    const { page, errors, requests } = current;
    const visited = current;
    current = undefined;
    expect(errors).toEqual([]);
    expect(requests.filter((url) => !url.startsWith(site.address))).toEqual([]);
    // What readers typed themselves is repeated to them in quotation marks.
    const said = (await allText(page)).replaceAll(/[“「][^”」]*[”」]/g, '');
    expect(said).not.toMatch(unfinished);
    if (noted.touched || free) await page.context().close();
    else free = { visit: visited, noted };
  });

  /** Goes on in the window of an earlier test, with nothing kept of it. */
  async function again(hash: string): Promise<Visit> {
    const { visit } = free!;
    noted = free!.noted;
    free = undefined;
    const { page, errors, requests } = visit;
    await page.evaluate(() => [localStorage, sessionStorage].forEach((storage) => storage.clear()));
    await page.goto('about:blank');
    errors.length = 0;
    requests.length = 0;
    await page.goto(site.address + hash);
    await page.locator('[data-answer]').first().waitFor();
    return visit;
  }

  return async (hash = '', options) => {
    const where = hash && `#${hash}`;
    if (!options && free) current = await again(where);
    else {
      current = await visit(browser, site.address + where, options);
      noted = options ? { touched: true } : watch(current.page);
    }
    return current.page;
  };
}
