// The layout of a collective on its wires, by its numbers.

import { describe, expect, test } from 'vitest';
import {
  heightOf,
  layCollective,
  type CollectiveData,
} from '../../web/src/charts/drawn/collective/layout.ts';
import type { LinkSet, Use } from '../../web/src/charts/drawn/collective/links.ts';
import {
  chipsBefore,
  mostOfDomain,
  type SwitchesData,
} from '../../web/src/charts/drawn/collective/switches.ts';
import type { TorusData } from '../../web/src/charts/drawn/collective/torus.ts';
import type { PathMark, Sheet } from '../../web/src/charts/drawn/marks.ts';
import type { Racer } from '../../web/src/charts/drawn/race/layout.ts';
import { formOf } from '../../web/src/charts/drawn/form.ts';
import { clashes, measure, random, texts } from './drawn-checks.ts';

const next = random(11);
const upTo = (most: number): number => 1 + Math.floor(next() * most);

const links = (key: string, label: string, use: Use = 'used', thick = 6): LinkSet => ({
  key,
  label,
  note: '450 GB/s',
  says: `${label}: 1.23 ms`,
  thick,
  use,
});

function data(machine: SwitchesData | TorusData, chips: number, isChinese = false): CollectiveData {
  const sets =
    machine.kind === 'torus'
      ? machine.axes.flatMap((axis) => axis.links ?? [])
      : [machine.domain, machine.leaf, machine.spine].flatMap((each) => each ?? []);
  const racer = (key: string, label: string, isBound: boolean): Racer => ({
    key,
    resource: 'network',
    sign: '▲',
    label,
    value: isBound ? 2 : 1,
    said: '1.23 ms',
    note: isChinese ? '每块芯片 875 MB' : '875 MB per chip',
    says: `${label}: 1.23 ms`,
    isBound,
  });
  return {
    title: '',
    ghostly: false,
    racers: [
      racer('collectiveLatencyTime', isChinese ? '延迟' : 'latency', false),
      ...sets
        .filter(({ use }) => use !== 'idle')
        .map((each) => racer(each.key, each.label, each.use === 'binds')),
    ],
    binds: isChinese ? '瓶颈' : 'binds',
    told: [],
    machine,
    titles: [
      isChinese ? `${chips} 块芯片，32 个 8 芯片的域` : `${chips} chips, 32 domains of 8`,
      `${chips} chips`,
    ],
    chips,
    notes: [{ says: isChinese ? '4 块空闲' : '4 idle', key: 'domainIdle' }],
    more: (n) => (isChinese ? `另有 ${n} 块芯片` : `+ ${n} chips`),
  };
}

function switches(
  chips: number,
  domains: number,
  size: number,
  { leaves = 1, shards = 1, isMessage = false, isChinese = false } = {},
): CollectiveData {
  return data(
    {
      kind: 'switches',
      chips,
      shards,
      domains,
      size,
      leaves,
      isMessage,
      ...(size > 1 && { domain: links('domainTime', isChinese ? '域内' : 'in the domain') }),
      ...(domains > 1 && {
        leaf: links('leafTime', isChinese ? '域间' : 'between domains', 'binds', 2),
      }),
      ...(leaves > 1 && {
        spine: links('spineTime', isChinese ? '经 spine' : 'across the spine', 'used', 1.5),
      }),
    },
    chips,
    isChinese,
  );
}

type Lengths = readonly [number, number, number];

function torus(lengths: Lengths, isRing = true, hops?: Lengths): CollectiveData {
  const axis = (index: 0 | 1 | 2) => ({
    length: lengths[index],
    isRing: isRing && lengths[index] > 2,
    ...(lengths[index] > 1 && {
      links: links(`axisTime${'XYZ'[index]!}`, `${'XYZ'[index]!} ${lengths[index]}`, 'binds'),
    }),
    hops: hops?.[index],
  });
  return data(
    { kind: 'torus', axes: [axis(0), axis(1), axis(2)], isMessage: hops !== undefined },
    lengths[0] * lengths[1] * lengths[2],
  );
}

const meshes: Lengths[] = [
  [4, 1, 1],
  [2, 1, 1],
  [16, 16, 1],
  [4, 4, 4],
  [2, 2, 4],
  [16, 20, 28],
  [1e6, 1, 1],
  [1, 1, 8],
  [1, 32, 1],
  [1e6, 1e6, 1e6],
];

const cases: CollectiveData[] = [
  switches(8, 1, 8),
  switches(4, 1, 8),
  switches(64, 8, 8),
  switches(1024, 128, 8, { leaves: 4 }),
  switches(72, 1, 72),
  switches(256, 4, 72, { leaves: 2 }),
  switches(11, 2, 8),
  switches(4, 4, 8, { shards: 8 }),
  switches(16, 16, 1, { leaves: 4 }),
  switches(131072, 16384, 8, { leaves: 512 }),
  switches(1e6, 1, 1e6),
  switches(16, 2, 8, { isMessage: true }),
  switches(1, 1, 8),
  ...Array.from({ length: 40 }, (_, index) => {
    const size = upTo(80);
    const domains = upTo(index % 2 === 0 ? 6 : 3000);
    const leaves = domains > 1 ? upTo(Math.min(domains, 20)) : 1;
    const isChinese = index % 5 === 0;
    return switches(domains * upTo(size), domains, size, { leaves, isChinese });
  }),
  ...meshes.flatMap((mesh) => [torus(mesh), torus(mesh, false)]),
  torus([8, 8, 1], true, [3, -2, 0]),
  torus([1000, 4, 4], true, [-300, 1, 2]),
];

const widths = [320, 640, 760, 1100];

function drawn(of: CollectiveData, width: number): { sheet: Sheet; height: number } {
  const form = formOf(width);
  const height = heightOf(of, form);
  return { sheet: layCollective(measure, { x: 0, y: 0, width, height }, of, form), height };
}

const paths = ({ marks }: Sheet, look: string): PathMark[] =>
  marks.filter((mark): mark is PathMark => mark.kind === 'path' && mark.look === look);
const countOf = (sheet: Sheet, look: string): number =>
  paths(sheet, look).reduce((sum, { count = 0 }) => sum + count, 0);
/** Chips of the group, without those that have other shards. */
const chipsIn = (sheet: Sheet): number =>
  [...paths(sheet, 'chip'), ...paths(sheet, 'body')]
    .filter(({ shade = 1 }) => shade > 0.5)
    .reduce((sum, { count = 0 }) => sum + count, 0);
/** The corners that paths go through. */
const corners = (d: string): [number, number][] =>
  [...d.matchAll(/[ML](-?[\d.]+) (-?[\d.]+)/g)].map(([, x, y]) => [Number(x), Number(y)]);

describe.each(widths)('at %d px', (width) => {
  test('nothing lies over another or off the sheet', () => {
    for (const of of cases) {
      const { sheet, height } = drawn(of, width);
      expect(clashes(sheet, width, height), of.titles[0]).toEqual([]);
      for (const { box } of sheet.parts) {
        expect(box.bottom, of.titles[0]).toBeLessThanOrEqual(height + 1);
        expect(box.right, of.titles[0]).toBeLessThanOrEqual(width + 1e-9);
      }
      for (const mark of sheet.marks) {
        if (mark.kind !== 'path') continue;
        expect(mark.d).not.toMatch(/NaN|undefined|Infinity/);
        for (const [x, y] of corners(mark.d)) {
          expect(x, of.titles[0]).toBeLessThanOrEqual(width + 1);
          expect(y, of.titles[0]).toBeLessThanOrEqual(height + 1);
          expect(Math.min(x, y)).toBeGreaterThanOrEqual(-1);
        }
      }
    }
  });

  test('as many chips are drawn as there are, or the rest is told', () => {
    for (const of of cases) {
      const { sheet } = drawn(of, width);
      const all = chipsIn(sheet);
      expect(all).toBeGreaterThan(0);
      const told = texts(sheet.marks).some(({ text }) => text === of.more(of.chips - all));
      expect(all === of.chips || told, of.titles[0]).toBe(true);
    }
  });

  test('small machines are drawn whole', () => {
    const whole: [CollectiveData, chips: number, idle: number][] = [
      [switches(8, 1, 8), 8, 0],
      [switches(4, 1, 8), 4, 4],
      [switches(11, 2, 8), 11, 5],
      [switches(72, 1, 72), 72, 0],
      [torus([4, 4, 1]), 16, 0],
      [torus([4, 4, 4]), 64, 0],
    ];
    for (const [of, chips, idle] of whole) {
      const { sheet } = drawn(of, width);
      expect(chipsIn(sheet)).toBe(chips);
      expect(countOf(sheet, 'hollow')).toBe(idle);
    }
  });
});

test('times stand beside what is drawn, and move seldom while an axis grows', () => {
  const from = (of: CollectiveData): number => {
    const { sheet } = drawn(of, 1100);
    return Math.min(
      ...sheet.marks.flatMap((mark) =>
        mark.kind === 'rect' && mark.look.startsWith('lane') ? [mark.x] : [],
      ),
    );
  };
  expect(from(torus([4, 1, 1]))).toBeLessThan(0.45 * 1100);
  const places = [2, 4, 8, 16, 32, 64, 128, 256].map((length) => from(torus([length, 1, 1])));
  expect(new Set(places).size).toBeLessThanOrEqual(3);
  expect(heightOf(torus([4, 1, 1]), 'wide')).toBe(heightOf(torus([256, 1, 1]), 'wide'));
  expect(heightOf(torus([4, 1, 1]), 'wide')).toBeLessThan(heightOf(torus([4, 4, 4]), 'wide'));
});

describe('the links of a torus', () => {
  const all = (of: CollectiveData): number =>
    ['wire binds', 'wire idle', 'wire used'].reduce(
      (sum, look) => sum + countOf(drawn(of, 1100).sheet, look),
      0,
    );

  test('are as many as there are, with those that close rings', () => {
    expect(all(torus([4, 1, 1]))).toBe(4);
    expect(all(torus([4, 1, 1], false))).toBe(3);
    expect(all(torus([2, 1, 1]))).toBe(1);
    expect(all(torus([4, 4, 1]))).toBe(32);
    expect(all(torus([4, 4, 4]))).toBe(192);
    expect(all(torus([4, 4, 4], false))).toBe(144);
  });

  test('that a message takes are those of its way, one for each start', () => {
    const { sheet } = drawn(torus([8, 8, 1], true, [2, -1, 0]), 1100);
    expect(countOf(sheet, 'wire binds')).toBe(6);
    expect(countOf(sheet, 'opened')).toBe(2);
  });

  test('of a body are one for each axis, which is a loop where its ends are joined', () => {
    for (const isRing of [true, false]) {
      const { sheet } = drawn(torus([16, 20, 28], isRing), 1100);
      const wires = paths(sheet, 'wire binds');
      expect(wires.map(({ count }) => count)).toEqual([1, 1, 1]);
      for (const { d } of wires) expect(d.endsWith('z')).toBe(isRing);
    }
  });
});

describe('the links of switches', () => {
  test('are one for each domain, and thicker where they are faster', () => {
    const { sheet } = drawn(switches(64, 8, 8), 1100);
    const [binds] = paths(sheet, 'wire binds');
    const [used] = paths(sheet, 'wire used');
    expect(binds!.count).toBe(8);
    // Chips below each other share a line.
    expect(used!.count! % 8).toBe(0);
    expect(used!.d.match(/M/g)!.length).toBe(used!.count);
    expect(used!.thick!).toBeGreaterThan(binds!.thick!);
    expect(countOf(sheet, 'switch')).toBe(8 + 1);
  });

  test('that a message takes are those of its two ends', () => {
    const { sheet } = drawn(switches(32, 4, 8, { isMessage: true }), 1100);
    expect(countOf(sheet, 'wire binds')).toBe(2);
    expect(countOf(sheet, 'wire used')).toBe(2);
  });

  test('light up where their level is pointed at', () => {
    const { sheet } = drawn(switches(1024, 128, 8, { leaves: 4 }), 1100);
    expect([...sheet.lit.keys()].sort()).toEqual(['domainTime', 'leafTime', 'spineTime']);
  });
});

test('chips are spread over domains as the engine spreads them', () => {
  const spread = (chips: number, shards: number, domains: number, size: number): number[] => {
    const of = switches(chips, domains, size, { shards }).machine as SwitchesData;
    return Array.from(
      { length: domains },
      (_, at) => chipsBefore(of, at + 1) - chipsBefore(of, at),
    );
  };
  expect(spread(11, 1, 2, 8).sort()).toEqual([5, 6]);
  expect(spread(128, 1, 2, 72)).toEqual([64, 64]);
  expect(spread(4, 8, 4, 8)).toEqual([8, 8, 8, 8]);
  // Blocks of three shards stay together: two of them in a domain of eight.
  expect(spread(5, 3, 3, 8).sort()).toEqual([3, 6, 6]);
  expect(mostOfDomain).toBeGreaterThan(72);
});
