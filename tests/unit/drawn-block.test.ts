// The drawing of a slice of a torus, by its numbers: its chips, its links, and those of a group; the body
// that too many of them fill.

import { describe, expect, test } from 'vitest';
import { drawBlock, type BlockData, type DrawnBlock } from '../../web/src/charts/drawn/block.ts';
import type { Three } from '../../web/src/charts/drawn/lattice.ts';
import { Sheet, type PathMark } from '../../web/src/charts/drawn/marks.ts';
import { measure, texts } from './drawn-checks.ts';

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
  slice.map((length) => ({
    length,
    isRing: isRing && length > 2,
    says: String(length),
  })) as unknown as BlockData['axes'];

function drawn(
  slice: Lengths,
  { tensor = none, context = none, data = none, pipeline = none, stage = 0 }: Ways,
  { width = 400, height = 260, isRing = true } = {},
): { sheet: Sheet; block: DrawnBlock } {
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
  };
  return { sheet, block: drawBlock(sheet, { x: 0, y: 0, width, height }, block, 'DP') };
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

  test('of too many chips is a body within the frame, with its lengths at its edges', () => {
    for (const slice of [
      [16, 20, 28],
      [16, 16, 1],
      [1, 1, 1e6],
      [1e6, 1e6, 1e6],
      [1, 300, 2],
    ] as const) {
      for (const [width, height] of [
        [150, 130],
        [300, 260],
        [600, 200],
      ] as const) {
        const { sheet, block } = drawn(slice, { data: slice }, { width, height });
        expect(paths(sheet, 'chip')).toEqual([]);
        const [body] = paths(sheet, 'body');
        expect(body!.count).toBe(slice[0] * slice[1] * slice[2]);
        const corners = sheet.marks.flatMap((mark) =>
          mark.kind === 'path'
            ? [...mark.d.matchAll(/[ML](-?[\d.]+) (-?[\d.]+)/g)].map(([, x, y]) => [+x!, +y!])
            : [],
        );
        expect(corners.length).toBeLessThan(5000);
        for (const [x, y] of corners) {
          expect(Math.min(x!, y!)).toBeGreaterThanOrEqual(-0.1);
          expect(x).toBeLessThanOrEqual(width + 0.1);
          expect(y).toBeLessThanOrEqual(height + 0.1);
        }
        expect(block.foot).toBeLessThanOrEqual(height + 0.1);
        expect(texts(sheet.marks).map(({ text }) => text)).toEqual(
          slice.filter((length) => length > 1).map(String),
        );
        for (const part of [0, 0.37, 0.99]) {
          const { x, y } = block.spot(Math.floor(part * block.seen));
          expect(x).toBeLessThan(width);
          expect(y).toBeLessThan(height);
        }
      }
    }
  });

  test('that is a body has the opened replica on its faces, one part for each of its stages', () => {
    const { sheet } = drawn([16, 20, 28], {
      tensor: [8, 1, 1],
      context: [1, 4, 1],
      data: [2, 5, 7],
      pipeline: [1, 1, 4],
    });
    // Front, top and right of the body; then those that are seen of the stages.
    expect(paths(sheet, 'body').map(({ count }) => count)).toEqual([
      16 * 20 * 28,
      undefined,
      undefined,
      4,
      undefined,
    ]);
    const [, , , front, top] = paths(sheet, 'body');
    expect(front!.d.match(/M/g)).toHaveLength(1);
    expect(top!.d.match(/M/g)).toHaveLength(4);
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

  test('is seen on the faces of a body', () => {
    const { sheet } = drawn([16, 16, 16], {
      tensor: [16, 1, 1],
      context: [1, 4, 1],
      data: [1, 4, 16],
    });
    const of = (key: string): PathMark[] => (sheet.lit.get(key) ?? []) as PathMark[];
    // A row of chips on the front, the top and, with its end, the right.
    expect(of('TP').map(({ d, look }) => [look, d.match(/M/g)!.length])).toEqual([['group', 3]]);
    expect(of('PP')).toEqual([]);
    // Each fourth chip down, or all where these can't be told apart; all behind it.
    expect(of('DP')).toHaveLength(1);
  });
});
