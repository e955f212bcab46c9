// The same hosts in the Firefox that readers have.

import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { dist, serve, type Site } from '../site.ts';
import { openFirefox, type Firefox } from './firefox.ts';

let firefox: Firefox;
let site: Site;
beforeAll(async () => {
  [firefox, site] = await Promise.all([openFirefox(), serve()]);
});
afterAll(async () => {
  await firefox.close();
  await site.close();
});

/** What a test visits; whatever else is asked for is a fault. */
let origin: string;
afterEach(async () => {
  await firefox.run('localStorage.clear()'); // it remembers the language
  const { errors, requests } = await firefox.noted();
  expect(errors).toEqual([]);
  expect(requests.filter((url) => !url.startsWith(origin))).toEqual([]);
});

/** A function of the page: the element that a selector finds within the calculator. */
const find = `const find = (selector) => document.querySelector('scaling-page').shadowRoot
  .querySelector(selector);`;
const shown = (selector: string) =>
  firefox.until<string>(
    `${find} return find(arguments[0])?.innerText.replace(/\\s+/g, ' ').trim()`,
    selector,
  );
const click = (selector: string) => firefox.click(`${find} return find(arguments[0])`, selector);

async function works(address: string) {
  origin = new URL(address).protocol === 'file:' ? 'file://' : new URL(address).origin;
  await firefox.open(address);
  expect(await shown('[data-answer="trainingTime"] .large')).toBe('44.3 days');
  await click('[data-answer="trainingTime"] .why');
  await firefox.until(`${find} return find('.ladder li + li')`);
  await click('[data-language="zh"]');
  await firefox.until(
    `${find} return find('[data-answer="trainingTime"] .large').innerText.includes('天')`,
  );
  expect(await firefox.run('return document.documentElement.lang')).toMatch(/^zh/);
}

test('the page answers, derives and speaks Chinese', () => works(site.address));

test('as one file, from disk', () => works(pathToFileURL(path.join(dist, 'offline.html')).href));

test('a plan is searched for and drawn', async () => {
  origin = site.address;
  await firefox.open(`${site.address}#view=plan`);
  expect(await shown('[data-answer="stepExpected"] .large')).toMatch(/^[\d.,]+ (ms|s)$/);
  await firefox.until(`${find} return find('[data-progress="done"]')`);
  await click('[data-part="plan timeline"] > summary');
  const high = await firefox.until<number>(
    `${find} return find('scaling-timeline')?.shadowRoot.querySelector('svg')?.clientHeight`,
  );
  expect(high).toBeGreaterThan(50);
});
