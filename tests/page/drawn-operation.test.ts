// The verdict on an operation and the race of its resources, which stand below the question.

import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { answer, type } from './calculator.ts';
import { drawing, drawings, rows, testPlace, testRules, verdict, walk } from './drawing.ts';

const openAt = drawings();

const matmul = 'view=operation&chip=tpu-v5e';
const sharded = 'view=operation&chip=h100-sxm&op.kind=shardedMatmul';
const unknown = 'view=operation&chip=tpu-v4i&op.kind=splitMatmul';

/** The lengths of the rows, by the answers that they show. */
const lengths = (page: Page): Promise<Record<string, number>> =>
  drawing(page).evaluate((element) =>
    Object.fromEntries(
      [...element.shadowRoot!.querySelectorAll<SVGRectElement>('rect.lane')].map((bar) => [
        bar.dataset['part']!,
        bar.width.baseVal.value,
      ]),
    ),
  );

describe('the verdict', () => {
  test('says in a row what the answers below say', async () => {
    const page = await openAt(matmul);
    const times = await verdict(page, 'timeExpected');
    expect(times).toContain(await answer(page, 'timeExpected'));
    expect(times).toContain(`at least ${await answer(page, 'lowerBound')}`);
    expect(await verdict(page, 'bound')).toMatch(/^■ Memory-bound ≤ [\d.]+% of peak$/);
    expect(await verdict(page, 'intensity')).toMatch(/^[\d.]+ FLOPs\/byte critical 240$/);
    expect(await verdict(page, 'flops')).toBe(`${await answer(page, 'flops')} 35.7 MB through HBM`);
  });

  test('measures what waits for the network against the network', async () => {
    const page = await openAt(`${sharded}&op.batch=64`);
    await expect.poll(() => verdict(page, 'bound')).toMatch(/^▲ Network-bound/);
    expect(await verdict(page, 'networkIntensity')).toMatch(/ critical [\d,.]+$/);
  });
});

describe('the drawing', () => {
  test('has a row for each resource, whose length is its time', async () => {
    const page = await openAt(matmul);
    const before = await lengths(page);
    expect(Object.keys(before)).toEqual(['mathTime', 'memoryTime']);
    expect(before['memoryTime']!).toBeGreaterThan(before['mathTime']!);
    await expect
      .poll(() => drawing(page).locator('.longest').getAttribute('data-part'))
      .toBe('memoryTime');
    // Computing grows faster with the batch, and overtakes; where rows ended stays to be seen.
    await type(page, 'operation.batch', '1024');
    await expect
      .poll(() => drawing(page).locator('.longest').getAttribute('data-part'))
      .toBe('mathTime');
    const after = await lengths(page);
    expect(after['mathTime']!).toBeGreaterThan(after['memoryTime']!);
    expect(await drawing(page).locator('.ghost').count()).toBeGreaterThan(0);
    const told = await rows(page);
    expect(told['compute']).toMatch(/s$/);
    expect(told['lower bound']).toBe(await answer(page, 'lowerBound'));
  });

  test('has a row for the network, if something is sent, also where its time is not known', async () => {
    expect(Object.keys(await lengths(await openAt(sharded)))).toContain('networkTime');
    const page = await openAt(unknown);
    expect(await drawing(page).locator('.lane.unknown').count()).toBe(1);
    expect(await verdict(page, 'lowerBound')).toBe('– network speed unknown');
    expect((await rows(page))['network']).toBe('unknown');
  });

  test('is gone through by one tab stop and arrows, and says why', async () => {
    await walk(await openAt(sharded));
  });

  test('stands over the roofline, which no fold hides', async () => {
    const page = await openAt(matmul);
    await page.locator('[data-part="fold why"] > summary').click();
    const chart = (await page.locator('.charted scaling-roofline').boundingBox())!;
    const race = (await drawing(page).boundingBox())!;
    expect(chart.y).toBeGreaterThanOrEqual(race.y + race.height);
    expect(await page.locator('scaling-explorer').count()).toBe(1);
  });

  testPlace(openAt, [matmul, sharded]);

  testRules(openAt, [sharded]);
});
