// Parts that load on first use: while they are on their way that is said, where they can't be had too,
// and they can be asked for again.

import { describe, expect, test } from 'vitest';
import type { Browser, Page, Route } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { newVisit, openBrowser, serve, type Site } from '../site.ts';
import { answer } from './calculator.ts';

describe('on the page', () => {
  let browser: Browser;
  let site: Site;
  beforeAll(async () => {
    [browser, site] = await Promise.all([openBrowser(), serve()]);
  });
  afterAll(async () => {
    await browser.close();
    await site.close();
  });

  /** A visit to a host that does not give certain files until `mend` is called. */
  async function open(
    missing: RegExp,
    hash = '',
  ): Promise<{ page: Page; mend: () => Promise<void>; thrown: string[] }> {
    const { page } = await newVisit(browser);
    const thrown: string[] = [];
    page.on('pageerror', (error) => thrown.push(String(error)));
    const refuse = (route: Route): Promise<void> => route.abort();
    await page.route(missing, refuse);
    await page.goto(site.address + (hash && `#${hash}`));
    return { page, mend: () => page.unroute(missing, refuse), thrown };
  }

  const failure = (page: Page) => page.locator('.lazy[data-state="failed"]');

  // It said "loading" for ever, or threw where nobody caught it.
  test.each([
    ['derivations', /derivations-/, '', '.why >> nth=0', '.derivation .step'],
    ['plans', /planner-/, '', '[data-view="plan"]', '[data-answer="stepExpected"] .large'],
    [
      'texts of plans',
      /en\.plan-/,
      '',
      '[data-view="plan"]',
      '[data-answer="stepExpected"] .large',
    ],
    ['charts', /laboratory-/, '', '[data-view="operation"]', '[data-shows] figcaption'],
    ['examples', /examples-list-/, '', '[data-part="panel examples"] > summary', '.chapter'],
    [
      'the words of examples',
      /en\.worked-/,
      '',
      '[data-part="panel examples"] > summary',
      '.chapter',
    ],
    ['one’s own things', /assets\/own-/, 'model.layers=2', '[data-own="model"]', 'dialog.own'],
    ['the words of one’s own', /en\.own-/, 'model.layers=2', '[data-own="model"]', 'dialog.own'],
    ['what is handed out', /dialog-(?!style)/, '', '[data-share]', 'dialog.share'],
    ['comparisons', /comparison-/, '', '.keep', 'scaling-comparison h2'],
    ['all chips', /overview-/, '', '[data-part="panel all-chip"] > summary', 'table.overview'],
    ['another language', /assets\/zh-/, '', '[data-language="zh"]', 'scaling-page:lang(zh)'],
  ])('%s fail to load, and come when asked for again', async (_, missing, hash, press, there) => {
    const { page, mend, thrown } = await open(missing, hash);
    await page.locator('[data-answer]').first().waitFor();
    if (press.startsWith('[data-own'))
      await page.locator('[data-part="panel model"] > summary').click();
    await page.locator(press).click();
    await failure(page).first().waitFor();
    await mend();
    await failure(page).first().locator('.retry').click();
    await page.locator(there).first().waitFor();
    expect(await failure(page).count()).toBe(0);
    expect(thrown).toEqual([]);
    await page.context().close();
  });

  // What reads answers aloud wrote over the first live region it found.
  test('what is said of loading stays', async () => {
    const { page, mend } = await open(/planner-/);
    await page.locator('[data-answer]').first().waitFor();
    await page.locator('[data-field="run.chips"]').fill('4000');
    await page.locator('[data-view="plan"]').click();
    await failure(page).waitFor();
    const said = await failure(page).innerText();
    // Longer than it takes to read an answer aloud.
    await page.waitForTimeout(1000);
    expect(await failure(page).innerText()).toBe(said);
    await mend();
    await page.locator('.retry').click();
    await expect.poll(() => answer(page, 'stepExpected')).toMatch(/\d/);
    await page.context().close();
  });

  test('whoever comes back to a question asks for it again', async () => {
    const { page, mend } = await open(/planner-/);
    await page.locator('[data-view="plan"]').click();
    await failure(page).waitFor();
    await mend();
    await page.locator('[data-view="training"]').click();
    await page.locator('[data-view="plan"]').click();
    await expect.poll(() => answer(page, 'stepExpected')).toMatch(/\d/);
    await page.context().close();
  });

  test('without its texts or its modules, the shell says so', async () => {
    for (const missing of [/assets\/en-/, /assets\/page-/]) {
      const { page, mend, thrown } = await open(missing);
      await page.getByText('The calculator could not be loaded.').waitFor();
      await mend();
      await page.getByRole('button', { name: 'Try again' }).click();
      await expect.poll(() => answer(page, 'trainingTime')).toBe('44.3 days');
      expect(thrown).toEqual([]);
      await page.context().close();
    }
  });

  test('before any module is there, the shell can be seen; modules are asked for side by side', async () => {
    const { page } = await newVisit(browser);
    const asked: string[] = [];
    let release = (): void => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route(/\/assets\/.*\.js$/, async (route) => {
      asked.push(/assets\/([a-z.]+)-/.exec(route.request().url())![1]!);
      // What begins is small and comes first.
      if (!/assets\/index-/.test(route.request().url())) await held;
      await route.continue();
    });
    await page.goto(`${site.address}#view=plan&lang=zh`, { waitUntil: 'commit' });
    await page.getByText('计算器正在加载……').waitFor();
    expect(await page.locator('h1').innerText()).toBe('Scaling Calculator');
    // All that the view takes is on its way before any of it has come.
    await expect
      .poll(() => asked)
      .toEqual(expect.arrayContaining(['page', 'zh', 'zh.plan', 'plan', 'planner']));
    release();
    await expect.poll(() => answer(page, 'stepExpected')).toMatch(/\d/);
    expect(await page.locator('.shell').count()).toBe(0);
    await page.context().close();
  });
});
