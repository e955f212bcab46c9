// Several questions side by side, as a reader has them on the page.

import type { Locator, Page } from 'playwright-core';
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { field, inOneLine } from './calculator.ts';
import { visits } from './visits.ts';

const open = visits();

const plan = 'view=plan&chip=h100-sxm&model=llama-3.1-8b&chips=64&tokens=1T&batch=1048576';
const chips = 'sides=chip:h100-sxm,b200-sxm';

const side = (page: Page, index: number): Locator => page.locator(`[data-side="${index}"]`);
const names = (page: Page): Promise<string[]> =>
  page
    .locator('.side h3 .take')
    .allInnerTexts()
    .then((all) => all.map(inOneLine));
const fact = (page: Page, index: number, key: string): Locator =>
  side(page, index).locator(`[data-fact="${key}"]`);
const said = async (at: Locator): Promise<string> => inOneLine(await at.innerText());
const link = (page: Page): Promise<string> =>
  page.evaluate(() => decodeURIComponent(location.hash));

/** Waits until all that stands side by side is known, with its curves. */
async function found(page: Page): Promise<void> {
  const done = '.sides [role="status"][data-progress="done"]';
  await page.locator(done).waitFor({ state: 'attached' });
  await page.locator('scaling-trade').waitFor();
  await page.locator(done).waitFor({ state: 'attached' });
}

/** The name and the text of a file that a button hands out. */
async function saved(page: Page, kind: string): Promise<[name: string, text: string]> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.locator(`.sides .${kind}`).click(),
  ]);
  return [download.suggestedFilename(), await readFile(await download.path(), 'utf8')];
}

describe('side by side', () => {
  test('405B on H100, B200 or TPU v5p takes one action from the first visit', async () => {
    const page = await open('');
    await page.locator('.welcome a', { hasText: 'TPU v5p' }).click();
    await found(page);
    await expect.poll(() => names(page)).toEqual(['H100 SXM5 80GB', 'B200 SXM', 'TPU v5p']);
    for (const index of [0, 1, 2]) {
      await expect
        .poll(() => said(fact(page, index, 'wallTime')))
        .toMatch(/^Training time with failures \d.* 90% interval \d.*–/);
      await expect
        .poll(() => said(fact(page, index, 'wallCost')))
        .toMatch(/^Cost with failures \$\d/);
      await expect
        .poll(() => said(side(page, index).locator('.price')))
        .toMatch(/^\$\d.* per chip-hour, \w.* · \w+ 20\d\d$/);
    }
    // The reason names the largest part of the second side's difference from the first.
    await expect
      .poll(() => said(fact(page, 1, 'wallTime').locator('.why-other')))
      .toMatch(/^−\d.* days: computing \(−\d.* days\)$/);
    await expect.poll(() => said(side(page, 2).locator('.chips'))).toBe('1,024 chips');
    // No likely time reaches into that of the second; those of their costs overlap.
    await expect.poll(() => page.locator('.side .best').allInnerTexts()).toEqual(['fastest']);
    expect(await said(page.locator('.sides [role="status"]'))).toMatch(
      /^Fastest: B200 SXM, .* Which is cheapest can’t be told: the 90% interval of B200 SXM overlaps with H100 .*\.$/,
    );
    expect(await page.locator('body').innerText()).not.toContain('Cheapest:');
  });

  test('a button leads there, a click to lengths of context, and another back', async () => {
    const page = await open('chip=h100-sxm&model=llama-3.1-8b&chips=64&tokens=1T&batch=1048576');
    await page.locator('.side-by-side').click();
    await found(page);
    await expect.poll(() => names(page)).toHaveLength(4);
    await page.locator('[data-sides="run.sequenceLength"]').click();
    await expect.poll(() => link(page)).toContain('sides=sequence:4096,8192,32768,131072');
    await found(page);
    expect(await names(page)).toEqual([
      '4,096 tokens',
      '8,192 tokens',
      '32,768 tokens',
      '131,072 tokens',
    ]);
    await page.locator('.sides .back').click();
    await expect.poll(() => page.locator('.sides').count()).toBe(0);
    expect(await link(page)).not.toContain('sides');
  });

  test('begins with the reader’s own chip', async () => {
    const page = await open('view=plan&chip=h200-sxm&model=llama-3.1-8b&chips=64&tokens=1T');
    await page.locator('.side-by-side').click();
    await expect.poll(() => link(page)).toContain('sides=chip:h200-sxm,h100-sxm,b200-sxm');
    await expect.poll(async () => (await names(page))[0]).toBe('H200 SXM 141GB');
  });

  test('chips are added by typing and taken away; one is asked alone', async () => {
    const page = await open(`${plan}&${chips}`);
    await found(page);
    await field(page, 'add-chip').click();
    await field(page, 'add-chip').fill('v6e');
    await field(page, 'add-chip').press('Enter');
    await expect
      .poll(() => names(page))
      .toEqual(['H100 SXM5 80GB', 'B200 SXM', 'TPU v6e (Trillium)']);
    expect(await link(page)).toContain('sides=chip:h100-sxm,b200-sxm,tpu-v6e');
    await found(page);
    const alone = await fact(page, 2, 'wallTime').locator('.value').innerText();
    await side(page, 0).locator('.remove').click();
    await expect.poll(() => names(page)).toEqual(['B200 SXM', 'TPU v6e (Trillium)']);
    await found(page);
    await side(page, 1).locator('.take').click();
    await page.locator('[data-answer="wallTime"]').waitFor();
    expect(await said(page.locator('[data-answer="wallTime"] .large'))).toBe(inOneLine(alone));
  });

  test('numbers are added by typing; what makes no sense is told', async () => {
    const page = await open(`${plan}&sides=chips:64,128`);
    await found(page);
    const add = page.locator('.sides [data-add]');
    await add.fill('0');
    await add.press('Enter');
    await expect.poll(() => page.locator('.sides .message').count()).toBe(1);
    expect(await page.locator('.sides .message').innerText()).toContain('Chips');
    await add.fill('256');
    await add.press('Enter');
    await expect.poll(() => names(page)).toEqual(['64 chips', '128 chips', '256 chips']);
    await expect.poll(() => page.locator('.sides .message').count()).toBe(0);
  });

  test('has a deadline and a budget, and tells what is best within them', async () => {
    const page = await open(`${plan}&${chips}`);
    await found(page);
    const deadline = page.locator('[data-limit="deadline"]');
    await deadline.fill('soon');
    await deadline.press('Enter');
    await expect.poll(() => page.locator('.sides .message').count()).toBe(1);
    expect(await page.locator('.sides .message').innerText()).toContain('Max. time (days)');
    const onChips = page.locator('.sides .on-chips');
    expect(await onChips.count()).toBe(0);
    await deadline.fill('14');
    await deadline.press('Enter');
    await expect.poll(() => said(onChips)).toMatch(/^Each stands on the fewest chips/);
    await page.locator('[data-limit="budget"]').fill('$1M');
    await page.locator('[data-limit="budget"]').press('Enter');
    await expect.poll(() => page.locator('.within li').count()).toBe(2);
    expect(await page.locator('.within li').first().innerText()).toMatch(
      /^Cheapest within 14\.0\sdays: .* × \d+, \d.*\sdays for \$\d.*, or .* × \d+; their 90% intervals overlap/,
    );
    expect(await link(page)).toMatch(/deadline=14&budget=1M/);
  });

  test('prices are on one basis, which the link names', async () => {
    const page = await open(`${plan}&${chips}`);
    await found(page);
    expect(await said(side(page, 0).locator('.price'))).toContain('$3.99');
    // The sentence named the price that the chip had before the sides: two bases on one page.
    const sentence = page.locator('.ending [data-prices]');
    const chosen = page.locator('.sides [data-basis]');
    expect(await sentence.inputValue()).toBe(await chosen.inputValue());
    await page.locator('.sides [data-basis]').selectOption({ label: 'list prices of Hyperstack' });
    await expect.poll(() => said(side(page, 0).locator('.price'))).toContain('$3.20');
    expect(await link(page)).toContain('prices=hyperstack');
    expect(await sentence.inputValue()).toBe('hyperstack');
    await sentence.selectOption('lambda');
    await expect.poll(() => chosen.inputValue()).toBe('lambda');
  });

  test('goes out as CSV and Markdown, each with the question', async () => {
    const page = await open(`${plan}&${chips}`);
    await found(page);
    const [name, csv] = await saved(page, 'csv');
    expect(name).toBe('plan-sides.csv');
    const lines = csv.replace('\ufeff', '').trim().split('\r\n');
    expect(lines).toHaveLength(3);
    expect(lines[1]).toMatch(/^H100 SXM5 80GB,"Train\s.*http[^,]*#view=plan&chip=h100-sxm/);
    expect(lines[2]).toContain('Lambda,2026-09');
    const [file, markdown] = await saved(page, 'markdown');
    expect(file).toBe('plan-sides.md');
    expect(markdown).toMatch(/^\[Train\s.*\]\(http/);
    expect(markdown).toContain('| B200 SXM |');
  });

  test('whole questions are kept beside each other', async () => {
    const page = await open(`${plan}&${chips}`);
    await found(page);
    await page.locator('[data-sides="kept"]').click();
    await expect
      .poll(() => names(page))
      .toEqual(['Llama 3.1 8B · 64 × H100 SXM5 80GB', 'Llama 3.1 8B · 64 × B200 SXM']);
    await found(page);
    await field(page, 'run.chips').fill('128');
    await page.locator('.sides .add').click();
    await expect.poll(() => names(page)).toContain('Llama 3.1 8B · 128 × H100 SXM5 80GB');
    const address = page.url();
    const other = await open(address.split('#')[1]!);
    await found(other);
    expect(await names(other)).toHaveLength(3);
  });

  test('servers have their latency and their price beside each other', async () => {
    const page = await open(
      'view=serving&model=llama-3.1-8b&chip=h100-sxm&sides=chip:h100-sxm,b200-sxm,tpu-v5e',
    );
    await found(page);
    for (const index of [0, 1, 2]) {
      expect(await said(fact(page, index, 'tokenTime'))).toMatch(/ms/);
      expect(await said(fact(page, index, 'costAll'))).toMatch(/\$\d/);
    }
  });

  test('a server is told that the prompts of others make the most of a difference', async () => {
    // It was "the rest": besides its steps, a token waits only for prompts.
    const page = await open(
      'view=serving&model=llama-3.1-70b&chip=h100-sxm&chips=8&sides=chip:h100-sxm,b200-sxm',
    );
    await found(page);
    await expect
      .poll(() => said(fact(page, 1, 'tokenTime').locator('.why-other')))
      .toMatch(/: mixed steps \(−\d.* ms\)$/);
  });

  test('in Chinese, and where there is no price', async () => {
    const page = await open(`lang=zh&${plan}&sides=chip:h100-sxm,mi355x`);
    await found(page);
    expect(await said(side(page, 1).locator('.price'))).toBe('没有标价');
    await expect.poll(() => page.locator('.sides > .note').last().innerText()).toContain('MI355X');
    expect(await page.locator('.sides').innerText()).not.toMatch(/NaN|Infinity|undefined|\{\w+\}/);
  });
});
