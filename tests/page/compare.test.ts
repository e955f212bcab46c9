// Comparing: with a state that was kept, and over all chips or models.

import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { contentOf, newVisit, openBrowser, serve } from '../site.ts';
import { field, inOneLine, link, openPanel, type } from './calculator.ts';
import { violations } from './axe.ts';
import { keepTwoOfEach } from './charts/looks.ts';
import { visits } from './visits.ts';

const open = visits();

const read = async (at: Locator): Promise<string> => inOneLine(await at.innerText());

const keep = (page: Page): Locator => page.locator('.keep');
const compared = (page: Page): Locator => page.locator('.compared');
const changed = (page: Page, key: string): Locator => page.locator(`[data-changed="${key}"]`);
const inputs = async (page: Page): Promise<string[]> =>
  (await page.locator('.compared > .inputs li').allInnerTexts()).map(inOneLine);

/** The reason for an answer's change, once that is known. */
async function reason(page: Page, key: string): Promise<string> {
  const at = changed(page, key).locator('.reason');
  await expect.poll(() => read(at)).not.toMatch(/^(…|……)?$/);
  return read(at.locator('> p'));
}

/** An answer, kept and now, and how it changed. */
const change = (page: Page, key: string): Promise<string> =>
  read(changed(page, key).locator('tr').first());

describe('a state that is kept', () => {
  test('stands beside what it becomes: answers, differences, and what moved them', async () => {
    const page = await open();
    await keep(page).click();
    await expect.poll(() => read(compared(page))).toMatch(/^No difference yet/);
    expect(await page.locator('[data-changed]').count()).toBe(0);
    await type(page, 'run.chips', '4480');
    await expect.poll(() => inputs(page)).toEqual(['Chips 8,960 → 4,480']);
    expect(await change(page, 'trainingTime')).toBe(
      'Training time 44.3 days 88.6 days 2.00× slower +44.3 days',
    );
    expect(await reason(page, 'trainingTime')).toBe('Because of Chips 8,960 → 4,480.');

    await type(page, 'run.mfu', '50');
    await expect.poll(() => change(page, 'cost')).toBe('Cost $40.0M $32.0M −20.0% −$8.01M');
    await expect
      .poll(() => reason(page, 'trainingTime'))
      .toMatch(
        /^Because of Chips 8,960 → 4,480 \(\+\d\d\.\d days\); MFU 40% → 50% \(−\d\d\.\d days\)\.$/,
      );
    // The bill goes by chip-hours: twice as long on half as many.
    expect(await reason(page, 'cost')).toBe('Because of MFU 40% → 50%.');
    const terms = page.locator('[data-part="terms cost"]');
    await terms.locator('summary').click();
    await expect.poll(() => read(terms.locator('li'))).toMatch(/^Chip-hours .* → .* −\$8\.01M$/i);
  });

  test('answers in their order, the others below, what is the same folded away', async () => {
    const page = await open('chips=4480&pin=');
    await changed(page, 'trainingTime').waitFor();
    const keys = () =>
      page
        .locator('[data-changed]')
        .evaluateAll((rows) => rows.map((row) => row.getAttribute('data-changed')));
    expect(await keys()).toEqual(['trainingTime', 'memoryPerChip', 'tokensPerChip']);
    // Reasons arrive later, and move what is below them.
    await reason(page, 'memoryPerChip');
    await page.locator('[data-part="compared more"] > summary').click();
    await expect.poll(keys).toContain('stepTime');
    expect(await reason(page, 'tokensPerSecond')).toBe('Because of Chips 8,960 → 4,480.');
    await page.locator('[data-part="compared same"] > summary').click();
    await expect.poll(() => read(page.locator('[data-same="cost"]'))).toBe('Cost: $40.0M');
    // Each answer once.
    const same = await page.locator('[data-same]').count();
    const all = new Set(await keys()).size + same;
    await expect
      .poll(() => read(page.locator('[data-part="compared same"] > summary')))
      .toContain(`${same} `);
    expect(all).toBe((await keys()).length + same);
    expect(all).toBeGreaterThan(60);
  });

  test('a chip’s figures are its own; the bound fell below a threshold', async () => {
    const page = await open('chip=h100-sxm&chips=4096&pin=');
    await changed(page, 'bound').waitFor();
    expect(await inputs(page)).toEqual(['Chip TPU v5p → H100 SXM5 80GB', 'Chips 8,960 → 4,096']);
    const figures = page.locator('[data-part="compared chip"]');
    expect(await read(figures)).toMatch(/^\d+ figures of the chip$/);
    await figures.locator('summary').click();
    await figures.locator('[data-input="chip.memory"]').waitFor();
    expect(await reason(page, 'trainingTime')).toMatch(
      /^Because of Chips 8,960 → 4,096 \(\+[\d.]+ days\); Peak, bf16 459 TFLOPs\/s → 98\d TFLOPs\/s \(−[\d.]+ days\)\.$/,
    );
    expect(await change(page, 'bound')).toBe('Bottleneck Compute-bound Network-bound');
    expect(await reason(page, 'bound')).toMatch(
      /^Batch tokens per chip \(446 .* → 977 .*\) is now below Min. tokens per chip/,
    );
  });

  test('what took over is told', async () => {
    const page = await open('view=operation&op.batch=4096&pin=view%3Doperation');
    await changed(page, 'lowerBound').waitFor();
    expect(await reason(page, 'lowerBound')).toMatch(
      /The bottleneck is now Time to compute, no longer Time to move data\.$/,
    );
  });

  test('plans: what is new, and what of its time is worth telling', async () => {
    const pin = encodeURIComponent('view=plan&layout.tensor=8');
    const page = await open(`view=plan&layout.tensor=4&layout.pipeline=2&pin=${pin}`);
    await changed(page, 'stepExpected').waitFor();
    expect(await inputs(page)).toEqual([
      'Tensor parallelism (TP) 8 → 4',
      'Pipeline parallelism (PP) 1 → 2',
    ]);
    expect(await reason(page, 'stepExpected')).toMatch(
      /^Because of pipeline bubble \d+ ms, which is new \(\+\d/,
    );
  });

  test('what a step no longer waits for is told first, in seconds, and once', async () => {
    const cluster = 'view=plan&chip=h100-sxm&model=llama-3.1-8b&chips=64';
    const one = 'layout.tensor=1&layout.context=1&layout.microBatch=2';
    const kept = encodeURIComponent(`${cluster}&layout.tensor=8`);
    const page = await open(`${cluster}&${one}&pin=${kept}`);
    await changed(page, 'stepExpected').waitFor();
    expect(await change(page, 'stepExpected')).toMatch(
      /^Step time [\d.]+ s [\d.]+ s [\d.]+× faster −[\d.]+ s$/,
    );
    expect(await reason(page, 'stepExpected')).toMatch(
      /^Because of exposed DP communication [\d.]+ s.* \(−[\d.]+ s\);.* Behind that: Tensor parallelism \(TP\) 8 → 1 /,
    );
    for (const key of ['mfuExact', 'wallTime', 'wallCost']) {
      expect(await reason(page, key)).toBe('For the same reasons as “Step time”.');
    }
    expect(await change(page, 'mfuExact')).toMatch(/× more \+[\d.]+ points$/);
    expect(await change(page, 'wallCost')).toMatch(/× cheaper −\$/);
  });

  test('is in the link, with names and edits, and survives a reload', async () => {
    const page = await open('chip.memory=80G');
    await keep(page).click();
    await type(page, 'run.tokens', '30T');
    await field(page, 'run.tokens').press('Enter');
    await expect
      .poll(() => link(page))
      .toMatch(/#tokens=30T&chip\.memory=80G&pin=chip\.memory=80G$/);
    await changed(page, 'trainingTime').waitFor();
    await page.reload();
    await changed(page, 'trainingTime').waitFor();
    expect(await inputs(page)).toEqual(['Training tokens 15T → 30T']);
    expect(await change(page, 'cost')).toBe('Cost $40.0M $80.1M 2.00× more expensive +$40.0M');
    await page.goBack();
    await expect.poll(() => read(compared(page))).toMatch(/^No difference yet/);
  });

  test('can be swapped, kept anew and let go; all by keyboard, each told once', async () => {
    const page = await open();
    const live = page.locator('[aria-live="polite"]').last();
    await keep(page).focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => live.textContent()).toBe('Pinned as baseline.');
    expect(await keep(page).evaluate((button) => button.matches(':focus'))).toBe(true);
    await type(page, 'run.chips', '4480');
    await changed(page, 'trainingTime').waitFor();

    await keep(page).focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect.poll(() => field(page, 'run.chips').inputValue()).toBe('8,960');
    expect(await inputs(page)).toEqual(['Chips 4,480 → 8,960']);
    expect(await change(page, 'trainingTime')).toMatch(/88\.6 days 44\.3 days 2\.00× faster/);

    await keep(page).press('Enter');
    await expect.poll(() => read(compared(page))).toMatch(/^No difference yet/);
    await page.locator('.release').focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => compared(page).count()).toBe(0);
    await expect.poll(() => live.textContent()).toBe('Comparison ended.');
    expect(await keep(page).evaluate((button) => button.matches(':focus'))).toBe(true);
    expect(await link(page)).not.toContain('pin');
  });

  test('of another question has no answers in common, and says so', async () => {
    const page = await open('view=operation&pin=tokens%3D1T');
    await expect
      .poll(() => read(compared(page)))
      .toBe(
        'The baseline answers another question (Training, as the book counts): the two have no answers in common. “Swap” goes there.',
      );
    await page.locator('.exchange').click();
    await expect.poll(() => field(page, 'run.tokens').inputValue()).toBe('1T');
    expect(await read(compared(page))).toContain('(Operation)');
  });

  test('of the same question in the other way of counting is counted alike', async () => {
    const page = await open('view=plan&chip=h100-sxm&chips=64&pin=chips%3D32');
    await expect
      .poll(() => read(compared(page)))
      .toContain('Both are counted the same way: predicted.');
    await expect.poll(() => read(compared(page))).toMatch(/Chips 32 → 64/);
    expect(await read(compared(page))).toMatch(/Training time with failures/);
    await page.locator('[data-counting="book"]').click();
    await expect.poll(() => read(compared(page))).toMatch(/Training time/);
    expect(await read(compared(page))).not.toContain('Both are counted');
  });

  test('or an input without answers: which, and why', async () => {
    const page = await open('chips=2e9&pin=');
    await expect
      .poll(() => read(compared(page)))
      .toContain('The present input has no answers: Chips must be from 1 to 1B.');
    expect(await keep(page).count()).toBe(0);
    await page.locator('.exchange').click();
    await expect
      .poll(() => read(compared(page)))
      .toContain('The baseline has no answers: Chips must be from 1 to 1B.');
    expect(await keep(page).count()).toBe(1);
  });

  test('an answer that waits to be guessed is not given away', async () => {
    const page = await open('pin=chips%3D4480');
    // Reasons move what stands below them when they come.
    await changed(page, 'trainingTime').locator('.reason').waitFor();
    await openPanel(page, 'examples');
    await page.locator('[data-part="examples applied-training"] > summary').click();
    await page.locator('[data-example="llama-3-70b-pod"] .ask').click();
    await page.locator('[data-example="llama-3-70b-pod"] .guess').waitFor();
    expect(await page.locator('.comparison').count()).toBe(0);
    await openTable(page, 'chip');
    await expect.poll(() => heads(page)).not.toContain('Training time');
    // The kept state stays nevertheless.
    await page.locator('[data-example="llama-3-70b-pod"] input').fill('40 days');
    await page.keyboard.press('Enter');
    await expect
      .poll(() => change(page, 'trainingTime'))
      .toBe('Training time 88.6 days 44.3 days 2.00× faster −44.3 days');
  });

  test('in Chinese', async () => {
    const page = await open('lang=zh&chips=4480&mfu=50&pin=');
    await changed(page, 'trainingTime').waitFor();
    expect(await inputs(page)).toEqual(['芯片数 8,960 → 4,480', 'MFU 40% → 50%']);
    expect(await reason(page, 'trainingTime')).toMatch(
      /^原因：芯片数 8,960 → 4,480（\+\d\d\.\d 天）；MFU 40% → 50%（−\d\d\.\d 天）。$/,
    );
    await page.locator('.release').click();
    await expect.poll(() => read(keep(page))).toBe('设为对比基准');
  });
});

// --- tables ---

/** The reason for which some have no answer, with their names. */
const without = (page: Page, id: string): Locator =>
  page.locator('.without li', { has: page.locator(`[data-row="${id}"]`) });
const table = (page: Page): Locator => page.locator('.overview');
const heads = async (page: Page): Promise<string[]> =>
  (await table(page).locator('thead button').allInnerTexts()).map((text) =>
    text.replace(/[↑↓]/g, ''),
  );
/** Waits until the table has these columns, in their order. */
const hasColumns = (page: Page, ...names: string[]): Promise<void> =>
  expect.poll(() => heads(page)).toEqual(names);
const rows = (page: Page): Promise<string[]> =>
  table(page)
    .locator('tbody tr')
    .evaluateAll((all) => all.map((row) => row.getAttribute('data-row') ?? ''));
const row = (page: Page, id: string): Locator => table(page).locator(`[data-row="${id}"]`);
const cell = (page: Page, id: string, key: string): Promise<string> =>
  read(row(page, id).locator(`[data-column="${key}"]`));

async function openTable(page: Page, which: 'chip' | 'model'): Promise<void> {
  await openPanel(page, `all-${which}`);
  await page.locator('[data-progress="done"]').last().waitFor();
}

const sortBy = (page: Page, key: string): Promise<void> =>
  table(page).locator(`[data-sort="${key}"]`).click();

async function saved(page: Page, button: string): Promise<[name: string, text: string]> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.locator(`scaling-overview .${button}`).click(),
  ]);
  return [download.suggestedFilename(), String(await contentOf(download))];
}

describe('all chips', () => {
  test('serve on the fewest of each that hold the load, divided their own way', async () => {
    const page = await open(
      'view=serving&chip=h100-sxm&model=llama-3.1-70b&serve.chips=4&serve.tensor=4&server.weights=fp8',
    );
    await openTable(page, 'chip');
    await expect
      .poll(() => page.locator('scaling-overview [data-progress]').getAttribute('data-progress'), {
        timeout: 60_000,
      })
      .toBe('done');
    const name = async (id: string): Promise<string> => read(row(page, id).locator('th'));
    // The reader's own row is as they have it.
    expect(await name('h100-sxm')).toMatch(/yours; on 4 chips; TP 4$/);
    // Nodes of 8, and a rack, are bought whole.
    expect(await name('b200-sxm')).toMatch(/on 8 chips/);
    expect(await name('gb200-nvl72')).toMatch(/on 72 chips/);
    const chipsOf = async (id: string): Promise<number> =>
      Number(/on (\d+) chips?/.exec(await name(id))?.[1]);
    expect(await chipsOf('tpu-v5e')).toBeGreaterThan(await chipsOf('tpu-v5p'));
    expect(await cell(page, 'tpu-v5e', 'servingFits')).not.toBe('no');
    // A torus is let in slices of powers of two.
    for (const id of ['tpu-v4', 'tpu-v5e', 'tpu-v5p', 'tpu-v6e', 'trainium-2'])
      expect(Math.log2(await chipsOf(id)) % 1, id).toBe(0);
  });

  test('each with its answers, or why it has none', async () => {
    const page = await open();
    await openTable(page, 'chip');
    await hasColumns(
      page,
      'Chip',
      'Vendor',
      'Training time',
      'Bottleneck',
      'Memory per chip',
      'Cost',
      'Fewest chips that hold it',
      'Price per chip-hour',
      'Source of the price',
      'Date of the price',
    );
    // Answers that no chip changes are said once.
    await expect
      .poll(() => read(page.locator('scaling-overview .common')))
      .toContain('Batch tokens per chip: 468 tokens per chip');
    expect((await rows(page)).length).toBeGreaterThan(30);
    await expect.poll(() => cell(page, 'h100-sxm', 'trainingTime')).toBe('20.6 days');
    await expect.poll(() => read(row(page, 'tpu-v5e').locator('th'))).toContain('in 35 slices');
    await expect.poll(() => row(page, 'tpu-v5p').getAttribute('aria-current')).toBe('true');
    await expect.poll(() => table(page).locator('[aria-current]').count()).toBe(1);
    // Each in the fewest slices that hold so many. It was told that more than 256 need 2 slices.
    await expect.poll(() => cell(page, 'tpu-v5e', 'trainingTime')).toMatch(/days|years/);
    await expect.poll(() => read(row(page, 'h100-sxm'))).not.toContain('slices');
    // Rows without an answer are folded, with the reason.
    await page.locator('scaling-overview [data-progress="done"]').waitFor({ state: 'attached' });
    expect(await row(page, 'tpu-v4i').count()).toBe(0);
    await page.locator('[data-part="without chip"] > summary').click();
    await expect
      .poll(() => read(without(page, 'tpu-v4i')))
      .toMatch(/^No network joins several of these\. .*TPU v4i/);
    await row(page, 'tpu-v5e').locator('th button').click();
    await expect.poll(() => field(page, 'chip').inputValue()).toBe('TPU v5e');
    // The slices stay the core's to choose, as for the reader's own chip.
    expect(await link(page)).not.toContain('slices=');
    await expect.poll(() => read(page.locator('.asks'))).toContain('35 slices of 256');
    await type(page, 'run.chips', '1');
    await expect.poll(() => read(without(page, 'tpu-v4i'))).toContain('Doesn’t fit in memory.');
  });

  test('sorted by any column, what has no value last; filtered, with columns of one’s own', async () => {
    const page = await open();
    await openTable(page, 'chip');
    await sortBy(page, 'cost');
    const head = table(page).locator('th', { has: page.locator('[data-sort="cost"]') });
    await expect.poll(() => head.getAttribute('aria-sort')).toBe('ascending');
    const costs = async () => {
      const texts = await table(page).locator('[data-column="cost"]').allInnerTexts();
      const numbers = texts.map((text) => Number.parseFloat(text.replace(/[$,]/g, '')));
      return numbers.slice(0, numbers.findIndex(Number.isNaN));
    };
    const up = await costs();
    expect(up.length).toBeGreaterThan(5);
    expect(up).toEqual([...up].sort((a, b) => a - b));
    await sortBy(page, 'cost');
    await expect.poll(() => head.getAttribute('aria-sort')).toBe('descending');
    await expect.poll(() => costs()).toEqual(up.toReversed());
    const invalid = await rows(page);
    expect(invalid.indexOf('l4')).toBeGreaterThan(invalid.indexOf('h100-sxm'));
    await sortBy(page, 'name');
    await expect.poll(() => head.getAttribute('aria-sort')).toBeNull();
    expect((await rows(page))[0]).toBe('a10g');
    await sortBy(page, 'bound');
    const bounds = await table(page).locator('[data-column="bound"]').allInnerTexts();
    expect(bounds[0]).toBe('Compute-bound');
    // Sides that no network joins have no bound.
    expect([...new Set(bounds)]).toEqual(['Compute-bound', 'Network-bound']);

    // Filtered by vendor and name.
    const search = page.locator('scaling-overview [type="search"]');
    await search.fill('nvidia h1');
    expect((await rows(page)).sort()).toEqual(['h100-nvl', 'h100-pcie', 'h100-sxm']);
    await expect
      .poll(() => read(page.locator('scaling-overview [role="status"]')))
      .toMatch(/^3 of \d+ shown/);
    await search.fill('nobody');
    await expect
      .poll(() => read(page.locator('scaling-overview [role="status"]')))
      .toBe('Nothing by that name.');
    await search.fill('amd');
    await page.locator('[data-part="columns chip"] > summary').click();
    await page.locator('scaling-overview [value="stepTime"]').check();
    await page.locator('scaling-overview [value="cost"]').uncheck();
    await hasColumns(
      page,
      'Chip',
      'Vendor',
      'Training time',
      'Bottleneck',
      'Memory per chip',
      'Fewest chips that hold it',
      'Step time',
    );
    await page.locator('scaling-overview .usual').click();
    await expect.poll(() => heads(page)).toContain('Cost');
  });

  // The book's $10.80 for an H100 stood beside list prices of today, and was dated like them.
  test('prices are on one basis, each with its source and date', async () => {
    const page = await open();
    await openTable(page, 'chip');
    const price = async (chip: string): Promise<string[]> => [
      await cell(page, chip, 'chip price'),
      await cell(page, chip, 'chip price provider'),
      await cell(page, chip, 'chip price date'),
    ];
    await expect.poll(() => price('h100-sxm')).toEqual(['$3.99', 'Lambda', 'September 2026']);
    await expect.poll(() => price('tpu-v5p')).toEqual(['$4.20', 'Google Cloud', 'February 2025']);
    await expect.poll(() => price('tpu-v7')).toEqual(['not listed', '', '']);
    const cost = await cell(page, 'h100-sxm', 'cost');
    const source = row(page, 'h100-sxm').locator('[data-column="chip price provider"] a');
    await expect.poll(() => source.getAttribute('href')).toBe('https://lambda.ai/instances');
    await page.locator('[data-basis]').selectOption({ label: 'list prices of Google Cloud' });
    await expect.poll(() => price('h100-sxm')).toEqual(['$10.80', 'Google Cloud', 'February 2025']);
    await expect.poll(() => cell(page, 'h100-sxm', 'cost')).not.toBe(cost);
    await expect.poll(() => cell(page, 'b200-sxm', 'cost')).toBe('unknown');
    expect(await price('b200-sxm')).toEqual(['not listed', '', '']);
    await sortBy(page, 'chip price');
    expect((await rows(page)).slice(0, 2)).toEqual(['tpu-v5e', 'tpu-v6e']);
  });

  test('one can be taken over by keyboard, and keeps the focus', async () => {
    const page = await open('chip.price=3&tokens=2T');
    await openTable(page, 'chip');
    await expect
      .poll(() => read(page.locator('scaling-overview > .means')))
      .toBe(
        'Counted as the book does: 40% MFU on each, without failures. What you changed on TPU v5p (1) stands in its own row only; the others have their own figures. All else is as you set it.',
      );
    const time = await cell(page, 'h200-sxm', 'trainingTime');
    const name = row(page, 'h200-sxm').locator('th button');
    await name.focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => field(page, 'chip').inputValue()).toBe('H200 SXM 141GB');
    expect(await field(page, 'run.tokens').inputValue()).toBe('2T');
    expect(await read(page.locator('[data-answer="trainingTime"] .large'))).toBe(time);
    expect(await row(page, 'h200-sxm').getAttribute('aria-current')).toBe('true');
    expect(await name.evaluate((button) => button.matches(':focus'))).toBe(true);
    expect(await read(page.locator('scaling-overview > .means'))).toBe(
      'Counted as the book does: 40% MFU on each, without failures. All else is as you set it.',
    );
    // Its own row does nothing: the reader's changes stay.
    await openPanel(page, 'chip');
    await type(page, 'chip.price', '9');
    await name.press('Enter');
    await expect.poll(() => field(page, 'chip.price').inputValue()).toMatch(/^9/);
  });

  test('plans: each divided the best way there; collectives have columns of their own', async () => {
    const page = await open('view=plan&chip=h100-sxm&model=llama-3-8b&chips=64');
    await openTable(page, 'chip');
    await expect.poll(() => heads(page)).toContain('MFU with attention counted');
    await page.locator('[data-progress="done"].note').waitFor();
    const step = (id: string) => cell(page, id, 'stepExpected');
    expect(await step('h100-sxm')).toMatch(/^\d.* s$/);
    expect(await step('h100-sxm')).toBe(
      await read(page.locator('[data-answer="stepExpected"] .large')),
    );
    // The best comes first; chips that nothing joins are folded.
    expect(await read(page.locator('[data-part="without chip"] > summary'))).toMatch(/^\d+ have/);
    expect(await row(page, 'apple-m4-max').count()).toBe(0);
    const steps = await table(page).locator('[data-column="wallTime"]').allInnerTexts();
    expect(steps.length).toBeGreaterThan(30);
    expect((await rows(page)).indexOf('b200-sxm')).toBeLessThan(
      (await rows(page)).indexOf('h100-sxm'),
    );
    const there = await step('b200-sxm');
    await row(page, 'b200-sxm').locator('th button').click();
    await expect.poll(() => read(page.locator('[data-answer="stepExpected"] .large'))).toBe(there);
    expect(await link(page)).not.toContain('layout.');
    await page.evaluate(() => (location.hash = 'view=collective'));
    // Its view loads first.
    await expect
      .poll(async () => (await heads(page)).slice(0, 3))
      .toEqual(['Chip', 'Vendor', 'Time, lower bound']);
    expect(await heads(page)).not.toContain('MFU');
    expect(await page.locator('[data-part="panel all-model"]').count()).toBe(0);
  });

  test('one of the reader’s own is in its place; its name stays a name', async () => {
    const own = 'chip.memory=80G&chip.memoryBandwidth=3T&chip.peakBf16=1P';
    // A spreadsheet would run it, and Markdown would read it.
    const page = await open(`chip=own&chip.name=${encodeURIComponent('=1+1|<b>')}&${own}`);
    await openTable(page, 'chip');
    const order = await rows(page);
    expect(order.indexOf('own')).toBeLessThan(order.indexOf('h100-sxm'));
    expect(order.indexOf('own')).toBeGreaterThan(order.indexOf('b200-sxm'));
    await expect.poll(() => read(row(page, 'own').locator('th'))).toBe('=1+1|<b> yours');
    await expect
      .poll(() => read(page.locator('scaling-overview > .means')))
      .toBe(
        'Counted as the book does: 40% MFU on each, without failures. All else is as you set it.',
      );
    await expect
      .poll(() => cell(page, 'own', 'trainingTime'))
      .toBe(await read(page.locator('[data-answer="trainingTime"] .large')));
    const [, csv] = await saved(page, 'csv');
    expect(csv).toMatch(/^'=1\+1\|<b>,/m);
    const [, markdown] = await saved(page, 'markdown');
    expect(markdown).toMatch(/^\| =1\+1\\\|&#60;b&#62; \|/m);
  });

  test('as CSV and as Markdown: what is shown, in its order', async () => {
    const page = await open('chip.price=0.1');
    await openTable(page, 'chip');
    await page.locator('scaling-overview [type="search"]').fill('google');
    await sortBy(page, 'name');
    await sortBy(page, 'trainingTime');
    const [name, csv] = await saved(page, 'csv');
    expect(name).toBe('training-chips.csv');
    const lines = csv.replace('\ufeff', '').split('\r\n');
    expect(lines[0]).toBe(
      [
        'Chip: Name,Chip: Vendor,Question: In words,Question: Link',
        'Question: Price per chip-hour (USD/chip/h),Question: Source of the price,Question: Date of the price',
        'Answer: Training time (s),Answer: Bottleneck,Answer: Memory per chip (B/chip)',
        'Answer: Cost (USD),Answer: Fewest chips that hold it (chips),Answer: Note',
      ].join(),
    );
    const fastest = await rows(page);
    // One has no answer: it comes last, with the reason.
    expect(lines).toHaveLength(fastest.length + 1 + 2);
    // Each row names its own question, in words and as a link that opens it.
    expect(lines.find((line) => line.startsWith('TPU7x'))).toMatch(
      /^TPU7x \(Ironwood\),Google,"Train\s.*\s8,960\s×\sTPU7x\s\(Ironwood\)\s.*",http[^,]*#chip=tpu-v7,,,,\d{6}\.\d+,Network-bound,\d+\.?\d*,unknown,113,$/,
    );
    expect(lines.find((line) => line.startsWith('TPU v5p,'))).toMatch(
      /^TPU v5p,Google,"Train\s.*\sTPU\sv5p\s\(edited\)\s.*",http[^,]*#chip\.price=0\.1,0\.1,yours,,38\d{5}\.\d+,Compute-bound,\d+\.?\d*,95\d{4}\.\d+,226,$/,
    );
    // A pod of v3 has 1,024 chips, and states are copied in each.
    expect(csv).toMatch(/^TPU v3,Google,.*,in \d+ slices$/m);
    expect(csv).toContain('No network joins several of these.');

    const [file, markdown] = await saved(page, 'markdown');
    expect(file).toBe('training-chips.md');
    const [asked, , head, rule, ...others] = markdown.split('\n');
    const first = others.find((line) => line.startsWith('| TPU7x'));
    // The question stands above, and leads to the table.
    expect(asked).toMatch(/^\[Train\s.*\]\(http[^,]*#chip\.price=0\.1&sort=trainingTime\)$/);
    expect(head).toBe(
      '| Chip | Vendor | Price per chip-hour | Source of the price | Date of the price ' +
        '| Training time | Bottleneck | Memory per chip | Cost | Fewest chips that hold it | Note |',
    );
    expect(rule).toBe('| --- | --- | ---: | --- | --- | ---: | --- | ---: | ---: | ---: | --- |');
    expect(first).toMatch(
      /^\| TPU7x \(Ironwood\) \| Google \| not listed \|  \|  \| 8\.85.days \| Network-bound \|/,
    );
  });
});

describe('all models', () => {
  test('each for the same question; one is taken over', async () => {
    const page = await open('view=training&lang=zh');
    await openTable(page, 'model');
    expect((await heads(page)).slice(0, 3)).toEqual(['模型', '机构', '训练时间']);
    await page.locator('scaling-overview [type="search"]').fill('deepseek v3');
    await row(page, 'deepseek-v3').locator('th button').click();
    await expect.poll(() => field(page, 'model').inputValue()).toBe('DeepSeek-V3');
    expect(await field(page, 'run.chips').inputValue()).toBe('8,960');
  });

  test('operations with sizes of their own have none', async () => {
    const page = await open('view=operation');
    expect(await page.locator('[data-part="panel all-model"]').count()).toBe(0);
    await field(page, 'operation.kind').selectOption('layer');
    await openTable(page, 'model');
    expect((await rows(page)).length).toBeGreaterThan(30);
  });
});

// --- for everyone ---

const crowded = 'chip=h100-sxm&chips=4096&mfu=50&pin=';

async function openAll(page: Page): Promise<void> {
  await openTable(page, 'chip');
  await page.locator('[data-part="columns chip"] > summary').click();
  for (const part of ['compared chip', 'compared more', 'compared same']) {
    await page.locator(`[data-part="${part}"] > summary`).click();
  }
  await expect.poll(() => page.locator('.changes').first().innerText()).not.toContain('…');
  for (const terms of await page.locator('.terms > summary').all()) await terms.click();
}

test.each([
  ['en', 'all'],
  ['zh', 'all but colours'],
] as const)('nothing scrolls sideways, and axe finds nothing: %s', async (language, rules) => {
  const page = await open(`lang=${language}&${crowded}`);
  await openAll(page);
  for (const width of [320, 360, 768, 1440, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    const { scroll, client } = await page.evaluate(() => ({
      scroll: document.documentElement.scrollWidth,
      client: document.documentElement.clientWidth,
    }));
    expect(scroll, `at ${width}`).toBeLessThanOrEqual(client);
  }
  await keepTwoOfEach(page, 'tbody, ul, .changes');
  const parts = [page.locator('.comparison'), page.locator('[data-part="panel all-chip"]')];
  for (const part of parts) expect(await violations(page, rules, part)).toEqual([]);
  if (rules !== 'all') return;
  await page.emulateMedia({ colorScheme: 'dark' });
  for (const part of parts) expect(await violations(page, 'colours', part)).toEqual([]);
});

test('what cannot be had is told', async () => {
  const [site, browser] = await Promise.all([serve(), openBrowser()]);
  const { page, errors } = await newVisit(browser);
  for (const [file, place] of [
    [/comparison-/, '.comparison'],
    [/en\.compare-/, '.comparison'],
    [/derivations-/, '[data-changed="trainingTime"] .reason'],
    [/overview-/, '[data-part="panel all-chip"]'],
  ] as const) {
    await page.route(file, (route) => route.abort());
    await page.goto(`${site.address}#chips=4480&pin=`);
    await page.locator('[data-part="panel all-chip"] > summary').click();
    await expect
      .poll(() => page.locator(place).innerText(), { message: String(file) })
      .toContain('This part could not be loaded.');
    // The answers stand nevertheless.
    expect(await read(page.locator('[data-answer="trainingTime"] .large'))).toBe('88.6 days');
    await page.unroute(file);
    await page.goto('about:blank');
  }
  expect(errors.filter((error) => !/^failed|ERR_FAILED/.test(error))).toEqual([]);
  await browser.close();
  await site.close();
});

test('print has the comparison and the table, and none of their tools', async () => {
  const page = await open(crowded);
  await changed(page, 'trainingTime').waitFor();
  await openTable(page, 'chip');
  await page.emulateMedia({ media: 'print' });
  await expect.poll(() => changed(page, 'trainingTime').isVisible()).toBe(true);
  await expect.poll(() => row(page, 'tpu-v5p').isVisible()).toBe(true);
  const closed = ['[data-part="compared same"]', '[data-part="panel all-model"]'];
  const tools = ['.keep', '.exchange', '.release', 'scaling-overview [type="search"]'];
  for (const other of [...tools, ...closed]) {
    expect(await page.locator(other).isVisible(), other).toBe(false);
  }
  await page.locator('[data-part="panel all-chip"]').evaluate((part) => {
    (part as HTMLDetailsElement).open = false;
  });
  await expect.poll(() => page.locator('.overviews').isVisible()).toBe(false);
});
