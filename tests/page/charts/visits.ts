// Visits to a page of charts, after which nothing may have gone wrong.

import path from 'node:path';
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { build } from 'vite';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { root } from '../../../web/tools/run.mjs';
import { texts } from '../../../web/tools/plugins/texts.ts';
import { serve } from '../../../web/tools/serve.mjs';
import { type Browser, newContext, openBrowser } from '../../site.ts';
import { unfinished } from './numbers.ts';
import type { PlanOptions } from './plan-samples.ts';
import type { Options } from './samples.ts';

export const kinds = ['roofline', 'sweep', 'heat-map'] as const;
export const planKinds = ['bars', 'timeline', 'pareto-frontier', 'value-map'] as const;
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

interface Opening extends Partial<Options>, Partial<PlanOptions> {
  width?: number;
  colorScheme?: 'light' | 'dark';
  forcedColors?: 'active' | 'none';
  reducedMotion?: 'reduce' | 'no-preference';
}

const height = 2000;

const builds = new Map<string, Promise<string>>();

/** Builds the page of charts, once; gives its folder. */
async function buildPage(name: keyof typeof pages): Promise<string> {
  const outDir = path.join(root, 'build', `charts-${name}`);
  await build({
    root: import.meta.dirname,
    configFile: false,
    logLevel: 'warn',
    base: './',
    plugins: [texts()],
    // The conditions are those of the page: tests run in a mode in which Vite would choose Lit's
    // development build.
    resolve: { conditions: ['production', 'module', 'browser'] },
    build: {
      outDir,
      emptyOutDir: true,
      target: 'es2022',
      modulePreload: false,
      rollupOptions: { input: path.join(import.meta.dirname, `${name}.html`) },
    },
  });
  return outDir;
}

/**
 * Gives a function that shows the charts anew. They are all made anew, but in one window, which takes
 * longer to open than they do.
 */
export function chartVisits(
  name: keyof typeof pages = 'index',
  options: BrowserContextOptions = {},
): (opening?: Opening) => Promise<Page> {
  let site: Awaited<ReturnType<typeof serve>>;
  let browser: Browser;
  let page: Page;
  let isShown = false;
  let errors: string[] = [];

  beforeAll(async () => {
    if (!builds.has(name)) builds.set(name, buildPage(name));
    [site, browser] = await Promise.all([
      builds.get(name)!.then((built) => serve(built)),
      openBrowser(),
    ]);
    const context = await newContext(browser, { locale: 'en-US', ...options });
    page = await context.newPage();
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) errors.push(message.text());
    });
    page.on('pageerror', (error) => errors.push(String(error)));
    await page.goto(`${site.url}${name}.html`);
  });
  afterAll(async () => {
    await browser.close();
    await site.close();
  });
  /** Nothing went wrong with what was shown. */
  async function look(): Promise<void> {
    if (!isShown) return;
    isShown = false;
    const wrong = errors;
    errors = [];
    expect(wrong).toEqual([]);
    const found = await everything(page);
    await page.evaluate(() => document.querySelector('main')!.replaceChildren());
    expect(found.filter((text) => unfinished.test(text))).toEqual([]);
  }
  afterEach(look);

  return async ({
    language = 'en',
    size = 'usual',
    hostile = false,
    width = 1280,
    ...media
  } = {}) => {
    await look();
    const plain = { colorScheme: 'light', forcedColors: 'none', reducedMotion: 'no-preference' };
    await page.emulateMedia({ media: 'screen', ...plain, ...media } as typeof media);
    await page.setViewportSize({ width, height });
    await page.mouse.move(0, 0);
    await page.evaluate(
      async ([kind, options]) => {
        const charts = Object.assign(document.createElement('scaling-charts'), { options });
        document.querySelector('main')!.replaceChildren(charts);
        scrollTo(0, 0);
        const frame = (): Promise<unknown> => new Promise(requestAnimationFrame);
        const reading = (): unknown =>
          charts
            .shadowRoot!.querySelector(`scaling-${kind}`)
            ?.shadowRoot?.querySelector('.reading');
        while (!reading()) await frame();
        // Charts have their width by the next frame.
        await frame();
        await frame();
      },
      [pages[name].at(-1)!, { language, size, hostile }] as const,
    );
    isShown = true;
    return page;
  };
}
