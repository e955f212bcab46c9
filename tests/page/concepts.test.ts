// The index of concepts: opened from the header, by a link or from a term, searched in any language,
// and a way into the calculator.

import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { violations } from './axe.ts';
import { answer, inOneLine, link } from './calculator.ts';
import { visits } from './visits.ts';

const open = visits();

const card = (page: Page, id: string) => page.locator(`[data-concept="${id}"]`);
const numberOf = (page: Page, id: string) => card(page, id).locator('.number strong');
const names = (page: Page) => page.locator('.concept h4').allInnerTexts();
const find = (page: Page) => page.locator('[data-find]');

/** Opens it and waits for the last number. */
async function openAll(hash: string, options?: Parameters<typeof open>[1]): Promise<Page> {
  const page = await open(hash, options);
  await numberOf(page, 'failures').waitFor();
  return page;
}

const small = 'view=concepts&chip=h100-sxm&model=llama-3.1-8b&chips=8&tokens=160B&batch=262144';

describe('the index', () => {
  test('is in the header, and has a picture, a sentence and a number of each concept', async () => {
    const page = await open('view=training');
    await page.locator('[data-view="concepts"]').click();
    await numberOf(page, 'failures').waitFor();
    const found = await page.locator('.concept').evaluateAll((all) =>
      all.map((each) => ({
        marks: each.querySelectorAll('svg > *').length,
        name: each.querySelector('h4')!.textContent!.trim(),
        says: each.querySelector('.says')!.textContent!.trim(),
        number: each.querySelector('.number strong')?.textContent?.trim() ?? '',
        link: each.querySelector('a')!.getAttribute('href')!,
      })),
    );
    expect(found.length).toBeGreaterThanOrEqual(40);
    for (const each of found) {
      expect(each.marks, each.name).toBeGreaterThan(2);
      expect(each.says, each.name).toMatch(/\.$/);
      expect(each.number, each.name).toMatch(/\S/);
      expect(each.link, each.name).toMatch(/^#\S/);
    }
    expect(await page.title()).toBe('Concepts · Scaling Calculator');
  });

  test('tells numbers of the reader’s own question, and leads into it', async () => {
    const page = await openAll(small);
    expect(await page.locator('.concepts .lead').innerText()).toMatch(
      /^Numbers are those of Llama 3\.1 8B · 8 × H100.* in its layout, with the concept set\.$/,
    );
    // A dense model has no experts: that number is of another model, which is told.
    await expect.poll(() => card(page, 'expertParallel').locator('.of').innerText()).toMatch(/ · /);
    expect(
      await card(page, 'expertParallel')
        .locator('.of')
        .evaluate((each) => getComputedStyle(each).opacity),
    ).toBe('1');
    const shown = inOneLine(await numberOf(page, 'zero1').innerText());
    await card(page, 'zero1').locator('a').click();
    await page.locator('[data-answer="memoryUsed"]').waitFor();
    expect(await link(page)).toContain('layout.sharding=optimizer');
    expect(await link(page)).not.toContain('concept');
    expect(await page.locator('.problems').count()).toBe(0);
    expect(
      await page.locator('scaling-page').evaluate((at) => at.shadowRoot!.textContent),
    ).toContain(shown.replace(' ', '\u00a0').split('\u00a0')[0]);
    await page.goBack();
    await numberOf(page, 'failures').waitFor();
  });

  test('shows other numbers for another model', async () => {
    const page = await openAll(small);
    const before = await numberOf(page, 'kvCache').innerText();
    await page.evaluate(() => {
      location.hash = location.hash.replace('llama-3.1-8b', 'llama-3-70b');
    });
    await expect.poll(() => numberOf(page, 'kvCache').innerText()).not.toBe(before);
    expect(inOneLine(await numberOf(page, 'kvCache').innerText())).toBe('1.51 GB');
  });

  test('is searched in both languages, and says how much was found', async () => {
    const page = await openAll(small);
    await find(page).fill('zero');
    expect(await names(page)).toEqual(expect.arrayContaining(['ZeRO-1', 'ZeRO-2', 'ZeRO-3']));
    expect((await names(page)).length).toBeLessThan(12);
    await find(page).fill('键值缓存');
    await expect.poll(() => names(page)).toEqual(['KV cache']);
    expect(inOneLine(await page.locator('.count [role="status"]').innerText())).toBe('1 concept');
    await find(page).fill('xyzzy');
    expect(await names(page)).toEqual([]);
    expect(await page.locator('.count').innerText()).toContain('No concept by that name.');
    await page.locator('[data-all]').click();
    expect((await names(page)).length).toBeGreaterThan(40);
  });

  test('shows the concepts of a chapter or an article, and keeps it in the link', async () => {
    const page = await openAll(small);
    await page.locator('[data-reading]').selectOption('article-engineering');
    await expect.poll(() => link(page)).toContain('reading=article-engineering');
    expect(await names(page)).toEqual(expect.arrayContaining(['ZeRO-1', 'PagedAttention', 'FP8']));
    expect(await names(page)).not.toContain('Disaggregation');
    await page.locator('[data-reading]').selectOption('inference');
    await expect.poll(() => names(page)).toContain('Disaggregation');
    expect(await page.locator('.count a').getAttribute('href')).toContain('inference');
  });

  test('a link names a concept, which comes into view with the focus', async () => {
    const page = await openAll(`${small}&concept=allReduce`);
    const at = card(page, 'allReduce');
    expect(await at.getAttribute('data-chosen')).not.toBeNull();
    await expect.poll(() => at.locator('a').evaluate((link) => link.matches(':focus'))).toBe(true);
    const box = (await at.boundingBox())!;
    expect(box.y).toBeGreaterThanOrEqual(0);
    expect(box.y).toBeLessThan(900);
  });

  test('speaks Chinese', async () => {
    const page = await openAll(`${small}&lang=zh`);
    await find(page).fill('recompute');
    expect(await names(page)).toEqual(expect.arrayContaining(['完全重计算', '选择性重计算']));
    expect(await page.locator('h2').first().innerText()).toBe('每个概念：一张图、一句话、一个数');
  });

  test('goes by the keyboard from the search to a card, and into the calculator', async () => {
    const page = await openAll(small);
    await find(page).focus();
    await page.keyboard.type('MFU');
    await expect.poll(() => names(page)).toEqual(['MFU', 'HFU']);
    for (let stops = 0; stops < 6; stops += 1) {
      await page.keyboard.press('Tab');
      const isThere = await card(page, 'mfu')
        .locator('a')
        .evaluate((at) => at.matches(':focus'));
      if (isThere) break;
    }
    await page.keyboard.press('Enter');
    await page.locator('[data-answer]').first().waitFor();
    expect(await answer(page, 'mfuExact')).toMatch(/%/);
  });

  test('has nothing that axe finds, by day and by night', async () => {
    const page = await openAll(small, { viewport: { width: 1440, height: 900 } });
    expect(await violations(page, 'all')).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await violations(page, 'colours')).toEqual([]);
  });

  test.each([320, 360, 768])('holds at %i px', async (width) => {
    const page = await openAll(small, { viewport: { width, height: 740 } });
    const over = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(over).toBe(0);
  });
});

describe('what other views draw after it', () => {
  const views = ['plan', 'serving', 'reward', 'budget', 'operation', 'collective'];
  /** The size of the verdict and of the drawing or the first answer, in pixels. */
  const sizes = (page: Page) =>
    page
      .locator('.picture, .answer')
      .evaluateAll((all) => all.slice(0, 2).map((each) => Math.round(each.clientWidth)));
  const sizesIn = async (page: Page): Promise<Record<string, number[]>> => {
    const found: Record<string, number[]> = {};
    for (const view of views) {
      await page.locator(`header [data-view="${view}"]`).click();
      await page.locator(`[data-view="${view}"][aria-current]`).waitFor();
      await page.locator('.picture .verdict, .answer').first().waitFor();
      found[view] = await sizes(page);
    }
    return found;
  };

  test('is as large as on a fresh page', async () => {
    const fresh = await sizesIn(await open('view=training'));
    expect(await sizesIn(await openAll('view=concepts'))).toEqual(fresh);
  });
});
