// The layout of rivals on one axis, by its numbers, and what tells which of them is best.

import { describe, expect, test } from 'vitest';
import {
  axisEnd,
  heightOf,
  layRivals,
  sideOf,
  type Amount,
  type Lack,
  type RivalsData,
} from '../../web/src/charts/drawn/rivals/layout.ts';
import type { RectMark, Sheet } from '../../web/src/charts/drawn/marks.ts';
import { formOf } from '../../web/src/charts/drawn/form.ts';
import { contestOf } from '../../web/src/compare/contest.ts';
import { clashes, measure, random } from './drawn-checks.ts';

const next = random(5);
const names = [
  'H100 SXM5 80GB',
  'B200 SXM',
  'TPU v5p',
  'Instinct MI355X',
  '昇腾 910C',
  'A rather long name of a chip of one’s own',
];
const widths = [320, 640, 1100];

/** Some rivals, of which some lack an amount, and ranges reach far. */
function rivals(count: number): RivalsData {
  const amountOf = (rival: number, axis: number): Amount | Lack => {
    const key = `${rival} ${axis}`;
    if (next() < 0.15)
      return { key, lacks: 'No layout fits in memory on so many chips: none.', says: '' };
    const value = 10 ** (next() * 6);
    const likely =
      next() < 0.7
        ? ([value * (0.4 + 0.5 * next()), value * (1 + 3 * next())] as const)
        : undefined;
    return {
      key,
      value,
      likely,
      range: likely ? '$90,003–$144,506' : '',
      said: '',
      short: axis === 0 ? '4.92万亿 token' : '$108,750',
      says: key,
      standing: next() < 0.5 ? 'alike' : 'other',
    };
  };
  return {
    title: '',
    ghostly: false,
    axes: ['Training time with failures', '此模型可训练的 token 数'].map((label, axis) => ({
      label,
      told: 'can’t be told apart: 90% intervals overlap',
      ...(axis === 0 && { zone: [1e2, 1e4] as const }),
    })),
    rivals: names.slice(0, count).map((name, rival) => ({
      name,
      chips: 2 ** Math.floor(next() * 17),
      onChips: '131,072 chips in 16 slices · Misses the targets.',
      amounts: [amountOf(rival, 0), amountOf(rival, 1)],
      goes: rival > 0,
    })),
  };
}

const cases = Array.from({ length: 60 }, (_, index) => rivals(1 + (index % 6)));

function drawn(data: RivalsData, width: number): { sheet: Sheet; height: number } {
  const height = heightOf(data, formOf(width));
  return { sheet: layRivals(measure, { x: 0, y: 0, width, height }, data, formOf(width)), height };
}

const bars = ({ marks }: Sheet): RectMark[] =>
  marks.filter(
    (mark): mark is RectMark =>
      mark.kind === 'rect' && /^rival .*/.test(mark.look) && mark.part !== undefined,
  );

describe.each(widths)('rivals at %i px', (width) => {
  test('have bars whose lengths are their amounts', () => {
    for (const data of cases) {
      const all = bars(drawn(data, width).sheet);
      data.axes.forEach((_, axis) => {
        const scale = data.rivals.flatMap(({ amounts }) => {
          const amount = amounts[axis]!;
          const bar = all.find(({ part }) => part === amount.key);
          expect(bar !== undefined).toBe('value' in amount);
          return 'value' in amount ? [bar!.width / amount.value] : [];
        });
        for (const each of scale) expect(each / scale[0]!).toBeCloseTo(1, 6);
      });
    }
  });

  test('have words that lie over nothing and within the drawing', () => {
    for (const data of cases) {
      const { sheet, height } = drawn(data, width);
      expect(clashes(sheet, width, height)).toEqual([]);
      for (const bar of bars(sheet)) {
        expect(bar.x).toBeGreaterThanOrEqual(0);
        expect(bar.x + bar.width).toBeLessThanOrEqual(width);
      }
    }
  });

  test('have a place to point at for each amount, also where it is missing', () => {
    for (const data of cases) {
      const { sheet } = drawn(data, width);
      expect(sheet.parts.map(({ key }) => key).sort()).toEqual(
        data.rivals.flatMap(({ amounts }) => amounts.map(({ key }) => key)).sort(),
      );
      const missing = data.rivals.flatMap(({ amounts }) =>
        amounts.filter((each) => 'lacks' in each),
      );
      const outlines = sheet.marks.filter(({ look }) => look === 'lane unknown');
      expect(outlines.length).toBe(missing.length);
    }
  });

  test('have a zone across all rows only where it can’t be told', () => {
    for (const data of cases) {
      const { sheet } = drawn(data, width);
      const zones = sheet.marks.filter(({ look }) => look === 'untold') as RectMark[];
      expect(zones.length).toBe(1);
      for (const { part, y, height } of bars(sheet)) {
        if (!part!.endsWith(' 0')) continue;
        expect(y).toBeGreaterThanOrEqual(zones[0]!.y);
        expect(y + height).toBeLessThanOrEqual(zones[0]!.y + zones[0]!.height);
      }
    }
  });
});

test('chips that are the same for all are not written', () => {
  const [data] = cases.filter(({ rivals }) => rivals.length > 2);
  const written = (onChips: (index: number) => string): number => {
    const rivals = data!.rivals.map((rival, index) => ({ ...rival, onChips: onChips(index) }));
    const { marks } = drawn({ ...data!, rivals }, 1100).sheet;
    return marks.filter((mark) => mark.kind === 'text' && /^\d+ chips/.test(mark.text)).length;
  };
  expect(written(() => '64 chips')).toBe(0);
  expect(written((index) => `${64 + index} chips`)).toBe(data!.rivals.length);
});

test('squares of chips stand on the line of the bars; those of the same size for all are not drawn', () => {
  const [data] = cases.filter(({ rivals }) => rivals.length > 2);
  const squares = (onChips: (index: number) => string): RectMark[] => {
    const rivals = data!.rivals.map((rival, index) => ({ ...rival, onChips: onChips(index) }));
    const { marks } = drawn({ ...data!, rivals }, 1100).sheet;
    return marks.filter(({ look }) => look === 'tile') as RectMark[];
  };
  expect(squares(() => '64 chips')).toEqual([]);
  const all = squares((index) => `${index} chips`);
  expect(all).toHaveLength(data!.rivals.length);
  const { sheet } = drawn(data!, 1100);
  const middle = ({ y, height }: RectMark): number => y + height / 2;
  for (const square of all) {
    const beside = bars(sheet).filter((bar) => bar.part === square.part);
    for (const bar of beside) expect(middle(bar)).toBeCloseTo(middle(square), 6);
  }
});

test('ranges move the end of an axis no further than half the longest bar', () => {
  for (const data of cases) {
    for (const axis of [0, 1]) {
      const values = data.rivals.flatMap(({ amounts }) => {
        const amount = amounts[axis]!;
        return 'value' in amount ? [amount.value] : [];
      });
      const longest = Math.max(0, ...values);
      expect(axisEnd(data, axis)).toBeGreaterThanOrEqual(longest);
      if (longest > 0) expect(axisEnd(data, axis)).toBeLessThanOrEqual(1.5 * longest);
    }
  }
});

test('a square has the area of its chips', () => {
  expect(sideOf(1024, 1024, 26)).toBe(26);
  expect(sideOf(256, 1024, 26) ** 2 / 26 ** 2).toBeCloseTo(0.25);
  expect(sideOf(1, 131072, 26)).toBe(2);
  // Nobody's chips are known yet.
  expect(sideOf(0, 0, 26)).toBe(0);
});

describe('a contest', () => {
  const one = { value: 10, band: [8, 12] as const };
  const close = { value: 13, band: [11, 15] as const };
  const far = { value: 20, band: [18, 22] as const };

  test('has no winner where a range reaches into that of the best', () => {
    expect(contestOf([far, close, one])).toEqual({ best: one, alike: [close] });
    expect(contestOf([far, one])).toEqual({ best: one, alike: [] });
  });

  test('for the most looks at the other ends', () => {
    expect(contestOf([one, close, far], true)).toEqual({ best: far, alike: [] });
    const wide = { value: 14, band: [9, 18] as const };
    expect(contestOf([one, wide, far], true)).toEqual({ best: far, alike: [wide] });
    expect(contestOf([far, { value: 20 }], true)!.alike.length).toBe(1);
    expect(contestOf([far, { value: 17.9 }], true)!.alike).toEqual([]);
  });

  test('of nobody has none', () => expect(contestOf([])).toBeUndefined());
});
