// The largest size at which something holds.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Largest } from '../../web/src/ui/views/plan/largest.ts';

/** Asks until the largest is known. */
function ask(step: number, most: number, holds: (size: number) => boolean) {
  const largest = new Largest(step, most);
  const asked: number[] = [];
  for (let size = largest.asks; size !== undefined; size = largest.asks) {
    asked.push(size);
    largest.tell(holds(size));
  }
  return { found: largest.holds, asked };
}

test('is a multiple of the step that holds, and what is a sixteenth larger does not', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 512 }),
      fc.integer({ min: 1, max: 1e7 }),
      fc.double({ min: 0, max: 2e7, noNaN: true }),
      (step, most, limit) => {
        const { found, asked } = ask(step, most, (size) => size <= limit);
        const sizes = Math.floor(most / step);
        const largest = Math.min(sizes, Math.floor(limit / step)) * step;
        expect(found % step).toBe(0);
        expect(found).toBeLessThanOrEqual(largest);
        expect(largest - found).toBeLessThanOrEqual(Math.max(step, found / 16));
        expect(new Set(asked).size).toBe(asked.length);
        expect(asked.length).toBeLessThan(2 * Math.log2(sizes + 2) + 6);
        for (const size of asked) expect(size > 0 && size <= most && size % step === 0).toBe(true);
      },
    ),
  );
});

test('is 0 where nothing holds, and the most there may be where all does', () => {
  expect(ask(256, 1e6, () => false)).toEqual({ found: 0, asked: [256] });
  expect(ask(256, 1e6, () => true).found).toBe(999_936);
  expect(ask(256, 100, () => true)).toEqual({ found: 0, asked: [] });
});

test('is exact up to sixteen steps', () => {
  for (let limit = 0; limit <= 16; limit++) {
    expect(ask(1, 4096, (size) => size <= limit).found, `${limit}`).toBe(limit);
  }
});
