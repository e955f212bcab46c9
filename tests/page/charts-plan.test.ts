// Charts of a plan as they look and are used, on a page of their own.

import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { covered, expectLegible, objections, pictures, saved, widen } from './charts/looks.ts';
import { rectangles } from './charts/numbers.ts';
import { timeline } from './charts/plan-samples.ts';
import { chart, chartVisits, planKinds, readout, told } from './charts/visits.ts';

const openToTouch = chartVisits('plan', { hasTouch: true });
const open = chartVisits('plan');

const list = (page: Page, kind: (typeof planKinds)[number]): Locator =>
  chart(page, kind).getByRole('listbox');

/** The announcement of the mark that keys have come to. */
const said = (page: Page, kind: (typeof planKinds)[number]): Promise<string | null> =>
  list(page, kind).getByRole('option').getAttribute('aria-label');

/** A place of a chart, in the page's pixels. */
async function at(
  page: Page,
  kind: (typeof planKinds)[number],
  x: number,
  y: number,
): Promise<[x: number, y: number]> {
  const reading = chart(page, kind).locator('.reading');
  await reading.scrollIntoViewIfNeeded();
  const box = (await reading.boundingBox())!;
  return [box.x + x, box.y + y];
}

describe('every chart of a plan', () => {
  test.each(planKinds)('%s: is a figure with a title, a description and its data', async (kind) => {
    const page = await open();
    const figure = chart(page, kind).getByRole('figure');
    const title = await figure.locator('figcaption').innerText();
    expect(await chart(page, kind).getByRole('img', { name: title }).count()).toBe(1);
    expect(await figure.locator('#description').textContent()).toMatch(/against the memory/);
    await figure.getByText('Data table').click();
    const table = figure.getByRole('table');
    await table.waitFor();
    expect(await table.locator('tbody tr').count()).toBeGreaterThanOrEqual(8);
    expect(await table.locator('thead').innerText()).toMatch(/Stage|Memory|Tensor/);
  });

  test('markup in texts stays text, and numbers that are none are words', async () => {
    const page = await open({ hostile: true });
    for (const kind of planKinds) {
      expect(await chart(page, kind).locator('img').count()).toBe(0);
      await chart(page, kind).getByText('Data table').click();
      await chart(page, kind).getByRole('table').waitFor();
    }
    expect(await chart(page, 'pareto-frontier').getByRole('table').innerText()).toContain(
      'no value',
    );
    expect(await chart(page, 'bars').getByRole('table').innerText()).toContain('<img src=x');
    await list(page, 'bars').focus();
    await expect
      .poll(() => said(page, 'bars'))
      .toContain('<img src=x onerror=alert(1)> Parameters');
  });

  test.each([
    ['light', 'all'],
    ['dark', 'colours'],
  ] as const)('nothing that axe objects to, %s', async (colorScheme, rules) => {
    const page = await open({ colorScheme });
    for (const kind of planKinds) await chart(page, kind).getByText('Data table').click();
    await chart(page, 'value-map').getByRole('table').waitFor();
    expect(await objections(page, rules)).toEqual([]);
  });

  test.each([
    ['usual', 'en'],
    ['usual', 'zh'],
    ['one', 'en'],
    ['one', 'zh'],
    ['many', 'en'],
  ] as const)('%s in %s: texts are legible, inside and apart', async (size, language) => {
    const page = await open({ language, size });
    for (const width of [320, 360, 768, 1440]) {
      await widen(page, width);
      await expectLegible(page, size === 'one' ? ['bars', 'timeline'] : planKinds);
      for (const kind of planKinds) {
        const names = '.drawing text:not(.letter), .legend text';
        expect(await covered(page, kind, names), `${kind} at ${width}`).toEqual([]);
      }
    }
  });

  test('kinds keep their textures in light, dark and forced colours', async () => {
    const grounds: string[] = [];
    for (const options of [
      { colorScheme: 'light' },
      { colorScheme: 'dark' },
      { forcedColors: 'active' },
    ] as const) {
      const page = await open(options);
      const looks = await chart(page, 'bars')
        .locator('pattern[id^="kind"]')
        .evaluateAll((patterns) =>
          patterns.map((pattern) => {
            const [ground, texture] = [...pattern.children];
            return `${ground!.getAttribute('fill')} ${texture!.getAttribute('d')}`;
          }),
        );
      expect(new Set(looks).size).toBe(9);
      grounds.push(
        await chart(page, 'bars')
          .locator('#kind-0 rect')
          .evaluate((ground) => getComputedStyle(ground).fill),
      );
    }
    // Each scheme, and the system's own colours, make it another colour.
    expect(new Set(grounds).size).toBe(3);
  });

  test('on paper without what only a screen can use', async () => {
    const page = await open();
    await page.emulateMedia({ media: 'print' });
    for (const kind of planKinds) {
      await expect.poll(() => chart(page, kind).locator('.tools').isVisible()).toBe(false);
      await expect.poll(() => chart(page, kind).locator('.drawing').isVisible()).toBe(true);
    }
  });

  test('follows its width', async () => {
    const page = await open({ width: 1000 });
    await page.setViewportSize({ width: 500, height: 2000 });
    for (const kind of planKinds) {
      const drawing = chart(page, kind).locator('.drawing');
      await expect.poll(() => drawing.getAttribute('viewBox')).toMatch(/^0 0 500 /);
    }
  });

  test('thousands of events and bars are few nodes', async () => {
    const page = await open({ size: 'many' });
    expect(timeline({ language: 'en', size: 'many' }).events.length).toBe(2 * 64 * 200);
    for (const kind of planKinds) {
      expect(await chart(page, kind).locator('.plot *').count(), kind).toBeLessThan(250);
    }
  });
});

describe('downloads', () => {
  test.each(planKinds)('%s as SVG that stands alone', async (kind) => {
    const page = await open();
    const text = (await saved(page, kind, 'SVG')).toString();
    expect(text).not.toMatch(/class=|style=|var\(|<style|<script|https?:(?!\/\/www\.w3\.org)|<!--/);
    expect(text).not.toMatch(/role="(listbox|slider|option)"|tabindex|aria-/);
    // Every fill that is used is defined.
    const blank = await page.context().newPage();
    const found = await blank.evaluate((svg) => {
      const parsed = new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement;
      const missing = [...svg.matchAll(/url\((?:&quot;)?#([^)&]+)/g)]
        .map(([, id]) => id!)
        .filter((id) => !parsed.querySelector(`#${id}`));
      const texts = [...parsed.querySelectorAll('text')].map(({ textContent }) => textContent);
      return { name: parsed.localName, missing, texts: texts.join(' ') };
    }, text);
    expect(found).toMatchObject({ name: 'svg', missing: [] });
    // Kinds are named in the picture, too.
    if (kind === 'bars') expect(found.texts).toContain('Activations: attention');
    if (kind === 'value-map') expect(found.texts).toContain('fastest');
  });

  test('as PNG', async () => {
    const page = await open({ width: 640 });
    const files = await pictures(page, planKinds);
    expect(files.size).toBe(planKinds.length);
    for (const png of files.values()) {
      expect(png.subarray(1, 4).toString()).toBe('PNG');
      expect(png.length).toBeGreaterThan(10_000);
    }
  });

  test('CSV has every number', async () => {
    const page = await open();
    const rows = async (kind: (typeof planKinds)[number]): Promise<string[]> =>
      (await saved(page, kind, 'CSV')).toString().slice(1).trimEnd().split('\r\n');
    const memory = await rows('bars');
    expect(memory[0]).toMatch(/^Stage,Parameters \(B\),.*,Runtime \(B\),Total \(B\)$/);
    expect(memory.length).toBe(1 + 8);
    const step = await rows('timeline');
    expect(step[0]).toBe('Stage,What it is,Name,from (s),to (s)');
    expect(step[1]).toBe('1,Forward,micro-batch 1,0,0.021');
    expect(step.length).toBe(1 + 2 * 8 * 16);
    expect((await rows('pareto-frontier'))[1]).toMatch(
      /^TP 16 · PP 16,22000000000,[\d.]+,Network-bound$/,
    );
    const map = await rows('value-map');
    expect(map[0]).toBe('Tensor,Pipeline,Step time (s),What it is');
    expect(map[1]).toBe('1,1,does not fit');
    expect(map.at(-1)).toMatch(/^16,16,[\d.]+,network-bound$/);
  });
});

describe('bars', () => {
  test('tell the fullest, then what is at the pointer', async () => {
    const page = await open();
    expect(await readout(page, 'bars')).toBe('Stage 1 Total 85.0 GB Over by 4.99 GB');
    const second = await at(page, 'bars', 60, 124);
    await page.mouse.move(...second);
    await expect
      .poll(() => readout(page, 'bars'))
      .toBe('Stage 2 A Parameters 8.80 GB Total 77.9 GB Free 2.06 GB');
    expect(await chart(page, 'bars').locator('.legend .value').allTextContents()).toEqual([
      'Parameters',
      '8.80\u00a0GB',
    ]);
    await page.mouse.move(second[0], second[1] - 110);
    await expect.poll(() => readout(page, 'bars')).toMatch(/^Stage 1 Total/);
  });

  test('are gone through by keys, along what they hold', async () => {
    const page = await open();
    await list(page, 'bars').focus();
    await expect
      .poll(() => said(page, 'bars'))
      .toBe('Stage 1 · A Parameters 9.33\u00a0GB · Total 85.0\u00a0GB · Over by 4.99\u00a0GB');
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    // The first stage has no logits.
    await expect.poll(() => said(page, 'bars')).toMatch(/^Stage 1 · F Activations: norms/);
    for (let row = 0; row < 9; ++row) await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => said(page, 'bars')).toMatch(/^Stage 8 · G Logits 8\.40/);
    expect(await readout(page, 'bars')).toMatch(/^Stage 8 G Logits/);
    expect(await list(page, 'bars').getByRole('option').getAttribute('aria-setsize')).toBe('72');
    await list(page, 'bars').blur();
    await expect.poll(() => readout(page, 'bars')).toMatch(/^Stage 1 Total/);
  });

  test('what is too much is hatched and outlined', async () => {
    const page = await open();
    const over = chart(page, 'bars').locator('.too-much');
    expect(await over.getAttribute('fill')).toBe('url(#beyond)');
    expect(rectangles((await over.getAttribute('d'))!).length).toBe(1);
    expect(await chart(page, 'bars').locator('.limit').count()).toBe(2);
  });

  test('of one chip need no name', async () => {
    const page = await open({ size: 'one' });
    expect(await readout(page, 'bars')).toBe('Total 93.4 GB Over by 13.4 GB');
  });
});

describe('timeline', () => {
  test('tells the step, then what is at the pointer', async () => {
    const page = await open();
    expect(await readout(page, 'timeline')).toMatch(/^Step 1\.45 s Idle 441 ms · 30\.4%$/);
    await page.mouse.move(...(await at(page, 'timeline', 20, 40)));
    await expect
      .poll(() => readout(page, 'timeline'))
      .toMatch(/^Stage 1 F Forward micro-batch 1 21\.0 ms 0 s – 21\.0 ms Idle/);
    await page.mouse.move(...(await at(page, 'timeline', 300, 40)));
    await expect.poll(() => readout(page, 'timeline')).toMatch(/^Step/);
  });

  test('is gone through by keys, along a lane and to others at that time', async () => {
    const page = await open();
    await list(page, 'timeline').focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowRight');
    await expect
      .poll(() => said(page, 'timeline'))
      .toMatch(/^Stage 1 · F Forward · micro-batch 2 · 21\.0\sms · 21\.0\sms – 42\.0\sms · Idle/);
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => said(page, 'timeline')).toMatch(/^Stage 2 · F Forward · micro-batch 1/);
    await page.keyboard.press('End');
    await expect.poll(() => said(page, 'timeline')).toMatch(/^Stage 2 · B Backward · .* 16 /);
    await page.keyboard.press('Shift+ArrowLeft');
    await page.keyboard.press('ArrowUp');
    await expect.poll(() => said(page, 'timeline')).toMatch(/^Stage 1/);
  });

  test('is looked at in parts: by buttons, by keys, and by dragging', async () => {
    const page = await open();
    const look = (name: string): Locator =>
      chart(page, 'timeline').getByRole('button', { name, exact: true });
    const bars = (): Promise<number> =>
      chart(page, 'timeline')
        .locator('.drawing path[fill^="url(#kind"]')
        .evaluateAll((paths) =>
          paths.reduce((sum, path) => sum + (path.getAttribute('d')!.match(/M/g)?.length ?? 0), 0),
        );
    expect(await bars()).toBe(2 * 8 * 16);
    expect(await look('Whole step').getAttribute('aria-pressed')).toBe('true');
    const shares = chart(page, 'timeline').locator('.legend .quiet');
    const before = await shares.allTextContents();
    await look('Start').click();
    await expect.poll(() => readout(page, 'timeline')).toMatch(/^Step 1\.45 s 0 s – 504 ms Idle/);
    expect(await look('Start').getAttribute('aria-pressed')).toBe('true');
    expect(await bars()).toBeLessThan(100);
    // Shares are those of the whole step, whatever is shown.
    expect(await shares.allTextContents()).toEqual(before);
    await look('Wider').click();
    await expect.poll(() => readout(page, 'timeline')).toMatch(/^Step 1\.45 s 0 s – 1\.01 s Idle/);
    await list(page, 'timeline').focus();
    await page.keyboard.press('0');
    await expect.poll(bars).toBe(2 * 8 * 16);
    await page.keyboard.press('End');
    await page.keyboard.press('+');
    await page.keyboard.press('+');
    await expect.poll(bars).toBeLessThan(128);
    // What keys go to is shown.
    await page.keyboard.press('Home');
    await expect
      .poll(() => said(page, 'timeline'))
      .toMatch(/^Stage 1 · F Forward · micro-batch 1 /);
    expect(await chart(page, 'timeline').locator('.picked').count()).toBe(1);
    await look('Whole step').click();
    await page.mouse.move(...(await at(page, 'timeline', 200, 40)));
    await page.mouse.down();
    await page.mouse.move(...(await at(page, 'timeline', 300, 60)), { steps: 4 });
    expect(await chart(page, 'timeline').locator('.marked').count()).toBe(1);
    await page.mouse.up();
    await expect.poll(bars).toBeLessThan(60);
    expect(await chart(page, 'timeline').locator('.marked').count()).toBe(0);
  });

  test('marks what is cut out, on its axis and in its file', async () => {
    const page = await open({ size: 'many' });
    const drawn = chart(page, 'timeline').locator('.drawing');
    expect(await drawn.locator('.cut').count()).toBe(1);
    expect(await drawn.locator('text.value').allTextContents()).toEqual(['×158 more · 10.0 s']);
    const csv = (await saved(page, 'timeline', 'CSV')).toString();
    expect(csv).toMatch(/\r?\n,,×158 more · 10\.0 s,[\d.]+,[\d.]+\s*$/);
  });

  test('averages over the lanes that have a kind', async () => {
    const page = await open({ size: 'one' });
    expect(await chart(page, 'timeline').locator('.legend .quiet').allTextContents()).toEqual([
      '1.20\u00a0s · 57.1%',
      '600\u00a0ms · 28.6%',
      '900\u00a0ms · 42.9%',
      '400\u00a0ms · 19.0%',
      '100\u00a0ms · 4.76%',
    ]);
  });

  test('its table has a row for each lane', async () => {
    const page = await open();
    await chart(page, 'timeline').getByText('Data table').click();
    const rows = chart(page, 'timeline').getByRole('table').locator('tbody tr');
    await expect.poll(() => rows.count()).toBe(8);
    expect(await rows.first().innerText()).toMatch(/^1\s+336\sms\s+672\sms.*441\sms$/);
  });
});

describe('pareto-frontier', () => {
  const place = async (page: Page, index: number): Promise<[number, number]> => {
    const mark = chart(page, 'pareto-frontier').locator('.drawing .point').nth(index);
    const [, x, y] = /translate\(([\d.]+) ([\d.]+)\)/.exec(
      (await mark.getAttribute('transform'))!,
    )!;
    return at(page, 'pareto-frontier', Number(x), Number(y));
  };

  test('shows a point at the pointer, and chooses it by a press', async () => {
    const page = await open();
    expect(await readout(page, 'pareto-frontier')).toBe(
      'TP 16 · PP 16 18.9 s 33.1 GB ▲ Network-bound',
    );
    await page.mouse.move(...(await place(page, 9)));
    await expect
      .poll(() => readout(page, 'pareto-frontier'))
      .toMatch(/^TP 4 · PP 16 .* ● Compute-bound$/);
    expect((await told(page)).moves).toEqual([]);
    await page.mouse.click(...(await place(page, 9)));
    expect((await told(page)).moves).toEqual([{ index: 9, done: true }]);
    const own = chart(page, 'pareto-frontier').locator('.point.own');
    const marked = await chart(page, 'pareto-frontier')
      .locator('.drawing .point')
      .nth(9)
      .getAttribute('transform');
    await expect.poll(() => own.getAttribute('transform')).toBe(marked);
    // Beside the points there is nothing to choose.
    await page.mouse.click(...(await at(page, 'pareto-frontier', 700, 80)));
    expect((await told(page)).moves.length).toBe(1);
  });

  test('is chosen from by keys, once they say so', async () => {
    const page = await open();
    await list(page, 'pareto-frontier').focus();
    await expect.poll(() => said(page, 'pareto-frontier')).toMatch(/^TP 16 · PP 16 · 18\.9/);
    const option = list(page, 'pareto-frontier').getByRole('option');
    await expect.poll(() => option.getAttribute('aria-selected')).toBe('true');
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => option.getAttribute('aria-selected')).toBe('false');
    expect((await told(page)).moves).toEqual([]);
    await page.keyboard.press('Enter');
    expect((await told(page)).moves).toEqual([{ index: 4, done: true }]);
    await expect.poll(() => option.getAttribute('aria-selected')).toBe('true');
  });

  test('a finger that taps chooses; one that scrolls does not', async () => {
    const page = await openToTouch();
    await page.touchscreen.tap(...(await place(page, 6)));
    await expect.poll(async () => (await told(page)).moves).toEqual([{ index: 6, done: true }]);
  });

  test('where there is too much, it says so', async () => {
    const page = await open({ size: 'one' });
    expect(await readout(page, 'pareto-frontier')).toBe(
      'yours 21.0 s 88.0 GB Over by 8.00 GB ■ Memory-bound',
    );
  });
});

describe('map of values', () => {
  test('tells the cell at the pointer, the best by a word', async () => {
    const page = await open();
    const map = chart(page, 'value-map');
    expect(await readout(page, 'value-map')).toBe('Tensor 4 · Pipeline 8 15.2 s ● compute-bound');
    const best = map.locator('.drawing text.value');
    await best.scrollIntoViewIfNeeded();
    const { x, y } = (await best.boundingBox())!;
    await page.mouse.move(x, y);
    await expect.poll(() => readout(page, 'value-map')).toMatch(/14\.0 s .* ★ fastest$/);
    await page.mouse.move(...(await at(page, 'value-map', 60, 400)));
    await expect.poll(() => readout(page, 'value-map')).toBe('Tensor 1 · Pipeline 1 does not fit');
  });

  test('a cell is chosen by a press, and by keys', async () => {
    const page = await open();
    await page.mouse.click(...(await at(page, 'value-map', 1200, 60)));
    expect((await told(page)).moves.at(-1)).toEqual({ x: 7, y: 7, done: true });
    await expect.poll(() => readout(page, 'value-map')).toMatch(/^Tensor 16 · Pipeline 16/);
    const across = chart(page, 'value-map').getByRole('slider', { name: 'Tensor' });
    await across.focus();
    await across.press('ArrowLeft');
    await expect
      .poll(() => across.getAttribute('aria-valuetext'))
      .toMatch(/^Tensor 12 · Pipeline 16 · .*\ss · network-bound$/);
  });
});
