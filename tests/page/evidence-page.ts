// Parts of the page of evidence, for the tests of its runs.

import type { Page } from 'playwright-core';
import { inOneLine } from './calculator.ts';

/** The sentence about the runs that are shown. */
export const found = async (page: Page): Promise<string> =>
  inOneLine(await page.locator('.evidence > .summary').innerText());

/** The addresses of all that the page has loaded. */
export const loaded = (page: Page): Promise<string[]> =>
  page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name));

export const filter = (page: Page, name: string) => page.locator(`[data-filter="${name}"]`);
