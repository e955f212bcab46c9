// Parts of the page of evidence, for the tests of its runs.

import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { inOneLine, says } from './calculator.ts';

/** The sentence about the runs that are shown. */
export const found = async (page: Page): Promise<string> =>
  inOneLine(await page.locator('.evidence > .summary').innerText());

/** The addresses of all that the page has loaded. */
export const loaded = (page: Page): Promise<string[]> =>
  page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name));

export const filter = (page: Page, name: string) => page.locator(`[data-filter="${name}"]`);

/** The words on how sure an answer is tell of the very interval beside it. */
export async function expectOneInterval(page: Page, key: string): Promise<void> {
  const said = inOneLine(await page.locator('.how-sure').innerText());
  const [, range] = / here, (.+?), (?:holds \d+ of \d+|rests on other runs)/.exec(said) ?? [];
  expect(range, said).toBeTruthy();
  expect(await says(page, key)).toContain(`90% interval ${range}`);
}
