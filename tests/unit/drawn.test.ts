// The layouts of the drawing of a training, by their numbers: over real layouts and many others.

import { describe, expect, test } from 'vitest';
import { nameOf, Sheet } from '../../web/src/charts/drawn/marks.ts';
import { cardSize, layCard, type CardData } from '../../web/src/charts/drawn/card.ts';
import { layOnCard, readingOf } from '../../web/src/charts/drawn/picture.ts';
import type { DrawingData } from '../../web/src/charts/drawn/drawing-data.ts';
import { layCluster, mostTiles, tilesOf, wayLine } from '../../web/src/charts/drawn/cluster.ts';
import {
  chipsOf,
  domainsOf,
  layReplica,
  leastChip,
  placesOf,
} from '../../web/src/charts/drawn/replica.ts';
import { formOf } from '../../web/src/charts/drawn/form.ts';
import { layRuler, rulerEnds, type RulerItem } from '../../web/src/charts/drawn/ruler.ts';
import { layStep, layStepNarrow, stepEnd } from '../../web/src/charts/drawn/step.ts';
import { layTank, tankEnd } from '../../web/src/charts/drawn/tank.ts';
import {
  heights,
  layMachines,
  layMachinesNarrow,
  layTankNarrow,
  layTime,
  layTimeNarrow,
  timeHeight,
  type MachineData,
  type TimeData,
} from '../../web/src/charts/drawn/training.ts';
import type { Way } from '../../web/src/charts/drawn/cluster.ts';
import { clashes, entry, measure, random, texts } from './drawn-checks.ts';

interface Layout {
  name: string;
  tensor: number;
  context: number;
  pipeline: number;
  data: number;
  /** Replicas that hold all experts once. */
  experts?: number;
  chunks?: number;
  stage?: number;
}

const real: Layout[] = [
  { name: '405B on 16,384', tensor: 8, context: 2, pipeline: 16, data: 64, chunks: 8, stage: 1 },
  { name: '405B on 131,072', tensor: 8, context: 1, pipeline: 16, data: 1024, chunks: 8 },
  { name: '8B on 8', tensor: 2, context: 1, pipeline: 1, data: 4 },
  { name: 'DeepSeek-V3 on 2,048', tensor: 4, context: 1, pipeline: 2, data: 256, experts: 64 },
  { name: 'PP 126', tensor: 8, context: 1, pipeline: 126, data: 2, stage: 125 },
  { name: 'TP 72', tensor: 72, context: 1, pipeline: 4, data: 16 },
  { name: 'CP 128', tensor: 8, context: 128, pipeline: 1, data: 2 },
  { name: 'one replica', tensor: 8, context: 1, pipeline: 64, data: 1 },
  { name: 'one chip', tensor: 1, context: 1, pipeline: 1, data: 1 },
  { name: '521 replicas', tensor: 8, context: 1, pipeline: 2, data: 521 },
  { name: '4,096 replicas, EP 64', tensor: 1, context: 1, pipeline: 4, data: 4096, experts: 64 },
  { name: 'PP 2 × CP 4 × TP 8', tensor: 8, context: 4, pipeline: 2, data: 12 },
  { name: '131,072 replicas', tensor: 1, context: 1, pipeline: 1, data: 131072, experts: 24 },
];

const next = random(7);
const pick = <T>(all: readonly T[]): T => all[Math.floor(next() * all.length)]!;
const others: Layout[] = Array.from({ length: 60 }, (_, index) => ({
  name: `layout ${index}`,
  tensor: pick([1, 2, 3, 4, 7, 8, 16, 32, 72]),
  context: pick([1, 1, 2, 3, 4, 8, 16]),
  pipeline: pick([1, 2, 4, 5, 8, 13, 16, 31, 61, 96, 126]),
  data: 1 + Math.floor(2 ** (next() * 14)),
  chunks: pick([1, 2, 8]),
  stage: pick([0, 1, 5, 125]),
  ...(next() < 0.4 && { experts: 2 ** Math.floor(1 + next() * 8) }),
}));
const layouts = [...real, ...others];

const way = (key: string, count: number): Way => ({
  key,
  label: `${key} ${count}`,
  note: 'in the domain, 450 GB/s',
  says: key,
});

function machines(
  { tensor, context, pipeline, data, experts, chunks = 1, stage = 0 }: Layout,
  bytes: readonly number[],
  capacity: number,
): MachineData {
  const names = ['parameters', 'gradients', 'states', 'activations', 'logits', 'runtime'];
  const used = bytes.reduce((sum, each) => sum + each, 0);
  const each = tensor * context * pipeline;
  return {
    tank: {
      key: 'memoryUsed',
      title: 'One chip: 80.0 GB',
      says: 'One chip: 80.0 GB · 90% interval',
      pieces: bytes.map((value, index) => entry(names[index]!, value, names[index]!)),
      capacity,
      limit: 0.95 * capacity,
      low: 0.8 * used,
      high: 1.31 * used,
      rest: entry('rest', Math.abs(0.95 * capacity - used), 'too much'),
      usable: entry('limit', 0.95 * capacity, 'usable'),
      more: (count) => `+ ${count} more`,
      ghost: used * 0.7,
    },
    ...(data > 1 && {
      cluster: {
        titles: [`${each * data} chips = ${data} × ${each}`, `${data} × ${each} chips`],
        replicas: data,
        stages: pipeline,
        data: way('DP', data),
        tile: (n: number) => `1 tile = ${n} replicas`,
        ...(experts && { experts: { replicas: experts, says: 'experts', key: 'EP' } }),
        failures: { count: 7.9, says: '× 7.86 failures per day', key: 'failures' },
      },
    }),
    ...(each * data > 1 && {
      replica: {
        titles: [`One replica: ${each} chips`, `${each} chips`],
        shades: pipeline > 1 ? 'shade: stage' : '',
        tensor,
        context,
        pipeline,
        chunks,
        stage: Math.min(stage, pipeline - 1),
        tensorWay: way('TP', tensor),
        contextWay: way('CP', context),
        pipelineWay: way('PP', pipeline),
        ways: [way('TP', tensor), way('CP', context), way('PP', pipeline), way('EP', 8)],
        domain: { chips: 8, says: '8 chips per domain' },
        idle: { says: '8 chips idle', hollow: 8 },
        more: (n: number) => `${n} stages more`,
      },
    }),
  };
}

const looks = [
  'peak',
  'below',
  'recomputed',
  'tensor',
  'context',
  'expert',
  'pipeline',
  'bubble',
  'data',
  'host',
  'optimizer',
  'launch',
  'overhead',
  'failures',
];

function time(shares: readonly number[], range: [number, number] | undefined): TimeData {
  const whole = shares.reduce((sum, share) => sum + share, 0);
  return {
    step: {
      pieces: shares.map((value, index) => entry(looks[index]!, value, looks[index]!)),
      ...(range && { low: range[0] * whole, high: range[1] * whole }),
      range: range ? '90% interval 1.44–1.96 s' : '',
      mfu: '39.1% MFU',
      more: (count) => `+ ${count} more`,
      ghost: 1.1 * whole,
    },
    ruler: {
      compared: ['computing over transfer, as full as it shows', 'computing/transfer'],
      items: shares.slice(3).map((share, index) => ({
        key: looks[index + 3]!,
        bound: index === 0 ? 'memory' : 'network',
        ratio: whole / Math.max(1e-6, share) / 6,
        exposed: next(),
        name: index === 0 ? 'HBM' : looks[index + 3]!,
        label: index === 0 ? 'HBM 832 of 295 FLOPs/byte' : `${looks[index + 3]!} 5.15×`,
        says: '',
      })),
    },
  };
}

const steps: TimeData[] = [
  time([629, 465, 0, 51.7, 4.78, 0, 26.9, 135, 209, 0, 0.26, 0.64, 112, 0], [0.88, 1.2]),
  time([2074, 2650, 497, 149, 0, 2700, 123, 33, 147, 0, 3.7, 228, 323, 345], [0.86, 1.23]),
  time([25578, 20909, 10730, 0, 0, 0, 0, 0, 0, 0, 84, 19, 44, 0], [0.94, 1.1]),
  time([95, 1, 1, 0, 0, 0, 0, 1, 1, 0, 1, 0, 0, 0], [0.5, 4]),
  time([1, 1, 0, 0, 0, 200, 0, 1, 1, 0, 1, 0, 0, 0], undefined),
  ...Array.from({ length: 40 }, () =>
    time(
      looks.map(() => (next() < 0.3 ? 0 : 10 ** (3 * next()))),
      [0.5 + 0.5 * next(), 1 + next()],
    ),
  ),
];

const tanks: [bytes: number[], capacity: number][] = [
  [[6.38, 12.8, 0.299, 17.2, 0, 10], 80],
  [[16.1, 32.1, 96.4, 2, 5.32, 6.56], 80],
  [[14.2, 28.4, 4.36, 7.67, 5.41, 8.58], 80],
  ...Array.from({ length: 20 }, (): [number[], number] => [
    Array.from({ length: 6 }, () => (next() < 0.2 ? 0 : 40 * next() ** 3)),
    pick([16, 80, 95, 192]),
  ]),
];

const widths = [320, 328, 640, 768, 1100, 1192];

describe.each(widths)('at %i px', (width) => {
  const isNarrow = formOf(width) === 'narrow';

  test('texts of machines lie clear of each other and within', () => {
    layouts.forEach((layout, index) => {
      const [bytes, capacity] = tanks[index % tanks.length]!;
      const data = machines(layout, bytes, capacity);
      const found = isNarrow
        ? [
            ...clashes(layTankNarrow(measure, width, data), width, heights.narrow.tank),
            ...clashes(layMachinesNarrow(measure, width, data), width, heights.narrow.machines),
          ]
        : clashes(layMachines(measure, width, data), width, heights.wide.machines);
      expect(found, layout.name).toEqual([]);
    });
  });

  test('texts of tanks do, whatever they hold', () => {
    for (const [bytes, capacity] of tanks) {
      const data = machines(real[0]!, bytes, capacity);
      const sheet = isNarrow
        ? layTankNarrow(measure, width, data)
        : layMachines(measure, width, data);
      const height = isNarrow ? heights.narrow.tank : heights.wide.machines;
      expect(clashes(sheet, width, height), String(bytes)).toEqual([]);
    }
  });

  test('texts of steps do, whatever they are spent on', () => {
    for (const data of steps) {
      const sheet = isNarrow ? layTimeNarrow(measure, width, data) : layTime(measure, width, data);
      const height = timeHeight(isNarrow ? 'narrow' : 'wide', data);
      const spent = data.step.pieces.map(({ value }) => value).join();
      expect(clashes(sheet, width, height), spent).toEqual([]);
    }
  });

  test('the largest piece of a step has its label, and no smaller one where it has not', () => {
    for (const data of steps) {
      const { marks } = isNarrow
        ? layTimeNarrow(measure, width, data)
        : layTime(measure, width, data);
      const { pieces } = data.step;
      const largest = pieces.reduce((one, other) => (other.value > one.value ? other : one));
      const spent = pieces.map(({ value }) => value).join();
      expect(
        texts(marks).map(({ text }) => text),
        spent,
      ).toContain(largest.said);
    }
  });

  test('all chips of a replica are drawn, or it is said how many stages are not', () => {
    const frame = { x: 0, y: 0, width: 0.46 * width, height: 180 };
    for (const layout of layouts) {
      const places = placesOf(layout, frame);
      const chips = chipsOf(places, frame);
      const each = layout.tensor * layout.context;
      expect(chips.flat().length + each * (layout.pipeline - places.drawn), layout.name).toBe(
        each * layout.pipeline,
      );
      if (places.drawn === layout.pipeline) continue;
      // Fewer only where all would be too small.
      const all = placesOf({ ...layout, pipeline: places.drawn }, frame);
      expect(all.size, layout.name).toBeGreaterThanOrEqual(Math.min(leastChip, places.size));
    }
  });

  test('no two chips lie over each other, and all lie in the frame', () => {
    const frame = { x: 5, y: 9, width: 0.4 * width, height: 180 };
    for (const layout of layouts) {
      const chips = chipsOf(placesOf(layout, frame), frame).flat();
      const rows = new Map<number, [number, number][]>();
      let [right, bottom, least] = [0, 0, Infinity];
      for (const { x, y, width: wide, height } of chips) {
        right = Math.max(right, x + wide);
        bottom = Math.max(bottom, y + height);
        least = Math.min(least, wide, height);
        const row = Math.round(100 * y);
        const places = rows.get(row) ?? [];
        places.push([x, x + wide]);
        rows.set(row, places);
      }
      expect(right, layout.name).toBeLessThanOrEqual(frame.x + frame.width + 0.01);
      expect(bottom, layout.name).toBeLessThanOrEqual(frame.y + frame.height + 0.01);
      expect(least, layout.name).toBeGreaterThan(0);
      const over = [...rows.values()].filter((row) =>
        row
          .sort(([a], [b]) => a - b)
          .some(([from], index) => index > 0 && from < row[index - 1]![1] - 0.01),
      );
      expect(over, layout.name).toEqual([]);
    }
  });
});

describe('domains', () => {
  test('hold all chips of the stages where they are drawn, each once', () => {
    const frame = { x: 0, y: 0, width: 400, height: 250 };
    for (const layout of layouts) {
      for (const size of [4, 8, 72]) {
        const places = placesOf(layout, frame);
        const stages = chipsOf(places, frame);
        const domains = domainsOf({ ...layout, domain: { chips: size, says: '' } }, places, stages);
        for (const { x, y, width, height } of domains) {
          const within = stages
            .flat()
            .filter(
              (chip) =>
                chip.x > x &&
                chip.x + chip.width < x + width &&
                chip.y > y &&
                chip.y + chip.height < y + height,
            );
          expect(within.length, layout.name).toBe(size);
        }
      }
    }
    const [first] = real;
    const places = placesOf(first!, frame);
    const node = { ...first!, domain: { chips: 8, says: '' } };
    expect(domainsOf(node, places, chipsOf(places, frame))).toHaveLength(32);
  });
});

describe('degrees', () => {
  const steps = (field: string, value: number) => ({ field: `layout.${field}`, value });
  const ways: Way[] = [
    { ...way('TP', 8), steps: steps('tensor', 8) },
    { ...way('CP', 1), steps: steps('context', 1) },
    way('DP', 64),
  ];

  test('that can be changed are parts of their own, underlined from end to end', () => {
    const sheet = new Sheet(measure);
    wayLine(sheet, { x: 0, y: 0, width: 600, height: 40 }, ways);
    expect(sheet.parts.map(nameOf)).toEqual(['layout.tensor', 'layout.context', 'DP']);
    expect(sheet.parts.map(({ key }) => key)).toEqual(['TP', 'CP', 'DP']);
    const lines = sheet.marks.filter(({ look }) => look === 'stepped') as { d: string }[];
    expect(lines.length).toBe(2);
    const written = texts(sheet.marks).filter(({ text }) => /^(TP|CP) /.test(text));
    lines.forEach(({ d }, index) => {
      const [, x, long] = /^M([\d.]+) [\d.]+h([\d.]+)$/.exec(d)!.map(Number);
      expect(x).toBeCloseTo(written[index]!.x, 0);
      expect(long).toBeCloseTo(written[index]!.width, 0);
    });
  });

  test('that have no room are neither written nor come to', () => {
    const sheet = new Sheet(measure);
    wayLine(sheet, { x: 0, y: 0, width: 60, height: 40 }, ways);
    expect(sheet.parts.length).toBeLessThan(ways.length);
    expect(texts(sheet.marks).length).toBe(sheet.parts.length);
  });
});

describe('tiles', () => {
  const frame = { x: 0, y: 0, width: 360, height: 190 };

  test('stand for all replicas, at most 1,024 of them', () => {
    for (let replicas = 1; replicas <= 131072; replicas = Math.ceil(replicas * 1.13)) {
      const { each, count, columns, rows } = tilesOf(replicas, frame);
      expect(count).toBeLessThanOrEqual(mostTiles);
      expect(Math.log2(each) % 1).toBe(0);
      expect(each * count).toBeGreaterThanOrEqual(replicas);
      expect(each * (count - 1)).toBeLessThan(replicas);
      expect(columns * rows).toBeGreaterThanOrEqual(count);
      expect(columns * (rows - 1)).toBeLessThan(count);
    }
  });

  test.each([
    [512, 512],
    [128, 128],
    [64, 64],
    [70, 70],
    [4096, 1024],
  ])('of %i replicas fill their rows', (replicas, tiles) => {
    const { count, columns, rows } = tilesOf(replicas, frame);
    expect(count).toBe(tiles);
    expect(columns * rows).toBe(tiles);
  });

  test('that hold all experts fill rows, or a row holds several such groups', () => {
    for (const [replicas, group] of [
      [256, 64],
      [4096, 64],
      [128, 8],
      [512, 16],
    ] as const) {
      const { columns, each } = tilesOf(replicas, frame, group);
      const tiles = group / each;
      expect(columns % tiles === 0 || tiles % columns === 0).toBe(true);
    }
  });

  test('are counted by what is drawn', () => {
    for (const layout of layouts.filter(({ data }) => data > 1)) {
      const sheet = new Sheet(measure);
      const { cluster } = machines(layout, tanks[0]![0], 80);
      layCluster(sheet, { ...frame, height: 252 }, cluster!);
      const tiles = sheet.marks.find(({ look }) => look === 'tile');
      expect(tiles?.kind === 'path' && tiles.count).toBe(
        tilesOf(layout.data, { ...frame, height: 194 }, layout.experts).count,
      );
      const said = texts(sheet.marks).some(({ text }) => text.startsWith('1 tile'));
      expect(said).toBe(layout.data > mostTiles);
    }
  });
});

describe('the bar', () => {
  test('ends where the step does, its pieces in their true shares', () => {
    for (const { step } of steps) {
      const sheet = new Sheet(measure);
      layStep(sheet, { x: 0, y: 0, width: 1000, height: 96 }, step);
      // Plates below letters are no pieces.
      const pieces = sheet.marks
        .filter((mark) => mark.kind === 'rect')
        .filter(({ look }) => !look.includes('plate'));
      const whole = step.pieces.reduce((sum, { value }) => sum + value, 0);
      const end = (whole / stepEnd(step)) * 1000;
      let right = 0;
      for (const piece of pieces) {
        const { value } = step.pieces.find(({ key }) => key === piece.part)!;
        expect(piece.x).toBeCloseTo(right, 6);
        expect(piece.width).toBeCloseTo((value / whole) * end, 6);
        right = piece.x + piece.width;
      }
      expect(right).toBeCloseTo(end, 6);
      const mark = sheet.marks.find(({ look }) => look === 'end');
      expect(mark?.kind === 'path' && mark.d).toMatch(
        new RegExp(`^M${Math.round(end * 10) / 10} `),
      );
    }
  });

  test('keeps three quarters of its width, however wide the range', () => {
    for (const { step } of steps) {
      const whole = step.pieces.reduce((sum, { value }) => sum + value, 0);
      expect(whole / stepEnd(step)).toBeGreaterThan(0.76);
    }
  });
});

describe('names of what has no label', () => {
  test('the range is a part of the answer that has it, where its line is', () => {
    const ranged = { key: 'stepExpected', says: 'Step time: 1.72 s · 90% interval 1.44–1.96 s' };
    const step = { ...steps[0]!.step, ranged };
    for (const lay of [layStep, layStepNarrow]) {
      const sheet = new Sheet(measure);
      lay(sheet, { x: 0, y: 0, width: 1000, height: 130 }, step);
      const part = sheet.parts.find(({ key }) => key === ranged.key)!;
      expect(part.says).toBe(ranged.says);
      const whole = step.pieces.reduce((sum, { value }) => sum + value, 0);
      const end = (part.box.right / 1000) * stepEnd(step);
      expect(end / (1.2 * whole)).toBeCloseTo(1, 6);
    }
  });

  test('shades of stages, where there are some', () => {
    for (const layout of real) {
      const sheet = new Sheet(measure);
      const { replica } = machines(layout, ...tanks[0]!);
      if (!replica) continue;
      layReplica(sheet, { x: 0, y: 0, width: 400, height: 300 }, replica);
      const { says } = sheet.parts.find(({ key }) => key === 'replica')!;
      expect(says.endsWith(' · shade: stage')).toBe(replica.pipeline > 1);
    }
  });
});

describe('the tank', () => {
  test('has pieces in proportion to their bytes, and room above the limit', () => {
    for (const [bytes, capacity] of tanks) {
      const sheet = new Sheet(measure);
      const { tank } = machines(real[0]!, bytes, capacity);
      layTank(sheet, { x: 0, y: 0, width: 380, height: 252 }, tank);
      const pieces = sheet.marks.filter(
        (mark) => mark.kind === 'rect' && tank.pieces.some(({ look }) => look === mark.look),
      );
      const high = 252 - 28;
      pieces.forEach((piece, index) => {
        if (piece.kind !== 'rect') return;
        expect(piece.height).toBeCloseTo((bytes[index]! / tankEnd(tank)) * high, 6);
        expect(piece.y).toBeGreaterThanOrEqual(26);
      });
      expect(pieces.length).toBe(6);
      // What is above the line is hatched, and as high as what is too much.
      const over = sheet.marks.filter((mark) => mark.kind === 'rect' && mark.look === 'over');
      const hatched = over.reduce((sum, mark) => sum + (mark.kind === 'rect' ? mark.height : 0), 0);
      const used = bytes.reduce((sum, each) => sum + each, 0);
      const excess = Math.max(0, used - 0.95 * capacity);
      expect(hatched).toBeCloseTo((excess / tankEnd(tank)) * high, 6);
    }
  });
});

describe('the ruler', () => {
  test('has 1 on it, and each resource in its order', () => {
    for (const { ruler } of steps) {
      const [low, high] = rulerEnds(ruler!);
      expect(low).toBeLessThan(1);
      expect(high).toBeGreaterThan(1);
      const sheet = new Sheet(measure);
      layRuler(sheet, { x: 0, y: 0, width: 1000, height: 50 }, ruler!);
      const places = ruler!.items
        .map(({ key, ratio }) => {
          const { box } = sheet.parts.find((part) => part.key === key)!;
          return { ratio, x: (box.left + box.right) / 2 };
        })
        .sort((a, b) => a.ratio - b.ratio);
      places.forEach(({ x, ratio }, index) => {
        if (index > 0) expect(x).toBeGreaterThanOrEqual(places[index - 1]!.x - 1e-6);
        if (ratio > 1) expect(x).toBeGreaterThan(places.find((each) => each.ratio <= 1)?.x ?? -1);
      });
    }
  });
});

describe('the marks of the ruler', () => {
  const ways = ['HBM', 'TP', 'CP', 'EP', 'DP', 'PP', 'host'];
  const items: RulerItem[] = ways.map((name, index) => ({
    key: name,
    bound: index === 0 ? 'memory' : 'network',
    ratio: 4 ** index / 2,
    exposed: 0.5,
    name,
    label: `${name} ${4 ** index / 2}×`,
    says: '',
  }));

  test.each([320, 560, 1200])('all have their names, whole, at %i px', (width) => {
    const sheet = new Sheet(measure);
    layRuler(sheet, { x: 0, y: 0, width, height: 50 }, { items, compared: [] });
    const texts = sheet.marks.flatMap((mark) => (mark.kind === 'text' ? [mark] : []));
    for (const { key, label, name, ratio } of items) {
      const { text } = texts.find(({ part }) => part === key)!;
      expect(width > 1000 && ratio < 30 ? [label] : [label, name]).toContain(text);
      const { left, right } = sheet.parts.find((part) => part.key === key)!.box;
      expect((left + right) / 2).toBeGreaterThanOrEqual(6);
      expect((left + right) / 2).toBeLessThanOrEqual(width - 6);
    }
    // The marks nearest to 1 are told first.
    expect(texts.find(({ part }) => part === 'HBM')!.text).toBe('HBM 0.5×');
  });
});

describe('cards', () => {
  const long = 'https://calc.example/#view=plan&chip=h100-sxm&model=llama-3.1-405b&'.repeat(4);
  const words: (Omit<CardData, 'links' | 'made' | 'picture'> & { goes: string })[] = [
    {
      titles: [
        'Train Llama 3.1 405B on 16,384 × H100 with 15T tokens. '.repeat(5),
        'Train Llama 3.1 405B on 16,384 × H100 SXM5 80GB with 15.6T tokens, in batches of 16,777,216.',
      ],
      largest: [
        {
          large: '60.5 days',
          look: '',
          notes: ['with failures · 54.7–70.2 days', '54.7–70.2 days'],
        },
        { large: '$94.9M', look: '', notes: ['$85.8M–$110M'] },
      ],
      others: [
        { large: 'Doesn’t fit', sign: '✕', look: 'said memory', notes: ['1,922 GB of 76.0 GB'] },
        { large: 'Memory-bound', sign: '■', look: 'said memory', notes: ['48.5% MFU'] },
      ],
      name: 'Scaling Calculator',
      goes: '$94.9M goes to',
    },
    {
      titles: [
        '用 2,048 块 H800 SXM 80GB 训练 DeepSeek-V3：共 15万亿 token，每批 4,194,304 token，'.repeat(
          4,
        ),
      ],
      largest: [
        { large: '1,234 年', look: 'quiet', notes: ['若放得下'] },
        { large: '¥12.3万亿', look: 'quiet', notes: ['若放得下'] },
      ],
      others: [
        { large: '余量不足', sign: '◐', look: 'said memory', notes: ['81.3 GB / 81.6 GB'] },
        { large: '计算受限', sign: '●', look: 'quiet', notes: ['MFU 21.6%'] },
      ],
      name: 'Scaling 计算器',
      goes: '1,234 年的去向',
    },
  ];
  const drawingOf = (index: number): DrawingData => {
    const [bytes, capacity] = tanks[index % tanks.length]!;
    const reading = { key: 'cost', label: '$94.9M', ...steps[index % steps.length]! };
    return {
      ...machines(layouts[index]!, bytes, capacity),
      title: '',
      ghostly: index % 3 === 0,
      readings: [{ ...reading, key: 'step' }, { ...reading, key: 'days' }, reading],
    };
  };
  const cards = layouts.map((layout, index) => ({
    name: layout.name,
    layers: layCard(measure, {
      ...words[index % words.length]!,
      links: [long, 'https://calc.example/'],
      made: ['Prices: Lambda, September 2026 · 2026-11-29', '2026-11-29'],
      picture: (frame) =>
        layOnCard(measure, frame, drawingOf(index), words[index % words.length]!.goes),
    }),
  }));
  /** All texts of a card, where they lie on it. */
  const placed = (layers: ReturnType<typeof layCard>): Sheet => {
    const all = new Sheet(measure);
    for (const { sheet, x, y, scale } of layers) {
      for (const mark of texts(sheet.marks)) {
        all.text(x + mark.x * scale, y + mark.y * scale, mark.text, {
          anchor: mark.anchor,
          size: mark.size * scale,
          weight: mark.weight,
        });
      }
    }
    return all;
  };

  test('are of the size that feeds ask for', () => {
    expect(cardSize).toEqual({ width: 1200, height: 630 });
  });

  test('hold nothing outside, and no text over another', () => {
    for (const { name, layers } of cards) {
      expect(clashes(placed(layers), cardSize.width, cardSize.height), name).toEqual([]);
      for (const { sheet, x, y, scale } of layers) {
        for (const mark of sheet.marks) {
          if (mark.kind !== 'rect') continue;
          expect(x + mark.x * scale, name).toBeGreaterThanOrEqual(0);
          expect(x + (mark.x + mark.width) * scale, name).toBeLessThanOrEqual(cardSize.width);
          expect(y + mark.y * scale, name).toBeGreaterThanOrEqual(216);
          expect(y + (mark.y + mark.height) * scale, name).toBeLessThanOrEqual(cardSize.height);
        }
      }
    }
  });

  test('have letters of at least 13 px, time and cost the largest', () => {
    for (const { name, layers } of cards) {
      const all = texts(placed(layers).marks);
      expect(Math.min(...all.map(({ size }) => size)), name).toBeGreaterThanOrEqual(13);
      const largest = Math.max(...all.map(({ size }) => size));
      expect(largest, name).toBeGreaterThanOrEqual(44);
      expect(
        all.filter(({ size }) => size === largest),
        name,
      ).toHaveLength(2);
    }
  });

  test('say all of the verdict, with the link that has room', () => {
    for (const { layers } of cards) {
      const said = texts(placed(layers).marks).map(({ text }) => text);
      expect(said).toContain('https://calc.example/');
      expect(said.some((text) => /^(60\.5 days|1,234 年)$/.test(text))).toBe(true);
      expect(said.some((text) => /^([✕] Doesn’t fit|◐ 余量不足)$/.test(text))).toBe(true);
      expect(said.some((text) => /MFU/.test(text))).toBe(true);
    }
  });

  test('read in money, else in days, else in the step', () => {
    const drawing = drawingOf(0);
    const without = (count: number): string =>
      readingOf({ ...drawing, readings: drawing.readings.slice(0, count) }).key;
    expect([without(3), without(2), without(1)]).toEqual(['cost', 'days', 'step']);
  });
});
