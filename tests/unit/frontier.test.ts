// The cheapest point of several frontiers for a target, and the fastest for a budget.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ServingPoint } from '../../web/src/engine/index.ts';
import { initialState } from '../../web/src/model/state.ts';
import {
  cheapestWithin,
  fastestWithin,
  type Placed,
} from '../../web/src/ui/views/serving/frontier-best.ts';
import { ownPoint } from '../../web/src/ui/views/serving/drawings.ts';
import { withOwn } from '../../web/src/ui/views/serving/frontier-points.ts';

const at = (chip: string, timePerToken: number, costAll?: number): Placed => ({
  state: initialState,
  chip,
  line: 0,
  point: { timePerToken, ...(costAll && { costAll }) } as ServingPoint,
});

const points = [
  at('small', 0.01, 8),
  at('small', 0.03, 1),
  at('large', 0.005, 5),
  at('large', 0.02, 2),
  at('unpriced', 0.001),
];

test('the reader’s own servers stand at the time of a request, whatever shares their chips', () => {
  const answers = { answerTime: 20.48, tokenTime: 0.0395, servingBatch: 16, servers: 1 };
  const own = ownPoint({ ...answers, outputSpeed: 1600, outputSpeedPerChip: 100 } as never, 512);
  expect(own).toEqual({ x: 0.04, y: 100 });
  expect(ownPoint(undefined, 512)).toBeUndefined();
});

test('the cheapest within a time is of any chip whose price is known', () => {
  expect(cheapestWithin(points, 0.05)).toBe(points[1]);
  expect(cheapestWithin(points, 0.02)).toBe(points[3]);
  expect(cheapestWithin(points, 0.01)).toBe(points[2]);
  expect(cheapestWithin(points, 0.004)).toBeUndefined();
});

test('the fastest for a price is of any chip whose price is known', () => {
  expect(fastestWithin(points, 10)).toBe(points[2]);
  expect(fastestWithin(points, 4)).toBe(points[3]);
  expect(fastestWithin(points, 1)).toBe(points[1]);
  expect(fastestWithin(points, 0.5)).toBeUndefined();
});

test('more time is never dearer, and more money never slower', () => {
  const some = fc.array(
    fc.tuple(
      fc.double({ min: 1e-4, max: 1, noNaN: true }),
      fc.double({ min: 0.01, max: 99, noNaN: true }),
    ),
  );
  fc.assert(
    fc.property(some, fc.double({ min: 1e-4, max: 1, noNaN: true }), (list, limit) => {
      const all = list.map(([time, cost]) => at('any', time, cost));
      const [tight, wide] = [limit / 2, limit].map((time) => cheapestWithin(all, time));
      if (tight) expect(wide!.point.costAll).toBeLessThanOrEqual(tight.point.costAll!);
      const [poor, rich] = [limit * 20, limit * 40].map((cost) => fastestWithin(all, cost));
      if (poor) expect(rich!.point.timePerToken).toBeLessThanOrEqual(poor.point.timePerToken);
    }),
  );
});

test('a curve goes through the reader’s own servers, or above and before them', () => {
  const number = fc.integer({ min: 1, max: 20 });
  const place = fc.record({ x: number, y: number });
  fc.assert(
    fc.property(fc.array(place, { minLength: 1 }), place, (some, own) => {
      const curve = some
        .filter(
          (one) => !some.some(({ x, y }) => (x < one.x && y >= one.y) || (x <= one.x && y > one.y)),
        )
        .sort((one, other) => one.x - other.x);
      const drawn = withOwn(curve, own);
      // It rises, and no place of it is above all that is as fast.
      drawn.slice(1).forEach(({ x, y }, index) => {
        expect(x).toBeGreaterThanOrEqual(drawn[index]!.x);
        expect(y).toBeGreaterThanOrEqual(drawn[index]!.y);
      });
      expect(drawn.some(({ x, y }) => x <= own.x && y >= own.y)).toBe(true);
    }),
  );
});
