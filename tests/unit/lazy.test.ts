// Parts that load on first use.

import { describe, expect, test } from 'vitest';
import { Lazy } from '../../web/src/engine/lazy.ts';

describe('Lazy', () => {
  const who = () => {
    let times = 0;
    return { refresh: () => (times += 1), times: () => times };
  };
  const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

  test('is idle, loads once, and tells all who wait', async () => {
    let loads = 0;
    let done = (_: string): void => {};
    const lazy = new Lazy(() => {
      loads += 1;
      return new Promise<string>((resolve) => (done = resolve));
    });
    expect([lazy.state, lazy.value, loads]).toEqual(['idle', undefined, 0]);
    const [one, other] = [who(), who()];
    expect([lazy.use(one), lazy.use(other), lazy.use(one)]).toEqual(Array(3).fill(undefined));
    expect([lazy.state, loads]).toEqual(['loading', 1]);
    done('part');
    await expect(lazy.get()).resolves.toBe('part');
    expect([lazy.state, lazy.value, lazy.use(one), loads]).toEqual(['ready', 'part', 'part', 1]);
    expect([one.times(), other.times()]).toEqual([1, 1]);
  });

  test.each([
    ['later', () => Promise.reject(new Error('no'))],
    [
      'at once',
      () => {
        throw new Error('no');
      },
    ],
  ])('fails %s, says so, and tries again only when asked to', async (_, fail) => {
    let works = false;
    let loads = 0;
    const lazy = new Lazy<string>(() => {
      loads += 1;
      return works ? Promise.resolve('part') : fail();
    });
    const one = who();
    lazy.use(one);
    await settled();
    expect([lazy.state, one.times()]).toEqual(['failed', 1]);
    lazy.use(one);
    await settled();
    expect([lazy.state, loads]).toEqual(['failed', 1]);
    await expect(lazy.get()).rejects.toThrow('no');
    works = true;
    lazy.retry(one);
    expect(lazy.state).toBe('loading');
    await settled();
    expect([lazy.state, lazy.use(one), loads]).toEqual(['ready', 'part', 3]);
    lazy.retry(one);
    expect([lazy.state, loads]).toEqual(['ready', 3]);
  });
});
