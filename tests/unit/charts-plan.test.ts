// The layouts of a plan's charts.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { layBars } from '../../web/src/charts/bars/bars-layout.ts';
import { layParetoFront } from '../../web/src/charts/pareto-front/pareto-front-layout.ts';
import { layTimeline } from '../../web/src/charts/timeline/timeline-layout.ts';
import { layValueMap } from '../../web/src/charts/value-map/value-map-layout.ts';
import { Formatter } from '../../web/src/number/format.ts';
import { loadDictionary } from '../../web/src/i18n/dictionary.ts';
import { expectNumbers, rectangles } from '../page/charts/numbers.ts';
import type { TimelineData } from '../../web/src/charts/plan.ts';
import { bars, front, timeline, valueMap, type PlanOptions } from '../page/charts/plan-samples.ts';

const format = new Formatter('en', (await loadDictionary('en')).units);
const measure = (text: string, _: number, size: number): number => text.length * size * 0.55;
const usual: PlanOptions = { language: 'en', size: 'usual' };

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
        // Only the hard one of the two limits counts.
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

  /** A step of 128 micro-batches, of which those from the 17th to the 112th are cut out. */
  const cutStep = (): TimelineData => {
    const of = (batch: number, at: number) => [
      { lane: 0, kind: 0, start: at, end: at + 1, batch },
      { lane: 0, kind: 1, start: at + 1, end: at + 3, batch },
    ];
    const places = Array.from({ length: 32 }, (_, index) => (index < 16 ? index : index + 96));
    return {
      ...timeline(usual),
      lanes: [''],
      events: [
        ...places.flatMap((batch) => of(batch, 3 * batch)),
        { lane: 0, kind: 3, start: 384, end: 400 },
      ],
      end: 400,
      cuts: [{ label: '×96 more · 288 s', short: '×96', start: 48, end: 336 }],
      repeat: 4,
      zoom: {
        parts: [{ label: 'Whole step', start: 0, end: 400 }],
        closer: 'Closer',
        wider: 'Wider',
      },
    };
  };

  test('shares of a timeline are those of the whole step, and its axis tells true time', () => {
    const data = cutStep();
    const { busy, course, x, xTicks, kinds } = layTimeline(data, 1200, format, measure);
    expect(busy[0]!.slice(0, 2)).toEqual([128, 256]);
    expect(busy[0]![3]).toBe(16);
    expect(course.end).toBe(400);
    // As long as it is, wherever it is drawn; the cut has a width of its own.
    const second = x.place(1) - x.place(0);
    expect(x.place(48) - x.place(0)).toBeCloseTo(48 * second);
    expect(x.place(400) - x.place(336)).toBeCloseTo(64 * second);
    expect(x.place(336) - x.place(48)).toBeCloseTo(40);
    expect(x.place(192)).toBeCloseTo((x.place(48) + x.place(336)) / 2);
    expect(xTicks.at.every((at) => at <= 48 || at >= 336)).toBe(true);
    expect(xTicks.at.some((at) => at >= 336)).toBe(true);
    for (const { x: left, width } of kinds.flatMap(rectangles)) {
      expect(left + width <= x.place(48) + 0.1 || left >= x.place(336) - 0.1).toBe(true);
    }
    for (const at of [0, 20, 47, 337, 399]) expect(x.time(x.place(at))).toBeCloseTo(at);
    expect(x.time((x.place(48) + x.place(336)) / 2)).toBeUndefined();
  });

  test('a cut has its name where there is room, else its number', () => {
    const lay = (width: number) => layTimeline(cutStep(), width, format, measure).cuts.names;
    expect(lay(1200).map(({ text }) => text)).toEqual(['×96 more · 288 s']);
    const two = {
      ...cutStep(),
      cuts: [
        { label: 'a long name of the first', short: '×9', start: 30, end: 130 },
        { label: 'a long name of the second', short: '×9', start: 150, end: 336 },
      ],
    };
    const { names } = layTimeline(two, 320, format, measure).cuts;
    expect(names.map(({ text }) => text)).toEqual(['×9', '×9']);
  });

  test('a part of a timeline is drawn as wide as the whole, and nothing beside it', () => {
    const data = cutStep();
    const view = [336, 342] as const;
    const { kinds, x, xTicks, busy } = layTimeline(data, 700, format, measure, view);
    expect(kinds.flatMap(rectangles).length).toBe(4);
    expect(x.place(342) - x.place(336)).toBe(x.range[1] - x.range[0]);
    expect(xTicks.at[0]).toBeGreaterThanOrEqual(336);
    expect(xTicks.at.length).toBeGreaterThan(2);
    expect(busy[0]![0]).toBe(128);
  });

  test('looking closer keeps the place, and ends at the ends', () => {
    const { course } = layTimeline(cutStep(), 700, format, measure);
    expect(course.length).toBe(112);
    // The cut counts nothing: 10 of what is drawn lie between 40 and 338.
    expect(course.drawnBefore(338) - course.drawnBefore(40)).toBe(10);
    expect(course.around([0, 400], 12, 0.5)).toEqual([6, 350]);
    expect(course.around([6, 350], 12, 2)).toBeUndefined();
    expect(course.around([0, 10], 0, 0.5)).toEqual([0, 5]);
    expect(course.showing([0, 10], 395)).toEqual([390, 400]);
    expect(course.range(48, 58)).toEqual([336, 346]);
    fc.assert(
      fc.property(fc.double({ min: 0, max: 112, noNaN: true }), (drawn) => {
        expect(course.drawnBefore(course.timeAt(drawn))).toBeCloseTo(drawn);
        expect(course.drawnBefore(course.timeAt(drawn, true))).toBeCloseTo(drawn);
      }),
    );
  });

  test('bars too thin to see are drawn as the time that kinds take', () => {
    const events = Array.from({ length: 4000 }, (_, at) => ({
      lane: 0,
      kind: at % 2,
      start: at,
      end: at + (at % 2 ? 1 : 0.5),
    }));
    const data = { ...timeline(usual), lanes: [''], events, end: 4000 };
    const { kinds, plot, rows } = layTimeline(data, 720, format, measure);
    const [forward, backward] = [rectangles(kinds[0]!), rectangles(kinds[1]!)];
    expect(forward.length).toBeLessThan(200);
    const width = (drawn: ReturnType<typeof rectangles>) =>
      sum(drawn.map((each) => each.width * each.height)) / (rows.thick * (plot.right - plot.left));
    expect(width(forward)).toBeCloseTo(0.25, 1);
    expect(width(backward)).toBeCloseTo(0.5, 1);
  });

  test('so are those beside them, however wide', () => {
    // A pixel forward and 2.4 back: together they fill their lane, and nothing lies over another.
    const events = Array.from({ length: 400 }, (_, at) => [
      { lane: 0, kind: 0, start: 3.4 * at, end: 3.4 * at + 1 },
      { lane: 0, kind: 1, start: 3.4 * at + 1, end: 3.4 * at + 3.4 },
    ]).flat();
    const data = { ...timeline(usual), lanes: [''], events, end: 1360 };
    const { kinds, rows, plot } = layTimeline(data, 1383, format, measure);
    const drawn = kinds.flatMap(rectangles);
    const area = sum(drawn.map(({ width, height }) => width * height));
    expect(area / (rows.thick * (plot.right - plot.left))).toBeCloseTo(1, 1);
    expect(Math.max(...rectangles(kinds[1]!).map(({ height }) => height))).toBeLessThan(rows.thick);
  });

  test('neighbouring micro-batches have different tints', () => {
    const { tints, kinds, x } = layTimeline(cutStep(), 1200, format, measure, [0, 18]);
    const bars = kinds.flatMap(rectangles).sort((a, b) => a.x - b.x);
    const tintOf = (left: number) =>
      1 + tints.findIndex((d) => rectangles(d).some((each) => Math.abs(each.x - left) < 0.1));
    expect(bars.map((bar) => tintOf(bar.x))).toEqual([0, 0, 1, 1, 2, 2, 0, 0, 1, 1, 2, 2]);
    expect(bars[0]!.x).toBeCloseTo(x.place(0), 0);
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
    const { steps, dots, beyond, limits, x } = layParetoFront(
      front(3, usual),
      720,
      format,
      measure,
    );
    expect(steps.match(/[MHV]/g)!.length).toBe(1 + 2 * (dots.length - 1));
    expect(steps).toMatch(new RegExp(`^M${dots[0]!.x} ${dots[0]!.y}H${dots[1]!.x}V${dots[1]!.y}`));
    expect(beyond).toBeCloseTo(x.place(80e9), 0);
    expect(limits.map(({ text }) => text)).toEqual(['HBM 80.0\u00a0GB']);
  });

  test('names of all points of a front stand off its steps, up or down', () => {
    const x = [8.7, 9.2, 10, 11.8, 15.4, 20.2, 29, 44, 70];
    const y = [14, 27, 50, 84, 130, 198, 275, 364, 454];
    for (const heights of [y, [...y].reverse()]) {
      const points = x.map((at, index) => ({ label: '8 × 2', x: at, y: heights[index]! }));
      const { own: _, ...data } = front(7, usual);
      const few = {
        ...data,
        x: { ...data.x, scale: 'log' },
        y: { ...data.y, scale: 'log' },
      } as const;
      const lay = (named: boolean) =>
        layParetoFront({ ...few, points, named, limits: [] }, 700, format, measure);
      const { names, dots } = lay(true);
      expect(names.slice(0, 3)).toEqual(lay(false).names);
      expect(names).toHaveLength(9);
      for (const { left, right, top, bottom } of names.slice(3).flatMap(({ at }) => at.boxes)) {
        dots.slice(1).forEach((to, index) => {
          const from = dots[index]!;
          // Dots along a step are 6 px apart: a name may touch the end of one.
          const [low, high] = [Math.min(from.y, to.y), Math.max(from.y, to.y)];
          const onTread = from.y > top && from.y < bottom && from.x < right - 6 && to.x > left + 6;
          const onRise = to.x > left && to.x < right && low < bottom - 6 && high > top + 6;
          expect(onTread || onRise).toBe(false);
        });
      }
    }
  });

  test('no name on a front lies over the line of a limit', () => {
    const data = front(13, usual);
    for (const width of [480, 720, 1200]) {
      for (let value = 40e9; value < 120e9; value += 3e9) {
        const limits = [{ label: 'HBM', value }];
        const { names, limits: lines } = layParetoFront(
          { ...data, limits },
          width,
          format,
          measure,
        );
        for (const { left, right } of names.flatMap(({ at }) => at.boxes)) {
          expect(left < lines[0]!.x && lines[0]!.x < right).toBe(false);
        }
      }
    }
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
            layParetoFront(
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
    expectNumbers(layParetoFront({ ...front(99, usual), points: [], limits: [] }, ...lay));
    const map = valueMap({ x: 0, y: 0 }, usual);
    const none = { ...map.x, values: [], names: [] };
    expectNumbers(layValueMap({ ...map, x: none, y: none, cells: [] }, ...lay));
  });
});
