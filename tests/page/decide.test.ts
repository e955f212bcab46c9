// The three questions that readers come with to decide: each in at most three actions from the first
// visit, in both languages, on a phone and on a desk.

import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { allText } from './calculator.ts';
import { unfinished, visits } from './visits.ts';

const open = visits();

/** What a reader does, counted. */
class Reader {
  actions = 0;

  constructor(readonly page: Page) {}

  async click(at: Locator): Promise<void> {
    this.actions += 1;
    await at.click();
  }

  /** Types a text and ends it with Enter. */
  async type(at: Locator, text: string): Promise<void> {
    this.actions += 1;
    await at.fill(text);
    await at.press('Enter');
  }
}

async function holds(page: Page, width: number): Promise<void> {
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
    width,
  );
  expect(await allText(page)).not.toMatch(unfinished);
}

describe.each(['en', 'zh'])('in %s', (language) => {
  describe.each([360, 1440])('at %d px', (width) => {
    const visit = async (): Promise<Reader> =>
      new Reader(await open(`lang=${language}`, { viewport: { width, height: 900 } }));

    test('405B on H100, B200 or TPU v5p?', async () => {
      const reader = await visit();
      const { page } = reader;
      await reader.click(page.locator('.welcome a[href*="sides="]'));
      await page
        .locator('.sides [role="status"][data-progress="done"]')
        .waitFor({ state: 'attached' });
      const times = page.locator('.side [data-fact="trainingTime"] .value');
      await expect.poll(() => times.count()).toBe(3);
      for (const text of await times.allInnerTexts()) expect(text).toMatch(/\d/);
      const prices = await page.locator('.side .price').allInnerTexts();
      for (const text of prices) expect(text).toMatch(/\d\.\d\d.*20\d\d/s);
      expect(reader.actions).toBeLessThanOrEqual(3);
      await holds(page, width);
    });

    test('what can I train for a million dollars?', async () => {
      const reader = await visit();
      const { page } = reader;
      await reader.click(page.locator('.welcome a[href*="view=budget"]'));
      const tokens = page.locator('[data-answer="budgetTokens"] .large');
      await tokens.waitFor();
      expect(Number(await tokens.getAttribute('data-value'))).toBeGreaterThan(1e11);
      expect(reader.actions).toBeLessThanOrEqual(3);
      await holds(page, width);
    });

    test('how many chips for two weeks?', async () => {
      const reader = await visit();
      const { page } = reader;
      const target = page.locator('[data-target="trainingTime"]');
      await reader.click(target.locator('> button'));
      await reader.type(target.locator('input'), language === 'zh' ? '2 周' : '2 weeks');
      const chips = target.locator('[data-turn="run.chips"]');
      await chips.waitFor();
      expect(await chips.innerText()).toContain('28,672');
      await reader.click(chips.locator('.use'));
      await expect.poll(() => target.locator('.met').count()).toBe(1);
      expect(reader.actions).toBeLessThanOrEqual(3);
      await holds(page, width);
    });
  });
});
