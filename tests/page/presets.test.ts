// Presets that load after the first answers: links that name them wait, and nothing answers with
// others meanwhile.

import type { Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Browser, leave, newVisit, openBrowser, serve, type Site } from '../site.ts';
import { answer, field } from './calculator.ts';

let browser: Browser;
let site: Site;
beforeAll(async () => {
  [browser, site] = await Promise.all([openBrowser(), serve()]);
});
afterAll(async () => {
  await browser.close();
  await site.close();
});

const file = /assets\/more-presets-/;

interface Held {
  page: Page;
  /** The number of times that the presets were asked for. */
  asked: () => number;
  /** Gives them, or refuses them from then on. */
  give: () => void;
}

/** A visit to a host that holds the presets back, or refuses them, until `give` is called. */
async function open(hash: string, how: 'held' | 'refused'): Promise<Held> {
  const { page } = await newVisit(browser);
  let asked = 0;
  let given = false;
  let release = (): void => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route(file, async (route: Route) => {
    asked += 1;
    if (how === 'refused' && !given) return route.abort();
    await held;
    return route.continue();
  });
  await page.goto(`${site.address}#${hash}`);
  const give = (): void => {
    given = true;
    release();
  };
  return { page, asked: () => asked, give };
}

const close = (page: Page): Promise<void> => leave(browser, { page });
const answers = (page: Page): Promise<number> => page.locator('[data-answer]').count();

const links: [name: string, link: string][] = [
  ['a chip', 'chip=b200-sxm'],
  ['a model', 'model=gpt-3-175b&chips=1024'],
  ['what is kept', `pin=${encodeURIComponent('model=gpt-3-175b')}`],
  ['a chip beside', 'view=operation&chart=roofline&overlay=mi300x'],
  ['a chip that there is none of', 'chip=b200'],
];

describe('a link that names', () => {
  test.each(links)('%s waits for it', async (_, link) => {
    const { page, asked, give } = await open(link, 'held');
    await page.locator('.waiting [data-state="loading"]').waitFor();
    // The page may wait for the file before the host hears of it.
    await expect.poll(asked).toBe(1);
    expect(await answers(page)).toBe(0);
    give();
    await page.locator('[data-answer]').first().waitFor();
    expect(asked()).toBe(1);
    expect(await page.evaluate(() => location.hash.slice(1))).toBe(link);
    await close(page);
  });

  test('those that the page starts with does not', async () => {
    const { page, asked, give } = await open('chip=h100-sxm&model=llama-3.1-405b', 'held');
    await page.locator('[data-answer]').first().waitFor();
    // The others are on their way by then, for what the reader may choose next.
    await expect.poll(asked).toBe(1);
    give();
    await close(page);
  });

  test('others answers as it did before they were parted', async () => {
    const { page } = await newVisit(browser);
    await page.goto(`${site.address}#chip=b200-sxm&model=gpt-3-175b&chips=1024&tokens=300B`);
    await expect.poll(() => answer(page, 'trainingTime')).toBe('3.95 days');
    await close(page);
  });
});

describe('where the presets can’t be had', () => {
  test('a link says so, and is read once they can', async () => {
    const { page, give } = await open('chip=b200-sxm&chips=512', 'refused');
    const failure = page.locator('.lazy[data-state="failed"]');
    await failure.waitFor();
    expect(await answers(page)).toBe(0);
    give();
    await failure.locator('.retry').click();
    await expect.poll(() => field(page, 'chip').inputValue()).toBe('B200 SXM');
    expect(await answers(page)).toBeGreaterThan(3);
    expect(await page.evaluate(() => location.hash)).toBe('#chip=b200-sxm&chips=512');
    await close(page);
  });

  test('a choice says so beside the answers that there are, and is taken once they can', async () => {
    const { page, give } = await open('view=training', 'refused');
    const before = await answer(page, 'trainingTime');
    const chip = field(page, 'chip');
    await chip.click();
    await page.keyboard.type('b200 sxm');
    await page.keyboard.press('Enter');
    const failure = page.locator('.lazy[data-state="failed"]');
    await failure.waitFor();
    expect(await chip.inputValue()).toBe('TPU v5p');
    expect(await answer(page, 'trainingTime')).toBe(before);
    give();
    await failure.locator('.retry').click();
    await expect.poll(() => chip.inputValue()).toBe('B200 SXM');
    await expect.poll(() => failure.count()).toBe(0);
    expect(await answer(page, 'trainingTime')).not.toBe(before);
    await close(page);
  });

  test('another choice takes the place of the one that waits', async () => {
    const { page, give } = await open('view=training', 'held');
    await answer(page, 'trainingTime');
    const chip = field(page, 'chip');
    await chip.click();
    await page.keyboard.type('b200 sxm');
    await page.keyboard.press('Enter');
    await page.locator('.lazy[data-state="loading"]').waitFor();
    await chip.click();
    await page.keyboard.type('h100 sxm');
    await page.keyboard.press('Enter');
    await expect.poll(() => chip.inputValue()).toBe('H100 SXM5 80GB');
    give();
    await page.locator('[data-part="panel all-chip"] > summary').click();
    await page.locator('table.overview').waitFor();
    expect(await chip.inputValue()).toBe('H100 SXM5 80GB');
    await close(page);
  });
});
