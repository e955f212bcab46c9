// The layout of a step of training by reward, by its numbers.

import { describe, expect, test } from 'vitest';
import {
  layPools,
  spansOf,
  type PoolsData,
  type Sharing,
  type StepTimes,
} from '../../web/src/charts/drawn/pools/layout.ts';
import { heightOf, splitsHeight } from '../../web/src/charts/drawn/pools/heights.ts';
import { laySplits } from '../../web/src/charts/drawn/pools/splits.ts';
import { Sheet, type RectMark } from '../../web/src/charts/drawn/marks.ts';
import { formOf } from '../../web/src/charts/drawn/form.ts';
import { clashes, entry, measure, random } from './drawn-checks.ts';

const next = random(11);
const sharings: readonly Sharing[] = ['turns', 'apart', 'overlapping'];
const sum = (values: readonly number[]): number => values.reduce((all, each) => all + each, 0);

/** Times as the engine makes a step of them. */
function times(sharing: Sharing): StepTimes {
  const long = (): number => 10 ** (next() * 3);
  const [generate, rest, handOver] = [long(), next() < 0.5 ? 0 : long() / 10, long() / 20];
  const [logProbs, update, critic] = [next() < 0.3 ? 0 : long(), long(), next() < 0.5 ? 0 : long()];
  const training = logProbs + update + critic;
  const step =
    sharing === 'overlapping'
      ? Math.max(generate + rest, training) + handOver
      : generate + rest + training + handOver;
  const tail = next() < 0.3 ? 0 : generate * next();
  return { step, generate, tail, rest, logProbs, update, critic, handOver };
}

const cases = sharings.flatMap((sharing) =>
  Array.from({ length: 40 }, () => ({ sharing, of: times(sharing) })),
);

describe('the times of splits', () => {
  const levels = [0.7, 1, 3];
  test.each([320, 640, 1100])('have no labels that collide: %i px', (width) => {
    for (const chips of [8, 64, 65536]) {
      for (const level of levels) {
        const points = Array.from({ length: 7 }, (_, index) => {
          const [generation, seconds] = [(chips / 8) * (index + 1), 10 * (1 + Math.abs(index - 4))];
          const count = generation.toLocaleString('en');
          return { chips: generation, seconds, name: count, count, said: `${seconds} s` };
        });
        const sheet = new Sheet(measure);
        laySplits(
          sheet,
          { x: 0, y: 0, width, height: splitsHeight.usual },
          {
            key: 'bestSplit',
            titles: ['Best: 40 + 24'],
            says: 'Best: 40 + 24',
            points,
            best: (chips / 8) * 5,
            level: { key: 'turnsStep', seconds: 10 * level, says: `${10 * level} s colocated` },
          },
        );
        expect(clashes(sheet, width, splitsHeight.usual)).toEqual([]);
        const curve = sheet.marks.find(({ look }) => look === 'curve')!;
        const xs = [...('d' in curve ? curve.d : '').matchAll(/[ML]([\d.]+)/g)].map(([, x]) => +x!);
        expect(xs.length).toBe(7);
        for (const x of xs) expect(x).toBeLessThanOrEqual(width);
        // The axis ends where the last split does.
        const axis = sheet.marks.find(({ look }) => look === 'axis')!;
        const end = Number(/H([\d.]+)/.exec('d' in axis ? axis.d : '')![1]);
        expect(end - xs.at(-1)!).toBeLessThan(30);
      }
    }
  });
});

describe('what pools do', () => {
  test('adds up to the step in each of them', () => {
    for (const { sharing, of } of cases) {
      const pools = spansOf(of, sharing);
      expect(pools.length).toBe(sharing === 'turns' ? 1 : 2);
      for (const spans of pools) {
        expect(sum(spans.map(([, seconds]) => seconds)) / of.step).toBeCloseTo(1, 9);
        expect(spans.every(([, seconds]) => seconds > 0)).toBe(true);
        expect(spans.at(-1)![0]).toBe('handOver');
      }
    }
  });

  test('has each task once, and all of its time', () => {
    for (const { sharing, of } of cases) {
      const spans = spansOf(of, sharing).flat();
      const taken = (task: string): number =>
        sum(spans.filter(([each]) => each === task).map(([, seconds]) => seconds));
      expect(taken('generate') + taken('tail')).toBeCloseTo(of.generate, 6);
      for (const task of ['rest', 'logProbs', 'update', 'critic'] as const) {
        expect(taken(task)).toBeCloseTo(of[task], 6);
      }
    }
  });

  test('waits for all of the other side where answers are of the newest weights', () => {
    for (const { sharing, of } of cases) {
      const [generating, training] = spansOf(of, sharing);
      const waits = (spans: ReturnType<typeof spansOf>[number] | undefined): number =>
        spans?.find(([task]) => task === 'waits')?.[1] ?? 0;
      if (sharing === 'turns') expect(waits(generating)).toBe(0);
      else if (sharing === 'apart') {
        expect(waits(generating)).toBeCloseTo(of.logProbs + of.update + of.critic, 6);
        expect(waits(training)).toBeCloseTo(of.generate + of.rest, 6);
        expect(training![0]![0]).toBe('waits');
      } else {
        // One side works all the time.
        expect(Math.min(waits(generating), waits(training))).toBe(0);
      }
    }
  });
});

const names = ['generation', 'tail', 'rewards', 'log-probs', 'updates', 'critic'];

function drawn(of: StepTimes, sharing: Sharing, width: number) {
  const form = formOf(width);
  const data: PoolsData = {
    title: '',
    ghostly: false,
    pools: spansOf(of, sharing).map((spans, pool) => ({
      titles: [`Generation: ${pool} of 4,096 chips`],
      pieces: spans.map(([task, seconds], index) =>
        entry(`${task}${task === 'waits' ? pool : ''}`, seconds, names[index] ?? task, 'peak'),
      ),
    })),
    low: of.step * 0.8,
    high: of.step * (1 + next()),
    range: '12.3–45.6 s',
    more: (count) => `+ ${count} more`,
  };
  const height = heightOf(data.pools.length, form);
  return { sheet: layPools(measure, { x: 0, y: 0, width, height }, data, form), height, data };
}

const barsOf = ({ marks }: Sheet): RectMark[] =>
  marks.filter((mark): mark is RectMark => mark.kind === 'rect' && mark.look === 'peak');

describe.each([320, 640, 760, 1100])('at %d px', (width) => {
  test('nothing lies over another or off the sheet', () => {
    for (const { sharing, of } of cases) {
      const { sheet, height } = drawn(of, sharing, width);
      expect(clashes(sheet, width, height)).toEqual([]);
    }
  });

  test('all pools share one axis, and end with the step', () => {
    for (const { sharing, of } of cases) {
      const { sheet, data } = drawn(of, sharing, width);
      const bars = barsOf(sheet);
      let from = 0;
      const ends = data.pools.map(({ pieces }) => {
        const own = bars.slice(from, (from += pieces.length));
        own.forEach(({ width: long }, index) => {
          const share = long / sum(own.map((bar) => bar.width));
          expect(share).toBeCloseTo(pieces[index]!.value / of.step, 6);
        });
        return own.at(-1)!.x + own.at(-1)!.width;
      });
      expect(Math.max(...ends) - Math.min(...ends)).toBeLessThan(1e-6);
      expect(ends[0]).toBeLessThanOrEqual(width);
    }
  });
});
