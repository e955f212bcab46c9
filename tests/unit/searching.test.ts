// Searches by the frame, without a planner.

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { PlanSearch, SearchProgress } from '../../web/src/engine/index.ts';
import { Searching, type Task } from '../../web/src/ui/views/plan/searching.ts';

/** Events, by task: those of the browser end where another begins. */
let tasks: string[][];
let frames: (() => void)[];
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
  vi.stubGlobal('requestAnimationFrame', (callback: () => void) => frames.push(callback));
  vi.stubGlobal('cancelAnimationFrame', () => void frames.splice(0));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A search that is over after so many calls. */
function task(calls: number): Task {
  let left = calls;
  const search = {
    advance: (): SearchProgress => {
      note('searched');
      // A part of the work may take this long.
      const end = performance.now() + 10;
      while (performance.now() < end);
      left -= 1;
      return { done: left === 0 } as SearchProgress;
    },
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
