import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import {
  allText,
  answer,
  chartControl,
  field,
  finding,
  link,
  message,
  says,
  showChart,
  summary,
  type,
} from './calculator.ts';
import { unfinished, visits } from './visits.ts';

const open = visits();

async function openCollective(hash = '', options = {}): Promise<Page> {
  const page = await open(`view=collective&${hash}`, options);
  await page.locator('[role="tabpanel"] figcaption').waitFor();
  return page;
}

/** The picture after the chosen step: of each part, by chip, the pieces held. */
const picture = (page: Page): Promise<string[]> =>
  page
    .locator('.holdings [aria-current] tbody tr')
    .evaluateAll((rows) =>
      rows.map((row) =>
        [...row.querySelectorAll('td')].map((cell) => cell.getAttribute('data-shade')).join(''),
      ),
    );

describe('one collective', () => {
  test('in a sentence, with its answers', async () => {
    const page = await openCollective('chip=tpu-v4&mesh.x=4&mesh.y=4&mesh.z=4');
    expect(await summary(page)).toMatch(
      /ms\. Bandwidth-bound\. Each chip sends 984 MB in 6 steps\.$/,
    );
    expect(await answer(page, 'bytesSent')).toBe('984 MB');
    expect(await says(page, 'bytesSent')).toContain('15.6 MB');
    // Six links of 45 GB/s would bring these in less than the book's time, which says why.
    const why = 'the farthest 15.6 MB comes whole from both sides';
    expect(await says(page, 'collectiveTime')).toContain(why);
    await type(page, 'collective.bytes', '1 kB');
    await expect.poll(() => answer(page, 'collectiveBound')).toBe('Latency-bound');
    await expect.poll(() => summary(page)).toMatch(/^6\.00 µs\. Latency-bound\./);
    await expect.poll(() => link(page)).toMatch(/coll\.bytes=1000/);
  });

  test.each(['en-US', 'zh-CN'])('every kind, on a torus and on switches, in %s', async (locale) => {
    const page = await openCollective('', { locale });
    for (const kind of ['allGather', 'reduceScatter', 'allReduce', 'allToAll', 'pointToPoint']) {
      for (const chip of ['tpu-v5e', 'h100-sxm']) {
        await page.evaluate(
          (hash) => (location.hash = hash),
          `view=collective&chip=${chip}&coll.kind=${kind}`,
        );
        await expect.poll(() => field(page, 'collective.kind').inputValue()).toBe(kind);
        expect(await answer(page, 'collectiveTime'), `${kind} ${chip}`).toMatch(/\d/);
        expect(await page.locator('.stale, .message').count(), `${kind} ${chip}`).toBe(0);
        expect(await allText(page), `${kind} ${chip}`).not.toMatch(unfinished);
      }
    }
  });

  test('distances are asked for on a torus only', async () => {
    const page = await openCollective('chip=tpu-v5e&coll.kind=pointToPoint');
    expect(await page.locator('.question [data-field^="collective.distance"]').count()).toBe(2);
    await type(page, 'collective.distanceX', '4');
    await expect
      .poll(() => message(page, 'collective.distanceX'))
      .toBe('Distance, X axis: at most 3, the last chip on this axis.');
    await page.getByRole('button', { name: 'Distance, X axis: 3' }).click();
    await expect.poll(() => page.locator('.stale').count()).toBe(0);
    await field(page, 'chip').click();
    await page.keyboard.type('h100 sxm');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('[data-field^="collective.distance"]').count()).toBe(0);
  });

  test('one chip has nobody to talk to; a network of unknown speed is said to be unknown', async () => {
    const page = await open('view=collective&chip=tpu-v5e&mesh.x=1');
    expect(await summary(page)).toBe('One chip: no communication.');
    await page.evaluate(() => (location.hash = 'view=collective&chip=tpu-v4i'));
    await expect.poll(() => summary(page)).toContain('is not known');
  });

  test.each([
    ['collective.bytes', '0', 'Bytes of the array must be from 1 B to 1,000 PB.'],
    [
      'collective.bytes',
      'big',
      'Bytes of the array: “big” is not a number. Give one from 1 B to 1,000 PB.',
    ],
    ['mesh.x', '0', 'Chips, X axis must be from 1 to 1M.'],
    ['mesh.x', '2.5', 'Chips, X axis must be a whole number from 1 to 1M.'],
  ])('%s “%s” is refused in words', async (id, text, said) => {
    const page = await openCollective('chip=tpu-v5e');
    await type(page, id, text);
    await expect.poll(() => message(page, id)).toBe(said);
    await expect.poll(() => field(page, id).inputValue()).toBe(text);
    await expect.poll(() => page.locator('.stale').count()).toBe(1);
  });
});

describe('its charts', () => {
  test('mark where latency gives way to bandwidth', async () => {
    const page = await openCollective('chip=tpu-v5e&mesh.x=4');
    const least = (await says(page, 'collectiveBound')).match(/Below ([\d.]+ \wB)/)![1]!;
    expect(await finding(page)).toBe(`Bandwidth-bound above ${least}`);
    expect(await page.locator('[data-tab="roofline"]').count()).toBe(0);
    await page.locator('scaling-sweep [role="slider"]').focus();
    await page.keyboard.press('Home');
    await expect.poll(() => field(page, 'collective.bytes').inputValue()).toBe('1 kB');
    await expect
      .poll(() => finding(page))
      .toBe(`Latency-bound at 1.00 kB, bandwidth-bound above ${least}`);
    await chartControl(page, 'lines').selectOption('mesh.x');
    await expect.poll(() => link(page)).toContain('lines=mesh.x:1');
    await showChart(page, 'heatMap');
    await expect.poll(() => link(page)).toContain('chart=heatMap');
  });
});

describe('who holds what', () => {
  test('before, after and step by step, by keys and by buttons', async () => {
    const page = await openCollective('chip=tpu-v5e&mesh.x=4');
    const slider = page.locator('.holdings input[type="range"]');
    expect(await picture(page)).toEqual(['4444', '4444', '4444', '4444']);
    await slider.focus();
    await page.keyboard.press('Home');
    await expect.poll(() => picture(page)).toEqual(['4000', '0400', '0040', '0004']);
    await expect
      .poll(() => slider.getAttribute('aria-valuetext'))
      .toBe('Before. Each chip holds 1 of 4 parts in full.');
    await page.keyboard.press('ArrowRight');
    const once = (await picture(page)).join('');
    expect(once.match(/4/g)!.length).toBeGreaterThan(4);
    expect(once).toContain('0');
    await expect.poll(() => page.locator('.holdings [data-fresh]').count()).toBeGreaterThan(0);
    await page.getByRole('button', { name: 'A step back' }).click();
    expect((await picture(page)).join('')).toBe('4000040000400004');
    await expect
      .poll(() => page.getByRole('button', { name: 'A step back' }).isDisabled())
      .toBe(true);
    // Other bytes take the same steps; another collective begins anew.
    await type(page, 'collective.bytes', '2 GB');
    expect((await picture(page)).join('')).toBe('4000040000400004');
    await field(page, 'collective.kind').selectOption('reduceScatter');
    await expect.poll(() => picture(page)).toEqual(['4000', '0400', '0040', '0004']);
  });

  test('reads as a table', async () => {
    const page = await openCollective('chip=tpu-v5e&mesh.x=2&coll.kind=allReduce');
    const before = page.locator('.holdings table').first();
    expect((await before.innerText()).replace(/\s+/g, ' ')).toContain('Before');
    expect(await before.locator('tbody td').allInnerTexts()).toEqual(['1', '1', '1', '1']);
    expect(
      await page.locator('.holdings table').last().locator('tbody td').allInnerTexts(),
    ).toEqual(['2', '2', '2', '2']);
  });

  test('of more chips than can be drawn shows fewer, and says so', async () => {
    const page = await openCollective('chip=tpu-v4&mesh.x=8&mesh.y=4&mesh.z=4');
    expect(await page.locator('.holdings table').first().locator('tbody tr').count()).toBe(16);
    expect(await page.locator('.holdings .note').innerText()).toMatch(/Drawn for .* chips/);
  });
});
