// Visits to a page of charts, after which nothing may have gone wrong.

import path from 'node:path';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { build } from 'vite';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { root } from '../../../web/tools/run.mjs';
import { texts } from '../../../web/tools/texts-plugin.ts';
import { serve } from '../../../web/tools/serve.mjs';
import { newContext, openBrowser } from '../../site.ts';
import type { PlanOptions } from './plan-samples.ts';
import type { Options } from './samples.ts';

/** What no attribute and no text may hold. */
export const unfinished = /NaN|Infinity|undefined|\[object|\d[eE]\+\d/;

export const kinds = ['roofline', 'sweep', 'heat-map'] as const;
export const planKinds = ['bars', 'timeline', 'front', 'value-map'] as const;
export type Kind = (typeof kinds)[number] | (typeof planKinds)[number];

const pages = { index: kinds, plan: planKinds };

export const chart = (page: Page, kind: Kind): Locator => page.locator(`scaling-${kind}`);

/** The numbers at the pointer or at the reader's own state. */
export const readout = async (page: Page, kind: Kind): Promise<string> => {
  const text = await chart(page, kind).locator('.readout').first().innerText();
  return text.replace(/\s+/g, ' ').trim();
};

/** The state that the charts show, and all that they told. */
export const told = (page: Page): Promise<{ batch: number; output: number; moves: object[] }> =>
  page.locator('scaling-charts').evaluate((element) => {
    const { batch, output, moves } = element as unknown as {
      batch: number;
      output: number;
      moves: object[];
    };
    return { batch, output, moves };
  });

/** All attributes and texts of the charts. */
const everything = (page: Page): Promise<string[]> =>
  page.locator('scaling-charts').evaluate((element) => {
    const found: string[] = [];
    const look = (node: ParentNode): void => {
      for (const child of node.querySelectorAll('*')) {
        for (const { name, value } of child.attributes) found.push(`${name}=${value}`);
        if (child.shadowRoot) look(child.shadowRoot);
      }
      found.push(node.textContent ?? '');
    };
    look(element.shadowRoot!);
    return found;
  });

interface Opening extends BrowserContextOptions, Partial<Options>, Partial<PlanOptions> {}

/** Gives a function that opens a page of charts. */
export function chartVisits(
  name: keyof typeof pages = 'index',
): (opening?: Opening) => Promise<Page> {
  const built = path.join(root, 'build', `charts-${name}`);
  let site: Awaited<ReturnType<typeof serve>>;
  let browser: Browser;
  let visited: Page[] = [];
  let errors: string[] = [];

  beforeAll(async () => {
    await build({
      root: import.meta.dirname,
      configFile: false,
      logLevel: 'warn',
      base: './',
      plugins: [texts()],
      // As in the page: tests run in a mode in which Vite would choose Lit's development build.
      resolve: { conditions: ['production', 'module', 'browser'] },
      build: {
        outDir: built,
        emptyOutDir: true,
        target: 'es2022',
        modulePreload: false,
        rollupOptions: { input: path.join(import.meta.dirname, `${name}.html`) },
      },
    });
    [site, browser] = await Promise.all([serve(built), openBrowser()]);
  });
  afterAll(async () => {
    await browser.close();
    await site.close();
  });
  afterEach(async () => {
    const [opened, wrong] = [visited, errors];
    [visited, errors] = [[], []];
    expect(wrong).toEqual([]);
    for (const page of opened) {
      expect((await everything(page)).filter((text) => unfinished.test(text))).toEqual([]);
      await page.context().close();
    }
  });

  return async ({ language = 'en', size = 'usual', hostile = false, ...options } = {}) => {
    const viewport = { width: 1280, height: 2000 };
    const context = await newContext(browser, { locale: 'en-US', viewport, ...options });
    const page = await context.newPage();
    visited.push(page);
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) errors.push(message.text());
    });
    page.on('pageerror', (error) => errors.push(String(error)));
    await page.goto(`${site.url}${name}.html?lang=${language}&size=${size}`);
    await chart(page, pages[name].at(-1)!).locator('.reading').waitFor();
    if (hostile) {
      await page.locator('scaling-charts').evaluate(
        async (element, options) => {
          Object.assign(element, { options });
          await (element as unknown as { updateComplete: Promise<unknown> }).updateComplete;
        },
        { language, size, hostile },
      );
    }
    return page;
  };
}
