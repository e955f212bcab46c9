// Each test of a page is one visit, after which nothing may have gone wrong.

import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { openBrowser, serve, visit, type Site, type Visit } from '../site.ts';
import { allText } from './calculator.ts';

/** What no reader should see: numbers that are none, and sentences with places left open. */
export const unfinished = /NaN|Infinity|undefined|\[object|\d[eE]\+\d|[{}]/;

/** Gives a function that opens the page with what follows # in its address. */
export function visits(): (hash?: string, options?: BrowserContextOptions) => Promise<Page> {
  let site: Site;
  let browser: Browser;
  let current: Visit | undefined;

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
    current = undefined;
    expect(errors).toEqual([]);
    expect(requests.filter((url) => !url.startsWith(site.address))).toEqual([]);
    // What readers typed themselves is repeated to them in quotation marks.
    const said = (await allText(page)).replaceAll(/[“「][^”」]*[”」]/g, '');
    expect(said).not.toMatch(unfinished);
    await page.context().close();
  });

  return async (hash = '', options = {}) => {
    current = await visit(browser, site.address + (hash && `#${hash}`), options);
    return current.page;
  };
}
