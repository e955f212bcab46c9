// The verdict of a view and its drawing, as page tests find them.

import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { violations } from './axe.ts';
import { inOneLine } from './calculator.ts';
import { visits } from './visits.ts';

export const phone = { viewport: { width: 360, height: 640 } };
export const desk = { viewport: { width: 1440, height: 900 } };

/** Changes that follow each other within this time are one [ms], as figures have it. */
const oneChange = 1200;

/** Opens a page at a link, on a desk unless told otherwise. */
export type Opens = (hash: string, options?: object) => Promise<Page>;

/** Opens pages of a file of tests once their drawing is there, and a change would leave a ghost. */
export function drawings(): Opens {
  const open = visits();
  return async (hash, options = desk) => {
    const page = await open(hash, options);
    await parts(page).first().waitFor();
    await page.waitForFunction((time) => performance.now() > time, oneChange);
    return page;
  };
}

export const drawing = (page: Page): Locator =>
  page.locator(
    '.picture > .drawing :is(scaling-drawing, scaling-serving-drawing, scaling-race-drawing, scaling-collective-drawing, scaling-pools-drawing, scaling-rivals-drawing)',
  );

/** A degree that is changed where it is drawn. */
export const degree = (page: Page, way: string): Locator =>
  drawing(page).locator(`[role="spinbutton"][data-key="layout.${way}"]`);

export const degreeOf = async (page: Page, way: string): Promise<number> =>
  Number(await degree(page, way).getAttribute('aria-valuenow'));

/** Goes up to a degree by the keyboard. */
export async function stepTo(page: Page, way: string, wanted: number): Promise<void> {
  await degree(page, way).focus();
  for (let now = await degreeOf(page, way); now < wanted; now = await degreeOf(page, way)) {
    await page.keyboard.press('ArrowUp');
    await expect.poll(() => degreeOf(page, way)).toBeGreaterThan(now);
  }
}

export const parts = (page: Page): Locator => drawing(page).locator('[role="button"]');

export const verdict = async (page: Page, key: string): Promise<string> =>
  inOneLine(await page.locator(`[data-verdict="${key}"]`).innerText());

/** The table of a drawing, for readers who cannot see it. */
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

/** The page keeps as much room for a drawing as that takes once it has loaded. */
export async function expectPlace(page: Page): Promise<void> {
  const heights = await page.locator('.picture > .drawing').evaluate((place) => {
    const drawn = place.firstElementChild as HTMLElement;
    return [parseFloat(getComputedStyle(place).minHeight), drawn.offsetHeight];
  });
  const { width } = page.viewportSize()!;
  expect(heights[1]!, `at ${width}`).toBeLessThanOrEqual(heights[0]! + 1);
  expect(heights[1]!, `at ${width}`).toBeGreaterThan(heights[0]! - 24);
}

/** The verdict and the drawing break no rule of accessibility, and are no wider than the window. */
export async function expectNoFault(page: Page): Promise<void> {
  expect(await violations(page, 'all', page.locator('.picture'))).toEqual([]);
  expect(
    await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
  ).toBeLessThanOrEqual(0);
}

/** Tests that a drawing's place is kept before it is there. */
export function testPlace(openAt: Opens, hashes: string[]): void {
  test.each(hashes)('has its place before it is there: %s', async (hash) => {
    for (const options of [desk, phone]) await expectPlace(await openAt(hash, options));
  });
}

/** Tests that verdicts and drawings break no rule, in light and dark. */
export function testRules(openAt: Opens, hashes: string[]): void {
  test.each(['light', 'dark'] as const)('breaks no rule: %s', async (colorScheme) => {
    for (const hash of hashes) {
      for (const options of [desk, phone]) {
        await expectNoFault(await openAt(hash, { ...options, colorScheme }));
      }
    }
  });
}
