// A reader's target for an answer, as it is typed and as links have it.

import { describe, expect, test } from 'vitest';
import runs from '../../shared/runs.json';
import type { AnswerInfo, Shown } from '../../web/src/engine/index.ts';
import { measuredMfu } from '../../web/src/ui/features/target/measured.ts';
import { isMetBy, readTarget, writeTarget } from '../../web/src/model/target.ts';
import { readValue, readWanted, usual } from '../../web/src/ui/features/target/wanted.ts';

const info = (
  key: string,
  unit: string,
  choices: string[] = [],
  shown: Shown = 'plain',
): AnswerInfo => ({
  key,
  symbol: '',
  unit,
  shown,
  kind: choices.length > 0 ? 'choice' : 'number',
  choices,
  source: 'definition',
  bounds: null,
});
const time = info('trainingTime', 's');
const cost = info('cost', 'USD');

const value = (answer: AnswerInfo, text: string): number | string => {
  const parsed = readValue(answer, text);
  return parsed.ok ? parsed.value : parsed.reason;
};

describe('what is typed', () => {
  test.each([
    ['14 days', 14 * 86400],
    ['14d', 14 * 86400],
    ['2 weeks', 14 * 86400],
    ['14 天', 14 * 86400],
    ['两', 'notANumber'],
    ['2周', 14 * 86400],
    ['36 h', 36 * 3600],
    ['36 小时', 36 * 3600],
    ['90 min', 5400],
    ['1.5 years', 1.5 * 365.25 * 86400],
    ['50 ms', 0.05],
    ['50ms', 0.05],
    ['50 毫秒', 0.05],
    ['12 us', 12e-6],
    ['20', 20],
    ['', 'empty'],
    ['soon', 'notANumber'],
  ])('as a time: %s', (text, seconds) => {
    expect(value(time, text)).toBe(seconds);
  });

  // 50 beside 38.0 ms a token was taken for 50 s, and met.
  test.each([
    ['50', 0.038, 0.05],
    ['1.5', 1.9e-3, 0.0015],
    ['14', 83.4 * 86400, 14 * 86400],
    ['50 s', 0.038, 50],
    ['2 h', 0.038, 7200],
  ])('as a time in the unit in which it is said: %s beside %s s', (text, answered, seconds) => {
    expect(readValue(time, text, answered)).toEqual({ ok: true, value: seconds });
  });

  test.each([
    ['$1M', 1e6],
    ['1M', 1e6],
    ['$1.5M', 1.5e6],
    ['100万', 1e6],
    ['100万美元', 1e6],
    ['1,000,000', 1e6],
  ])('as money: %s', (text, dollars) => {
    expect(value(cost, text)).toBe(dollars);
  });

  test('as shares, bytes and energy', () => {
    expect(value(info('memoryFraction', '', [], 'percent'), '50%')).toBe(0.5);
    expect(value(info('memoryFraction', '', [], 'percent'), '50')).toBe(0.5);
    expect(value(info('memoryPerChip', 'B/chip'), '80 GB')).toBe(80e9);
    expect(value(info('energy', 'J'), '1 GWh')).toBe(3.6e12);
  });

  test('with a sign that says which way', () => {
    expect(readWanted('≤ 14 days')).toEqual(['atMost', '14 days']);
    expect(readWanted('<= 14 days')).toEqual(['atMost', '14 days']);
    expect(readWanted('>2T')).toEqual(['atLeast', '2T']);
    expect(readWanted('14 days')).toEqual([undefined, '14 days']);
  });
});

test('short times and small sums are wanted, but many tokens', () => {
  expect(usual(time)).toBe('atMost');
  expect(usual(cost)).toBe('atMost');
  expect(usual(info('memoryFraction', '', [], 'percent'))).toBe('atMost');
  expect(usual(info('mfu', ''))).toBe('atLeast');
  expect(usual(info('budgetTokens', 'tokens'))).toBe('atLeast');
});

test('a number meets a target up to it, and at it', () => {
  expect([1, 2, 3].map((now) => isMetBy('atMost', 2, now))).toEqual([true, true, false]);
  expect([1, 2, 3].map((now) => isMetBy('atLeast', 2, now))).toEqual([false, true, true]);
});

describe('in links', () => {
  const bound = info('bound', '', ['compute', 'memory']);
  test('targets come back as they were', () => {
    for (const target of [
      { answer: 'trainingTime', wanted: 'atMost', value: 1209600.5 },
      { answer: 'cost', wanted: 'atLeast', value: 1e21 },
      { answer: 'bound', wanted: 'is', value: 'compute' },
    ] as const) {
      const written = writeTarget(target);
      expect(written).toMatch(/^[\w.+():, -]+$/);
      expect(readTarget([time, cost, bound], written)).toEqual(target);
    }
  });

  test('what is no target is none', () => {
    for (const text of [
      '',
      'trainingTime',
      'trainingTime:atMost',
      'trainingTime:atMost:',
      'trainingTime:atMost:soon',
      'trainingTime:atMost:-1',
      'trainingTime:atMost:Infinity',
      'trainingTime:is:compute',
      'trainingTime:atMost:1:2',
      'bound:atMost:1',
      'bound:is:network',
      'energy:atMost:1',
    ]) {
      expect(readTarget([time, cost, bound], text), text).toBeUndefined();
    }
    expect(readTarget([time], undefined)).toBeUndefined();
  });
});

test('no measured training in bf16 has a higher MFU than the one that is named', () => {
  const reached = (runs.runs as { precision?: string; measured?: { mfu?: number } }[])
    .filter(({ precision }) => precision === 'bf16')
    .map(({ measured }) => measured?.mfu ?? 0);
  expect(reached.length).toBeGreaterThan(100);
  expect(Math.max(...reached).toFixed(3)).toBe(measuredMfu.toFixed(3));
});
