// The verdict on a training by reward and its pools in time, which stand below the question.

import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { answer, type } from './calculator.ts';
import {
  drawing,
  drawings,
  expectPlace,
  rows,
  testPlace,
  testRules,
  verdict,
  walk,
} from './drawing.ts';

const openAt = drawings();

const turns = 'view=reward&chip=h100-sxm&model=llama-3.1-8b';
const apart = `${turns}&pools.sharing=apart`;

/** The lengths of all tasks in order, by pools: a pool ends with the hand-over. */
const lengths = (page: Page): Promise<{ task: string; long: number }[][]> =>
  drawing(page).evaluate((element) => {
    const pools: { task: string; long: number }[][] = [[]];
    for (const bar of element.shadowRoot!.querySelectorAll<SVGRectElement>('g rect[data-part]')) {
      const task = bar.dataset['part']!;
      if (bar.height.baseVal.value < 20) continue;
      pools.at(-1)!.push({ task, long: bar.width.baseVal.value });
      if (task === 'handOverTime') pools.push([]);
    }
    return pools.filter((pool) => pool.length > 0);
  });

const whole = (pool: readonly { long: number }[] | undefined): number =>
  (pool ?? []).reduce((sum, { long }) => sum + long, 0);

test('the verdict says what the answers below say', async () => {
  const page = await openAt(apart);
  expect(await verdict(page, 'stepExpected')).toContain(await answer(page, 'stepExpected'));
  expect(await verdict(page, 'stepExpected')).toMatch(/ per step 90% interval [\d.,]+–[\d.,]+ /);
  expect(await verdict(page, 'cost')).toContain(await answer(page, 'cost'));
  expect(await verdict(page, 'rewardFits')).toMatch(/^✓ Fits [\d.]+ GB of [\d.]+ GB$/);
});

test.each([
  ['', /Disaggregated, \d+ \+ \d+, off-policy: \S+\s\S+; 90% intervals overlap\./],
  [
    '&pools.sharing=apart&pools.generationChips=4',
    /Disaggregated, \d+ \+ \d+, off-policy: \S+\s\S+, \d+% less\./,
  ],
])('a faster arrangement is offered, faster where that can be told: %s', async (how, says) => {
  const page = await openAt(`view=reward&chip=h100-sxm&model=qwen3-32b&pools.chips=64${how}`);
  const offer = page.locator('.line', { has: page.locator('.arrange') });
  expect(await offer.textContent()).toMatch(says);
  const before = Number.parseFloat(await verdict(page, 'stepExpected'));
  await offer.locator('.arrange').click();
  await expect.poll(() => offer.count()).toBe(0);
  expect(Number.parseFloat(await verdict(page, 'stepExpected'))).toBeLessThan(before);
  expect(new URL(page.url()).hash).toContain('pools.sharing=apart');
});

describe('the drawing', () => {
  test('has a row for all chips by turns, and one for each pool apart', async () => {
    const page = await openAt(turns);
    expect((await lengths(page)).length).toBe(1);
    expect((await lengths(page))[0]!.map(({ task }) => task)).not.toContain('idleTraining');
    await page.locator('[data-field="pools.sharing"]').selectOption('apart');
    await expect.poll(async () => (await lengths(page)).length).toBe(2);
    const [generating, training] = await lengths(page);
    expect(whole(generating)).toBeCloseTo(whole(training), 0);
    const waits = [...generating!, ...training!].filter(({ task }) => task.startsWith('idle'));
    expect(waits.length).toBeGreaterThan(0);
  });

  test('has lengths that are the shares of the step', async () => {
    const page = await openAt(turns);
    const [pool] = await lengths(page);
    const told = await rows(page);
    const seconds = (said: string): number => {
      const [, value, unit] = /^([\d.]+) (\S+)$/.exec(said)!;
      return Number(value) * { ms: 1e-3, s: 1, min: 60 }[unit!]!;
    };
    // Behind the tasks stand the splits.
    const tasks = Object.entries(told).filter(([label]) => label.includes(':'));
    const times = tasks.map(([, said]) => seconds(said));
    const step = times.reduce((sum, each) => sum + each, 0);
    expect(times.length).toBe(pool!.length);
    pool!.forEach(({ long }, index) =>
      expect(long / whole(pool)).toBeCloseTo(times[index]! / step, 2),
    );
  });

  test('has the times of splits, whose best and whose level are those of the answers', async () => {
    const page = await openAt(turns);
    const curve = drawing(page).locator('path.point[data-part="bestSplit"]');
    await expect.poll(() => curve.count()).toBeGreaterThan(0);
    const best = await answer(page, 'bestSplit');
    const [generation] = /[\d,]+/.exec(best)!;
    const told = Object.entries(await rows(page)).filter(([label]) => label.includes(' + '));
    expect(told.length).toBeGreaterThan(3);
    const times = told.map(([, said]) => Number.parseFloat(said));
    const least = told[times.indexOf(Math.min(...times))]!;
    expect(least[0].split(' + ')[0]).toBe(generation);
  });

  test('leaves to be seen where the step ended', async () => {
    const page = await openAt(turns);
    await type(page, 'reward.samples', '8');
    await expect.poll(() => drawing(page).locator('.ghost').count()).toBeGreaterThan(0);
  });

  test('leaves no room for the times of splits where none fits', async () => {
    const page = await openAt('view=reward&chip=h100-sxm&model=llama-3.1-405b&pools.chips=16');
    await expect
      .poll(() => drawing(page).evaluate((each) => each.shadowRoot!.textContent))
      .toContain('No split of these chips fits');
    await expectPlace(page);
    expect((await drawing(page).boundingBox())!.height).toBeLessThan(200);
  });

  test('is gone through by one tab stop and arrows, and says why', async () => {
    await walk(await openAt(apart));
  });

  testPlace(openAt, [turns, apart]);

  testRules(openAt, [apart]);
});
