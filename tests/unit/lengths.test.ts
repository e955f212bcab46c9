import { expect, test } from 'vitest';
import { listOfLengths } from '../../web/src/number/lengths.ts';

/** The lengths of a list, with their weights. */
const read = (list: string): [number, number][] =>
  list.split(', ').map((bin) => bin.split(':').map(Number) as [number, number]);

const sum = (bins: readonly [number, number][], of: (length: number) => number): number =>
  bins.reduce((all, [length, weight]) => all + of(length) * weight, 0);

test('short lists stay as they were typed', () => {
  for (const text of ['', '512:20, 2048-4096:50', '1024-3072', 'abc', '512 :20']) {
    expect(listOfLengths(text)).toBe(text);
  }
});

test('a column of lengths becomes a list, without its header', () => {
  expect(listOfLengths('prompt_tokens\n512\r\n1024\n512\n')).toBe('512, 1024, 512');
  expect(listOfLengths(`${'7\n'.repeat(1000)}${'9:2\n'.repeat(500)}`)).toBe('7:1000, 9:1000');
});

test('thousands of lengths become few that have their mean, their spread and their longest', () => {
  // Log-normal lengths, from even quantiles of a logistic distribution.
  const lengths = Array.from({ length: 5000 }, (_, i) => {
    const share = (i + 0.5) / 5000;
    return Math.max(1, Math.round(900 * (share / (1 - share)) ** 0.5));
  });
  const list = listOfLengths(lengths.join('\n'));
  expect(list.length).toBeLessThan(800);
  const bins = read(list);
  expect(bins.length).toBeLessThanOrEqual(32);
  expect(sum(bins, () => 1)).toBe(5000);
  const all = lengths.map((length): [number, number] => [length, 1]);
  const mean = (of: (length: number) => number) => sum(bins, of) / sum(all, of);
  expect(mean((length) => length)).toBeCloseTo(1, 3);
  expect(mean((length) => length ** 2)).toBeGreaterThan(0.98);
  expect(mean((length) => length ** 2)).toBeLessThanOrEqual(1.001);
  expect(bins.at(-1)![0]).toBe(Math.max(...lengths));
});

test('what can’t be read in a long list stays, for the core to say so', () => {
  const text = `${'512\n'.repeat(40)}?`;
  expect(listOfLengths(text)).toBe(text);
});
