// A first visit explains itself within a screen.

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { link, summary, type } from './calculator.ts';
import { visits } from './visits.ts';

const open = visits();
const welcome = (page: Page) => page.locator('.welcome');
const bottom = async (page: Page, selector: string): Promise<number> => {
  const box = await page.locator(selector).first().boundingBox();
  return box!.y + box!.height;
};

test.each(['en-US', 'zh-CN'])(
  'it leaves room for the verdict and the drawing: %s',
  async (locale) => {
    const page = await open('', { locale });
    for (const [width, height, below] of [
      [1440, 900, 'scaling-drawing'],
      [768, 1024, 'scaling-drawing'],
      [360, 640, '[data-verdict="planBound"]'],
    ] as const) {
      await page.setViewportSize({ width, height });
      await expect.poll(() => welcome(page).count()).toBe(1);
      expect(await bottom(page, '.question'), `at ${width}`).toBeLessThanOrEqual(height);
      expect(await bottom(page, below), `at ${width}`).toBeLessThanOrEqual(height);
    }
  },
);

test('each example asks another question, all have answers, and the page makes room', async () => {
  const page = await open('');
  const seen: (string | null)[] = [];
  const examples = welcome(page).locator('li a');
  const count = await examples.count();
  for (let index = 0; index < count; index++) {
    await examples.nth(index).click();
    await page.locator('[data-answer], .side .value').first().waitFor();
    // The welcome is removed once it has led to something; the focus has gone on.
    await expect.poll(() => welcome(page).count()).toBe(0);
    await expect.poll(() => page.locator('.question:focus').count()).toBe(1);
    const view = await page.locator('.question').getAttribute('data-question');
    seen.push(view);
    expect(new URLSearchParams(new URL(await link(page)).hash.slice(1)).get('view')).toBe(view);
    // Servers that miss their targets are offered what meets them.
    const amiss = view === 'serving' ? '.problems' : '.problems, .offers';
    expect(await page.locator(amiss).count()).toBe(0);
    const said = page.locator('.summary, .sides [role="status"]').first();
    await expect.poll(() => said.innerText()).not.toBe('');
    if (index === count - 1) break;
    await page.locator('[data-examples]').click();
    await welcome(page).waitFor();
  }
  expect(seen).toEqual([
    ...['plan', 'plan', 'plan', 'plan', 'plan', 'reward', 'plan'],
    ...['serving', 'budget', 'operation'],
  ]);
  await page.goBack();
  await expect.poll(() => page.locator('.question').getAttribute('data-question')).toBe('budget');
});

test('it says what it promises: eight H100s hold what 8B needs, one does not', async () => {
  const page = await open('');
  await welcome(page).locator('li a').first().click();
  const said = () => summary(page);
  await expect.poll(said).toMatch(/^21\.\d days\. Compute-bound\. Tight: [\d.]+ GB of 76\.0 GB/);
  await type(page, 'run.chips', '1');
  await expect.poll(said).toMatch(/^Doesn’t fit: needs/);
});

test('closed, it stays closed, until it is asked for again', async () => {
  const page = await open('');
  await welcome(page).getByRole('button').click();
  await expect.poll(() => welcome(page).count()).toBe(0);
  await page.reload();
  await page.locator('[data-answer]').first().waitFor();
  expect(await welcome(page).count()).toBe(0);
  const button = page.locator('[data-examples]');
  await button.click();
  await expect.poll(() => welcome(page).locator('a:focus').count()).toBe(1);
  // It stands above the question, where it was asked for, and goes by the same button.
  expect(await bottom(page, '.welcome')).toBeLessThan(
    (await page.locator('.question').boundingBox())!.y,
  );
  await button.click();
  await expect.poll(() => welcome(page).count()).toBe(0);
});

test('who comes by a link sees what it shows', async () => {
  const page = await open('chips=512');
  expect(await welcome(page).count()).toBe(0);
});

test('pages offer examples, too', async () => {
  const page = await open('view=concepts');
  await page.locator('[data-examples]').click();
  await welcome(page).locator('li a', { hasText: 'GRPO' }).click();
  await page.locator('[data-verdict="rewardFits"]').waitFor();
  expect(await welcome(page).count()).toBe(0);
});
