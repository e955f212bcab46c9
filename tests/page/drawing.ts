// The verdict of a view and its drawing, as page tests find them.

import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { inOneLine } from './calculator.ts';

export const drawing = (page: Page): Locator =>
  page.locator(
    '.picture > .drawing > :is(scaling-drawing, scaling-serving-drawing, scaling-race-drawing)',
  );

export const parts = (page: Page): Locator => drawing(page).locator('[role="button"]');

export const verdict = async (page: Page, key: string): Promise<string> =>
  inOneLine(await page.locator(`[data-verdict="${key}"]`).innerText());

/** All that it tells those who can't see it. */
export const rows = (page: Page): Promise<Record<string, string>> =>
  drawing(page).evaluate((element) =>
    Object.fromEntries(
      [...element.shadowRoot!.querySelectorAll('tbody tr')].map((row) => [
        row.querySelector('th')!.textContent!.trim(),
        row.querySelector('td')!.textContent!.replace(/\s+/g, ' ').trim(),
      ]),
    ),
  );

/** Goes through all parts by the keyboard, and asks two of them why. */
export async function walk(page: Page): Promise<void> {
  expect(await drawing(page).locator('[role="button"][tabindex="0"]').count()).toBe(1);
  await parts(page).first().focus();
  const focused = (): Promise<string | null> =>
    drawing(page).evaluate((element) =>
      element.shadowRoot!.activeElement!.getAttribute('data-key'),
    );
  const first = await focused();
  await page.keyboard.press('ArrowRight');
  expect(await focused()).not.toBe(first);
  await page.keyboard.press('End');
  const count = await parts(page).count();
  const last = await parts(page)
    .nth(count - 1)
    .getAttribute('data-key');
  expect(await focused()).toBe(last);
  // All are reached, and named with a value.
  const names = await parts(page).evaluateAll((all) =>
    all.map((each) => each.getAttribute('aria-label')!),
  );
  expect(names.filter((name) => !/\d/.test(name))).toEqual([]);
  expect(new Set(names).size).toBe(names.length);
  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');
  const reason = page.locator('.picture > .derivation');
  await reason.locator('h3').waitFor();
  expect(await parts(page).first().getAttribute('aria-expanded')).toBe('true');
  await reason.locator('math').first().waitFor();
  // Another takes its place, and once more closes it.
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await expect.poll(() => parts(page).first().getAttribute('aria-expanded')).toBe('false');
  await page.keyboard.press('Enter');
  await expect.poll(() => reason.isHidden()).toBe(true);
}
