// Questions asked backward on the page: targets for answers, and what a budget trains.

import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { violations } from './axe.ts';
import { allText, answer, field, inOneLine, link, summary } from './calculator.ts';
import { unfinished, visits } from './visits.ts';

const open = visits();

const control = (page: Page, key: string) => page.locator(`[data-target="${key}"] > button`);
const panel = (page: Page, key: string) => page.locator(`[data-target="${key}"] .target`);
const way = (page: Page, id: string) => page.locator(`[data-turn="${id}"]`);
const found = async (page: Page): Promise<string> =>
  inOneLine(await page.locator('.target .ways').first().innerText());

async function setTarget(page: Page, key: string, text: string): Promise<void> {
  await control(page, key).click();
  const input = panel(page, key).locator('input');
  await input.fill(text);
  await input.press('Enter');
}

const days14 = 'batch=4194304&target=trainingTime:atMost:1209600';

describe('a target for an answer', () => {
  test('is typed as people write it, and says what meets it', async () => {
    const page = await open();
    await setTarget(page, 'trainingTime', '14 days');
    await expect.poll(() => way(page, 'run.chips').count()).toBe(1);
    expect(await link(page)).toContain('target=trainingTime:atMost:1209600');
    expect(inOneLine(await way(page, 'run.chips').innerText())).toMatch(
      /^Chips 8,960 → 28,672 in 4 slices then 13\.9 days/,
    );
    expect(inOneLine(await way(page, 'run.tokens').innerText())).toMatch(
      /^Training tokens 15T → 4\.\d+T then 1[34]\.\d days/,
    );
    await page.setViewportSize({ width: 768, height: 800 });
    for (const turn of await page.locator('[data-turn]').all()) {
      const buttons = turn.locator('button');
      const tops = await buttons.evaluateAll((all) =>
        all.map((each) => each.getBoundingClientRect().top),
      );
      expect(Math.max(...tops) - Math.min(...tops), 'in one line').toBeLessThan(12);
    }
    // It still takes longer at the peak: no MFU meets it.
    expect(await way(page, 'run.mfu').count()).toBe(0);
    await page.locator('[data-part="short trainingTime"] > summary').click();
    const short = page.locator('[data-short="run.mfu"]');
    await short.waitFor();
    expect(inOneLine(await short.innerText())).toMatch(/^MFU at 100%: still 17\.\d days$/);
    expect(await allText(page)).not.toMatch(unfinished);
  });

  test('is met when the reader takes a way, to the last digit shown', async () => {
    const page = await open(days14);
    await way(page, 'run.chips').locator('.use').click();
    await expect.poll(() => found(page)).toMatch(/^✓ This target is met: 13\.9 days\./);
    expect(await field(page, 'run.chips').inputValue()).toBe('28,672');
    expect(await field(page, 'run.slices').first().inputValue()).toBe('4');
    expect(await answer(page, 'trainingTime')).toBe('13.9 days');
    await page.goBack();
    await expect.poll(() => way(page, 'run.chips').count()).toBe(1);
  });

  test('that is met says how far it stays so, and offers it', async () => {
    const page = await open('batch=4194304&target=trainingTime:atMost:8640000');
    await way(page, 'run.tokens').waitFor();
    expect(await found(page)).toMatch(
      /^✓ This target is met: 4\d\.\d days\. Each of these alone may change so far and keep 100 days:/,
    );
    expect(inOneLine(await way(page, 'run.chips').innerText())).toMatch(
      /^Chips 8,960 → [34],\d{3} then (100|9\d\.\d) days/,
    );
    await way(page, 'run.tokens').locator('.use').click();
    await expect.poll(() => answer(page, 'trainingTime')).toMatch(/^(100|99\.\d) days$/);
    await expect.poll(() => found(page)).toMatch(/^✓ This target is met/);
    expect(await allText(page)).not.toMatch(unfinished);
  });

  test.each([
    ['batch=4194304', 'trainingTime', /^such as \d+ days$/],
    ['batch=4194304', 'cost', /^such as \$\d+M$/],
    [
      'view=serving&chip=h100-sxm&model=llama-3.1-70b&serve.chips=8',
      'tokenTime',
      /^such as \d+ ms$/,
    ],
  ])('has an example in its own unit: %s %s', async (hash, key, example) => {
    const page = await open(hash);
    await control(page, key).click();
    const box = panel(page, key).locator('input');
    await box.waitFor();
    expect(inOneLine((await box.getAttribute('placeholder'))!)).toMatch(example);
  });

  test('says how a way comes about: the equation, solved for it', async () => {
    const page = await open(days14);
    await way(page, 'run.tokens').locator('.why').click();
    const steps = way(page, 'run.tokens').locator('.ladder > li');
    await expect.poll(() => steps.count()).toBeGreaterThan(1);
    expect(inOneLine(await steps.first().innerText())).toContain('Training tokens');
    expect(inOneLine(await steps.first().innerText())).toMatch(/14\.0 days/);
    // Sources have their titles.
    await expect
      .poll(() => way(page, 'run.tokens').locator('.sources').innerText())
      .toContain('How to Scale Your Model');
  });

  test('above what measured trainings reach says so', async () => {
    const page = await open('batch=4194304&target=trainingTime:atMost:1987200'); // 23 days
    await expect.poll(() => way(page, 'run.mfu').count()).toBe(1);
    expect(inOneLine(await way(page, 'run.mfu').innerText())).toContain(
      'above the 71.5% that measured trainings reach',
    );
  });

  test('that nothing meets says what stands in the way', async () => {
    const page = await open('batch=4194304&mfu=100%25&target=fewest:atMost:1');
    // A target of no answer is none.
    expect(await page.locator('.target').count()).toBe(0);
    await setTarget(page, 'cost', '$1');
    await expect.poll(() => found(page)).toMatch(/Each of these alone meets it|No input meets/);
  });

  test('of memory is that it fits', async () => {
    const page = await open('chip=h100-sxm&model=llama-3.1-8b&chips=1&tokens=160B&batch=262144');
    await control(page, 'memoryPerChip').click();
    await panel(page, 'memoryPerChip').locator('.fits').click();
    await expect.poll(() => way(page, 'run.chips').count()).toBe(1);
    await way(page, 'run.chips').locator('.use').click();
    await expect.poll(() => found(page)).toMatch(/^✓ This target is met/);
    expect(await summary(page)).not.toContain('doesn’t fit');
  });

  test('of a bound is a choice', async () => {
    const page = await open('view=operation&chip=tpu-v5e&op.batch=64');
    await control(page, 'bound').click();
    await panel(page, 'bound').locator('select').selectOption('compute');
    await expect.poll(() => way(page, 'operation.batch').count()).toBe(1);
    await way(page, 'operation.batch').locator('.use').click();
    await expect.poll(() => answer(page, 'bound')).toContain('Compute-bound');
  });

  test('that is no number is told, and an empty one taken back', async () => {
    const page = await open();
    await setTarget(page, 'cost', 'cheap');
    await expect
      .poll(() => panel(page, 'cost').locator('.message').innerText())
      .toBe('This is not read as a number: cheap.');
    expect(await link(page)).not.toContain('target=');
    await panel(page, 'cost').locator('input').fill('<$1M');
    await panel(page, 'cost').locator('input').press('Enter');
    await expect.poll(() => link(page)).toContain('target=cost:atMost:1000000');
    await panel(page, 'cost').locator('input').fill('');
    await panel(page, 'cost').locator('input').press('Enter');
    await expect.poll(() => link(page)).not.toContain('target=');
  });

  test('goes with its control', async () => {
    const page = await open(days14);
    await way(page, 'run.chips').waitFor();
    await control(page, 'trainingTime').click();
    await expect.poll(() => page.locator('.target').count()).toBe(0);
    expect(await link(page)).not.toContain('target=');
  });
});

describe('a target for a plan', () => {
  const plan = 'view=plan&chip=h100-sxm&model=llama-3.1-8b&chips=64&tokens=1T&batch=1048576';

  test('searches other numbers of chips, and is met on those that it names', async () => {
    const page = await open(`${plan}&target=trainingTime:atMost:864000`);
    await way(page, 'run.chips').waitFor();
    const said = inOneLine(await way(page, 'run.chips').innerText());
    const [, chips = ''] = /^Chips 64 → ([\d,]+) /.exec(said) ?? [];
    expect(Number(chips.replace(/,/g, '')) % 8).toBe(0);
    await way(page, 'run.chips').locator('.use').click();
    await expect.poll(() => field(page, 'run.chips').first().inputValue()).toBe(chips);
    await expect.poll(() => found(page)).toMatch(/^✓ This target is met/);
  });

  test('names tokens and prices, which change no layout, and the MFU that would do', async () => {
    const page = await open(`${plan}&target=cost:atMost:50000`);
    await way(page, 'run.tokens').waitFor();
    await way(page, 'chip.price').waitFor();
    await way(page, 'run.tokens').locator('.use').click();
    await expect.poll(() => found(page)).toMatch(/^✓ This target is met/);
    expect(await allText(page)).not.toMatch(unfinished);
  });
});

test('a target for serving is met by fewer users, or more chips', async () => {
  const serving = 'view=serving&chip=h100-sxm&model=llama-3.1-70b&serve.chips=4&server.weights=fp8';
  const page = await open(serving);
  const value = page.locator('[data-answer="tokenTime"] .large');
  const half = Number(await value.getAttribute('data-value')) / 2;
  await setTarget(page, 'tokenTime', `${(1000 * half).toFixed(3)} ms`);
  await expect.poll(() => page.locator('.target .searching').count()).toBe(0);
  await way(page, 'serving.chips').waitFor();
  await way(page, 'serving.chips').locator('.use').click();
  await expect.poll(() => found(page)).toMatch(/^✓ This target is met/);
  expect(Number(await value.getAttribute('data-value'))).toBeLessThanOrEqual(1.0001 * half);
  expect(await allText(page)).not.toMatch(unfinished);
});

test('a target for serving that is met says how many users keep it', async () => {
  const serving =
    'view=serving&chip=h100-sxm&model=llama-3.1-70b&serve.chips=8&serve.users=64&target=tokenTime:atMost:0.05';
  const page = await open(serving);
  await expect.poll(() => page.locator('.target .searching').count()).toBe(0);
  const users = way(page, 'serving.users');
  const said = inOneLine(await users.innerText());
  expect(said).toMatch(/ 64 → \d+ then 4\d\.\d ms/);
  const value = page.locator('[data-answer="tokenTime"] .large');
  const most = Number(/→ (\d+)/.exec(said)![1]);
  await users.locator('.use').click();
  await expect.poll(() => found(page)).toMatch(/^✓ This target is met/);
  expect(Number(await value.getAttribute('data-value'))).toBeLessThanOrEqual(0.05);
  await field(page, 'serving.users')
    .first()
    .fill(String(most + 1));
  await field(page, 'serving.users').first().press('Enter');
  await expect.poll(() => found(page)).not.toMatch(/^✓/);
});

describe('a budget', () => {
  test('is two actions away from a first visit', async () => {
    const page = await open('');
    await page.locator('.welcome a', { hasText: '$5M' }).click();
    await page.locator('[data-answer="budgetTokens"]').waitFor();
    expect(await summary(page)).toBe('4.92T tokens for Llama 3 70B; at most 131B parameters.');
    expect(await answer(page, 'cost')).toBe('$5.00M');
    expect(await allText(page)).not.toMatch(unfinished);
  });

  test('is money, or chips and days', async () => {
    const page = await open('view=budget');
    await page.locator('.budget-choices button', { hasText: 'chips and days' }).click();
    await expect.poll(() => field(page, 'budget.days').count()).toBeGreaterThan(0);
    await field(page, 'budget.days').first().fill('10');
    await expect.poll(() => answer(page, 'trainingTime')).toBe('10.0 days');
    expect(await link(page)).toContain('budget.kind=time&budget.days=10');
  });

  test('trains a larger model for less time, or a smaller one for longer', async () => {
    const page = await open('view=budget');
    await page.locator('.budget-choices button', { hasText: 'LLaMA 3 70B' }).click();
    await expect.poll(() => answer(page, 'largestParameters')).toBe('11.1B parameters');
    expect(await link(page)).toContain('budget.tokensPerParameter=214');
  });

  test('leads to the training that it buys', async () => {
    const page = await open('view=budget');
    await page.locator('.onwards button').first().click();
    await page.locator('[data-question="training"]').waitFor();
    // Whole tokens: a millionth of a dollar less.
    await expect.poll(() => answer(page, 'cost')).toBe('$1.00M');
  });

  test('without a price asks for one', async () => {
    const page = await open('view=budget&chip.price=none');
    await page.locator('[data-answer="budgetTokens"]').waitFor();
    expect(await summary(page)).toContain('Without a price above 0');
    expect(await allText(page)).not.toMatch(unfinished);
  });

  test('is explained', async () => {
    const page = await open('view=budget');
    await page.locator('[data-answer="largestParameters"] button.why').first().click();
    await expect
      .poll(() => page.locator('#why-largestParameters .ladder').count())
      .toBeGreaterThan(0);
    // Its sources are drawn last.
    await expect
      .poll(() => page.locator('#why-largestParameters').innerText())
      .toContain('Hoffmann');
  });
});

describe.each(['en', 'zh'])('in %s', (language) => {
  test.each([360, 1440])('it holds at %d px, accessible', async (width) => {
    const page = await open(`${days14}&lang=${language}`, { viewport: { width, height: 900 } });
    await way(page, 'run.chips').waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
      width,
    );
    expect(await violations(page)).toEqual([]);
    await page.evaluate((hash) => (location.hash = hash), `view=budget&lang=${language}`);
    await page.locator('[data-answer="budgetTokens"]').waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
      width,
    );
    expect(await violations(page)).toEqual([]);
    expect(await allText(page)).not.toMatch(unfinished);
  });
});
