// What scaling laws say of a budget: the loss, the compute-optimal size, repeated data, serving.

import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { answer, field, inOneLine, link, openPanel } from './calculator.ts';
import { visits } from './visits.ts';

const open = visits();

const row = (page: Page, key: string) => page.locator(`[data-answer="${key}"]`).first();
const said = async (page: Page, key: string): Promise<string> =>
  inOneLine(await row(page, key).innerText());

const budget = 'view=budget&chip=h100-sxm&model=llama-3-70b&chips=1024&budget.money=5M';

describe('a budget', () => {
  test('says the loss of the model and the size of the least', async () => {
    const page = await open(budget);
    await row(page, 'optimalParameters').waitFor();
    const loss = await said(page, 'loss');
    expect(loss).toMatch(/^Loss by the law 1\.95/);
    expect(loss).toMatch(/The least at these FLOPs is (1\.9|2\.0)\d*/);
    expect(loss).toContain('it promises no quality');
    expect(await said(page, 'optimalParameters')).toMatch(/tokens: a loss of/);
    const largest = await answer(page, 'largestParameters');
    expect(await said(page, 'optimalParameters')).toContain(
      `${largest} is the size at 20 tokens for each parameter.`,
    );
  });

  test('counts repeated data and serving, once it is told of them', async () => {
    const page = await open(budget);
    await row(page, 'loss').waitFor();
    const fresh = await said(page, 'loss');
    const repeated = await open(`${budget}&budget.uniqueTokens=10B&budget.servedTokens=10T`);
    await row(repeated, 'loss').waitFor();
    expect(await said(repeated, 'loss')).not.toBe(fresh);
    expect(await said(repeated, 'optimalParameters')).toMatch(
      /Serving 10\.0T tokens as well, .+B parameters on .+T tokens take .+% fewer FLOPs/,
    );
  });

  test('draws the loss of all sizes, with known models', async () => {
    const page = await open(budget);
    const chart = page.locator('[data-answer-drawn="loss"]');
    await chart.locator('figcaption').waitFor();
    expect(inOneLine(await chart.locator('figcaption').innerText())).toMatch(/^Least loss at/);
    await chart.getByText('Chinchilla 70B').first().waitFor();
  });

  test('says nothing of models with experts', async () => {
    const page = await open(budget.replace('llama-3-70b', 'deepseek-v3'));
    await row(page, 'largestParameters').waitFor();
    expect(await said(page, 'largestParameters')).toContain('dense models that are trained whole');
    expect(await row(page, 'loss').count()).toBe(0);
    expect(await page.locator('[data-answer-drawn="loss"]').count()).toBe(0);
  });

  test('takes another fit, in its link, too', async () => {
    const page = await open(budget);
    await row(page, 'loss').waitFor();
    const before = await said(page, 'loss');
    await openPanel(page, 'budget');
    await field(page, 'budget.law').selectOption('hoffmann');
    await expect.poll(() => link(page)).toContain('budget.law=hoffmann');
    await expect.poll(() => said(page, 'loss')).not.toBe(before);
  });
});
