import fc from 'fast-check';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { layHeatMap } from '../../web/src/charts/heat-map-layout.ts';
import { Ground, around, spread, spreadRow, type Box } from '../../web/src/charts/labels.ts';
import type { HeatMapData } from '../../web/src/charts/data.ts';
import { layRoofline } from '../../web/src/charts/roofline-layout.ts';
import { decades, hull, nearest, rounded, scale } from '../../web/src/charts/scale.ts';
import { laySweep } from '../../web/src/charts/sweep-layout.ts';
import { csv } from '../../web/src/charts/table.ts';
import { linearTicks, logTicks } from '../../web/src/charts/ticks.ts';
import { Formatter } from '../../web/src/number/format.ts';
import { loadDictionary } from '../../web/src/text/dictionary.ts';
import { covered, expectLegible, expectNumbers, objections, saved } from './charts/looks.ts';
import { heatMap, roofline, sweep } from './charts/samples.ts';
import { chart, chartVisits, kinds, readout, told, type Kind } from './charts/visits.ts';

const format = new Formatter('en', (await loadDictionary('en')).units);
const measure = (text: string, _: number, size: number): number => text.length * size * 0.55;

describe('scales', () => {
  test('what cannot be drawn stands at an edge', () => {
    const log = scale(true, [1, 1000], [0, 300]);
    expect(log.place(10)).toBeCloseTo(100);
    for (const [value, at] of [
      [0, 0],
      [-5, 0],
      [NaN, 0],
      [1e-300, 0],
      [Infinity, 300],
      [1e300, 300],
    ] as const) {
      expect(log.place(value)).toBe(at);
    }
    const up = scale(false, [0, 10], [200, 0]);
    expect([up.place(0), up.place(5), up.place(99)]).toEqual([200, 100, 0]);
  });

  test('hulls leave out what is no number, and on a logarithmic axis what is not positive', () => {
    expect(hull(true, [0, NaN, 3, Infinity, -1, 7])).toEqual([3, 7]);
    expect(hull(false, [0, NaN, 3], new Float64Array([-1]))).toEqual([-1, 3]);
    expect(hull(true, [0, NaN])).toBeUndefined();
  });

  test('domains are rounded outwards', () => {
    expect(decades([3, 450])).toEqual([1, 1000]);
    expect(decades([100, 100])).toEqual([100, 1000]);
    expect(rounded([0.03, 9.9e14 * 3])).toEqual([0.02, 5e15]);
  });

  test('the nearest of ascending places', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 1000 }), { minLength: 1 }),
        fc.integer({ min: -10, max: 1010 }),
        (values, pixel) => {
          values.sort((a, b) => a - b);
          const found = nearest(values.length, (index) => values[index]!, pixel);
          const least = Math.min(...values.map((value) => Math.abs(value - pixel)));
          expect(Math.abs(values[found]! - pixel)).toBe(least);
        },
      ),
    );
  });
});

describe('ticks', () => {
  const tokens = { label: 'Batch', unit: 'tokens' };
  const rate = { label: 'Achieved', unit: 'FLOPs/s' };

  test('powers of ten, written out while they are short', () => {
    expect(logTicks(tokens, [1, 1e5], 8, format).labels).toEqual([
      '1',
      '10',
      '100',
      '1,000',
      '10,000',
      '100,000',
    ]);
    expect(logTicks(rate, [1e11, 1e15], 8, format)).toMatchObject({
      labels: ['10¹¹', '10¹²', '10¹³', '10¹⁴', '10¹⁵'],
      title: 'Achieved (FLOPs/s)',
    });
    expect(logTicks(tokens, [1e-6, 1e6], 13, format).labels).toContain('10⁻⁶');
  });

  test('no more than asked for', () => {
    expect(logTicks(rate, [1, 1e15], 6, format).labels).toEqual([
      '1',
      '10³',
      '10⁶',
      '10⁹',
      '10¹²',
      '10¹⁵',
    ]);
  });

  test('few decades are parted at 2 and 5; times carry their own unit', () => {
    expect(logTicks(tokens, [100, 1000], 8, format).at).toEqual([100, 200, 500, 1000]);
    expect(logTicks({ label: 'Time', unit: 's' }, [1e-6, 1e-2], 8, format).labels).toEqual([
      '1\u00a0µs',
      '10\u00a0µs',
      '100\u00a0µs',
      '1\u00a0ms',
      '10\u00a0ms',
    ]);
  });

  test('times stand at round numbers of seconds, minutes, hours, days and years', () => {
    const time = { label: 'Time', unit: 's' };
    const day = 86400;
    const labels = (from: number, to: number, most: number): string[] =>
      logTicks(time, [from, to], most, format).labels.map((label) => label.replace('\u00a0', ' '));
    expect(labels(1, 1e9, 12)).toEqual([
      '1 s',
      '10 s',
      '1 min',
      '10 min',
      '1 hour',
      '6 hours',
      '1 day',
      '10 days',
      '100 days',
      '1 year',
      '10 years',
    ]);
    expect(labels(1, 1e9, 6)).toEqual(['1 s', '1 min', '1 hour', '1 day', '1 year']);
    expect(labels(20, 7200, 10)).toEqual(
      '20 s,30 s,1 min,2 min,5 min,10 min,20 min,30 min,1 hour,2 hours'.split(','),
    );
    expect(labels(day, 40 * day, 8)).toEqual(['1 day', '2 days', '5 days', '10 days', '20 days']);
    const along = (end: number, most: number) => linearTicks(time, [0, end], most, format);
    expect(along(200, 4)).toMatchObject({ labels: ['0', '1', '2', '3'], title: 'Time (min)' });
    expect(along(5400, 6).labels).toEqual(['0', '0.5', '1', '1.5']);
    expect(along(40 * 3600, 4)).toMatchObject({
      labels: ['0', '12', '24', '36'],
      title: 'Time (hours)',
    });
    expect(along(2000, 5).labels).toEqual(['0', '10', '20', '30']);
    expect(along(900 * day, 5)).toMatchObject({
      labels: ['0', '0.5', '1', '1.5', '2'],
      title: 'Time (years)',
    });
    // A step is told in seconds, as training logs have it.
    const step = { label: 'Time', unit: 's/step' };
    expect(linearTicks(step, [0, 90.6], 5, format)).toMatchObject({
      labels: ['0', '20', '40', '60', '80'],
      title: 'Time (s)',
    });
    expect(logTicks(step, [1, 1e3], 4, format).labels.at(-1)).toBe('1,000\u00a0s');
  });

  test('every label of a time is one that reads as it stands', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -8, max: 12, noNaN: true }),
        fc.double({ min: 0.1, max: 12, noNaN: true }),
        fc.integer({ min: 2, max: 14 }),
        (from, span, most) => {
          const range = [10 ** from, 10 ** (from + span)] as const;
          const { at, labels } = logTicks({ label: 'Time', unit: 's' }, range, most, format);
          expect(at.length).toBeLessThanOrEqual(most);
          expect(new Set(labels).size).toBe(labels.length);
          for (const label of labels)
            expect(label).toMatch(/^(\d{1,3}(,\d{3})*|\d+[MBT])\u00a0\S+$/);
          expect(at).toEqual([...at].sort((a, b) => a - b));
        },
      ),
    );
  });

  test('a linear axis has one unit', () => {
    expect(linearTicks(rate, [0, 2e14], 5, format)).toMatchObject({
      labels: ['0', '50', '100', '150', '200'],
      title: 'Achieved (TFLOPs/s)',
    });
    expect(linearTicks({ label: 'Time', unit: 's' }, [0, 3e-3], 6, format)).toMatchObject({
      labels: ['0', '0.5', '1', '1.5', '2', '2.5', '3'],
      title: 'Time (ms)',
    });
    expect(linearTicks({ label: 'Share', unit: '%' }, [0, 1], 5, format)).toMatchObject({
      labels: ['0', '20', '40', '60', '80', '100'],
      title: 'Share (%)',
    });
    expect(linearTicks({ label: 'D', unit: '' }, [0, 4e6], 4, format).labels).toEqual([
      '0',
      '1M',
      '2M',
      '3M',
      '4M',
    ]);
  });
});

describe('labels', () => {
  const overlap = (a: Box, b: Box): boolean =>
    a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  const edge = { left: 0, right: 400, top: 0, bottom: 300 };

  test('none covers another or leaves the ground', () => {
    const place = fc.record({
      x: fc.integer({ min: 0, max: 400 }),
      y: fc.integer({ min: 0, max: 300 }),
      width: fc.integer({ min: 10, max: 120 }),
    });
    fc.assert(
      fc.property(fc.array(place, { maxLength: 30 }), (dots) => {
        const ground = new Ground(edge);
        const boxes = dots.flatMap(
          (dot) => ground.place(around(dot, 5, dot.width, 12))?.boxes ?? [],
        );
        boxes.forEach((box, index) => {
          expect(box.left >= 0 && box.right <= 400 && box.top >= 0 && box.bottom <= 300).toBe(true);
          for (const other of boxes.slice(0, index)) expect(overlap(box, other)).toBe(false);
        });
      }),
    );
  });

  test('the first of two at one place stands beside it, the other elsewhere', () => {
    const ground = new Ground(edge);
    const [first, second] = [1, 2].map(() => ground.place(around({ x: 200, y: 150 }, 5, 60, 12))!);
    expect(first).toMatchObject({ anchor: 'start', x: 214 });
    expect(second!.x).not.toBe(first!.x);
  });

  test('spread apart as little as needed, in order, within limits', () => {
    expect(spread([10, 50, 90], 20, 0, 100)).toEqual([10, 50, 90]);
    expect(spread([50, 50, 50], 20, 0, 100)).toEqual([50, 70, 90]);
    expect(spread([99, 98], 20, 0, 100)).toEqual([100, 80]);
    expect(spreadRow([10, 20, 290], [60, 60, 60], 10, 0, 300)).toEqual([30, 100, 270]);
  });
});

test('a table as CSV: all digits, quoted, and no formula among its texts', () => {
  expect(
    csv({
      columns: [{ label: 'x', unit: 'FLOPs/B' }, { label: 'a "b", c' }],
      rows: [
        [0.1 + 0.2, '=1+1'],
        [NaN, undefined],
        [-5, 'two\nlines'],
      ],
    }),
  ).toBe(
    '\ufeffx (FLOPs/B),"a ""b"", c"\r\n0.30000000000000004,\'=1+1\r\n,\r\n-5,"two\nlines"\r\n',
  );
});

describe('layouts', () => {
  const state = { batch: 128, output: 4096 };

  /** Rectangles and polygons of a path. */
  const outlines = (d: string): [number, number][][] =>
    d
      .split('z')
      .filter(Boolean)
      .map((part) => {
        const rectangle = /^M([\d.]+) ([\d.]+)H([\d.]+)V([\d.]+)H/.exec(part);
        if (!rectangle)
          return part
            .slice(1)
            .split('L')
            .map((dot) => dot.split(' ').map(Number) as [number, number]);
        const [left, top, right, bottom] = rectangle.slice(1).map(Number) as [
          number,
          number,
          number,
          number,
        ];
        return [
          [left, top],
          [right, top],
          [right, bottom],
          [left, bottom],
        ];
      });
  const areaOf = (dots: [number, number][]): number =>
    Math.abs(
      dots.reduce((sum, [x, y], index) => {
        const [nextX, nextY] = dots[(index + 1) % dots.length]!;
        return sum + x * nextY - nextX * y;
      }, 0) / 2,
    );
  const holds = (dots: [number, number][], x: number, y: number): boolean =>
    dots.reduce((inside, [x1, y1], index) => {
      const [x2, y2] = dots[(index + 1) % dots.length]!;
      return y1 > y !== y2 > y && x < x1 + ((y - y1) / (y2 - y1)) * (x2 - x1) ? !inside : inside;
    }, false);

  /** A heat map of numbers from 1 on. */
  const numbered = (cells: number[], columns: number, rows: number): HeatMapData => {
    const data = heatMap(state, { language: 'en' });
    const { names: _x, ...x } = data.x;
    const { names: _y, ...y } = data.y;
    const count = (length: number) => Array.from({ length }, (_, index) => index + 1);
    return {
      ...data,
      cells,
      absent: cells.map((kind) => Number(kind === 3)),
      x: { ...x, values: count(columns) },
      y: { ...y, values: count(rows) },
    };
  };

  test('a heat map is covered once, and each value by the path of its category', () => {
    const cell = fc.integer({ min: 0, max: 4 });
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 1, max: 12 }),
        fc.infiniteStream(cell),
        (columns, rows, stream) => {
          const cells = [...stream.take(columns * rows)];
          const data = numbered(cells, columns, rows);
          const { regions, absent, plot, placeX, placeY } = layHeatMap(data, 360, format, measure);
          const areas = [...regions.map(({ d }) => d), absent].map(outlines);
          const covered = areas.flat().reduce((sum, dots) => sum + areaOf(dots), 0);
          const all = (plot.right - plot.left) * (plot.bottom - plot.top);
          expect(Math.abs(covered / all - 1)).toBeLessThan(1e-3);
          cells.forEach((kind, at) => {
            // A little inside the plot, and off the corner where four squares meet.
            const x = placeX((at % columns) + 1);
            const y = placeY(Math.floor(at / columns) + 1);
            const inner = (value: number, from: number, to: number): number =>
              value + (value < (from + to) / 2 ? 0.05 : -0.05);
            const drawn = areas.findIndex((those) =>
              those.some((dots) =>
                holds(dots, inner(x, plot.left, plot.right), inner(y, plot.top, plot.bottom)),
              ),
            );
            // What is absent, or of no category, is drawn as absent.
            expect(drawn).toBe(Math.min(kind, 3));
          });
        },
      ),
    );
  });

  test('decades of a heat map are of equal width, whatever the values', () => {
    const data = numbered([], 0, 0);
    const values = [1, 2, 3, 4, 5, 6, 8, 10, 12, 30, 100, 101, 102, 1000];
    const cells = values.flatMap(() => values.map(() => 0));
    const map = { ...data, cells, absent: [], x: { ...data.x, values }, y: { ...data.y, values } };
    const { xTicks, placeX, placeY } = layHeatMap(map, 720, format, measure);
    expect(xTicks.at).toEqual([1, 10, 100, 1000]);
    for (const place of [placeX, placeY]) {
      const [first, second, third, fourth] = xTicks.at.map(place) as [
        number,
        number,
        number,
        number,
      ];
      expect(second - first).toBeCloseTo(third - second, 0);
      expect(fourth - third).toBeCloseTo(third - second, 0);
    }
  });

  test('the border of a heat map goes through the exact places, in one line', () => {
    // Below x · y = 30 the one, above it the other.
    const values = Array.from({ length: 10 }, (_, index) => 2 ** index);
    const at = (row: number, column: number): number => row * values.length + column;
    const cells = values.flatMap((y) => values.map((x) => Number(x * y > 30)));
    const right = new Map<number, number>();
    const up = new Map<number, number>();
    values.forEach((y, row) =>
      values.forEach((x, column) => {
        if (x * y <= 30 && 2 * x * y > 30) {
          if (column < 9) right.set(at(row, column), 30 / y);
          if (row < 9) up.set(at(row, column), 30 / x);
        }
      }),
    );
    const data = numbered([], 0, 0);
    const axes = { x: { ...data.x, values }, y: { ...data.y, values } };
    const { border, placeX, placeY } = layHeatMap(
      { ...data, ...axes, cells, absent: [], right, up },
      720,
      format,
      measure,
    );
    expect(border.match(/M/g)).toHaveLength(1);
    const dots = border
      .slice(1)
      .split('L')
      .map((dot) => dot.split(' ').map(Number));
    expect(dots.length).toBe(right.size + up.size);
    // On logarithmic axes x · y = 30 is straight.
    const [left, bottom] = [placeX(1), placeY(30)];
    const slope = (placeY(1) - bottom) / (placeX(30) - left);
    for (const [x, y] of dots)
      expect(Math.abs(y! - bottom - slope * (x! - left))).toBeLessThan(0.3);
    // Without exact places it lies between values.
    const halfway = layHeatMap({ ...data, ...axes, cells, absent: [] }, 720, format, measure);
    expect(halfway.border).not.toBe(border);
  });

  test('a border that meets others does so in their middle; beside what is absent there is none', () => {
    const three = layHeatMap(numbered([0, 1, 2, 2], 2, 2), 360, format, measure);
    // From one edge through the middle to another, and from the third to the middle.
    expect(three.border.match(/M/g)).toHaveLength(2);
    expect(three.border.match(/L/g)).toHaveLength(3);
    expect(layHeatMap(numbered([0, 3, 0, 3], 2, 2), 360, format, measure).border).toBe('');
  });

  test('names of roofs stand above them, numbers of ridges below, each chip in its own colour', () => {
    const data = roofline(state, { language: 'en' });
    for (const width of [360, 720, 1280]) {
      const { lines, ridges, legend } = layRoofline(data, width, format, measure);
      const roofs = lines.filter(({ kind }) => /roof|other/.test(kind));
      expect(roofs.length).toBe(4);
      for (const { path, at } of roofs) {
        if (!at || 'angle' in at) continue;
        const height = Number(/([\d.]+)H[\d.]+$/.exec(path)![1]);
        expect(at.y).toBeCloseTo(height - 5, 0);
      }
      expect(ridges.map(({ text }) => text)).toEqual(['11.1', '243', '164', '296']);
      for (const { dot, at } of ridges) if (at) expect(at.y).toBeGreaterThan(dot.y);
      const kinds = ridges.map(({ kind }) => kind).slice(2);
      expect(new Set(kinds).size).toBe(2);
      expect(legend.map(({ kind }) => kind)).toEqual(expect.arrayContaining(kinds));
    }
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
        (n, width) => {
          const line = roofline(state, { language: 'en', hostile: true });
          const lines = sweep(state, { language: 'en', hostile: true });
          const map = heatMap(state, { language: 'en', hostile: true });
          const layouts = [
            layRoofline(
              {
                ...line,
                peaks: [{ label: 'peak', rate: n[0]!, own: true }],
                slopes: [
                  { label: 'slope', bandwidth: n[1]!, bound: 'memory', own: true },
                  { label: 'slope', bandwidth: n[2]!, bound: 'network' },
                ],
                zones: [{ until: n[3]!, label: 'zone', bound: 'memory' }],
                chips: [{ label: 'chip', rate: n[4]!, bandwidth: n[5]! }],
                points: [
                  { label: 'own', intensity: n[6]!, achieved: n[7]!, bound: 'memory', own: true },
                  { label: 'other', intensity: n[8]!, achieved: n[9]!, bound: 'compute' },
                ],
              },
              width,
              format,
              measure,
            ),
            ...(['linear', 'log'] as const).map((scale) =>
              laySweep(
                {
                  ...lines,
                  x: { ...lines.x, scale, values: n.slice(0, 4).sort((a, b) => a - b) },
                  y: { ...lines.y, scale },
                  lines: [
                    {
                      label: 'line',
                      values: n.slice(4, 8),
                      parts: [{ until: n[8]!, bound: 'memory' }, { bound: 'compute' }],
                    },
                  ],
                  marks: [{ at: n[9]!, value: n[10]!, label: 'mark' }],
                  own: n[11]!,
                },
                width,
                format,
                measure,
              ),
            ),
            layHeatMap(
              {
                ...map,
                cells: n,
                x: { ...map.x, values: [n[0]!] },
                y: { ...map.y, values: n.slice(1) },
                own: { x: n[2]!, y: n[3]! },
              },
              width,
              format,
              measure,
            ),
          ];
          for (const layout of layouts) expectNumbers(layout);
        },
      ),
      { numRuns: 300 },
    );
  });
});

const open = chartVisits();

/** Presses at a place of a chart and moves on to others, in the drawing's pixels. */
async function dragOver(page: Page, kind: Kind, places: [x: number, y: number][]): Promise<void> {
  const { x, y } = (await chart(page, kind).locator('.reading').boundingBox())!;
  for (const [index, [atX, atY]] of places.entries()) {
    await page.mouse.move(x + atX, y + atY, { steps: index > 0 ? 8 : 1 });
    if (index === 0) await page.mouse.down();
  }
  await page.mouse.up();
}

/** Where a mark that is moved into place stands. */
async function placeOf(mark: Locator): Promise<{ x: number; y: number }> {
  const transform = (await mark.getAttribute('transform')) ?? '';
  const [, x, y] = /translate\(([\d.]+) ([\d.]+)\)/.exec(transform) ?? [];
  return { x: Number(x), y: Number(y) };
}

const slider = (page: Page, kind: Kind): Locator =>
  chart(page, kind).locator('[role="slider"]').first();
const ownMark = (page: Page, kind: Kind): Locator =>
  chart(page, kind).locator('.point.own').first();

describe('every chart', () => {
  test.each(kinds)('%s: is a figure with a title, a description and its data', async (kind) => {
    const page = await open();
    const figure = chart(page, kind).getByRole('figure');
    const title = await figure.locator('figcaption').innerText();
    expect(await chart(page, kind).getByRole('img', { name: title }).count()).toBe(1);
    const description = await figure.locator('#description').textContent();
    expect(description).toBe('Achieved FLOPs/s over arithmetic intensity, both logarithmic.');
    expect(await figure.locator('table').count()).toBe(0);
    await figure.getByText('Data table').click();
    const table = figure.getByRole('table');
    await table.waitFor();
    expect(await table.locator('tr').count()).toBeGreaterThan(8);
    expect(await table.locator('thead').innerText()).toMatch(/Arithmetic intensity|Batch B/);
  });

  test('markup in texts stays text, and numbers that are none are words', async () => {
    const page = await open({ hostile: true });
    expect(
      await page.locator('scaling-roofline img, scaling-sweep b:has-text("quotes")').count(),
    ).toBe(0);
    expect(await readout(page, 'roofline')).toContain('<img src=x onerror=alert(1)>');
    for (const kind of kinds) await chart(page, kind).getByText('Data table').click();
    await chart(page, 'heat-map').getByRole('table').waitFor();
    expect(await chart(page, 'roofline').getByRole('table').innerText()).toContain('no value');
  });

  test.each([
    ['light', 'all'],
    ['dark', 'colours'],
  ] as const)('nothing that axe objects to, %s', async (colorScheme, rules) => {
    const page = await open({ colorScheme });
    for (const kind of kinds) await chart(page, kind).getByText('Data table').click();
    await chart(page, 'heat-map').getByRole('table').waitFor();
    expect(await objections(page, rules)).toEqual([]);
  });

  describe.each([320, 360, 768, 1440])('%d px wide', (width) => {
    test.each(['en', 'zh'] as const)('texts in %s are legible and inside', async (language) => {
      const page = await open({ language, viewport: { width, height: 900 } });
      await expectLegible(page, kinds);
    });
  });

  test('names do not cover each other', async () => {
    for (const width of [360, 768, 1440]) {
      const page = await open({ viewport: { width, height: 900 } });
      for (const kind of kinds) {
        const names = '.drawing text.halo:not([transform*="rotate"])';
        expect(await covered(page, kind, names), `${kind} at ${width}`).toEqual([]);
      }
    }
  });

  test('follows its width, keeping the size of its texts', async () => {
    const page = await open({ viewport: { width: 1000, height: 900 } });
    const drawing = chart(page, 'roofline').locator('.drawing');
    expect(await drawing.getAttribute('viewBox')).toMatch(/^0 0 1000 /);
    await page.setViewportSize({ width: 500, height: 900 });
    await expect.poll(() => drawing.getAttribute('viewBox')).toMatch(/^0 0 500 /);
  });

  test('light, dark and forced colours; bounds keep their shapes', async () => {
    const fills: string[] = [];
    for (const options of [
      { colorScheme: 'light' },
      { colorScheme: 'dark' },
      { forcedColors: 'active' },
    ] as const) {
      const page = await open(options);
      fills.push(await ownMark(page, 'roofline').evaluate((mark) => getComputedStyle(mark).fill));
      const shapes = await chart(page, 'heat-map')
        .locator('pattern path')
        .evaluateAll((paths) => paths.map((path) => path.getAttribute('d')));
      expect(new Set(shapes).size).toBe(3);
    }
    expect(fills).toEqual(['rgb(180, 83, 9)', 'rgb(255, 171, 102)', expect.any(String)]);
    expect(fills.slice(0, 2)).not.toContain(fills[2]);
  });

  test('on paper without what only a screen can use', async () => {
    const page = await open();
    await page.emulateMedia({ media: 'print' });
    for (const kind of kinds) {
      const { tools, table, drawing } = {
        tools: chart(page, kind).locator('.tools'),
        table: chart(page, kind).locator('details'),
        drawing: chart(page, kind).locator('.drawing'),
      };
      expect(await tools.isVisible()).toBe(false);
      expect(await table.isVisible()).toBe(false);
      expect(await drawing.isVisible()).toBe(true);
    }
  });

  test('moves without motion where that is asked for', async () => {
    for (const reducedMotion of ['no-preference', 'reduce'] as const) {
      const page = await open({ reducedMotion });
      const duration = await chart(page, 'roofline')
        .locator('.mark')
        .evaluate((mark) => parseFloat(getComputedStyle(mark).transitionDuration));
      expect(duration <= 0.2).toBe(true);
      expect(duration === 0).toBe(reducedMotion === 'reduce');
    }
  });
});

describe('downloads', () => {
  test.each(kinds)('%s as SVG that stands alone', async (kind) => {
    const page = await open();
    const text = (await saved(page, kind, 'SVG')).toString();
    const blank = await page.context().newPage(); // without the page's policy, which refuses parsing
    expect(text).not.toMatch(/class=|style=|var\(|<style|<script|https?:(?!\/\/www\.w3\.org)|<!--/);
    expect(text).not.toMatch(/role="slider"|tabindex|aria-/);
    expect(text).toContain('rgb(180, 83, 9)');
    const title = await chart(page, kind).locator('figcaption').innerText();
    // Drawn alone it looks like it does on the page: ink, paper and the colours of bounds.
    const seen = await blank.evaluate(async (svg) => {
      const parsed = new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement;
      const image = new Image();
      image.src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
      await image.decode();
      const canvas = document.createElement('canvas');
      canvas.width = image.naturalWidth;
      canvas.height = image.naturalHeight;
      const context = canvas.getContext('2d')!;
      context.drawImage(image, 0, 0);
      const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
      const colours = new Map<string, number>();
      for (let at = 0; at < data.length; at += 4) {
        const colour = data.slice(at, at + 3).join();
        colours.set(colour, (colours.get(colour) ?? 0) + 1);
      }
      return {
        name: parsed.localName,
        title: parsed.querySelector('title')?.textContent,
        texts: [...parsed.querySelectorAll('text')].map((each) => each.textContent).join(' '),
        width: image.naturalWidth,
        paper: colours.get('252,251,249') ?? 0,
        ink: colours.get('28,27,26') ?? 0,
        memory: colours.get('180,83,9') ?? 0,
        black: colours.get('0,0,0') ?? 0,
      };
    }, text);
    expect(seen).toMatchObject({ name: 'svg', title, width: 1280 + 32 });
    expect(seen.texts).toContain(title.split(' ')[0]);
    expect(seen.paper).toBeGreaterThan(10_000);
    expect(seen.ink).toBeGreaterThan(300);
    expect(seen.memory).toBeGreaterThan(50);
    expect(seen.black).toBe(0);
  });

  test('in the dark as it is seen', async () => {
    const page = await open({ colorScheme: 'dark' });
    const text = (await saved(page, 'roofline', 'SVG')).toString();
    expect(text).toContain('rgb(22, 21, 20)');
    expect(text).not.toContain('rgb(252, 251, 249)');
  });

  test.each(kinds)('%s as PNG', async (kind) => {
    const page = await open();
    const png = await saved(page, kind, 'PNG');
    expect(png.subarray(1, 4).toString()).toBe('PNG');
    expect(png.readUInt32BE(16)).toBe((1280 + 32) * 2);
    expect(png.length).toBeGreaterThan(10_000);
  });

  test('CSV has every number with all its digits', async () => {
    const page = await open();
    const rows = async (kind: Kind): Promise<string[]> =>
      (await saved(page, kind, 'CSV')).toString().slice(1).trimEnd().split('\r\n');
    const points = await rows('roofline');
    expect(points[0]).toBe(
      'What it is,Name,Arithmetic intensity (FLOPs/B),Achieved (FLOPs/s),Bandwidth (B/s),Bound',
    );
    expect(points).toContain('Operation,RMSNorm,0.75,607500000000,,Memory-bound');
    const lines = await rows('sweep');
    expect(lines.length).toBe(1 + 512 + 2);
    expect(lines[0]!.split(',').length).toBe(1 + 6 + 2); // one of the names has a comma
    const cells = await rows('heat-map');
    expect(cells.length).toBe(1 + 100 * 100);
  });
});

describe('roofline', () => {
  test('the own point is dragged along until compute binds', async () => {
    const page = await open();
    const mark = chart(page, 'roofline').locator('.mark');
    const shape = (): Promise<string | null> => ownMark(page, 'roofline').getAttribute('d');
    const from = await placeOf(mark);
    const square = await shape();
    expect(await readout(page, 'roofline')).toBe(
      'This matmul Batch B 128 tokens 120 FLOPs/byte 97.6 TFLOPs/s ■ Memory-bound',
    );
    await dragOver(page, 'roofline', [
      [from.x, from.y],
      [from.x + 200, from.y],
    ]);
    const { batch, moves } = await told(page);
    expect(batch).toBeGreaterThan(600);
    expect(moves.at(-1)).toMatchObject({ done: true });
    expect(moves.slice(0, -1)).not.toContainEqual(expect.objectContaining({ done: true }));
    await expect.poll(async () => (await placeOf(mark)).x).toBeGreaterThan(from.x + 150);
    expect(await shape()).not.toBe(square);
    expect(await readout(page, 'roofline')).toMatch(/197 TFLOPs\/s ● Compute-bound$/);
    expect(await chart(page, 'roofline').locator('figcaption').innerText()).toContain('100 %');
  });

  test('a press elsewhere does not move it', async () => {
    const page = await open();
    await dragOver(page, 'roofline', [
      [200, 60],
      [500, 60],
    ]);
    expect((await told(page)).moves).toEqual([]);
  });

  test('keys move it too, and say where it is', async () => {
    const page = await open();
    const handle = slider(page, 'roofline');
    await handle.focus();
    await handle.press('ArrowRight');
    await expect.poll(async () => (await told(page)).batch).toBeGreaterThan(128);
    const { batch } = await told(page);
    await handle.press('Shift+ArrowRight');
    await expect.poll(async () => (await told(page)).batch).toBeGreaterThan(batch * 1.5);
    await handle.press('Home');
    await expect.poll(async () => (await told(page)).batch).toBe(1);
    expect(await handle.getAttribute('aria-valuetext')).toMatch(
      /^1\u00a0token · This matmul · 1\.00.*Memory-bound$/,
    );
    await handle.press('End');
    await expect.poll(() => handle.getAttribute('aria-valuetext')).toContain('Compute-bound');
    const before = (await told(page)).moves.length;
    await handle.press('a');
    expect((await told(page)).moves.length).toBe(before);
    await handle.blur();
    expect((await told(page)).moves.at(-1)).toMatchObject({ done: true });
  });

  test('points tell their numbers at the pointer and by keys', async () => {
    const page = await open();
    const list = chart(page, 'roofline').getByRole('listbox', { name: 'Operations' });
    const norm = list.getByRole('option', { name: /^RMSNorm/ });
    const { x, y, width, height } = (await norm.locator('.ring').boundingBox())!;
    await page.mouse.move(x + width / 2, y + height / 2);
    await expect
      .poll(() => readout(page, 'roofline'))
      .toBe('RMSNorm 0.750 FLOPs/byte 608 GFLOPs/s ■ Memory-bound');
    await page.mouse.move(x + 200, y + 120);
    await expect.poll(() => readout(page, 'roofline')).toContain('This matmul');
    await list.getByRole('option').first().focus();
    await expect.poll(() => readout(page, 'roofline')).toContain('QKV projection');
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => readout(page, 'roofline')).toContain('Attention scores');
    await page.keyboard.press('End');
    await expect.poll(() => readout(page, 'roofline')).toContain('KV read');
    expect(await list.locator('[tabindex="0"]').count()).toBe(1);
  });

  test('what computes nothing stands at the left edge, with its name', async () => {
    const page = await open();
    const drawing = chart(page, 'roofline').locator('.drawing');
    const marks = await drawing.locator('.point').all();
    const places = await Promise.all(marks.map(placeOf));
    const left = Math.min(...places.map(({ x }) => x));
    expect(places.at(-1)!.x).toBe(left);
    expect(await drawing.getByText('KV read', { exact: true }).count()).toBe(1);
    const line = await drawing.locator('.break').getAttribute('x1');
    expect(left).toBeLessThan(Number(line));
    expect(places.filter(({ x }) => x < Number(line)).length).toBe(1);
  });

  test('zones have a word each and end at the ridges; roofs of one rate are one', async () => {
    const page = await open();
    const drawing = chart(page, 'roofline').locator('.drawing');
    expect(await drawing.locator('.word').allTextContents()).toEqual([
      '■ both bind',
      '■ only HBM binds',
      '● compute binds',
    ]);
    const bands = drawing.locator('.band');
    const second = await bands.nth(1).evaluate((band) => Number(band.getAttribute('x')));
    const third = await bands.nth(2).evaluate((band) => Number(band.getAttribute('x')));
    // VMEM is 22 times as fast as HBM, so their ridges are that far apart; ticks tell the scale.
    const ticks = await drawing
      .locator('.axes .tick')
      .evaluateAll((lines) => lines.map((line) => Number(line.getAttribute('x1'))));
    const decade = ticks[2]! - ticks[1]!;
    expect((third - second) / decade).toBeCloseTo(Math.log10(22), 1);
    expect(await drawing.getByText('int8, fp8 394').count()).toBe(1);
    const corner = (await drawing.locator('.ceiling').getAttribute('d'))!.split('L')[1]!;
    expect(parseFloat(corner)).toBeCloseTo(third, 0);
  });

  test('other chips have a colour each, thinner than the reader’s own, and their names', async () => {
    const page = await open();
    const drawing = chart(page, 'roofline').locator('.drawing');
    // Beside their roofs, and in the legend.
    const names = drawing.locator('text.other').filter({ hasText: /^[TH]/ });
    expect((await names.allTextContents()).sort()).toEqual([
      'H100 SXM',
      'H100 SXM',
      'TPU v5p',
      'TPU v5p',
    ]);
    const strokes = await drawing
      .locator('path.other')
      .evaluateAll((paths) => paths.map((path) => getComputedStyle(path).stroke));
    expect(new Set(strokes).size).toBe(2);
    const [stroke, own] = await Promise.all(
      ['path.other', '.ceiling'].map((name) =>
        drawing
          .locator(name)
          .first()
          .evaluate((path) => {
            const { stroke, strokeWidth } = getComputedStyle(path);
            return [stroke, parseFloat(strokeWidth)] as const;
          }),
      ),
    );
    expect(stroke![0]).not.toBe(own![0]);
    expect(stroke![1]).toBeLessThan(own![1]);
  });
});

describe('sweep', () => {
  test('critical points stand where they are, between two values of the grid', async () => {
    const page = await open();
    const drawing = chart(page, 'sweep').locator('.drawing');
    expect(await drawing.locator('.word').allTextContents()).toEqual(['● from 276', '● from 138']);
    const [axis, ten] = await drawing
      .locator('.axes .tick')
      .evaluateAll((lines) => [1, 0].map((index) => Number(lines[index]!.getAttribute('x1'))));
    const decade = axis! - ten!;
    const dot = Number(await drawing.locator('.dot').first().getAttribute('cx'));
    // 2 DF / (2 DF W / C - 2 (D + F)) for D = F = 4096 on the sample's chip
    const exact = 33554432 / ((33554432 * 8.1e11) / 1.97e14 - 16384);
    expect((dot - ten!) / decade).toBeCloseTo(Math.log10(exact / 10), 2);
    // The line changes its colour there, and only there.
    const own = drawing.locator('path.line.own');
    expect(await own.count()).toBe(2);
    const ends = await own.evaluateAll((paths) => paths.map((path) => path.getAttribute('d')!));
    expect(Math.abs(Number(/L([\d.]+) [\d.]+$/.exec(ends[0]!)![1]) - dot)).toBeLessThan(0.2);
    expect(Math.abs(Number(/^M([\d.]+)/.exec(ends[1]!)![1]) - dot)).toBeLessThan(0.2);
  });

  test('where there is no value, there is a gap, and the reason at the pointer', async () => {
    const page = await open();
    const lines = chart(page, 'sweep').locator('.drawing path.line:not(.own)');
    const starts = await lines.evaluateAll((paths) =>
      paths.map((path) => path.getAttribute('d')!.split('M').length - 1),
    );
    expect(starts.filter((count) => count === 2).length).toBe(1);
    const { x, y } = (await chart(page, 'sweep').locator('.reading').boundingBox())!;
    const right = await chart(page, 'sweep')
      .locator('.drawing .base')
      .evaluate((line) => Number(line.getAttribute('x2')));
    // 750 of 8 to 4096
    const left = await chart(page, 'sweep')
      .locator('.drawing .base')
      .evaluate((line) => Number(line.getAttribute('x1')));
    const at = left + ((right - left) * Math.log(750 / 8)) / Math.log(512);
    await page.mouse.move(x + at, y + 150);
    await expect.poll(() => readout(page, 'sweep')).toMatch(/F = 256 does not fit/);
    expect(await readout(page, 'sweep')).toMatch(/^Batch B 7[45]\d/);
  });

  test('the cursor is dragged, by mouse and by keys', async () => {
    const page = await open();
    await dragOver(page, 'sweep', [
      [300, 200],
      [600, 220],
    ]);
    const { batch, moves } = await told(page);
    expect(batch).toBeGreaterThan(128);
    expect(moves.length).toBeGreaterThan(3);
    expect(moves.at(-1)).toMatchObject({ done: true });
    const handle = slider(page, 'sweep');
    await handle.focus();
    await handle.press('End');
    await expect.poll(async () => (await told(page)).batch).toBe(4096);
    expect(await handle.getAttribute('aria-valuetext')).toMatch(
      /^4,096\u00a0tokens; F = D = 4096: 197\u00a0TFLOPs\/s · Compute-bound; /,
    );
    await handle.press('ArrowLeft');
    await expect.poll(async () => (await told(page)).batch).toBeLessThan(4096);
  });

  test('the table waits for a drag to rest', async () => {
    const page = await open();
    await chart(page, 'sweep').getByText('Data table').click();
    const table = chart(page, 'sweep').getByRole('table');
    await table.waitFor();
    expect(await table.locator('tbody tr').count()).toBe(514);
    await page.locator('scaling-charts').evaluate((element) => {
      (element as unknown as { output: number }).output = 128;
    });
    // Never compute-bound, so without marks.
    await expect.poll(() => table.locator('tbody tr').count()).toBe(512);
  });

  test('a finger that scrolls does not drag; one that moves sideways or taps does', async () => {
    const page = await open({ hasTouch: true });
    const touch = (places: [string, number, number][]): Promise<void> =>
      chart(page, 'sweep')
        .locator('.reading')
        .evaluate((reading, places) => {
          reading.setPointerCapture = () => {};
          const { left, top } = reading.getBoundingClientRect();
          for (const [type, x, y] of places) {
            reading.dispatchEvent(
              new PointerEvent(type, {
                pointerId: 7,
                pointerType: 'touch',
                button: type === 'pointermove' ? -1 : 0,
                clientX: left + x,
                clientY: top + y,
                bubbles: true,
              }),
            );
          }
        }, places);
    await touch([
      ['pointerdown', 300, 100],
      ['pointermove', 301, 102],
      ['pointercancel', 301, 102],
    ]);
    expect((await told(page)).moves).toEqual([]);
    await touch([
      ['pointerdown', 300, 100],
      ['pointerup', 300, 100],
    ]);
    expect((await told(page)).moves).toMatchObject([{ done: true }]);
    await touch([
      ['pointerdown', 300, 100],
      ['pointermove', 340, 100],
      ['pointerup', 340, 100],
    ]);
    expect((await told(page)).moves).toMatchObject([
      { done: true },
      { done: false },
      { done: true },
    ]);
  });
});

describe('heat map', () => {
  test('one path for each category and few nodes in all', async () => {
    const page = await open();
    const map = chart(page, 'heat-map');
    expect(await map.locator('.region').count()).toBe(3);
    expect(await map.locator('.plot *').count()).toBeLessThan(120);
    expect(await map.locator('.drawing .word').allTextContents()).toEqual([
      '● compute-bound',
      '■ memory-bound',
      '▲ network-bound',
    ]);
  });

  test('a name without room in its region stands below', async () => {
    const page = await open({ viewport: { width: 320, height: 900 } });
    const map = chart(page, 'heat-map');
    expect(await map.locator('.drawing .word').allTextContents()).not.toContain('▲ network-bound');
    expect(await map.locator('.readout').nth(1).innerText()).toContain('▲ network-bound');
  });

  test('the cell at the pointer; a press goes there, and a drag on', async () => {
    const page = await open();
    const { x, y, width, height } = (await chart(page, 'heat-map')
      .locator('.reading')
      .boundingBox())!;
    await page.mouse.move(x + width - 60, y + height - 60);
    await expect.poll(() => readout(page, 'heat-map')).toContain('▲ network-bound');
    expect((await told(page)).moves).toEqual([]);
    await dragOver(page, 'heat-map', [
      [width / 2, height / 2],
      [width - 60, height - 60],
    ]);
    const { batch, output, moves } = await told(page);
    expect(batch).toBeGreaterThan(4000);
    expect(output).toBeLessThan(200);
    expect(moves.at(-1)).toMatchObject({
      x: expect.any(Number),
      y: expect.any(Number),
      done: true,
    });
  });

  test('two handles for the keyboard, one on each axis', async () => {
    const page = await open();
    const [across, up] = ['Batch B', 'Output F'].map((name) =>
      chart(page, 'heat-map').getByRole('slider', { name }),
    ) as [Locator, Locator];
    await across.focus();
    await across.press('End');
    await expect.poll(async () => (await told(page)).batch).toBeCloseTo(8192);
    const { output } = await told(page);
    await up.focus();
    await up.press('ArrowUp');
    await expect.poll(async () => (await told(page)).output).toBeGreaterThan(output);
    await up.press('Home');
    await expect.poll(async () => (await told(page)).output).toBe(64);
    expect(await up.getAttribute('aria-valuetext')).toBe(
      'Batch B 8,192\u00a0tokens · Output F 64 · network-bound',
    );
  });

  test('its table has a row for each run', async () => {
    const page = await open();
    await chart(page, 'heat-map').getByText('Data table').click();
    const rows = chart(page, 'heat-map').getByRole('table').locator('tbody tr');
    await rows.first().waitFor();
    const count = await rows.count();
    expect(count).toBeGreaterThan(100);
    expect(count).toBeLessThan(400);
    expect(await rows.first().innerText()).toMatch(/^64\s+8\stokens\s+.*memory-bound$/);
  });
});
