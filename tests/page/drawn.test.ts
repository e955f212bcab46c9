// The verdict on a plan and its drawing, which stand below the question.

import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { answer, field, inOneLine, type } from './calculator.ts';
import {
  degree,
  degreeOf,
  desk,
  drawing,
  drawings,
  expectNoFault,
  expectPlace,
  parts,
  phone,
  testPlace,
  testRules,
  verdict,
  walk,
} from './drawing.ts';

const openAt = drawings();

const large = 'view=plan&chip=h100-sxm&model=llama-3.1-405b&chips=16384&tokens=15T';
const tooSmall = 'view=plan&chip=h100-sxm&model=llama-3.1-8b&chips=1&tokens=100B&batch=524288';

/** The width of all pieces of the bar that have a part, by part. */
const bar = (page: Page): Promise<Record<string, number>> =>
  drawing(page).evaluate((element) => {
    const svg = [...element.shadowRoot!.querySelectorAll('svg')].find((each) =>
      each.querySelector('.end'),
    )!;
    const rects = [...svg.querySelectorAll<SVGRectElement>('rect[data-part]')];
    return Object.fromEntries(
      rects
        .filter((rect) => rect.dataset['part'] && rect.height.baseVal.value > 20)
        .map((rect) => [rect.dataset['part']!, rect.width.baseVal.value]),
    );
  });

describe('the verdict', () => {
  test('says in a row what the answers below say, with their ranges', async () => {
    const page = await openAt(large);
    expect(await verdict(page, 'wallTime')).toMatch(
      /^[\d.]+ days with failures 90% interval [\d.]+–[\d.]+ days$/,
    );
    expect(await verdict(page, 'wallTime')).toContain(await answer(page, 'wallTime'));
    expect(await verdict(page, 'wallCost')).toMatch(/^\$[\d.]+M \$[\d.]+M–\$[\d.]+M$/);
    expect(await verdict(page, 'memoryUsed')).toMatch(
      /^✓ Fits [\d.]+ GB of 76\.0 GB [\d.]+–[\d.]+ GB$/,
    );
    expect(await verdict(page, 'planBound')).toMatch(
      /^● Compute-bound [\d.]+% MFU [\d.]+–[\d.]+%$/,
    );
  });

  test('names ranges and shades where a reader points', async () => {
    const page = await openAt(large);
    const names = await parts(page).evaluateAll((all) =>
      all.map((each) => each.getAttribute('aria-label')),
    );
    const named = (like: RegExp): void => expect(names).toContainEqual(expect.stringMatching(like));
    named(/^Step time: [\d.]+\ss · 90% interval /);
    named(/^Peak memory.*: [\d.]+\sGB · 90% interval /);
    named(/^Replica: .* · shade: pipeline stage$/);
  });

  test('says first of all what does not fit', async () => {
    const page = await openAt(tooSmall);
    expect(await verdict(page, 'memoryUsed')).toMatch(/^✕ Doesn’t fit \d+ GB of 76\.0 GB/);
    expect(await verdict(page, 'wallTime')).toMatch(/ if it fit$/);
    expect(await drawing(page).locator('rect.over').count()).toBeGreaterThan(0);
  });

  test('offers the fewest chips that hold it, by doublings', async () => {
    const page = await openAt(tooSmall);
    const offer = page.locator('[data-fewest]');
    await offer.waitFor();
    expect(await offer.innerText()).toMatch(/^Use [248] chips$/);
    const half = Number((await offer.innerText()).replace(/\D/g, '')) / 2;
    await offer.click();
    await expect.poll(() => verdict(page, 'memoryUsed')).toMatch(/^(✓ Fits|◐ Tight) /);
    expect(await offer.count()).toBe(0);
    await type(page, 'run.chips', String(half));
    await expect.poll(() => verdict(page, 'memoryUsed')).toMatch(/^✕ Doesn’t fit/);
  });

  test('is blank while the question is wrong, and then comes back', async () => {
    const page = await openAt(large);
    const before = await verdict(page, 'wallTime');
    const place = (await page.locator('.picture').boundingBox())!.height;
    await type(page, 'run.chips', 'many');
    await expect.poll(() => verdict(page, 'wallTime')).toBe('–');
    await expect.poll(() => drawing(page).count()).toBe(0);
    // What follows stays where it is.
    const now = (await page.locator('.picture').boundingBox())!.height;
    expect(Math.abs(now - place)).toBeLessThan(30);
    await type(page, 'run.chips', '16384');
    await expect.poll(() => verdict(page, 'wallTime')).toBe(before);
  });
});

describe('the drawing', () => {
  test('reads in time for a step, days and dollars, with the failures of a training', async () => {
    const page = await openAt(large);
    const shares = await bar(page);
    const whole = Object.values(shares).reduce((sum, share) => sum + share, 0);
    const mfu = /([\d.]+)% MFU/.exec(await verdict(page, 'planBound'))![1]!;
    expect(shares['mfuExact']! / whole).toBeCloseTo(Number(mfu) / 100, 3);
    expect(shares).not.toHaveProperty('goodput');
    const units = drawing(page).locator('.units button');
    expect((await units.allInnerTexts()).map(inOneLine)).toEqual([
      await answer(page, 'stepExpected'),
      await answer(page, 'wallTime'),
      await answer(page, 'wallCost'),
    ]);
    await units.nth(2).click();
    await expect.poll(async () => (await bar(page))['goodput'] ?? 0).toBeGreaterThan(20);
    expect(await drawing(page).locator('table').textContent()).toContain('$');
  });

  test('is gone through by one tab stop and arrows, and says why', async () => {
    await walk(await openAt(large));
  });

  test('leaves a ghost of where it was, for a while', async () => {
    const page = await openAt(large);
    expect(await drawing(page).locator('.ghost').count()).toBe(0);
    await field(page, 'run.chips').focus();
    await page.keyboard.press('ArrowUp');
    await expect.poll(() => drawing(page).locator('.ghost').count()).toBeGreaterThan(0);
    await expect.poll(() => drawing(page).locator('.ghost').count()).toBe(0);
  });

  test('compares no transfers where there are none', async () => {
    const page = await openAt('view=plan&chip=h100-sxm&model=llama-3.2-1b&chips=1&tokens=1B');
    await drawing(page).locator('.bracket').first().waitFor();
    expect(await drawing(page).locator('.quick').count()).toBe(0);
  });

  test('stands in sight of a phone, and nothing is wider than that', async () => {
    const page = await openAt(large, phone);
    const box = await drawing(page).locator('.vessel').first().boundingBox();
    expect(box!.y + box!.height).toBeLessThanOrEqual(640);
    expect(
      await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
    ).toBeLessThanOrEqual(0);
  });

  testPlace(openAt, [large, tooSmall]);

  testRules(openAt, [large]);
});

describe('degrees', () => {
  const small = 'view=plan&chip=h100-sxm&model=llama-3.1-8b&chips=64&tokens=100B';

  test('are stepped by the keyboard where they are drawn, to what can be', async () => {
    const page = await openAt(`${small}&layout.tensor=4`);
    const before = await verdict(page, 'memoryUsed');
    await degree(page, 'tensor').focus();
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => degreeOf(page, 'tensor')).toBe(2);
    expect(await field(page, 'layout.tensor').inputValue()).toBe('2');
    expect(await verdict(page, 'memoryUsed')).not.toBe(before);
    // The ghost of the earlier layout shows, and the focus stays.
    expect(await drawing(page).locator('.ghost').count()).toBeGreaterThan(0);
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => degreeOf(page, 'tensor')).toBe(1);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    await expect.poll(() => degreeOf(page, 'tensor')).toBe(2);
    // No step leads to what is refused, however far.
    for (let step = 0; step < 8; ++step) await page.keyboard.press('ArrowUp');
    await expect.poll(() => degreeOf(page, 'tensor')).toBe(32);
    expect(await page.locator('.message:not([data-notice])').count()).toBe(0);
    // One edit is one step back.
    await page.keyboard.press('Tab');
    await page.goBack();
    await expect.poll(() => degreeOf(page, 'tensor')).toBe(4);
  });

  test('are dragged sideways, which asks nothing', async () => {
    const page = await openAt(`${small}&layout.tensor=4`);
    const { x, y, width, height } = (await degree(page, 'tensor').boundingBox())!;
    const [from, at] = [x + width / 2, y + height / 2];
    await page.mouse.move(from, at);
    await page.mouse.down();
    await page.mouse.move(from + 26, at);
    await expect.poll(() => degreeOf(page, 'tensor')).toBe(8);
    await page.mouse.move(from + 50, at);
    await expect.poll(() => degreeOf(page, 'tensor')).toBe(16);
    await page.mouse.up();
    expect(await page.locator('.picture > .derivation').isHidden()).toBe(true);
    await degree(page, 'tensor').click();
    await page.locator('.picture > .derivation h3').waitFor();
  });

  test('that are found are fixed by a step, and then stand in the sentence', async () => {
    const page = await openAt(small);
    expect(await field(page, 'layout.tensor').count()).toBe(0);
    const before = await degreeOf(page, 'context');
    await degree(page, 'context').focus();
    await page.keyboard.press('ArrowUp');
    await expect.poll(() => degreeOf(page, 'context')).toBeGreaterThan(before);
    expect(await field(page, 'layout.context').inputValue()).toBe(
      String(await degreeOf(page, 'context')),
    );
  });
});

describe('the links of a group', () => {
  const wiresOf = (page: Page, look: string): Promise<number> =>
    drawing(page).locator(`g .wire.${look}`).count();

  test('are drawn while it is pointed at: fast within a node, and slow between nodes', async () => {
    const page = await openAt(
      'view=plan&chip=h100-sxm&model=llama-3.1-405b&chips=1024&layout.tensor=8&layout.pipeline=16',
    );
    expect(await wiresOf(page, 'inside')).toBe(0);
    await degree(page, 'tensor').focus();
    await expect.poll(() => wiresOf(page, 'inside')).toBe(1);
    expect(await wiresOf(page, 'across')).toBe(0);
    const thick = (look: string): Promise<number> =>
      drawing(page)
        .locator(`g .wire.${look}`)
        .evaluate((wire) => parseFloat(getComputedStyle(wire).strokeWidth));
    const fast = await thick('inside');
    await degree(page, 'pipeline').focus();
    await expect.poll(() => wiresOf(page, 'across')).toBe(1);
    expect(await thick('across')).toBeLessThan(fast);
    // All borders of nodes that it leads through are lit, too.
    expect(await drawing(page).locator('.domain.touched').count()).toBe(1);
  });
});

describe('a slice of a torus', () => {
  const slice = 'view=plan&chip=tpu-v5e&model=llama-3.1-8b&chips=256&tokens=1T';
  const count = (page: Page, look: string): Promise<number> =>
    drawing(page)
      .locator(`g path.${look.replaceAll(' ', '.')}`)
      .evaluateAll((paths) =>
        paths.reduce((sum, path) => sum + path.getAttribute('d')!.match(/M/g)!.length, 0),
      );

  test('is drawn as its chips and the links that close its rings', async () => {
    const few = slice.replace('chips=256', 'chips=16');
    const page = await openAt(`${few}&layout.tensor=4&layout.context=1&layout.pipeline=1`);
    // 4 x 4 chips, which are no ring, and the four of the replica once more beside them.
    expect(await count(page, 'chip')).toBe(16 + 4);
    expect(await count(page, 'wire idle')).toBe(2 * 12);
    expect(await drawing(page).locator('text', { hasText: '4 × 4' }).count()).toBe(1);
    await degree(page, 'tensor').focus();
    await expect.poll(() => count(page, 'group')).toBeGreaterThan(4);
    expect(await count(page, 'wire inside')).toBeGreaterThanOrEqual(3);
    await page.keyboard.press('Enter');
    await page.locator('.picture > .derivation', { hasText: 'TP, X axis' }).waitFor();
  });

  test('of too many chips is the body that they fill, with the replica on it', async () => {
    const page = await openAt(`${slice}&layout.tensor=4&layout.context=1&layout.pipeline=1`);
    expect(await count(page, 'chip')).toBe(4);
    // The whole, and the replica on it, on the one face of a flat slice.
    expect(await count(page, 'body')).toBe(2);
    expect(await drawing(page).locator('text', { hasText: /^16↻$/ }).count()).toBe(2);
    await degree(page, 'tensor').focus();
    await expect.poll(() => count(page, 'group')).toBeGreaterThan(4);
  });

  test('breaks no rule, on a phone either', async () => {
    for (const options of [desk, phone]) {
      const page = await openAt(slice, options);
      await expectPlace(page);
      await expectNoFault(page);
    }
  });
});
