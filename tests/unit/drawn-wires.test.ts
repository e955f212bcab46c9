// The links that a group of chips crosses: how many of each kind, and how thick.

import { describe, expect, test } from 'vitest';
import { layCluster, type Way } from '../../web/src/charts/drawn/cluster.ts';
import { Sheet, type Frame, type Mark, type PathMark } from '../../web/src/charts/drawn/marks.ts';
import { layReplica } from '../../web/src/charts/drawn/replica.ts';
import { thicknessOf, wires, type Links } from '../../web/src/charts/drawn/wires.ts';
import { measure } from './drawn-checks.ts';

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

describe('the links of a group that shares experts', () => {
  const way = (key: string, of: Links): Way => ({
    key,
    label: key,
    note: '',
    says: key,
    links: of,
  });
  const frame = { x: 0, y: 0, width: 400, height: 300 };
  const pathsOf = (marks: readonly Mark[]): PathMark[] =>
    marks.filter((mark): mark is PathMark => mark.kind === 'path');
  const countOf = (marks: readonly Mark[], look: string): number =>
    pathsOf(marks)
      .filter((mark) => mark.look === look)
      .reduce((sum, { count }) => sum + count!, 0);

  /** A stage of 4 x 4 chips, whose experts lie `stride` apart in groups of so many. */
  function lit(chips: number, stride: number): readonly Mark[] {
    const sheet = new Sheet(measure);
    layReplica(sheet, frame, {
      titles: ['replica'],
      ...{ tensor: 4, context: 4, pipeline: 1, chunks: 1, stage: 0 },
      experts: { way: way('EP', { ...links, stride }), chips, stride },
      ways: [],
      more: String,
    });
    return sheet.lit.get('EP')!;
  }

  test('join its chips in the replica, and close where all lie in one', () => {
    expect(countOf(lit(8, 1), 'group')).toBe(8);
    expect(countOf(lit(8, 1), 'wire inside')).toBe(8);
    expect(countOf(lit(16, 1), 'wire across')).toBe(2);
    expect(countOf(lit(4, 4), 'group')).toBe(4);
    // Half of the group lies in other replicas.
    expect(countOf(lit(32, 1), 'group')).toBe(16);
    expect(countOf(lit(32, 1), 'wire inside') + countOf(lit(32, 1), 'wire across')).toBe(15);
    expect(countOf(lit(8, 16), 'group')).toBe(1);
  });

  test('lead from replica to replica of the group, and no further', () => {
    const sheet = new Sheet(measure);
    layCluster(sheet, frame, {
      titles: ['cluster'],
      ...{ replicas: 64, stages: 1 },
      data: way('DP', { ...links, stride: 4 }),
      tile: String,
      experts: { replicas: 8, says: 'experts', key: 'EP', links: { ...links, stride: 4 } },
    });
    const marks = sheet.lit.get('EP')!;
    const rows = pathsOf(sheet.lit.get('DP')!).length;
    expect(rows).toBeGreaterThan(0);
    const all = countOf(marks, 'wire inside') + countOf(marks, 'wire across');
    // Two replicas of four chips in a domain of eight; from row to row nothing is drawn.
    expect(all).toBeGreaterThan(0);
    expect(all).toBeLessThanOrEqual(7);
    expect(countOf(marks, 'wire inside')).toBe(4);
  });
});

test('the faster a link, the thicker: by the root of its rate', () => {
  expect(thicknessOf(450e9, 450e9)).toBe(6);
  expect(thicknessOf(50e9, 450e9)).toBeCloseTo(2);
  expect(thicknessOf(0, 450e9)).toBe(1.25);
  expect(thicknessOf(0, 0)).toBe(1.25);
  expect(thicknessOf(900e9, 450e9)).toBe(6);
});
