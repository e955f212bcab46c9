// Properties of all drawings.

import { expect } from 'vitest';

/** Text that no attribute and no element may hold. */
export const unfinished = /NaN|Infinity|undefined|\[object|\d[eE]\+\d/;

/** Numbers must be ones, texts finished; what the data says itself is not looked at. */
export function expectNumbers(layout: unknown): void {
  const faults: unknown[] = [];
  const look = (value: unknown, key: string): void => {
    if (['line', 'mark', 'zone', 'category', 'point'].includes(key)) return;
    const wrong =
      typeof value === 'number'
        ? !Number.isFinite(value)
        : typeof value === 'string' && unfinished.test(value);
    if (wrong) faults.push([key, value]);
    if (value && typeof value === 'object') {
      for (const [name, part] of Object.entries(value)) look(part, name);
    }
  };
  look(layout, '');
  expect(faults).toEqual([]);
}

interface Rectangle {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Rectangles of a path. */
export const rectangles = (d: string): Rectangle[] =>
  [...d.matchAll(/M([\d.]+) ([\d.]+)h([\d.]+)v([\d.]+)H[\d.]+z/g)].map((found) => {
    const [x, y, width, height] = found.slice(1).map(Number);
    return { x: x!, y: y!, width: width!, height: height! };
  });
