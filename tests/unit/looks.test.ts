// One look for each part: in all drawings, bars, timelines and pictures.

import { readFileSync } from 'node:fs';
import type { TemplateResult } from 'lit';
import { describe, expect, test } from 'vitest';
import { draw } from '../../web/src/charts/drawn/draw.ts';
import { draw as drawPicture } from '../../web/src/charts/concepts/draw.ts';
import { box } from '../../web/src/charts/concepts/marks.ts';
import {
  groundOf,
  isPart,
  kindOf,
  looks,
  type Look,
  type Part,
} from '../../web/src/charts/kit/looks.ts';
import { patterns } from '../../web/src/charts/kit/kinds.ts';
import { stack } from '../../web/src/charts/stack/stack.ts';
import type { Results } from '../../web/src/ui/kit/results.ts';
import { heldIn, spentOf } from '../../web/src/ui/views/plan/shares.ts';
import { lookOfMemory } from '../../web/src/ui/views/plan/drawings.ts';
import { tasks } from '../../web/src/ui/views/reward/tasks.ts';
import { partOf } from '../../web/src/ui/views/serving/looks.ts';
import { firstParts, stepParts } from '../../web/src/ui/views/serving/answers.ts';

const parts = Object.keys(looks).filter(isPart);
const seen = ({ tone, strength, texture }: Look): string => `${tone} ${strength} ${texture}`;

/** The texts that a template writes into its markup. */
function written(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(written);
  if (typeof value === 'object' && value && 'values' in value)
    return written((value as TemplateResult).values);
  return typeof value === 'string' ? [value] : [];
}

const results = {
  number: (key: string) => (key === 'stepExpected' ? 20 : key === 'mfu' ? 0.05 : 1),
  choice: () => 'memory',
} as unknown as Results;

test('no two parts look alike', () => {
  expect(new Set(parts.map((part) => seen(looks[part]))).size).toBe(parts.length);
  const kinds = Array.from({ length: 20 }, (_, index) => seen(kindOf('memory', index)));
  expect(new Set(kinds).size).toBe(20);
});

test('what waits is no work, what is sent is the network’s', () => {
  const tones = (of: readonly Part[]): string[] => [...new Set(of.map((part) => looks[part].tone))];
  expect(tones(['bubble', 'queue', 'waiting', 'launch', 'overhead'])).toEqual(['quiet']);
  expect(tones(['tensor', 'context', 'expert', 'pipeline', 'data', 'host', 'handOver'])).toEqual([
    'network',
  ]);
  // Decoding is bound by memory; updates compute.
  expect(tones(['generate', 'tail', 'optimizer', 'cache'])).toEqual(['memory']);
  expect(tones(['update', 'logProbs', 'critic', 'forward', 'backward'])).toEqual(['compute']);
});

describe('in each drawing no look stands for two parts', () => {
  const cases: Record<string, readonly Part[]> = {
    tank: heldIn(results).map(({ look }) => look),
    step: spentOf(results).map(({ look }) => look),
    stages: Object.values(lookOfMemory),
    pools: [...Object.values(tasks).map(({ look }) => look), 'bubble'],
    first: firstParts.map((key) => partOf(results, key)),
    token: [...stepParts, 'mixedStep' as const].map((key) => partOf(results, key)),
  };
  test.each(Object.entries(cases))('%s', (_, all) => {
    expect(all.length).toBeGreaterThan(3);
    expect(new Set(all).size).toBe(all.length);
  });
});

describe('each look comes from the table', () => {
  test('of marks in drawings', () => {
    for (const look of parts.filter((part) => part !== 'over')) {
      const mark = { kind: 'rect', x: 0, y: 0, width: 9, height: 9, look } as const;
      expect(written(draw(mark)), look).toContain(groundOf(looks[look]));
    }
  });

  test('of bars, kinds and small pictures', () => {
    for (const part of parts) {
      const look: Look = looks[part];
      const ground = groundOf(look);
      const bar = stack({ name: 'a', title: '', parts: [{ value: 1, label: '', look }] });
      expect(written(bar), part).toContain(ground);
      expect(written(patterns([{ label: '', look }])), part).toContain(ground);
      expect(written(drawPicture([box(0, 0, 9, 9, part)], 'a')), part).toContain(ground);
    }
  });

  test('and from no style sheet', () => {
    const style = readFileSync('web/src/charts/drawn/drawn.css', 'utf8');
    // Rivals that can't be told apart are the others of a rule.
    const named = parts.filter((part) => part !== 'alike' && style.includes(`.${part}`));
    expect(named.filter((part) => new RegExp(`\\.${part}(?![\\w-])`).test(style))).toEqual([]);
  });
});
