// The layouts of the drawing of servers, by their numbers: over real servers and many others.

import { describe, expect, test } from 'vitest';
import { layFrontier } from '../../web/src/charts/drawn/serving/frontier.ts';
import { boxesOf, chipsIn, layInstances } from '../../web/src/charts/drawn/serving/instances.ts';
import {
  heights,
  layRequest,
  layRequestNarrow,
  layServers,
  layServersNarrow,
  layTankNarrow,
  type ServingDrawingData,
} from '../../web/src/charts/drawn/serving/layout.ts';
import { lifeHeights } from '../../web/src/charts/drawn/serving/life.ts';
import {
  layServingOnCard,
  layServingOnPaper,
  paperHeight,
} from '../../web/src/charts/drawn/serving/picture.ts';
import { dotsOf, shareOf } from '../../web/src/charts/drawn/serving/users.ts';
import { Sheet, type Mark, type PathMark } from '../../web/src/charts/drawn/marks.ts';
import {
  layStep,
  layStepNarrow,
  stepEnd,
  wholeOf,
  type Met,
} from '../../web/src/charts/drawn/step.ts';
import { formOf } from '../../web/src/charts/drawn/form.ts';
import { clashes, entry, measure, random, texts } from './drawn-checks.ts';

interface Servers {
  name: string;
  instances: number;
  chips: number;
  users: number;
  places: number;
  prefill?: [instances: number, chips: number];
  node?: number;
}

const real: Servers[] = [
  { name: '8B on one chip', instances: 1, chips: 1, users: 1, places: 90, node: 8 },
  { name: '70B on 8', instances: 2, chips: 4, users: 64, places: 244 },
  { name: '1,000 users', instances: 1, chips: 8, users: 1000, places: 267, node: 8 },
  { name: '64 chips', instances: 8, chips: 8, users: 256, places: 2139, node: 8 },
  { name: 'apart', instances: 1, chips: 16, users: 1024, places: 2928, prefill: [6, 8], node: 8 },
  { name: 'no room', instances: 1, chips: 4, users: 64, places: 0, node: 8 },
  { name: '512 instances', instances: 512, chips: 4, users: 20000, places: 43186, node: 8 },
  { name: 'NVL72', instances: 3, chips: 72, users: 9000, places: 20000, prefill: [5, 8], node: 72 },
  { name: 'a million', instances: 1000, chips: 8, users: 1e6, places: 2e5, node: 8 },
];

const next = random(11);
const up = (most: number): number => Math.floor(2 ** (next() * most));
const others: Servers[] = Array.from({ length: 60 }, (_, index) => ({
  name: `servers ${index}`,
  instances: up(9),
  chips: up(7),
  users: up(18),
  places: up(16),
  ...(next() < 0.3 && { prefill: [up(6), up(6)] as [number, number] }),
  ...(next() < 0.7 && { node: 8 }),
}));
const all = [...real, ...others];

const looks = ['bubble', 'launch', 'overhead', 'peak', 'data'];
const kinds = ['parameters', 'states', 'activations', 'tensor', 'runtime', 'gradients', 'below'];
const met: readonly Met[] = ['yes', 'likely', 'unlikely', 'no'];

function drawing(
  { instances, chips, users, places, prefill, node }: Servers,
  index: number,
): ServingDrawingData {
  const placed = Math.min(users, places);
  const said = (value: number): string => value.toLocaleString('en-US');
  const named = (key: string, ...labels: string[]) => ({ key, labels, says: labels[0] ?? key });
  const lens = (key: string, title: string, of: readonly string[], values: readonly number[]) => {
    const whole = values.reduce((sum, value) => sum + value, 0);
    return {
      key,
      titles: [title, key],
      says: key,
      target: index % 2 === 0 ? '◐ likely within 2.00 s' : undefined,
      step: {
        pieces: values.map((value, at) => entry(of[at]!, value, of[at]!)),
        low: 0.3 * whole,
        high: (1 + next()) * whole,
        range: '90% interval 258 ms–3.83 s',
        mfu: '',
        more: (count: number) => `+ ${count} more`,
        ...(index % 2 === 0 && { target: { value: 4 * next() * whole, met: met[index % 4]! } }),
      },
    };
  };
  const random = (count: number): number[] =>
    Array.from({ length: count }, () => 10 ** (3 * next() - 3));
  const lenses = [
    lens('firstToken', 'Time to first token: 849 ms', looks, random(5)),
    lens('tokenTime', 'Time per output token: 26.6 ms', kinds, random(7)),
  ] as const;
  const [first, token] = lenses.map(({ step }) => wholeOf(step)) as [number, number];
  const tokens = 1 + Math.floor(600 * next());
  const life = {
    key: 'answerTime',
    says: '',
    titles: ['One request of 4,096 + 512 tokens: 14.4 s', 'One request: 14.4 s'],
    whole: first + (tokens - 1) * token,
    first,
    token,
    tokens,
    answer: [`${tokens} tokens, 26.6 ms each`, `${tokens} × 26.6 ms`],
    lenses,
  };
  const points = Array.from({ length: 1 + Math.floor(9 * next()) }, (_, at) => ({
    x: 0.01 * 1.5 ** at,
    y: 10 * 1.6 ** at,
  }));
  return {
    title: '',
    ghostly: false,
    told: [],
    tank: {
      key: 'servingLeft',
      title: 'One chip: 80.0 GB',
      pieces: [
        entry('weightsOnChip', 17.6, 'weights', 'parameters'),
        entry('reservedOnChip', 1, 'runtime'),
        entry('cacheUsed', 30 * next(), 'KV cache', 'activations'),
      ],
      capacity: 80,
      limit: 66.4,
      rest: entry('cacheRoom', 12, 'free', 'free'),
      usable: entry('cacheRoom', 66.4, 'usable', 'free'),
      kept: entry('servingLeft', 13.6, 'kept back', 'free'),
      more: (count) => `+ ${count} more`,
    },
    instances: {
      titles: [`${said(instances * chips)} chips = ${said(instances)} × ${said(chips)}`],
      answering: { ...named('servers', `${said(placed)} users have a place`), instances, chips },
      ...(prefill && {
        prefilling: {
          ...named('prefillServers', `prefill: ${prefill.join(' × ')} chips`),
          instances: prefill[0],
          chips: prefill[1],
        },
      }),
      users: { placed, waiting: users - placed, places },
      placed: named('usersPlaced'),
      waiting: named('placeTime', `${said(users - placed)} users wait`, `${users - placed}`),
      free: named('maxSequences'),
      ...(node && { node: { chips: node, says: `nodes of ${node}` } }),
      dot: (n) => `1 dot = ${said(n)} users`,
      box: (n) => `1 box = ${said(n)} instances`,
    },
    ...(placed > 0 && {
      life,
      frontier: {
        key: 'outputSpeedPerChip',
        titles: ['Throughput and latency', 'Frontier'],
        says: '',
        points,
        own: { x: 0.01 + next(), y: 5 + 300 * next() },
        x: 'request time/token',
        y: 'tokens/s/chip',
        sayX: (value: number) => `${value.toPrecision(3)} s`,
        sayY: (value: number) => value.toPrecision(3),
        you: 'you',
      },
    }),
  };
}

const drawings = all.map((each, index) => ({ ...each, data: drawing(each, index) }));
const find = (marks: readonly Mark[], look: string): PathMark[] =>
  marks.filter((mark): mark is PathMark => mark.kind === 'path' && mark.look === look);
const countOf = (marks: readonly Mark[], look: string): number =>
  find(marks, look).reduce((sum, { count = 0 }) => sum + count, 0);

describe.each([320, 328, 640, 768, 1100, 1192])('at %i px', (width) => {
  const isNarrow = formOf(width) === 'narrow';
  const sheetOf = (data: ServingDrawingData): Sheet =>
    isNarrow ? layServersNarrow(measure, width, data) : layServers(measure, width, data);

  test('texts lie clear of each other and within', () => {
    for (const { name, data } of drawings) {
      const { wide, narrow } = heights;
      const found = isNarrow
        ? [
            ...clashes(layServersNarrow(measure, width, data), width, narrow.machines),
            ...clashes(layTankNarrow(measure, width, data), width, narrow.tank),
            ...clashes(layRequestNarrow(measure, width, data), width, narrow.life),
          ]
        : [
            ...clashes(layServers(measure, width, data), width, wide.machines),
            ...clashes(layRequest(measure, width, data), width, wide.life),
          ];
      expect(found, name).toEqual([]);
    }
  });

  test('dots are all users, each in a place or waiting', () => {
    for (const { name, users, places, data } of drawings) {
      const { marks } = sheetOf(data);
      const said = texts(marks).find(({ text }) => text.startsWith('1 dot'))?.text;
      const each = said ? Number(said.replace(/\D/g, '').slice(1)) : 1;
      const placed = Math.min(users, places);
      expect(countOf(marks, 'user'), name).toBe(Math.ceil(placed / each));
      expect(countOf(marks, 'waits'), name).toBe(Math.ceil((users - placed) / each));
      expect(countOf(marks, 'place') * each, name).toBeLessThanOrEqual(places - placed);
    }
  });

  test('what is drawn lies in its frame', () => {
    for (const { name, data } of drawings) {
      const height = isNarrow ? heights.narrow.machines : heights.wide.machines;
      for (const { key, box } of sheetOf(data).parts) {
        expect(box.left, `${name} ${key}`).toBeGreaterThanOrEqual(-1);
        expect(box.right, `${name} ${key}`).toBeLessThanOrEqual(width + 1);
        expect(box.bottom, `${name} ${key}`).toBeLessThanOrEqual(height + 1);
      }
    }
  });
});

describe('users', () => {
  test('are shared out among boxes without one lost', () => {
    for (let count = 0; count < 60; ++count) {
      for (const boxes of [1, 3, 7, 16]) {
        const shares = Array.from({ length: boxes }, (_, index) => shareOf(count, index, boxes));
        expect(shares.reduce((sum, share) => sum + share, 0)).toBe(count);
        expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(1);
      }
    }
  });

  test('find room for their dots in each box', () => {
    const box = { x: 0, y: 0, width: 100, height: 60 };
    for (const placed of [1, 30, 500, 20_000, 1e6]) {
      const boxes = [box, box, box];
      const dots = dotsOf({ placed, waiting: placed / 2, places: 2 * placed }, boxes, box);
      const most = Math.floor(box.width / dots.pitch) * Math.floor(box.height / dots.pitch);
      expect(Math.ceil((dots.placed + dots.free) / 3)).toBeLessThanOrEqual(most);
      expect(dots.waiting).toBeLessThanOrEqual(most);
      expect(dots.placed).toBe(Math.ceil(placed / dots.each));
      expect(String(dots.each)).toMatch(/^[125]0*$/);
    }
  });
});

describe('instances', () => {
  test('stand for all there are, in boxes that lie clear of each other', () => {
    for (const { instances } of all) {
      const area = { x: 10, y: 20, width: 500, height: 200 };
      const boxes = boxesOf({ instances }, area);
      expect(boxes.reduce((sum, box) => sum + box.instances, 0)).toBe(instances);
      expect(boxes.length).toBeLessThanOrEqual(16);
      boxes.forEach(({ frame: a }, index) => {
        expect(a.x + a.width).toBeLessThanOrEqual(area.x + area.width + 0.01);
        expect(a.y + a.height).toBeLessThanOrEqual(area.y + area.height + 0.01);
        for (const { frame: b } of boxes.slice(index + 1)) {
          const over =
            Math.min(a.x + a.width, b.x + b.width) > Math.max(a.x, b.x) + 0.01 &&
            Math.min(a.y + a.height, b.y + b.height) > Math.max(a.y, b.y) + 0.01;
          expect(over).toBe(false);
        }
      });
    }
  });

  test('have all their chips, in whole nodes', () => {
    const frame = { x: 0, y: 0, width: 180, height: 60 };
    for (const chips of [1, 4, 8, 16, 72, 128, 1000]) {
      for (const node of [1, 8, 72]) {
        const { each, squares, nodes } = chipsIn(frame, chips, node, 22);
        expect(squares.length).toBe(Math.ceil(chips / each));
        for (const { x, y, width, height } of squares) {
          expect(x + width).toBeLessThanOrEqual(frame.width + 0.01);
          expect(y + height).toBeLessThanOrEqual(frame.height + 0.01);
        }
        if (nodes.length > 0) expect(nodes.length).toBe(Math.ceil(chips / node));
      }
    }
    expect(chipsIn(frame, 8, 8, 22).squares.map(({ y }) => y)).toEqual(Array(8).fill(0));
    expect(chipsIn(frame, 16, 8, 22).nodes).toHaveLength(2);
  });

  test('are drawn with those that prefill, and what is sent between them', () => {
    const apart = drawings.find(({ name }) => name === 'apart')!;
    const sheet = new Sheet(measure);
    const frame = { x: 0, y: 0, width: 800, height: 290 };
    const transfer = { key: 'transferTime', labels: [], says: 'KV cache: 720 µs' };
    layInstances(sheet, frame, { ...apart.data.instances, transfer });
    expect(countOf(sheet.marks, 'instance')).toBe(7);
    expect(countOf(sheet.marks, 'tile')).toBe(6 * 8 + 16);
    expect(sheet.parts.map(({ key }) => key)).toContain('transferTime');
    expect(sheet.marks.some(({ look }) => look === 'way sent')).toBe(true);
  });
});

describe('a request', () => {
  test('is as long as its first token and the others, its lenses in true shares', () => {
    for (const { name, data } of drawings) {
      if (!data.life) continue;
      const width = 1100;
      const { marks, parts } = layRequest(measure, width, data);
      const { whole, first, lenses, tokens } = data.life;
      const rects = marks.filter((mark) => mark.kind === 'rect');
      const before = rects.find(({ look }) => look === 'before')!;
      const after = rects.find(({ look }) => look === 'tokens')!;
      const axis = before.width + after.width;
      expect(before.width / axis, name).toBeCloseTo(Math.min(1, first / whole), 6);
      expect(countOf(marks, 'tick'), name).toBeLessThanOrEqual(tokens);
      for (const { step } of lenses) {
        const all = wholeOf(step);
        for (const piece of step.pieces) {
          const drawn = rects.filter(({ part, height }) => part === piece.key && height > 40);
          // A piece of the same name is in one lens only.
          expect(drawn.length, name).toBe(1);
          const lens = (axis - 28) / 2;
          expect(drawn[0]!.width, name).toBeCloseTo((piece.value / stepEnd(step)) * lens, 4);
        }
        expect(stepEnd(step), name).toBeGreaterThanOrEqual(all);
      }
      expect(parts.some(({ key }) => key === 'answerTime')).toBe(true);
    }
  });

  test.each([150, 200, 262, 420])('names the largest piece of a lens of %i px', (width) => {
    for (const { name, data } of drawings) {
      for (const { step } of data.life?.lenses ?? []) {
        for (const lay of [layStep, layStepNarrow]) {
          const sheet = new Sheet(measure);
          lay(sheet, { x: 0, y: 0, width, height: lay === layStep ? 106 : 80 }, step);
          const largest = step.pieces.reduce((a, b) => (b.value > a.value ? b : a));
          const said = texts(sheet.marks).map(({ text }) => text);
          expect(said, name).toContain(largest.said);
          expect(said, name).toContain(largest.label);
        }
      }
    }
  });

  test('has a flag for each target, on the scale or at its end', () => {
    for (const { name, data } of drawings) {
      if (!data.life) continue;
      const { marks } = layRequest(measure, 1100, data);
      const set = data.life.lenses.filter(({ step }) => step.target);
      const flags = marks.filter(({ look }) => /^flag \w+$/.test(look));
      const pennants = marks.filter(({ look }) => look.endsWith('pennant'));
      expect(
        flags.map(({ look }) => look),
        name,
      ).toEqual(set.map(({ step }) => `flag ${step.target!.met}`));
      expect(pennants.length, name).toBe(set.length);
      for (const { step } of set) {
        // A target that is missed shows where; one far away is an arrow at the end.
        const { value } = step.target!;
        if (value < wholeOf(step)) expect(stepEnd(step), name).toBeGreaterThan(value);
      }
    }
  });

  test('is drawn with all points of the frontier and the reader’s own', () => {
    for (const { data } of drawings) {
      if (!data.frontier) continue;
      const sheet = new Sheet(measure);
      layFrontier(sheet, { x: 0, y: 0, width: 260, height: lifeHeights.wide }, data.frontier);
      expect(countOf(sheet.marks, 'point')).toBe(data.frontier.points.length);
      expect(find(sheet.marks, 'own')).toHaveLength(1);
    }
  });

  test.each([160, 176, 200, 260])('names both axes of a frontier of %i px', (width) => {
    for (const { name, data } of drawings) {
      const { frontier } = data;
      if (!frontier) continue;
      const sheet = new Sheet(measure);
      layFrontier(sheet, { x: 0, y: 0, width, height: 140 }, frontier);
      const said = texts(sheet.marks).map(({ text }) => text);
      expect(said, name).toEqual(expect.arrayContaining([frontier.x, frontier.y]));
      expect(clashes(sheet, width, 140), name).toEqual([]);
    }
  });
});

test.each(['a card', 'paper'])('stands still on %s, within it', (place) => {
  const isCard = place === 'a card';
  for (const { name, data } of drawings) {
    const scale = isCard ? 13 / 12 : 1;
    const [width, height] = isCard ? [1104, 344] : [760, paperHeight(data)];
    const frame = { x: 0, y: 0, width, height };
    const layers = isCard
      ? layServingOnCard(measure, frame, scale, data)
      : layServingOnPaper(measure, frame, data);
    expect(layers.length, name).toBe(data.life ? 2 : 1);
    for (const { sheet, y } of layers) {
      expect(clashes(sheet, width / scale, (height - y) / scale), name).toEqual([]);
    }
  }
});
