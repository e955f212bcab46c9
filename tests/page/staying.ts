// Tests that share one visit, because what they look at takes longer to open than to look at.

import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { type Browser, openBrowser, serve, type Site, visit, type Visit } from '../site.ts';
import { allText } from './calculator.ts';
import { unfinished } from './visits.ts';

declare global {
  /** Elements in the order in which they are read, shadow trees included. */
  function everything(selector: string): Element[];
}

function define(): void {
  function* below(node: Element | ShadowRoot): Generator<Element> {
    for (const child of node.children) {
      yield child;
      if (child.shadowRoot) yield* below(child.shadowRoot);
      yield* below(child);
    }
  }
  globalThis.everything = (selector) =>
    [...below(document.documentElement)].filter((element) => element.matches(selector));
}

/** Gives the page of a visit that lasts for all tests of its group. */
export function staying(options: BrowserContextOptions): () => Page {
  let site: Site;
  let browser: Browser;
  let stay: Visit;

  beforeAll(async () => {
    [site, browser] = await Promise.all([serve(), openBrowser()]);
    // The page's policy would refuse the scripts of tests.
    stay = await visit(browser, site.address, { ...options, bypassCSP: true });
    await stay.page.evaluate(define);
  });
  afterAll(async () => {
    expect(stay.errors).toEqual([]);
    expect(await allText(stay.page)).not.toMatch(unfinished);
    await browser.close();
    await site.close();
  });
  return () => stay.page;
}

/** Goes to another state of the page, once all of it is drawn. */
export async function show(page: Page, hash: string): Promise<void> {
  const view = new URLSearchParams(hash).get('view') ?? 'training';
  await page.evaluate((link) => (location.hash = link), hash);
  const shown = `.question[data-question="${view}"]`;
  await page.locator(`${shown}, [data-page="${view}"] h2`).waitFor();
  if (view !== 'evidence') await page.locator('[data-answer]').first().waitFor();
  await drawn(page);
}

/** Charts are there, and searches are over. */
export async function drawn(page: Page): Promise<void> {
  await page.evaluate(define);
  await page.evaluate(async () => {
    const root = document.querySelector('scaling-page')!.shadowRoot!;
    const some = (selector: string, isMissing: (each: HTMLElement) => boolean): boolean =>
      [...root.querySelectorAll<HTMLElement>(selector)].some(isMissing);
    const missing = (): boolean =>
      some(
        '[role="tabpanel"]',
        (panel) => !panel.firstElementChild?.shadowRoot?.querySelector('figcaption'),
      ) ||
      // One search is told of for all parts of a plan.
      some('scaling-plan', () => !root.querySelector('[data-progress="done"]')) ||
      some('scaling-plan', (plan) => /…|searched\.|已搜索/.test(plan.innerText));
    do await new Promise(requestAnimationFrame);
    while (missing());
  });
}

/**
 * Opens panels, and one of each kind inside them: what is drawn a hundred times in the same way need
 * not be looked at a hundred times.
 */
export async function openAll(page: Page): Promise<void> {
  await open(page, '.assumptions details');
  await openKinds(page);
}

/** The same but for the panels of what can be set. */
async function openKinds(page: Page): Promise<void> {
  for (const kind of [
    '.why[aria-expanded]',
    '.derivation details',
    '.beyond details',
    'figure details',
  ]) {
    await open(page, kind, 1);
  }
  await drawn(page);
}

/** Opens what matches `selector`: all, or as many as `most`. */
export async function open(page: Page, selector: string, most = Infinity): Promise<void> {
  await toggle(page, selector, false, most);
  await page.evaluate(async () => {
    while (everything('.derivation .lazy').length > 0) await new Promise(requestAnimationFrame);
  });
}

/** Closes all that matches `selector`. */
export const close = (page: Page, selector: string): Promise<void> => toggle(page, selector, true);

async function toggle(page: Page, selector: string, was: boolean, most = Infinity): Promise<void> {
  const first = Math.min(most, Number.MAX_SAFE_INTEGER);
  await page.evaluate(
    ([selector, first, was]) => {
      for (const each of everything(selector).slice(0, first)) {
        const isOpen = each.matches('[open], [aria-expanded="true"]');
        if (isOpen === was) ((each.querySelector('summary') ?? each) as HTMLElement).click();
      }
    },
    [selector, first, was] as const,
  );
}
