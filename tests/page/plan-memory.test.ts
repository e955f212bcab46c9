// A plan's memory with how sure it is, what is computed again, and its time and cost with failures.

import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { answer, field, inOneLine, link, says, summary } from './calculator.ts';
import { visits } from './visits.ts';

const open = visits();

async function openPlan(hash: string): Promise<Page> {
  const page = await open(`view=plan&${hash}`);
  await page.locator('[data-progress="done"]').waitFor();
  return page;
}

/** The best layouts of this leave a few megabytes. */
const crowded = 'chip=h100-sxm&model=qwen3-32b&chips=64&tokens=1T&sequence=8192';

describe('memory', () => {
  test('is tight where its likely range passes the limit, and says what room costs', async () => {
    const page = await openPlan(crowded);
    expect(await says(page, 'memoryUsed')).toMatch(
      /Tight: [\d.]+–[\d.]+ GB with the allocator’s cache, of the usable 76\.0 GB\./,
    );
    expect(await summary(page)).toContain('Tight');
    expect(inOneLine(await page.locator('.plans .means').first().innerText())).toMatch(
      /With 10% of memory free, the fastest takes [\d.]+ m?s, [\d.]+ m?s \([\d.]+%\) longer/,
    );
    const roomy = page.locator('[data-plan="roomy"]');
    const said = inOneLine(await roomy.innerText());
    expect(said).toContain('the fastest with 10% of memory free');
    await roomy.locator('button').click();
    await expect.poll(() => link(page)).toContain('assume.memoryReserve=10%25');
    await expect.poll(async () => said.includes(await answer(page, 'memoryUsed'))).toBe(true);
    await expect.poll(async () => said.includes(await answer(page, 'stepExpected'))).toBe(true);
  });

  test('fits where its whole range does, in Chinese too', async () => {
    const roomy = 'chip=b200-sxm&model=llama-3-8b&chips=64&layout.recompute=full&layout.tensor=8';
    const page = await openPlan(`${roomy}&lang=zh`);
    expect(await says(page, 'memoryUsed')).toMatch(/放得下：.*90% 区间/);
  });

  test('names what is computed again, and the settings that do', async () => {
    const page = await openPlan(crowded);
    const said = await says(page, 'memoryUsed');
    expect(said).toMatch(/Recomputation: [a-z]/);
    expect(said).toMatch(/recompute_modules: [a-z_ ]+|remat: [a-z_, ]+/);
    expect(said).not.toContain('auto (cheapest');
    expect(await page.locator('.best tbody').innerText()).not.toContain('auto (cheapest');
  });
});

describe('failures', () => {
  test('are in the time and the cost that stand large, and in the line', async () => {
    const page = await openPlan('chip=h100-sxm&model=llama-3.1-405b&chips=16384');
    const [time, cost] = [await answer(page, 'wallTime'), await answer(page, 'wallCost')];
    expect(time).toMatch(/^[\d.]+ days$/);
    expect(await page.locator('[data-answer="trainingTime"], [data-answer="cost"]').count()).toBe(
      0,
    );
    expect(await says(page, 'wallTime')).toMatch(/steps\. Without failures, [\d.]+ days\. /);
    expect(await says(page, 'wallCost')).toMatch(/Without failures, \$[\d.]+M\./);
    expect(inOneLine(await page.locator('.line').innerText())).toContain(time);
    expect(await summary(page)).toContain(time);
    expect(await summary(page)).toContain(cost);
  });

  test('a target for the time of earlier links is one for the time with failures', async () => {
    const page = await openPlan(
      'chip=h100-sxm&model=llama-3-8b&chips=64&target=trainingTime:atMost:1209600',
    );
    const target = page.locator('[data-target="wallTime"]');
    await expect.poll(() => target.locator('input').inputValue()).toBe('14.0 days');
  });
});

describe('MFU', () => {
  test.each([
    ['sequence=1048576&batch=16777216', 20],
    ['sequence=4096', 40],
    ['sequence=4096&layout.recompute=full', 4],
  ])('counts attention, as HFU does, which is never below it: %s', async (hash, least) => {
    const page = await openPlan(`chip=h100-sxm&model=llama-3.1-8b&chips=64&${hash}`);
    const mfu = parseFloat(await answer(page, 'mfuExact'));
    expect(mfu).toBeGreaterThan(least);
    const said = await says(page, 'mfuExact');
    expect(said).toMatch(
      /^90% interval [\d.]+–[\d.]+%\. Each matmul and attention counts; by 6N, [\d.]+%\. /,
    );
    const hfu = parseFloat(/([\d.]+)% HFU: as MFU, and recomputation/.exec(said)![1]!);
    expect(hfu).toBeGreaterThanOrEqual(mfu);
    expect(await page.locator('[data-answer="mfu"]').count()).toBe(0);
  });
});

test('tokens that a budget buys are short in the sentence and exact in the link', async () => {
  const page = await open('view=plan&chip=h100-sxm&chips=1024&tokens=5765534913516');
  const tokens = field(page, 'run.tokens');
  await expect.poll(() => tokens.inputValue()).toBe('5.77T');
  await tokens.focus();
  await expect.poll(() => tokens.inputValue()).toBe('5,765,534,913,516');
  await tokens.blur();
  await expect.poll(() => tokens.inputValue()).toBe('5.77T');
  expect(await link(page)).toContain('tokens=5765534913516');
});
