// The three questions that readers come with to decide: each in at most three actions from the first
// visit, in both languages, on a phone and on a desk.

import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { allText } from './calculator.ts';
import { unfinished, visits } from './visits.ts';

const open = visits();

/** Counts a reader's actions. */
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
  await expect
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth))
    .toBeLessThanOrEqual(width);
  await expect.poll(() => allText(page)).not.toMatch(unfinished);
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
      const times = page.locator('.side [data-fact="wallTime"] .value');
      await expect.poll(() => times.count()).toBe(3);
      for (const text of await times.allInnerTexts()) expect(text).toMatch(/\d/);
      const prices = await page.locator('.side .price').allInnerTexts();
      for (const text of prices) expect(text).toMatch(/\d\.\d\d.*20\d\d/s);
      expect(reader.actions).toBeLessThanOrEqual(3);
      await holds(page, width);
    });

    test('8B on 8 H100: does it fit, how long, what cost?', async () => {
      const reader = await visit();
      const { page } = reader;
      await reader.click(page.locator('.welcome a[href*="chips=8&"]'));
      const said = (): Promise<string> => page.locator('.summary').first().innerText();
      // Days, memory of what is usable, dollars.
      await expect.poll(said).toMatch(/21\.\d.*76\.0/s);
      expect(await said()).toMatch(/\$|美元/);
      expect(reader.actions).toBe(1);
      await holds(page, width);
    });

    test('how many servers for 1,000 users in 2 s and 50 ms?', async () => {
      const reader = await visit();
      const { page } = reader;
      await reader.click(page.locator('.welcome a[href*="serve.users=1000"]'));
      const servers = page.locator('.offers button').first();
      // Instances of some chips each, and the nodes that they take.
      await expect.poll(() => servers.innerText()).toMatch(/(\d+).*\d+.*\d+/);
      await reader.click(servers);
      const met = page.locator('[data-answer="meetsTargets"] .large');
      await expect.poll(() => met.getAttribute('data-value')).toMatch(/^(yes|是)/);
      expect(reader.actions).toBe(2);
      await holds(page, width);
    });

    test('which chip for $5M?', async () => {
      const reader = await visit();
      const { page } = reader;
      await reader.click(page.locator('.welcome a[href*="view=budget"]'));
      const tokens = page.locator('[data-answer="budgetTokens"] .large');
      await tokens.waitFor();
      expect(Number(await tokens.getAttribute('data-value'))).toBeGreaterThan(4e12);
      // All chips, the one of which that money buys most first.
      await reader.click(page.locator('[data-part="panel all-chip"] > summary'));
      await page.locator('scaling-overview [data-progress="done"]').waitFor();
      const bought = page.locator('[data-row] [data-column="budgetTokens"]');
      expect(await bought.count()).toBeGreaterThan(10);
      const [best, second] = await bought.allInnerTexts();
      expect(best).toMatch(/\d/);
      expect(second).toMatch(/\d/);
      expect(reader.actions).toBe(2);
      await holds(page, width);
    });

    test('how many chips for two weeks?', async () => {
      const reader = await visit();
      const { page } = reader;
      const target = page.locator('[data-target="wallTime"]');
      await reader.click(target.locator('> button'));
      await reader.type(target.locator('input'), language === 'zh' ? '2 周' : '2 weeks');
      const chips = target.locator('[data-turn="run.chips"]');
      await chips.waitFor();
      await reader.click(chips.locator('.use'));
      await expect.poll(() => target.locator('.met').count()).toBe(1);
      expect(reader.actions).toBeLessThanOrEqual(3);
      await holds(page, width);
    });
  });
});

describe('the assumptions', () => {
  const basis = (page: Page): Locator => page.locator('.ending [data-prices]');
  const chosen = (page: Page): Promise<string> =>
    basis(page)
      .locator('option:checked')
      .innerText()
      .then((text) => text.trim());
  const said = (page: Page): Promise<string> =>
    page
      .locator('.ending')
      .innerText()
      .then((text) => text.replace(/\s+/g, ' ').trim());
  const hash = (page: Page): Promise<string> => page.evaluate(() => location.hash);

  test.each(['training', 'plan', 'serving', 'budget'])(
    'of a question of %s name the basis of prices, by which it is set',
    async (view) => {
      const page = await open(`view=${view}&chip=h100-sxm&model=llama-3.1-8b`);
      await basis(page).waitFor();
      expect(await chosen(page)).toBe('latest list prices');
      expect(await said(page)).toMatch(/^Prices: .*\(Lambda, September 2026\)\./);
      await basis(page).focus();
      await page.keyboard.press('ArrowDown');
      await expect.poll(() => hash(page)).toContain('prices=aws-blocks');
      await expect.poll(() => chosen(page)).toBe('list prices of AWS Capacity Blocks');
      expect(await said(page)).toMatch(/\(none for this chip\)\./);
      await basis(page).selectOption('hyperstack');
      await expect.poll(() => hash(page)).toContain('prices=hyperstack');
      expect(await chosen(page)).toBe('list prices of Hyperstack');
      expect(await said(page)).toMatch(/[^,] \(August 2026\)\./);
      await basis(page).selectOption('owned');
      await expect.poll(() => chosen(page)).toBe('own hardware');
      await basis(page).selectOption('latest');
      await expect.poll(() => hash(page)).not.toContain('prices=');
    },
  );

  test('says that a price is the reader’s, until a basis takes its place', async () => {
    const page = await open('chip=h100-sxm&chip.price=7');
    await expect.poll(() => chosen(page)).toBe('custom');
    await basis(page).selectOption('latest');
    await expect.poll(() => hash(page)).not.toContain('chip.price');
    expect(await chosen(page)).toBe('latest list prices');
    const unlisted = await open('chip=tpu-v7');
    await expect.poll(() => said(unlisted)).toContain('(none for this chip)');
  });

  test('says so in Chinese, and of nothing that costs nothing', async () => {
    const page = await open('lang=zh&chip=h100-sxm');
    await expect.poll(() => chosen(page)).toBe('最新标价');
    expect(await said(page)).toMatch(/价格：.*（.+2026年9月）。/);
    const operation = await open('view=operation');
    expect(await basis(operation).count()).toBe(0);
  });
});

describe('own hardware', () => {
  const h100 = 'chip=h100-sxm&model=llama-3.1-405b&chips=16384';
  const cost = (page: Page): Locator => page.locator('[data-answer="cost"]');
  const value = async (page: Page): Promise<number> =>
    Number(await cost(page).locator('.large').getAttribute('data-value'));

  test('is chosen beside the cost, with its kinds, and is explained', async () => {
    const page = await open(h100);
    const rented = await value(page);
    await cost(page).locator('.offer button', { hasText: 'prices' }).click();
    const basis = cost(page).locator('[data-basis]');
    await basis.waitFor();
    // No marketplace has a price with a date and a source, and the page says so.
    const groups = basis.locator('optgroup');
    await expect.poll(() => groups.count()).toBe(4);
    expect(
      await basis.locator('optgroup[label="Marketplaces"]').locator('option').allInnerTexts(),
    ).toEqual(['no price with a date and a source']);
    await basis.selectOption('owned');
    await expect.poll(() => page.evaluate(() => location.hash)).toContain('prices=owned');
    await expect.poll(() => value(page)).toBeLessThan(rented / 5);
    expect(await cost(page).innerText()).toMatch(/ at \$0\.\d+ per chip-hour\./);
    await cost(page).locator('button.why').first().click();
    await expect.poll(() => page.locator('#why-cost .ladder').count()).toBeGreaterThan(0);
    expect(await page.locator('#why-cost').textContent()).toContain('Cost per owned chip-hour');
  });

  test('costs more an hour where chips work less', async () => {
    const page = await open(`${h100}&prices=owned`);
    await page.locator('[data-field="chip.utilisation"]').first().waitFor();
    const busy = await value(page);
    const input = cost(page).locator('input[data-field="chip.utilisation"]');
    await input.first().fill('50%');
    await input.first().press('Enter');
    await expect.poll(() => value(page)).toBeGreaterThan(1.8 * busy);
    expect(await allText(page)).not.toMatch(unfinished);
  });

  test('without a purchase that has a source asks for it', async () => {
    const page = await open('chip=tpu-v5p&prices=owned');
    await expect.poll(() => cost(page).innerText()).toContain('No price is known');
    expect(await cost(page).locator('input[data-field="chip.purchase"]').count()).toBe(1);
    expect(await allText(page)).not.toMatch(unfinished);
  });

  test('out of its range says what is allowed', async () => {
    const page = await open(`${h100}&prices=owned&lang=zh`);
    const input = cost(page).locator('input[data-field="chip.years"]');
    await input.first().fill('0');
    // The reason stands beside the sentence, as there is no cost to stand below.
    const said = page.locator('.reason, .message');
    await expect.poll(async () => (await said.allInnerTexts()).join(' ')).toMatch(/0\.1.*100/);
  });
});
