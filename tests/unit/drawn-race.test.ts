// The layout of the race of an operation's resources, by its numbers.

import { describe, expect, test } from 'vitest';
import {
  heights,
  layRace,
  raceEnd,
  type RaceData,
  type Racer,
} from '../../web/src/charts/drawn/race/layout.ts';
import type { PathMark, RectMark, Sheet } from '../../web/src/charts/drawn/marks.ts';
import { formOf } from '../../web/src/charts/drawn/form.ts';
import { clashes, measure, random, texts } from './drawn-checks.ts';

const next = random(7);
const up = (): number => 10 ** (next() * 9 - 9);

const resources = ['compute', 'memory', 'network'] as const;
const keys = { compute: 'mathTime', memory: 'memoryTime', network: 'networkTime' } as const;
const labels = { compute: 'compute', memory: 'the memory of the host', network: 'network' };

/** An operation of these times; of an unknown network, if its time is undefined. */
function race(
  times: readonly (number | undefined)[],
  expected?: number,
  isChinese = false,
): RaceData {
  const least = Math.max(...times.map((time) => time ?? 0));
  const said = (value: number | undefined): string =>
    value === undefined ? 'unknown' : `${value.toPrecision(3)} s`;
  const mark = (key: string, label: string, value: number) => ({
    key,
    label,
    value,
    said: said(value),
    says: `${label}: ${said(value)}`,
  });
  const racers = times.map((value, index): Racer => {
    const resource = resources[index]!;
    return {
      key: keys[resource],
      resource,
      sign: '■',
      label: isChinese ? '片上存储器' : labels[resource],
      value,
      said: said(value),
      note: '989 TFLOP/s',
      says: `${resource}: ${said(value)}`,
      isBound: value === least,
    };
  });
  return {
    title: '',
    ghostly: false,
    racers,
    binds: isChinese ? '瓶颈' : 'binds',
    lower: times.includes(undefined) ? undefined : mark('lowerBound', 'lower bound', least),
    expected:
      expected === undefined
        ? undefined
        : { ...mark('timeExpected', 'expected', expected), times: '1.49×' },
    told: [],
  };
}

const cases: RaceData[] = [
  race([9.36e-6, 12.7e-6], 18.9e-6),
  race([9.36e-6, 12.7e-6, 3e-6]),
  race([0, 12.7e-6, undefined]),
  race([1e-9, 1e-3, 1], 40),
  race([1, 1, 1], 1),
  ...Array.from({ length: 60 }, (_, index) => {
    const times = [up(), up(), ...(index % 2 === 0 ? [up()] : [])];
    const least = Math.max(...times);
    return race(
      times,
      index % 3 === 0 ? undefined : least * (1 + 5 * next() ** 3),
      index % 5 === 0,
    );
  }),
];

const widths = [320, 640, 760, 1100];

function drawn(data: RaceData, width: number): { sheet: Sheet; height: number } {
  const form = formOf(width);
  const height = heights[form];
  return { sheet: layRace(measure, { x: 0, y: 0, width, height }, data, form), height };
}

const barsOf = ({ marks }: Sheet): RectMark[] =>
  marks.filter((mark): mark is RectMark => mark.kind === 'rect' && mark.look.startsWith('lane'));
const pathOf = ({ marks }: Sheet, look: string): PathMark | undefined =>
  marks.find((mark): mark is PathMark => mark.kind === 'path' && mark.look === look);

describe.each(widths)('at %d px', (width) => {
  test('nothing lies over another or off the sheet', () => {
    for (const data of cases) {
      const { sheet, height } = drawn(data, width);
      expect(clashes(sheet, width, height)).toEqual([]);
      for (const { y, height: high, x, width: wide } of barsOf(sheet)) {
        expect(y + high).toBeLessThanOrEqual(height);
        expect(x + wide).toBeLessThanOrEqual(width + 1e-9);
      }
      for (const { box } of sheet.parts) {
        expect(box.bottom).toBeLessThanOrEqual(height + 1);
        expect(box.right).toBeLessThanOrEqual(width + 1e-9);
      }
    }
  });

  test('lengths are times on one axis, and all bars begin at its start', () => {
    for (const data of cases) {
      const bars = barsOf(drawn(data, width).sheet);
      const known = data.racers.filter(({ value }) => value !== undefined);
      const end = raceEnd(data);
      expect(bars.length).toBe(data.racers.length);
      expect(new Set(bars.map(({ x }) => x)).size).toBe(1);
      const axis = width - bars[0]!.x;
      for (const { key, value } of known) {
        const bar = bars.find(({ part }) => part === key)!;
        expect(bar.width).toBeCloseTo((value! / end) * axis, 9);
      }
    }
  });

  test('the row that binds, and no other, is marked and filled', () => {
    for (const data of cases) {
      const { sheet } = drawn(data, width);
      const longest = barsOf(sheet).filter(({ look }) => look.endsWith('longest'));
      expect(longest.map(({ part }) => part)).toEqual(
        data.racers.filter(({ isBound }) => isBound).map(({ key }) => key),
      );
      expect(texts(sheet.marks).filter(({ text }) => text === data.binds).length).toBe(
        longest.length,
      );
    }
  });

  test('the lower bound stands at its time, and what is expected ends at its own', () => {
    for (const data of cases) {
      const { sheet } = drawn(data, width);
      const [bar] = barsOf(sheet);
      const end = raceEnd(data);
      const at = (value: number): number => bar!.x + (value / end) * (width - bar!.x);
      const limit = pathOf(sheet, 'limit');
      expect(limit !== undefined).toBe(data.lower !== undefined);
      if (limit)
        expect(Number(/^M([\d.]+)/.exec(limit.d)![1])).toBeCloseTo(at(data.lower!.value), 0);
      const range = pathOf(sheet, 'range');
      expect(range !== undefined).toBe(data.expected !== undefined);
      if (!range) continue;
      const to = Number(/H([\d.]+)/.exec(range.d)![1]);
      expect(to).toBeCloseTo(Math.min(at(data.expected!.value), width), 0);
      // Beyond the axis it is an arrow, not an end.
      expect(/l6 5/.test(range.d)).toBe(data.expected!.value > end);
    }
  });

  test('each row is a thing to point at, named with its value', () => {
    for (const data of cases) {
      const { sheet } = drawn(data, width);
      const marks = [data.lower, data.expected].flatMap((each) => each ?? []);
      const known = data.racers.filter(({ value }) => value !== undefined);
      const wanted = [...known, ...marks].map(({ key }) => key);
      expect(sheet.parts.map(({ key }) => key).sort()).toEqual(wanted.sort());
    }
  });
});

test('a change leaves a dotted line where a row ended', () => {
  const data = { ...race([1, 2], 3), ghosts: [0.5, undefined] };
  for (const width of widths) {
    const { sheet } = drawn(data, width);
    const [bar] = barsOf(sheet);
    const ghosts = sheet.marks.filter(({ look }) => look === 'ghost') as PathMark[];
    expect(ghosts.length).toBe(1);
    const x = Number(/^M([\d.]+)/.exec(ghosts[0]!.d)![1]);
    expect(x).toBeCloseTo(bar!.x + (0.5 / raceEnd(data)) * (width - bar!.x), 0);
  }
});
