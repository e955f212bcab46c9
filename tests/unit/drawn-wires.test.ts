// The links that a group of chips crosses: how many of each kind, and how thick.

import { describe, expect, test } from 'vitest';
import type { Frame, PathMark } from '../../web/src/charts/drawn/marks.ts';
import { thicknessOf, wires, type Links } from '../../web/src/charts/drawn/wires.ts';

const row = (count: number): Frame[] =>
  Array.from({ length: count }, (_, index) => ({ x: 10 * index, y: 0, width: 8, height: 8 }));
const links: Links = { stride: 1, domain: 8, inside: 6, across: 2 };

/** The numbers of links within domains and between them. */
function counted(count: number, of: Links, from = 0, isRing = false): [number, number] {
  const marks = wires(row(count), of, from, isRing) as PathMark[];
  const countOf = (kind: string): number =>
    marks.find(({ look }) => look === `wire ${kind}`)?.count ?? 0;
  for (const { d, count: drawn, look, thick } of marks) {
    expect(d.match(/M/g)!.length).toBe(drawn);
    expect(d).not.toMatch(/NaN|undefined/);
    expect(thick).toBe(look.endsWith('inside') ? of.inside : of.across);
  }
  return [countOf('inside'), countOf('across')];
}

describe('the links of a group', () => {
  test('within a domain are all fast, and a ring closes', () => {
    expect(counted(8, links)).toEqual([7, 0]);
    expect(counted(8, links, 0, true)).toEqual([8, 0]);
    // Two chips have one link.
    expect(counted(2, links, 0, true)).toEqual([1, 0]);
    expect(counted(1, links, 0, true)).toEqual([0, 0]);
  });

  test('cross each border of a domain once, and the ring’s way back one more', () => {
    expect(counted(16, links)).toEqual([14, 1]);
    expect(counted(16, links, 0, true)).toEqual([14, 2]);
    // Where the group begins in a domain counts.
    expect(counted(8, links, 4)).toEqual([6, 1]);
  });

  test('all cross borders where each chip lies in another domain', () => {
    expect(counted(4, { ...links, stride: 8 })).toEqual([0, 3]);
    expect(counted(4, { ...links, stride: 4 })).toEqual([2, 1]);
  });
});

test('the faster a link, the thicker: by the root of its rate', () => {
  expect(thicknessOf(450e9, 450e9)).toBe(6);
  expect(thicknessOf(50e9, 450e9)).toBeCloseTo(2);
  expect(thicknessOf(0, 450e9)).toBe(1.25);
  expect(thicknessOf(0, 0)).toBe(1.25);
  expect(thicknessOf(900e9, 450e9)).toBe(6);
});
