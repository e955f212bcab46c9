// The layers that a pattern tells, one after the other.

import { describe, expect, test } from 'vitest';
import { kindsOf, runsOf, type Run } from '../../web/src/ui/features/layers/runs.ts';

const said = (runs: readonly Run[] | undefined): string | undefined =>
  runs
    ?.map(
      ({ layers, mixer, size, feedForward, width }) =>
        `${layers}${mixer}${size ?? ''}${feedForward}${width ?? ''}`,
    )
    .join(' ');

describe('the runs of a pattern', () => {
  test.each([
    ['3xad.58xae', '3ad 58ae'],
    ['2x(3xle.ae)', '3le 1ae 3le 1ae'],
    // Adjacent like layers are one run, across brackets too.
    ['2x(ad.le.2xad)', '1ad 1le 3ad 1le 2ad'],
    ['m-.-e m-,-e', '1m- 1-e 1m- 1-e'],
    ['a8d14336.-d43008.c128e', '1a8d14336 1-d43008 1c128e'],
    ['2x(2x(wd).ae)', '2wd 1ae 2wd 1ae'],
  ])('%s', (pattern, runs) => expect(said(runsOf(pattern))).toBe(runs));

  test.each(['', 'a', 'ad.(le', 'ad)', 'xad', 'zd', 'ad.9999xad', '4096x(ad.le)', '('.repeat(9)])(
    '“%s” has none',
    (pattern) => expect(runsOf(pattern)).toBeUndefined(),
  );

  test('of each kind add up to all layers', () => {
    const runs = runsOf('15x(3xle.ae)')!;
    expect(said(kindsOf(runs))).toBe('45le 15ae');
    expect(runs.reduce((sum, { layers }) => sum + layers, 0)).toBe(60);
  });
});
