import fc from 'fast-check';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { layBars } from '../../web/src/charts/bars-layout.ts';
import { layFront } from '../../web/src/charts/front-layout.ts';
import { layTimeline } from '../../web/src/charts/timeline-layout.ts';
import { layValueMap } from '../../web/src/charts/value-map-layout.ts';
import { Formatter } from '../../web/src/number/format.ts';
import { loadDictionary } from '../../web/src/text/dictionary.ts';
import { covered, expectLegible, expectNumbers, objections, saved } from './charts/looks.ts';
import { bars, front, timeline, valueMap, type PlanOptions } from './charts/plan-samples.ts';
import { chart, chartVisits, planKinds, readout, told } from './charts/visits.ts';

const format = new Formatter('en', (await loadDictionary('en')).units);
const measure = (text: string, _: number, size: number): number => text.length * size * 0.55;
const usual: PlanOptions = { language: 'en', size: 'usual' };

interface Rectangle {
  x: number;
  y: number;
  width: number;
  height: number;
}

const rectangles = (d: string): Rectangle[] =>
  [...d.matchAll(/M([\d.]+) ([\d.]+)h([\d.]+)v([\d.]+)H[\d.]+z/g)].map((found) => {
    const [x, y, width, height] = found.slice(1).map(Number);
    return { x: x!, y: y!, width: width!, height: height! };
  });

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);

describe('layouts', () => {
  test('bars are as long as what they hold, and too long only beyond the limit', () => {
    const value = fc.double({ min: 0, max: 30e9, noNaN: true });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 64 }), fc.infiniteStream(value), (count, stream) => {
        const data = bars(usual);
        const values = [...stream.take(count * data.kinds.length)];
        const rows = Array.from({ length: count }, (_, row) => String(row + 1));
        const { kinds, x, totals, beyond, plot } = layBars(
          { ...data, rows, values },
          720,
          format,
          measure,
        );
        const drawn = kinds.flatMap(rectangles);
        const pieces = values.length;
        const wanted = sum(totals.map((total) => x.place(total) - plot.left));
        expect(Math.abs(sum(drawn.map(({ width }) => width)) - wanted)).toBeLessThan(0.1 * pieces);
        for (const { x: left, width } of drawn) {
          expect(left).toBeGreaterThanOrEqual(plot.left - 0.1);
          expect(left + width).toBeLessThanOrEqual(plot.right + 0.2);
        }
        // Of the two limits only the hard one counts.
        const over = totals.filter((total) => x.place(total) - x.place(80e9) >= 0.05).length;
        expect(rectangles(beyond).length).toBe(over);
        for (const { x: left } of rectangles(beyond)) expect(left).toBeCloseTo(x.place(80e9), 0);
      }),
      { numRuns: 50 },
    );
  });

  test('only kinds that there are have a place in the legend', () => {
    const data = bars(usual);
    const values = Array.from(data.values, (value, at) => (at % data.kinds.length < 2 ? value : 0));
    const { legend } = layBars({ ...data, values }, 720, format, measure);
    expect(legend.entries.map(({ kind }) => kind)).toEqual([0, 1]);
  });

  test('bars too thin for letters have them above the first', () => {
    const { letters, rows } = layBars(bars({ ...usual, size: 'many' }), 720, format, measure);
    for (const { y } of letters) {
      expect(y.length).toBeLessThanOrEqual(1);
      for (const at of y) expect(at).toBeLessThan(rows.top(0));
    }
    const { letters: inside, rows: few } = layBars(bars(usual), 720, format, measure);
    expect(inside[0]!.y.length).toBe(8);
    for (const at of inside[0]!.y) expect(at).toBeGreaterThan(few.top(0));
  });

  test('a timeline draws each event where and as long as it is', () => {
    const data = timeline(usual);
    const { kinds, x, rows, busy } = layTimeline(data, 1200, format, measure);
    const drawn = kinds.flatMap(rectangles);
    expect(drawn.length).toBe(data.events.length);
    for (const { lane, kind, start, end } of data.events) {
      const found = rectangles(kinds[kind]!).find(
        ({ x: left, y }) => Math.abs(left - x.place(start)) < 0.1 && y === rows.top(lane),
      );
      // A gap parts it from the next.
      expect(found!.width).toBeCloseTo(x.place(end) - x.place(start) - 1, 0);
    }
    expect(busy[0]![0]).toBeCloseTo(16 * 0.021);
    expect(busy[7]![1]).toBeCloseTo(16 * 0.042);
  });

  test('events too thin to be told apart run into one', () => {
    const events = Array.from({ length: 1000 }, (_, at) => ({
      lane: 0,
      kind: at < 500 ? 0 : 1,
      start: at,
      end: at + 1,
    }));
    const data = { ...timeline(usual), lanes: [''], events, end: 1000 };
    const { kinds, plot } = layTimeline(data, 720, format, measure);
    expect(kinds.map((d) => rectangles(d).length)).toEqual([1, 1, 0, 0]);
    const [first, second] = kinds.flatMap(rectangles);
    expect(first!.x).toBe(plot.left);
    expect(second!.x + second!.width).toBeCloseTo(plot.right, -0.5);
  });

  test('names of lanes stand above them where they would take too much of the width', () => {
    const data = timeline({ ...usual, size: 'one' });
    const beside = layTimeline(data, 720, format, measure).rows;
    expect(beside.left).toBeGreaterThan(50);
    expect(beside.names.every(({ end }) => end)).toBe(true);
    const above = layTimeline(data, 240, format, measure).rows;
    expect(above.left).toBe(0);
    above.names.forEach(({ y }, lane) => expect(y).toBeLessThan(above.top(lane)));
  });

  test('a front steps down from point to point', () => {
    const { steps, dots, beyond, limits, x } = layFront(front(3, usual), 720, format, measure);
    expect(steps.match(/[MHV]/g)!.length).toBe(1 + 2 * (dots.length - 1));
    expect(steps).toMatch(new RegExp(`^M${dots[0]!.x} ${dots[0]!.y}H${dots[1]!.x}V${dots[1]!.y}`));
    expect(beyond).toBeCloseTo(x.place(80e9), 0);
    expect(limits.map(({ text }) => text)).toEqual(['HBM 80.0\u00a0GB']);
  });

  test('every cell of a map of values is drawn once: the more, the darker', () => {
    const cell = fc.oneof(fc.double({ min: 1, max: 1e6, noNaN: true }), fc.constant(NaN));
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 1, max: 12 }),
        fc.infiniteStream(cell),
        (columns, rows, stream) => {
          const cells = [...stream.take(columns * rows)];
          const { names: _x, ...x } = valueMap({ x: 0, y: 0 }, usual).x;
          const axis = (length: number) => ({
            ...x,
            values: Array.from({ length }, (_, index) => index),
          });
          const laid = layValueMap(
            {
              ...valueMap({ x: 0, y: 0 }, usual),
              cells,
              absent: [],
              x: axis(columns),
              y: axis(rows),
            },
            360,
            format,
            measure,
          );
          const { shaded, absent } = laid;
          const drawn = new Array<number>(columns * rows);
          const edge = (edges: number[], pixel: string): number =>
            edges.findIndex((each) => Math.abs(each - Number(pixel)) <= 0.06);
          [...shaded, absent].forEach((d, shade) => {
            for (const [, x, , right, y] of d.matchAll(
              /M([\d.]+) ([\d.]+)H([\d.]+)V([\d.]+)H[\d.]+z/g,
            )) {
              const row = edge(laid.rows, y!);
              for (let i = edge(laid.columns, x!); i < edge(laid.columns, right!); ++i) {
                const at = row * columns + i;
                expect(drawn[at]).toBeUndefined();
                drawn[at] = shade;
              }
            }
          });
          cells.forEach((value, at) => {
            expect(drawn[at] === shaded.length).toBe(Number.isNaN(value));
            cells.forEach((other, beside) => {
              if (value < other) expect(drawn[at]).toBeLessThanOrEqual(drawn[beside]!);
            });
          });
        },
      ),
      { numRuns: 50 },
    );
  });

  test('cells have their numbers if all have room, first with what binds', () => {
    const texts = (width: number, size: PlanOptions['size'] = 'usual'): string[] =>
      layValueMap(valueMap({ x: 0, y: 0 }, { ...usual, size }), width, format, measure).numbers.map(
        ({ text }) => text,
      );
    expect(texts(1200)[0]).toMatch(/^[●▲] \d+\.\d$/);
    expect(texts(360)[0]).toMatch(/^\d+\.\d$/);
    expect(texts(360, 'many')).toEqual([]);
  });

  test('no number that is none in any drawing, whatever the data', () => {
    const number = fc.oneof(
      fc.constantFrom(0, -1, NaN, Infinity, -Infinity, 1e-300, 1e300),
      fc.double({ min: 1e-12, max: 1e24 }),
    );
    fc.assert(
      fc.property(
        fc.array(number, { minLength: 12, maxLength: 12 }),
        fc.constantFrom(240, 360, 1440),
        fc.constantFrom('linear' as const, 'log' as const),
        (n, width, scale) => {
          const memory = bars(usual);
          const step = timeline(usual);
          const points = front(0, usual);
          const map = valueMap({ x: 0, y: 0 }, usual);
          const lay = [format, measure] as const;
          const layouts = [
            layBars(
              {
                ...memory,
                rows: ['a', 'b'],
                kinds: memory.kinds.slice(0, 5),
                values: n.slice(0, 10),
                limits: [
                  { label: 'hard', value: n[10]! },
                  { label: 'soft', value: n[11]!, soft: true },
                ],
              },
              width,
              ...lay,
            ),
            layTimeline(
              {
                ...step,
                lanes: ['a', 'b'],
                events: [0, 2, 4, 6, 8].map((at) => ({
                  lane: at % 3,
                  kind: at % 5,
                  start: n[at]!,
                  end: n[at + 1]!,
                })),
                end: n[10]!,
              },
              width,
              ...lay,
            ),
            layFront(
              {
                ...points,
                x: { ...points.x, scale },
                y: { ...points.y, scale },
                points: [0, 2, 4].map((at) => ({ label: 'point', x: n[at]!, y: n[at + 1]! })),
                own: { label: 'own', x: n[6]!, y: n[7]! },
                limits: [{ label: 'limit', value: n[8]! }],
              },
              width,
              ...lay,
            ),
            layValueMap(
              {
                ...map,
                value: { ...map.value, scale },
                absent: [],
                cells: n,
                x: { ...map.x, values: [0, 1, 2], names: ['a', 'b', 'c'] },
                y: { ...map.y, values: [0, 1, 2, 3], names: ['a', 'b', 'c', 'd'] },
                own: { x: n[0]!, y: n[1]! },
              },
              width,
              ...lay,
            ),
          ];
          for (const layout of layouts) expectNumbers(layout);
        },
      ),
      { numRuns: 300 },
    );
  });

  test('nothing at all is drawn as nothing', () => {
    const lay = [360, format, measure] as const;
    const memory = bars(usual);
    expectNumbers(layBars({ ...memory, rows: [], values: [], limits: [] }, ...lay));
    expectNumbers(layBars({ ...memory, kinds: [], values: [] }, ...lay));
    expectNumbers(layTimeline({ ...timeline(usual), lanes: [], events: [], end: 0 }, ...lay));
    expectNumbers(layFront({ ...front(99, usual), points: [], limits: [] }, ...lay));
    const map = valueMap({ x: 0, y: 0 }, usual);
    const none = { ...map.x, values: [], names: [] };
    expectNumbers(layValueMap({ ...map, x: none, y: none, cells: [] }, ...lay));
  });
});

const open = chartVisits('plan');

const list = (page: Page, kind: (typeof planKinds)[number]): Locator =>
  chart(page, kind).getByRole('listbox');

/** What the reader of a screen is told of the mark that keys have come to. */
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
    expect(await chart(page, 'front').getByRole('table').innerText()).toContain('no value');
    expect(await chart(page, 'bars').getByRole('table').innerText()).toContain('<img src=x');
    await list(page, 'bars').focus();
    expect(await said(page, 'bars')).toContain('<img src=x onerror=alert(1)> Parameters');
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

  describe.each([320, 360, 768, 1440])('%d px wide', (width) => {
    test.each([
      ['usual', 'en'],
      ['usual', 'zh'],
      ['one', 'en'],
      ['one', 'zh'],
      ['many', 'en'],
    ] as const)('%s in %s: texts are legible and inside', async (size, language) => {
      const page = await open({ language, size, viewport: { width, height: 900 } });
      await expectLegible(page, size === 'one' ? ['bars', 'timeline'] : planKinds);
      for (const kind of planKinds) {
        const names = '.drawing text:not(.letter), .legend text';
        expect(await covered(page, kind, names), kind).toEqual([]);
      }
    });
  });

  test('kinds keep their textures in light, dark and forced colours', async () => {
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
            const wash = pattern.querySelector('.wash')!;
            const texture = pattern.querySelector('.texture')!;
            return `${wash.getAttribute('fill-opacity')} ${texture.getAttribute('d')}`;
          }),
        );
      expect(new Set(looks).size).toBe(9);
      const fill = await chart(page, 'bars')
        .locator('.wash')
        .first()
        .evaluate((wash) => getComputedStyle(wash).fill);
      if ('colorScheme' in options) {
        const light = options.colorScheme === 'light';
        expect(fill).toBe(light ? 'rgb(180, 83, 9)' : 'rgb(255, 171, 102)');
      } else expect(['rgb(180, 83, 9)', 'rgb(255, 171, 102)']).not.toContain(fill);
    }
  });

  test('on paper without what only a screen can use', async () => {
    const page = await open();
    await page.emulateMedia({ media: 'print' });
    for (const kind of planKinds) {
      expect(await chart(page, kind).locator('.tools').isVisible()).toBe(false);
      expect(await chart(page, kind).locator('.drawing').isVisible()).toBe(true);
    }
  });

  test('follows its width', async () => {
    const page = await open({ viewport: { width: 1000, height: 900 } });
    await page.setViewportSize({ width: 500, height: 900 });
    for (const kind of planKinds) {
      const drawing = chart(page, kind).locator('.drawing');
      await expect.poll(() => drawing.getAttribute('viewBox')).toMatch(/^0 0 500 /);
    }
  });

  test('thousands of events and bars are few nodes', async () => {
    const page = await open({ size: 'many' });
    expect(timeline({ ...usual, size: 'many' }).events.length).toBe(2 * 64 * 200);
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
    // What is painted is there to be painted with.
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

  test.each(planKinds)('%s as PNG', async (kind) => {
    const page = await open();
    const png = await saved(page, kind, 'PNG');
    expect(png.subarray(1, 4).toString()).toBe('PNG');
    expect(png.length).toBeGreaterThan(10_000);
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
    expect((await rows('front'))[1]).toMatch(/^TP 16 · PP 16,22000000000,[\d.]+,Network-bound$/);
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
    expect(await said(page, 'bars')).toBe(
      'Stage 1 · A Parameters 9.33\u00a0GB · Total 85.0\u00a0GB · Over by 4.99\u00a0GB',
    );
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
    expect(await readout(page, 'timeline')).toMatch(/^Step 1\.45 s Idle 441 ms · 30\.4 %$/);
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

  test('averages over the lanes that have a kind', async () => {
    const page = await open({ size: 'one' });
    expect(await chart(page, 'timeline').locator('.legend .quiet').allTextContents()).toEqual([
      '1.20\u00a0s · 57.1\u00a0%',
      '600\u00a0ms · 28.6\u00a0%',
      '900\u00a0ms · 42.9\u00a0%',
      '400\u00a0ms · 19.0\u00a0%',
      '100\u00a0ms · 4.76\u00a0%',
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

describe('front', () => {
  const place = async (page: Page, index: number): Promise<[number, number]> => {
    const mark = chart(page, 'front').locator('.drawing .point').nth(index);
    const [, x, y] = /translate\(([\d.]+) ([\d.]+)\)/.exec(
      (await mark.getAttribute('transform'))!,
    )!;
    return at(page, 'front', Number(x), Number(y));
  };

  test('shows a point at the pointer, and chooses it by a press', async () => {
    const page = await open();
    expect(await readout(page, 'front')).toBe('TP 16 · PP 16 18.9 s 33.1 GB ▲ Network-bound');
    await page.mouse.move(...(await place(page, 9)));
    await expect.poll(() => readout(page, 'front')).toMatch(/^TP 4 · PP 16 .* ● Compute-bound$/);
    expect((await told(page)).moves).toEqual([]);
    await page.mouse.click(...(await place(page, 9)));
    expect((await told(page)).moves).toEqual([{ index: 9, done: true }]);
    const own = chart(page, 'front').locator('.point.own');
    const marked = await chart(page, 'front')
      .locator('.drawing .point')
      .nth(9)
      .getAttribute('transform');
    await expect.poll(() => own.getAttribute('transform')).toBe(marked);
    // Beside the points there is nothing to choose.
    await page.mouse.click(...(await at(page, 'front', 700, 80)));
    expect((await told(page)).moves.length).toBe(1);
  });

  test('is chosen from by keys, once they say so', async () => {
    const page = await open();
    await list(page, 'front').focus();
    expect(await said(page, 'front')).toMatch(/^TP 16 · PP 16 · 18\.9/);
    const option = list(page, 'front').getByRole('option');
    expect(await option.getAttribute('aria-selected')).toBe('true');
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => option.getAttribute('aria-selected')).toBe('false');
    expect((await told(page)).moves).toEqual([]);
    await page.keyboard.press('Enter');
    expect((await told(page)).moves).toEqual([{ index: 4, done: true }]);
    await expect.poll(() => option.getAttribute('aria-selected')).toBe('true');
  });

  test('a finger that taps chooses; one that scrolls does not', async () => {
    const page = await open({ hasTouch: true });
    await page.touchscreen.tap(...(await place(page, 6)));
    await expect.poll(async () => (await told(page)).moves).toEqual([{ index: 6, done: true }]);
  });

  test('where there is too much, it says so', async () => {
    const page = await open({ size: 'one' });
    expect(await readout(page, 'front')).toBe(
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
