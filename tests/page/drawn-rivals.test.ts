// What a budget buys on several chips, and questions side by side, as bars on one axis.

import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { violations } from './axe.ts';
import { visits } from './visits.ts';
import { answer, inOneLine, link, type } from './calculator.ts';
import {
  desk,
  drawing,
  drawings,
  expectPlace,
  parts,
  phone,
  rows,
  testRules,
  verdict,
} from './drawing.ts';

const openAt = drawings();
const open = visits();

const budget = 'view=budget&counting=predicted&chip=h100-sxm&chips=1024&budget.money=5M';
const book = 'view=budget&chip=h100-sxm&chips=1024&budget.money=5M';
const beside =
  'view=plan&chip=h100-sxm&model=llama-3.1-8b&chips=64&tokens=1T&batch=1048576&sides=chip:h100-sxm,b200-sxm,tpu-v5p';

const bars = (at: Locator, look: string): Promise<string[]> =>
  at
    .locator(`rect.rival${look}[data-part]:not([data-part=""])`)
    .evaluateAll((all) => all.map((each) => each.getAttribute('data-part')!));

/** Waits until all chips of a budget are known. */
const known = (page: Page): Promise<void> =>
  expect
    .poll(async () => Object.values(await rows(page)).includes('…'), { timeout: 60_000 })
    .toBe(false);

describe('a budget', () => {
  test('is drawn on the chips that most readers ask for, as its verdict says', async () => {
    const page = await openAt(budget);
    await known(page);
    const told = await rows(page);
    expect(Object.keys(told).length).toBe(8);
    const own = told['H100 SXM5 80GB, 1,024 chips: Tokens for this model']!;
    const [tokens, range] = own.split(' · ');
    expect(await answer(page, 'budgetTokens')).toBe(tokens);
    expect(inOneLine(await verdict(page, 'budgetTokens'))).toContain(range);
    expect(told['Instinct MI355X, 1,024 chips: Training time']).toBe('no price');
    expect(await drawing(page).locator('.lane.unknown').count()).toBe(2);
  });

  test('hatches what can’t be told apart, and says so', async () => {
    const page = await openAt(budget);
    await known(page);
    const names = ['budgetTokens', 'b200-sxm budgetTokens'];
    expect(await bars(drawing(page), '.alike')).toEqual(names);
    expect(await bars(drawing(page), '.best')).toEqual([]);
    expect(await drawing(page).locator('.untold').count()).toBe(1);
    const title = await drawing(page).locator('[role="toolbar"]').getAttribute('aria-label');
    expect(title).toMatch(
      /^Which buys the most tokens can’t be told: .* H100 .*, B200 .* overlap\.$/,
    );
    // Without ranges the most is the best.
    const counted = await openAt(book);
    await known(counted);
    expect(await bars(drawing(counted), '.best')).toEqual(['b200-sxm budgetTokens']);
    expect(await verdict(counted, 'budgetTokens')).toContain('as the book counts');
    expect(await drawing(counted).locator('.untold').count()).toBe(0);
  });

  test('is gone through by arrows: the own says why, another is gone to', async () => {
    const page = await openAt(book);
    await known(page);
    await parts(page).first().focus();
    await page.keyboard.press('Enter');
    await page.locator('.picture > .derivation math').first().waitFor();
    expect(await parts(page).first().getAttribute('aria-expanded')).toBe('true');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    const focused = drawing(page).locator('[data-key="b200-sxm budgetTokens"]');
    expect(await focused.getAttribute('tabindex')).toBe('0');
    expect(await focused.getAttribute('aria-expanded')).toBeNull();
    await page.keyboard.press('Enter');
    await expect.poll(() => link(page)).toContain('chip=b200-sxm');
    await expect.poll(async () => Object.keys(await rows(page))[0]).toMatch(/^B200 SXM/);
  });

  test('moves all bars with its money', async () => {
    const page = await openAt(book);
    await known(page);
    const before = await rows(page);
    await type(page, 'budget.money', '10000000');
    const key = 'B200 SXM, 1,024 chips: Training time';
    await expect.poll(async () => (await rows(page))[key]).not.toBe(before[key]);
    await page.locator('.budget-choices button', { hasText: 'chips and days' }).click();
    await expect.poll(async () => Object.keys(await rows(page)).join()).toContain('Cost');
  });

  test('has its place before it is there', async () => {
    for (const options of [desk, phone]) await expectPlace(await openAt(book, options));
  });

  testRules(openAt, [book]);

  test('is on the card that is shared', async () => {
    const page = await openAt(book);
    await known(page);
    await page.locator('[data-share]').click();
    await page.locator('dialog [value="svg"]').check();
    await expect.poll(() => page.locator('dialog textarea').inputValue()).toContain('B200 SXM');
  });
});

describe('side by side', () => {
  const drawn = (page: Page): Locator => page.locator('.sides scaling-rivals-drawing');

  async function openBeside(): Promise<Page> {
    const page = await open(beside);
    await expect.poll(() => bars(drawn(page), '.best'), { timeout: 60_000 }).not.toEqual([]);
    return page;
  }

  test('one is fastest, and which is cheapest can’t be told', async () => {
    const page = await openBeside();
    expect(await bars(drawn(page), '.best')).toEqual(['b200-sxm wallTime']);
    expect(await bars(drawn(page), '.alike')).toEqual(['h100-sxm wallCost', 'b200-sxm wallCost']);
    const title = await drawn(page).locator('[role="toolbar"]').getAttribute('aria-label');
    // It is said once the curves of costs are found.
    const said = page.locator('.sides [role="status"]');
    await expect.poll(() => said.innerText()).toBe(title);
    expect(await violations(page, 'all', page.locator('.sides'))).toEqual([]);
  });

  test('an amount leads to its side alone', async () => {
    const page = await openBeside();
    await drawn(page).locator('[data-key="b200-sxm wallCost"]').click();
    await expect.poll(() => link(page)).toMatch(/chip=b200-sxm(?!.*sides=)/);
  });

  test('all are on the card that is shared, whose texts tell of no single one', async () => {
    const page = await openBeside();
    await page.locator('[data-share]').click();
    await page.locator('dialog [value="svg"]').check();
    const svg = page.locator('dialog textarea');
    await expect.poll(() => svg.inputValue()).toContain('TPU v5p');
    const card = await svg.inputValue();
    expect(card).toContain('Llama 3.1 8B · Side by side: H100 SXM5 80GB, B200 SXM, TPU v5p');
    expect(card).toContain('fastest: B200 SXM');
    const offered = page.locator('dialog.share [name="format"]');
    const values = await offered.evaluateAll((all) => all.map((each) => (each as any).value));
    expect(values).toEqual(['link', 'frame', 'element', 'hugo', 'jekyll', 'svg', 'png']);
  });
});
