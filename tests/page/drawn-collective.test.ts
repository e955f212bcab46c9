// The verdict on a collective and its drawing on the machine's wires, which stand below the question.

import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { answer, type } from './calculator.ts';
import { drawing, drawings, rows, testPlace, testRules, verdict, walk } from './drawing.ts';

const openAt = drawings();

const torus = 'view=collective&chip=tpu-v4&mesh.x=4&mesh.y=4&mesh.z=4';
const switched = 'view=collective&chip=h100-sxm&mesh.x=64';
const unknown = 'view=collective&chip=tpu-v4i';

/** The number of chips or links that are drawn in one look. */
const count = (page: Page, look: string): Promise<number> =>
  drawing(page)
    .locator(`g path.${look.replaceAll(' ', '.')}`)
    .evaluateAll((paths) =>
      paths.reduce((sum, path) => sum + path.getAttribute('d')!.match(/M/g)!.length, 0),
    );

describe('the verdict', () => {
  test('says in a row what the answers below say', async () => {
    const page = await openAt(switched);
    expect(await verdict(page, 'timeExpected')).toContain(
      `at least ${await answer(page, 'collectiveTime')}`,
    );
    expect(await verdict(page, 'collectiveBound')).toMatch(
      /^Bandwidth-bound latency below [\d.]+ \wB$/,
    );
    expect(await verdict(page, 'bytesSent')).toContain(await answer(page, 'bytesSent'));
    expect(await verdict(page, 'collectiveSteps')).toContain(await answer(page, 'collectiveSteps'));
  });

  test('says that one chip has nobody to talk to, and that a network is not known', async () => {
    const alone = await openAt('view=collective&chip=tpu-v5e&mesh.x=1');
    expect(await verdict(alone, 'collectiveTime')).toBe('– no communication');
    expect(await verdict(alone, 'collectiveBound')).toBe('– Bottleneck');
    expect(await count(alone, 'chip')).toBe(1);
    const page = await openAt(unknown);
    expect(await verdict(page, 'collectiveTime')).toBe('– network speed unknown');
    expect(await drawing(page).locator('.lane.unknown').count()).toBeGreaterThan(0);
  });
});

describe('the drawing', () => {
  test('has all chips and links of a torus, and those that close its rings', async () => {
    const page = await openAt(torus);
    expect(await count(page, 'chip')).toBe(64);
    expect(await count(page, 'wire binds')).toBe(192);
    const told = await rows(page);
    expect(Object.keys(told)).toContain('X 4');
    await type(page, 'collective.bytes', '1 kB');
    await expect.poll(() => count(page, 'wire used')).toBe(192);
    await expect
      .poll(() => drawing(page).locator('.longest').getAttribute('data-part'))
      .toBe('collectiveLatencyTime');
    expect(await drawing(page).locator('.ghost').count()).toBeGreaterThan(0);
  });

  test('has the chips of domains below their switches, and marks the slowest links', async () => {
    const page = await openAt(switched);
    expect(await count(page, 'chip')).toBe(64);
    expect(await count(page, 'domain')).toBe(8);
    expect(await count(page, 'wire binds')).toBe(8);
    await expect
      .poll(() => drawing(page).locator('.longest').getAttribute('data-part'))
      .toBe('leafTime');
    expect((await rows(page))['in the domain']).toMatch(/s$/);
    // A message gives only its two ends anything to do.
    await page.evaluate((hash) => (location.hash = hash), `${switched}&coll.kind=pointToPoint`);
    await expect.poll(() => count(page, 'wire binds')).toBe(2);
  });

  test('lights the links of the level that is pointed at', async () => {
    const page = await openAt(switched);
    await drawing(page).locator('[data-key="leafTime"]').first().focus();
    expect(await count(page, 'wire pointed')).toBe(8);
    expect(await drawing(page).locator('.named').innerText()).toMatch(
      /^between domains: [\d.]+\s.s · [\d.]+\sMB per chip · 50\.0\sGB\/s$/,
    );
  });

  test.each([torus, switched])('is gone through by arrows, and says why: %s', async (hash) => {
    await walk(await openAt(hash));
  });

  testPlace(openAt, [torus, switched]);

  testRules(openAt, [torus, switched]);
});
