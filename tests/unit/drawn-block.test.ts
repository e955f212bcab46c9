// The drawing of a slice of a torus, by its numbers: its chips, its links, and those of a group.

import { describe, expect, test } from 'vitest';
import { drawBlock, type BlockData } from '../../web/src/charts/drawn/block.ts';
import { Lattice, type Three } from '../../web/src/charts/drawn/lattice.ts';
import { Sheet, type PathMark } from '../../web/src/charts/drawn/marks.ts';
import { measure } from './drawn-checks.ts';

type Lengths = Three<number>;
const none: Lengths = [1, 1, 1];

interface Ways {
  tensor?: Lengths;
  context?: Lengths;
  data?: Lengths;
  pipeline?: Lengths;
  stage?: number;
}

const axesOf = (slice: Lengths, isRing = true): BlockData['axes'] =>
  slice.map((length) => ({ length, isRing: isRing && length > 2 })) as unknown as BlockData['axes'];

function drawn(
  slice: Lengths,
  { tensor = none, context = none, data = none, pipeline = none, stage = 0 }: Ways,
  { width = 400, height = 260, isRing = true } = {},
): { sheet: Sheet; lattice: Lattice } {
  const sheet = new Sheet(measure);
  const group = (key: string, lengths: Lengths, opened = 0) => ({
    key,
    lengths,
    isOfReplica: key !== 'DP',
    opened,
  });
  const block: BlockData = {
    axes: axesOf(slice, isRing),
    groups: [
      group('TP', tensor),
      group('CP', context),
      group('DP', data),
      group('PP', pipeline, stage),
    ],
    says: 'slice',
    more: String,
  };
  const { lattice } = drawBlock(sheet, { x: 0, y: 0, width, height }, block, 'DP');
  return { sheet, lattice };
}

const paths = ({ marks }: Sheet, look: string): PathMark[] =>
  marks.filter((mark): mark is PathMark => mark.kind === 'path' && mark.look === look);
const litOf = (sheet: Sheet, key: string, look: string): number =>
  (sheet.lit.get(key) ?? []).reduce(
    (sum, mark) => (mark.kind === 'path' && mark.look === look ? sum + mark.count! : sum),
    0,
  );
const chipsOf = (sheet: Sheet): { own: number; others: number } => {
  const all = paths(sheet, 'chip');
  const count = (isOwn: boolean): number =>
    all
      .filter(({ shade }) => (shade === undefined) === isOwn)
      .reduce((sum, c) => sum + c.count!, 0);
  return { own: count(true), others: count(false) };
};

describe('a slice', () => {
  test('has all its chips, those of the opened replica apart, and all its links', () => {
    const { sheet } = drawn([4, 4, 1], { tensor: [4, 1, 1], data: [1, 4, 1] });
    expect(chipsOf(sheet)).toEqual({ own: 4, others: 12 });
    expect(paths(sheet, 'wire idle')[0]!.count).toBe(32);
    const open = drawn([4, 4, 4], { data: [4, 4, 4] }, { isRing: false }).sheet;
    expect(chipsOf(open)).toEqual({ own: 1, others: 63 });
    expect(paths(open, 'wire idle')[0]!.count).toBe(144);
  });

  test('that is too large shows some of its chips, within the frame and clear of each other', () => {
    for (const slice of [
      [16, 20, 28],
      [16, 16, 1],
      [1, 1, 1e6],
      [1e6, 1e6, 1e6],
      [2, 2, 4],
    ] as const) {
      for (const [width, height] of [
        [150, 130],
        [300, 260],
        [600, 200],
      ] as const) {
        const lattice = new Lattice(axesOf(slice), { x: 0, y: 0, width, height });
        const chips = lattice.places().map((place) => lattice.chip(place));
        expect(chips.length).toBe(lattice.count);
        expect(lattice.count).toBeLessThanOrEqual(slice[0] * slice[1] * slice[2]);
        const seen = new Set(chips.map(({ x, y }) => `${x.toFixed(2)} ${y.toFixed(2)}`));
        expect(seen.size).toBe(chips.length);
        for (const { x, y, width: wide, height: high } of chips) {
          expect(Math.min(x, y)).toBeGreaterThanOrEqual(0);
          expect(x + wide).toBeLessThanOrEqual(width + 1);
          expect(y + high).toBeLessThanOrEqual(height + 1);
        }
        expect(lattice.foot).toBeLessThanOrEqual(height + 1);
      }
    }
  });
});

describe('a group that is pointed at', () => {
  test('is a ring where it takes a whole axis that closes, else a line', () => {
    const whole = drawn([8, 8, 1], { tensor: [8, 1, 1], data: [1, 8, 1] }).sheet;
    expect(litOf(whole, 'TP', 'group')).toBe(8);
    expect(litOf(whole, 'TP', 'wire inside')).toBe(8);
    expect(litOf(whole, 'DP', 'wire inside')).toBe(8);
    const part = drawn([8, 8, 1], { tensor: [4, 1, 1], data: [2, 8, 1] }).sheet;
    expect(litOf(part, 'TP', 'wire inside')).toBe(3);
    // Every fourth chip of a row, all of a column: 8 rings of ... two chips have one link.
    expect(litOf(part, 'DP', 'group')).toBe(16);
    expect(litOf(part, 'DP', 'wire inside')).toBe(2 * 8 + 8);
    const open = drawn([8, 1, 1], { tensor: [8, 1, 1] }, { isRing: false }).sheet;
    expect(litOf(open, 'TP', 'wire inside')).toBe(7);
  });

  test('on several axes has the links of all of them', () => {
    const { sheet } = drawn([4, 4, 4], { tensor: [4, 4, 1], data: [1, 1, 4] });
    expect(litOf(sheet, 'TP', 'group')).toBe(16);
    expect(litOf(sheet, 'TP', 'wire inside')).toBe(32);
    expect(litOf(sheet, 'CP', 'group')).toBe(0);
  });

  test('lies where the opened stage lies', () => {
    const at = (stage: number): PathMark =>
      drawn([4, 4, 1], { tensor: [4, 1, 1], pipeline: [1, 4, 1], stage })
        .sheet.lit.get('TP')!
        .find(({ look }) => look === 'group') as PathMark;
    const top = (d: string): number => Number(/^M[\d.]+ ([\d.]+)/.exec(d)![1]);
    expect(top(at(2).d)).toBeGreaterThan(top(at(0).d));
    expect(at(2).count).toBe(4);
  });

  test('is one whose opened chip is drawn, where the slice is too large', () => {
    const { sheet, lattice } = drawn(
      [4, 4, 4000],
      { tensor: [4, 4, 1], pipeline: [1, 1, 4000], stage: 2000 },
      { width: 200, height: 150 },
    );
    expect(lattice.drawn[2]).toBeLessThan(4000);
    expect(litOf(sheet, 'TP', 'group')).toBe(lattice.drawn[0] * lattice.drawn[1]);
  });
});
