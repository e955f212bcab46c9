// The parts of charts: scales, ticks, labels and layouts.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { HeatMapData } from '../../web/src/charts/kit/data.ts';
import { layHeatMap } from '../../web/src/charts/heat-map/heat-map-layout.ts';
import {
  LabelPlacer,
  around,
  spread,
  spreadRow,
  type Box,
} from '../../web/src/charts/kit/labels.ts';
import { layRoofline } from '../../web/src/charts/roofline/roofline-layout.ts';
import { decades, hull, nearest, rounded, scale } from '../../web/src/charts/kit/scale.ts';
import { laySweep } from '../../web/src/charts/sweep/sweep-layout.ts';
import { csv } from '../../web/src/export/csv.ts';
import { linearTicks, logTicks } from '../../web/src/charts/kit/ticks.ts';
import { Formatter } from '../../web/src/number/format.ts';
import { loadDictionary } from '../../web/src/i18n/dictionary.ts';
import { expectNumbers } from '../page/charts/numbers.ts';
import { heatMap, roofline, sweep } from '../page/charts/samples.ts';

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
        const ground = new LabelPlacer(edge);
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
    const ground = new LabelPlacer(edge);
    const [first, second] = [1, 2].map(() => ground.place(around({ x: 200, y: 150 }, 5, 60, 12))!);
    expect(first).toMatchObject({ anchor: 'start', x: 214 });
    expect(second!.x).not.toBe(first!.x);
  });

  test('none lies on a line that leads to another, where there is room beside it', () => {
    const ground = new LabelPlacer(edge);
    const box = (left: number): Box => ({ left, right: left + 60, top: 140, bottom: 160 });
    const at = (left: number, cost: number) => ({
      x: left,
      y: 155,
      anchor: 'start' as const,
      boxes: [box(left)],
      cost,
    });
    const led = { ...at(300, 0), leader: { from: { x: 100, y: 150 }, to: { x: 300, y: 150 } } };
    expect(ground.place([led])).toBe(led);
    const places = [at(150, 0), at(20, 1)];
    expect(ground.place(places)).toBe(places[1]);
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
            // Values that are absent, or of no category, are drawn as absent.
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
    // One category lies below x · y = 30, the other above it.
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
    // The border lies between values if there are no exact places.
    const halfway = layHeatMap({ ...data, ...axes, cells, absent: [] }, 720, format, measure);
    expect(halfway.border).not.toBe(border);
  });

  test('a border that meets others does so in their middle; beside what is absent there is none', () => {
    const three = layHeatMap(numbered([0, 1, 2, 2], 2, 2), 360, format, measure);
    // One border leads from one edge through the middle to another, one from the third to the
    // middle.
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
    const line = roofline(state, { language: 'en', hostile: true });
    const lines = sweep(state, { language: 'en', hostile: true });
    const map = heatMap(state, { language: 'en', hostile: true });
    const number = fc.oneof(
      fc.constantFrom(0, -1, NaN, Infinity, -Infinity, 1e-300, 1e300),
      fc.double({ min: 1e-12, max: 1e24 }),
    );
    fc.assert(
      fc.property(
        fc.array(number, { minLength: 12, maxLength: 12 }),
        fc.constantFrom(240, 360, 1440),
        (n, width) => {
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
