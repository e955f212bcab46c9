// The layout of a chart of time against cost.

import { expect, test } from 'vitest';
import type { Box, Candidate } from '../../web/src/charts/kit/labels.ts';
import type { TradeData } from '../../web/src/charts/kit/trade-data.ts';
import { layTrade } from '../../web/src/charts/trade/trade-layout.ts';
import { loadDictionary } from '../../web/src/i18n/dictionary.ts';
import { Formatter } from '../../web/src/number/format.ts';

const format = new Formatter('en', (await loadDictionary('en')).units);
const measure = (text: string, _: number, size: number): number => text.length * size * 0.55;

const chips = ['H100 SXM5 80GB', 'B200 SXM', 'TPU v5p'];

/** Each chip's cost rises as its time falls, from an eighth to eight times as many chips. */
function trade(most: TradeData['most'], spread: number): TradeData {
  const points = chips.flatMap((chip, line) =>
    [8, 4, 2, 1, 0.5, 0.25, 0.125].map((part, index) => ({
      label: chip,
      line,
      x: 30 * 86400 * part * (1 + line * spread),
      y: (1e6 * (1 + line * spread)) / part ** 0.1,
      own: index === 3,
      ...(index === 4 && line === 1 && { best: 'cheapest in 30 days' }),
    })),
  );
  return {
    title: '',
    description: '',
    file: '',
    x: { label: 'Time', unit: 's', scale: 'log' },
    y: { label: 'Cost', unit: 'USD', scale: 'log' },
    lines: chips,
    points,
    most,
  };
}

const boxes = (names: readonly { at: Candidate }[]): Box[] => names.flatMap(({ at }) => at.boxes);

test('no line of a limit goes through a name', () => {
  for (const width of [700, 1200]) {
    for (let days = 6; days < 200; days *= 1.23) {
      for (let dollars = 0.85e6; dollars < 1.6e6; dollars += 5e4) {
        const most = {
          x: { label: 'at most', value: days * 86400 },
          y: { label: 'at most', value: dollars },
        };
        const { names, beyond, across } = layTrade(trade(most, 0.2), width, format, measure);
        const said = boxes([...names, across!]);
        expect(said).toHaveLength(5);
        for (const { left, right, top, bottom } of said) {
          expect(left < beyond.x! && beyond.x! < right).toBe(false);
          expect(top < beyond.y! && beyond.y! < bottom).toBe(false);
        }
      }
    }
  }
});

test('short names of points stand where they cover nothing', () => {
  const data = trade({}, 0.2);
  for (const width of [330, 700, 1200]) {
    const short = data.points.map((point, index) => ({ ...point, short: `8 × ${2 ** index}` }));
    const laid = layTrade({ ...data, points: short }, width, format, measure);
    // Some points of a narrow chart have no room beside them.
    expect(laid.short.length).toBeGreaterThan(width < 400 ? 3 : 12);
    expect(laid.names).toEqual(layTrade(data, width, format, measure).names);
    const named = boxes(laid.short);
    for (const { left, right, top, bottom } of named) {
      const others = [...boxes(laid.names), ...named].filter((box) => box.left !== left);
      for (const other of others) {
        const apart =
          other.right <= left || other.left >= right || other.bottom <= top || other.top >= bottom;
        expect(apart).toBe(true);
      }
      for (const { x, y } of laid.dots) {
        expect(left < x && x < right && top < y && y < bottom).toBe(false);
      }
    }
  }
  expect(layTrade(data, 700, format, measure).short).toEqual([]);
});
