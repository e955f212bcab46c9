// The page and the element in the Firefox that readers have.

import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { root } from '../../web/tools/run.mjs';
import { dist } from '../site.ts';
import { answersTo } from './element.ts';
import { openFirefox, type Firefox } from './firefox.ts';
import { buildHugo } from './generators.ts';
import { openNginx } from './nginx.ts';
import { host, noncePolicy, pages, strictPolicy, temporary } from './places.ts';

/** The picture of the last test that failed. */
const picture = path.join(root, 'build/reports/firefox.png');

const folder = pages();
/** Addresses of hosts. */
const hosts: string[] = [];
let firefox: Firefox;
beforeAll(async () => {
  firefox = await openFirefox();
});
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await firefox.screenshot(picture);
  await firefox.run('try { localStorage.clear() } catch {}'); // it remembers the language
  const { errors, requests } = await firefox.noted();
  // Firefox reports requests that are cut off when a page is left as failures.
  await firefox.open('about:blank');
  await firefox.noted();
  expect(errors).toEqual([]);
  // The page keeps itself for later, also while the next test runs.
  const own = (url: string) => hosts.some((address) => url.startsWith(address));
  expect(requests.filter((url) => !own(url))).toEqual([]);
});

async function open(name: string, headers: Record<string, string> = {}): Promise<void> {
  const address = await host(folder, headers);
  hosts.push(address);
  await firefox.open(address + name);
}

/** Runs in the page: the first element that a selector finds, however deep in shadows; `a >> b` is
 * b in a. */
const find = `const within = (roots, selector) => {
  for (const root of roots) {
    const inner = [root, ...root.querySelectorAll('*')].map((at) => at.shadowRoot).filter(Boolean);
    const found = root.querySelector(selector) ?? (inner.length > 0 && within(inner, selector));
    if (found) return found;
  }
};
const find = (path) =>
  path.split(' >> ').reduce((root, selector) => root && within([root], selector), document);`;
const shown = (path: string) =>
  firefox.until<string>(
    `${find} return find(arguments[0])?.innerText.replace(/\\s+/g, ' ').trim()`,
    path,
  );
const click = (path: string) => firefox.click(`${find} return find(arguments[0])`, path);
const time = '[data-answer="trainingTime"] .large';
const part = (name: string) => `[data-part="${name}"]`;

/** Opens a part of the page; one that a reader has left open stays so. */
async function unfold(name: string): Promise<void> {
  await firefox.until(`${find} return find(arguments[0])`, part(name));
  const open = await firefox.run(`${find} return find(arguments[0]).open`, part(name));
  if (!open) await click(`${part(name)} > summary`);
}

async function pageWorks(): Promise<void> {
  await unfold('fold why');
  expect(await shown('[data-answer="wallTime"] .large')).toMatch(/ days$/);
  await unfold('fold assumptions');
  await click('[data-counting="book"]');
  expect(await shown(time)).toBe('44.3 days');
  await click('[data-answer="trainingTime"] .why');
  await firefox.until(`${find} return find('.ladder li + li')`);
  await click('[data-language="zh"]');
  await firefox.until(`${find} return find(arguments[0]).innerText.includes('天')`, time);
  expect(await firefox.run('return document.documentElement.lang')).toMatch(/^zh/);
}

const link = 'chip=h100-sxm&model=llama-3.1-405b&chips=16384&tokens=15.6T';

/** Expects the answers of the first element. */
async function elementWorks(): Promise<void> {
  expect(await shown(time)).toBe('67.7 days');
  expect(
    await firefox.run(`return document.querySelector('scaling-calculator').result.answers`),
  ).toEqual(await answersTo(link));
  expect(
    await firefox.run(`return document.querySelector('scaling-calculator > table').clientHeight`),
  ).toBe(0);
}

test('what goes wrong on a page is noticed here', async () => {
  await open('faulty.html');
  const { errors, requests } = await firefox.noted();
  expect(errors.sort()).toEqual([
    expect.stringContaining('not caught'),
    'error: an error',
    'warn: a warning',
  ]);
  expect(requests).toContain('http://elsewhere.test/picture.png');
});

test('the page answers, derives and speaks Chinese', async () => {
  await open('calculator/');
  await pageWorks();
});

test('the page does so as one file, from disk', async () => {
  await firefox.open(pathToFileURL(path.join(dist, 'offline.html')).href);
  await pageWorks();
});

test('a plan is searched for and drawn', async () => {
  await open('calculator/#view=plan');
  await unfold('fold why');
  expect(await shown('[data-answer="stepExpected"] .large')).toMatch(/^[\d.,]+ (ms|s)$/);
  await firefox.until(`${find} return find('[data-progress="done"]')`);
  await unfold('plan timeline');
  expect(
    await firefox.until(`${find} return find('scaling-timeline >> svg')?.clientHeight`),
  ).toBeGreaterThan(50);
});

test('the element answers in a post', async () => {
  await open('post.html');
  await elementWorks();
  await click('[data-answer="trainingTime"] .why');
  await firefox.until(`${find} return find('.ladder li + li')`);
});

test('the element answers in a post from disk', async () => {
  await firefox.open(pathToFileURL(path.join(folder, 'post.html')).href);
  await elementWorks();
});

test('the element answers in a frame where modules can’t be imported: from disk', async () => {
  const tag = '<scaling-calculator view="operation" chip="tpu-v5e"></scaling-calculator>';
  writeFileSync(
    path.join(folder, 'disk.html'),
    `<!doctype html><html lang="en"><meta charset="utf-8">${tag}
    <script src="calculator/embed.js"></script></html>`,
  );
  await firefox.open(pathToFileURL(path.join(folder, 'disk.html')).href);
  const result = await firefox.until<{ answers: object }>(
    `const { result } = document.querySelector('scaling-calculator');
    return typeof result?.answers.timeExpected === 'number' && result`,
  );
  expect(result.answers).toEqual(await answersTo('view=operation&chip=tpu-v5e'));
  await firefox.until(`${find} return find('iframe').clientHeight > 400`);
  await firefox.enter(`${find} return find('iframe')`);
  expect(await shown('[data-answer="bound"] .large')).toContain('bound');
});

test('the element says what the page around must allow, and its content stays', async () => {
  const address = await host(folder);
  const { origin } = new URL(address);
  hosts.push(address);
  const page = readFileSync(path.join(folder, 'elsewhere.html'), 'utf8');
  writeFileSync(path.join(folder, 'made.html'), page.replace('ORIGIN', origin));
  const policy = noncePolicy.replace("'nonce-n0nce'", origin);
  await open('made.html', { 'content-security-policy': policy });
  expect(await shown('[part=message]')).toContain(`frames (frame-src) of ${origin}/calculator/.`);
  expect(await shown('scaling-calculator > b')).toBe('Compute-bound');
  expect(await shown(time)).toBe('67.7 days');
  // It is Firefox that tells of what was refused.
  await firefox.noted();
});

test('the element answers under a policy of nonces and Trusted Types, its script twice', async () => {
  await open('nonce.html', { 'content-security-policy': noncePolicy });
  await elementWorks();
  expect(await shown('#second >> [data-answer="bound"] .large')).toContain('bound');
});

test('the element, and the page as one file, answer in sandboxed frames, which have no origin', async () => {
  await open('sandbox.html');
  await firefox.enter(`return document.querySelector('#post')`);
  await elementWorks();
  await open('sandbox.html');
  await firefox.enter(`return document.querySelector('#calculator')`);
  expect(await shown(time)).toMatch(/days|years/);
});

test('a frame of the page takes the height that it needs', async () => {
  await open('frame.html');
  await firefox.until(`return document.querySelector('#calculator').clientHeight > 400`);
  expect(
    await firefox.until(`const { documentElement } = document.querySelector('#calculator').contentDocument;
      return documentElement.scrollHeight === documentElement.clientHeight`),
  ).toBe(true);
});

test('the element answers on a site made by Hugo, below a path of nginx', async () => {
  const site = temporary();
  const address = await openNginx(site, '/a/blog/', { 'Content-Security-Policy': strictPolicy });
  hosts.push(address);
  buildHugo(site, address);
  await firefox.open(`${address}posts/training/`);
  await elementWorks();
});
