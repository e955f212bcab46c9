// Parts that load on first use: while they are on their way that is said, where they can't be had too,
// and they can be asked for again.

import { describe, expect, test } from 'vitest';
import type { Page, Route } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { type Browser, leave, newVisit, openBrowser, serve, type Site } from '../site.ts';
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
    hash = 'view=training',
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

  interface Part {
    name: string;
    missing: RegExp;
    press: string;
    there: string;
  }
  const model = '[data-part="panel model"] > summary';
  const examples = '[data-part="panel examples"] > summary';
  const plan = '[data-answer="stepExpected"] .large';
  const parts: Part[][] = [
    [
      { name: 'derivations', missing: /derivations-/, press: '.why', there: '.derivation .step' },
      { name: 'examples', missing: /examples-list-/, press: examples, there: '.chapter' },
      {
        name: 'what is handed out',
        missing: /dialog-(?!style)/,
        press: '[data-share]',
        there: 'dialog.share',
      },
      {
        name: 'one’s own things',
        missing: /assets\/preset-library-/,
        press: '[data-own="model"]',
        there: 'dialog.own',
      },
      {
        name: 'comparisons',
        missing: /comparison-/,
        press: '.keep',
        there: 'scaling-comparison h2',
      },
      { name: 'plans', missing: /planner-/, press: '[data-counting="predicted"]', there: plan },
      {
        name: 'another language',
        missing: /assets\/zh-/,
        press: '[data-language="zh"]',
        there: 'scaling-page:lang(zh)',
      },
    ],
    [
      {
        name: 'the words of examples',
        missing: /en\.workedExamples-/,
        press: examples,
        there: '.chapter',
      },
      {
        name: 'the words of one’s own',
        missing: /en\.own-/,
        press: '[data-own="model"]',
        there: 'dialog.own',
      },
      {
        name: 'all chips',
        missing: /overview-/,
        press: '[data-part="panel all-chip"] > summary',
        there: 'table.overview',
      },
      {
        name: 'texts of plans',
        missing: /en\.plan-/,
        press: '[data-counting="predicted"]',
        there: plan,
      },
      {
        name: 'charts',
        missing: /explorer-/,
        press: '[data-view="operation"]',
        there: '[data-shows] figcaption',
      },
    ],
  ];

  // It said "loading" for ever, or threw where nobody caught it.
  test.each(parts.map((each) => [each.map(({ name }) => name).join(', '), each] as const))(
    'fail to load, and come when asked for again: %s',
    async (_, each) => {
      const { page } = await newVisit(browser);
      const thrown: string[] = [];
      page.on('pageerror', (error) => thrown.push(String(error)));
      await page.goto(`${site.address}#model.layers=2`);
      await page.locator('[data-answer]').first().waitFor();
      await page.locator(model).click();
      for (const { name, missing, press, there } of each) {
        const refused: string[] = [];
        const refuse = (route: Route): Promise<void> => {
          refused.push(route.request().url());
          return route.abort();
        };
        await page.route(missing, refuse);
        await page.locator(press).first().click();
        await failure(page).first().waitFor();
        expect(refused, name).not.toEqual([]);
        await page.unroute(missing, refuse);
        await failure(page).first().locator('.retry').click();
        await page.locator(there).first().waitFor();
        expect(await failure(page).count(), name).toBe(0);
        if (there.startsWith('dialog')) await page.keyboard.press('Escape');
      }
      expect(thrown).toEqual([]);
      await leave(browser, { page });
    },
  );

  // Chromium up to 150 never asks again for a module that others import.
  test('that fail again can be had with the page anew, and nothing that was entered is lost', async () => {
    const { page, mend, thrown } = await open(/table-files-/, 'model.layers=2&chips=77');
    await page.locator('[data-part="panel all-chip"] > summary').click();
    await failure(page).waitFor();
    expect(await page.locator('.reload').count()).toBe(0);
    await page.locator('[data-field="run.chips"]').fill('78');
    await page.locator('.retry').click();
    await page.locator('.reload').waitFor();
    await mend();
    await page.locator('.reload').click();
    await page.locator('.reload').waitFor({ state: 'detached' });
    await page.locator('[data-part="panel all-chip"] > summary').click();
    await page.locator('table.overview').waitFor();
    expect(await page.locator('[data-field="run.chips"]').inputValue()).toBe('78');
    expect(thrown).toEqual([]);
    await leave(browser, { page });
  });

  // The announcer wrote over the first live region it found.
  test('what is said of loading stays', async () => {
    const { page, mend } = await open(/planner-/);
    await page.locator('[data-answer]').first().waitFor();
    await page.locator('[data-field="run.chips"]').fill('4000');
    await page.locator('[data-counting="predicted"]').click();
    await failure(page).waitFor();
    const said = await failure(page).innerText();
    // Longer than it takes to read an answer aloud.
    await page.waitForTimeout(1000);
    expect(await failure(page).innerText()).toBe(said);
    await mend();
    await page.locator('.retry').click();
    await expect.poll(() => answer(page, 'stepExpected')).toMatch(/\d/);
    await leave(browser, { page });
  });

  test('whoever comes back to a question asks for it again', async () => {
    const { page, mend } = await open(/planner-/);
    await page.locator('[data-counting="predicted"]').click();
    await failure(page).waitFor();
    await mend();
    await page.locator('[data-view="operation"]').click();
    await page.locator('[data-view="plan"]').click();
    await expect.poll(() => answer(page, 'stepExpected')).toMatch(/\d/);
    await leave(browser, { page });
  });

  test('without its texts or its modules, the shell says so', async () => {
    for (const missing of [/assets\/en-/, /assets\/page-/]) {
      const { page, mend, thrown } = await open(missing);
      await page.getByText('The calculator could not be loaded.').waitFor();
      await mend();
      await page.getByRole('button', { name: 'Try again' }).click();
      await expect.poll(() => answer(page, 'trainingTime')).toBe('44.3 days');
      expect(thrown).toEqual([]);
      await leave(browser, { page });
    }
  });

  test('before any module is there, the shell can be seen; modules are asked for side by side', async () => {
    const { page } = await newVisit(browser);
    const asked: string[] = [];
    let release = (): void => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route(/\/assets\/.*\.js$/, async (route) => {
      asked.push(/assets\/([a-z.]+)-/.exec(route.request().url())![1]!);
      // The entry script and what it imports are small and come first.
      if (!/assets\/(index|start)-/.test(route.request().url())) await held;
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
    await leave(browser, { page });
  });
});
