// A budget, the plan of its tokens and what stands beside it say the same on the page.

import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { answer, link } from './calculator.ts';
import { visits } from './visits.ts';

const open = visits();

const value = async (page: Page, key: string): Promise<number> => {
  const at = page.locator(`[data-answer="${key}"] .large[data-value]`);
  await at.waitFor();
  return Number(await at.getAttribute('data-value'));
};
const budget = (chip: string): string =>
  `view=budget&counting=predicted&chip=${chip}&chips=1024&budget.money=5M`;

describe.each(['h100-sxm', 'b200-sxm', 'tpu-v5p', 'mi300x'])('$5M on %s', (chip) => {
  test('buy the tokens whose plan costs as much', async () => {
    const page = await open(budget(chip));
    await page.locator('.onwards button').first().click();
    await page.locator('[data-question="plan"]').waitFor();
    expect((await value(page, 'wallCost')) / 5e6).toBeCloseTo(1, 6);
    expect(await answer(page, 'wallCost')).toBe('$5.00M');
  });
});

test('side by side stand the plans of those tokens: what is cheaper is what buys more', async () => {
  const page = await open(budget('b200-sxm'));
  const tokens = new Map([['b200-sxm', await value(page, 'budgetTokens')]]);
  await page.locator('[data-part="panel all-chip"] > summary').click();
  const table = page.locator('scaling-overview');
  await table.locator('[data-progress="done"]').waitFor({ state: 'attached' });
  const ids = ['h100-sxm', 'tpu-v5p'];
  const said = (id: string) =>
    table.locator(`[data-row="${id}"] [data-column="budgetTokens"]`).innerText();
  for (const id of ids) tokens.set(id, parseFloat(await said(id)) * 1e12);
  await page.locator('button.side-by-side').click();
  await page.locator('.sides [role="status"][data-progress="done"]').waitFor({ state: 'attached' });
  expect(await link(page)).toContain('sides=chip:b200-sxm,h100-sxm,tpu-v5p');
  const cost = async (index: number): Promise<number> =>
    Number(
      await page
        .locator(`.side[data-side="${index}"] [data-fact="wallCost"] .value`)
        .getAttribute('data-value'),
    );
  expect((await cost(0)) / 5e6).toBeCloseTo(1, 6);
  for (const [index, id] of ids.entries()) {
    // The table says three digits.
    const ratio = tokens.get('b200-sxm')! / tokens.get(id)!;
    expect((await cost(index + 1)) / 5e6 / ratio).toBeCloseTo(1, 2);
  }
});

test('a link from before there was a choice counts as the book does, and says so', async () => {
  const page = await open('view=budget&chip=b200-sxm&chips=1024&budget.money=5M');
  expect(await answer(page, 'budgetTokens')).toBe('5.77T tokens');
  expect(await page.locator('[data-answer="budgetTokens"] .means').innerText()).toContain(
    '40% MFU is assumed',
  );
});
