// The state in the address bar, without a browser.

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { History } from '../../web/src/link/history.ts';

let location: { hash: string; pathname: string; search: string };
let travelled: string[];
let listeners: Record<string, () => void>;
let history: History;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  location = { hash: '', pathname: '/', search: '' };
  travelled = [];
  listeners = {};
  const change = (_state: unknown, _title: string, url: string): void => {
    location.hash = url.startsWith('#') ? url : '';
  };
  vi.stubGlobal('location', location);
  vi.stubGlobal('history', { pushState: change, replaceState: change });
  vi.stubGlobal('addEventListener', (name: string, listen: () => void) => {
    listeners[name] = listen;
  });
  vi.stubGlobal('removeEventListener', () => {});
  history = new History(() => travelled.push(location.hash));
  history.connect();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('the first change of an edit is written at once, what follows when it pauses', () => {
  history.write('tokens=1T', 'tokens');
  history.write('tokens=12T', 'tokens');
  expect(location.hash).toBe('#tokens=1T');
  vi.runAllTimers();
  expect(location.hash).toBe('#tokens=12T');
});

test('what was typed does not replace an address that is set right after it', () => {
  history.write('tokens=1T', 'tokens');
  history.write('tokens=12T', 'tokens');
  location.hash = '#view=plan';
  listeners.popstate!();
  vi.runAllTimers();
  expect(location.hash).toBe('#view=plan');
  expect(travelled).toEqual(['#view=plan']);
});

test('also where the browser tells of that address only later', () => {
  history.write('tokens=1T', 'tokens');
  history.write('tokens=12T', 'tokens');
  location.hash = '#view=plan';
  vi.runAllTimers();
  listeners.popstate!();
  expect(location.hash).toBe('#view=plan');
  expect(travelled).toEqual(['#view=plan']);
});
