// Searches by the frame, without a planner.

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { PlanSearch, SearchProgress } from '../../web/src/engine/index.ts';
import { Searching, type Task } from '../../web/src/ui/views/plan/searching.ts';

/** Events, by task: those of the browser end where another begins. */
let tasks: string[][];
let frames: (() => void)[];
/** Searches that were let go of, by name. */
let ended: string[];
const note = (what: string): void => void tasks.at(-1)!.push(what);

/** Runs what is due in one frame and behind it, each in a task of its own. */
function frame(): void {
  for (const callback of frames.splice(0)) {
    tasks.push([]);
    callback();
  }
  tasks.push([]);
  vi.runAllTimers();
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  tasks = [[]];
  frames = [];
  ended = [];
  const numbers = new Map<number, () => void>();
  vi.stubGlobal('requestAnimationFrame', (callback: () => void) => {
    frames.push(callback);
    numbers.set(numbers.size + 1, callback);
    return numbers.size;
  });
  vi.stubGlobal('cancelAnimationFrame', (number: number) => {
    frames = frames.filter((callback) => callback !== numbers.get(number));
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A search that is over after so many calls. */
function task(calls: number, name = 'searched'): Task {
  let left = calls;
  const search = {
    advance: (): SearchProgress => {
      note(name);
      // A part of the work may take this long.
      const end = performance.now() + 10;
      while (performance.now() < end);
      left -= 1;
      return { done: left === 0 } as SearchProgress;
    },
    end: () => void ended.push(name),
  } as unknown as PlanSearch;
  return {
    start: () => search,
    found: (_search, _progress, over) => note(over ? 'over' : 'so far'),
  };
}

test('no task both searches and tells what was found', () => {
  const searching = new Searching(() => note('told'));
  searching.begin([task(2), task(1)]);
  expect(tasks).toEqual([[]]);
  for (let count = 0; count < 5; ++count) frame();
  expect(tasks.filter((each) => each.length > 0)).toEqual([
    ['searched', 'so far'],
    ['told'],
    ['searched', 'over'],
    ['told'],
    ['searched', 'over'],
    ['told'],
  ]);
  expect(searching.busy).toBe(false);
  expect(frames).toEqual([]);
});

test('what most searches come to is found at once', () => {
  const searching = new Searching(() => note('told'));
  searching.beginAtOnce([task(1)]);
  expect(tasks).toEqual([['searched', 'over']]);
});

test('what was stopped goes on no more, whatever it waited for', () => {
  const searching = new Searching(() => note('told'));
  searching.begin([task(1)]);
  searching.stop();
  frame();
  searching.begin([task(1)]);
  for (const callback of frames.splice(0)) callback(); // behind the frame, a timer waits
  searching.stop();
  frame();
  expect(tasks.flat()).toEqual([]);
});

test('what is added goes behind what is under way', () => {
  const searching = new Searching(() => {});
  const found: number[] = [];
  const nth = (number: number): Task => ({ ...task(1), found: () => found.push(number) });
  searching.begin([nth(1)]);
  searching.add([nth(2)]);
  for (let count = 0; count < 3; ++count) frame();
  expect(found).toEqual([1, 2]);
});

test('searches that are over or stopped are let go of', () => {
  const searching = new Searching(() => {});
  searching.begin([task(1, 'first'), task(9, 'second')]);
  for (let count = 0; count < 3; ++count) frame();
  expect(ended).toEqual(['first']);
  searching.stop();
  expect(ended).toEqual(['first', 'second']);
});

// The planner has room for one search: to put one in another's place copies all of both.
test('of several that search, one goes on until its search is over', () => {
  const one = new Searching(() => {});
  const other = new Searching(() => {});
  one.begin([task(3, 'one')]);
  other.begin([task(2, 'other')]);
  for (let count = 0; count < 8; ++count) frame();
  const searched = tasks.flat().filter((event) => event === 'one' || event === 'other');
  expect(searched).toEqual(['one', 'one', 'one', 'other', 'other']);
});

test('but what is wanted at once takes its place', () => {
  const one = new Searching(() => {});
  const other = new Searching(() => {});
  one.begin([task(3, 'one')]);
  frame();
  other.beginAtOnce([task(2, 'other')]);
  for (let count = 0; count < 8; ++count) frame();
  const searched = tasks.flat().filter((event) => event === 'one' || event === 'other');
  expect(searched).toEqual(['one', 'other', 'other', 'one', 'one']);
});
