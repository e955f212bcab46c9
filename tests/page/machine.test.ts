// The reader's own machine: the line of measure.py, and what follows from it.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { sample } from '../machine.ts';
import { contentOf, dist } from '../site.ts';
import { violations } from './axe.ts';
import { answer, field, inOneLine, link, message, type } from './calculator.ts';
import { loaded } from './evidence-page.ts';
import { visits } from './visits.ts';

const open = visits();
const script = path.join(import.meta.dirname, '../evidence/measure/measure.py');
const plan = 'view=plan&chip=h100-sxm&model=llama-3.1-70b&chips=64&layout.tensor=8&batch=1M';

/** Opens the part that takes a line. */
async function openMachine(hash: string, options?: Parameters<typeof open>[1]): Promise<Page> {
  const page = await open(hash, options);
  await page.locator('[data-part="own run"] > summary').click();
  await page.locator('[data-part="own machine"] > summary').click();
  await field(page, 'machine').waitFor();
  return page;
}
const text = async (page: Page): Promise<string> =>
  inOneLine(await page.locator('scaling-machine').innerText());

test('hands out the script and its command with the shapes of the model', async () => {
  const page = await open.anew(plan);
  await page.locator('[data-part="own run"] > summary').click();
  const summary = page.locator('[data-part="own machine"] > summary');
  await summary.waitFor();
  const parts = async () => (await loaded(page)).filter((name) => /machine-/.test(name));
  expect(await parts()).toEqual([]);
  await summary.click();
  await field(page, 'machine').waitFor();
  expect((await parts()).length).toBeGreaterThan(0);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.locator('[data-save="measure"]').click(),
  ]);
  expect(download.suggestedFilename()).toBe('measure.py');
  const written = readFileSync(script);
  expect(await contentOf(download)).toEqual(written);
  expect(readFileSync(path.join(dist, 'measure.py'))).toEqual(written);
  expect(await page.locator('scaling-machine textarea[readonly]').inputValue()).toBe(
    'python3 measure.py --hidden 8192 --feed-forward 28672 --heads 64 --kv-heads 8 --head-dim 128 --vocabulary 128256',
  );
});

test('says which values differ, and sets the figures of the machine with all else kept', async () => {
  const page = await openMachine(`${plan}&chip.price=2.5`);
  await type(page, 'machine', `matmul ...\n${JSON.stringify(sample)}\n`);
  const rows = page.locator('[data-rate]');
  await expect.poll(() => page.locator('[data-rate="all"]').count()).toBe(2);
  await expect.poll(() => page.locator('[data-rate="all"] td').nth(1).innerText()).toMatch(/\sms$/);
  expect(await text(page)).toMatch(
    /\d+ of 14 values differ from the prediction by more than 10%\./,
  );
  const differing = await page.locator('[data-rate][data-differs]').count();
  expect(await text(page)).toContain(`${differing} of 14 values differ`);
  expect(await rows.count()).toBe(15);
  const before = await answer(page, 'stepExpected');
  const then = inOneLine(await page.locator('[data-then="stepExpected"]').innerText());
  expect(then).toContain(`instead of ${before}`);

  await page.locator('[data-use]').click();
  await page.locator('[data-use]').waitFor({ state: 'detached' });
  const after = /with them: (.*) instead/.exec(then)![1]!;
  await expect.poll(() => answer(page, 'stepExpected')).toBe(after);
  expect(after).not.toBe(before);
  expect(await text(page)).toContain('The chip has the figures of your machine:');
  const now = await link(page);
  for (const part of [
    'chip.price=2.5',
    'layout.tensor=8',
    'batch=1M',
    'chip.memoryBandwidth=3.256T',
    'chip.peakBf16=',
  ])
    expect(now).toContain(part);

  // It stays in this browser until the reader forgets it.
  await page.reload();
  await page.locator('[data-part="own run"] > summary').click();
  await page.locator('[data-part="own machine"] > summary').click();
  await expect.poll(() => rows.count()).toBe(15);
  await page.locator('[data-forget]').click();
  await expect.poll(() => rows.count()).toBe(0);
  expect(await field(page, 'machine').inputValue()).toBe('');
});

test('stands beside servers, too', async () => {
  const page = await openMachine('view=serving&chip=h100-sxm&model=llama-3-8b');
  await type(page, 'machine', JSON.stringify(sample));
  await expect.poll(() => page.locator('[data-then]').count()).toBe(3);
  await expect
    .poll(() => page.locator('[data-rate="lora"] td').nth(1).innerText())
    .toMatch(/\sms$/);
});

test.each([
  [
    'en',
    'copy.seconds must be a number from 1e-9 to 1000.',
    'This is not JSON.',
    'copy is missing.',
  ],
  ['zh', 'copy.seconds 必须是 1e-9 到 1000 之间的数。', '这不是 JSON。', '缺少 copy。'],
])('names what is wrong with a line, in %s', async (lang, range, notJson, missing) => {
  const page = await openMachine(`${plan}&lang=${lang}`);
  const says = async (line: unknown, sentence: string): Promise<void> => {
    await type(page, 'machine', typeof line === 'string' ? line : JSON.stringify(line));
    await expect.poll(() => message(page, 'machine')).toContain(sentence);
    expect(await page.locator('[data-rate]').count()).toBe(0);
    expect(await field(page, 'machine').getAttribute('aria-invalid')).toBe('true');
  };
  await says('it is fast', notJson);
  await says({ ...sample, copy: { bytes: 1e9, seconds: -1 } }, range);
  const { copy: _, ...others } = sample;
  await says(others, missing);
  await type(page, 'machine', '');
  await expect.poll(() => message(page, 'machine')).toBe('');
});

test('tells another chip, and a CPU, and sets nothing where rates are beyond all reason', async () => {
  const page = await openMachine(plan.replace('h100-sxm', 'a100-sxm-80gb'));
  await type(page, 'machine', JSON.stringify(sample));
  await expect
    .poll(() => message(page, 'other'))
    .toBe('Cores or memory are not those of A100 SXM4 80GB: choose the chip that you measured.');
  await type(page, 'machine', JSON.stringify({ ...sample, kind: 'cpu', device: 'cpu' }));
  await expect.poll(() => text(page)).toContain('A CPU: this tests the script, and says nothing');
  expect(await page.locator('[data-use], [data-rate], [data-message="other"]').count()).toBe(0);
  const slow = { ...sample, copy: { bytes: 2 ** 30, seconds: 1 } };
  await type(page, 'machine', JSON.stringify(slow));
  await expect.poll(() => message(page, 'unlike')).toContain('less than a fifth');
  expect(await page.locator('[data-figure="chip.memoryBandwidth"]').count()).toBe(0);
});

test.each(['en', 'zh'])('is one width at 360 px, and axe finds nothing, in %s', async (lang) => {
  const page = await openMachine(`${plan}&lang=${lang}`, {
    viewport: { width: 360, height: 720 },
    colorScheme: 'dark',
  });
  await type(page, 'machine', JSON.stringify(sample));
  await page.locator('[data-rate]').first().waitFor();
  const overflow = await page.locator('scaling-machine').evaluate((part) => {
    const { right } = part.getBoundingClientRect();
    return [...part.querySelectorAll('*')].filter(
      (each) => each.getBoundingClientRect().right > right + 1,
    ).length;
  });
  expect(overflow).toBe(0);
  expect(await violations(page, 'all', page.locator('[data-part="own machine"]'))).toEqual([]);
});
