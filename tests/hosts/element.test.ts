import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type Browser, leave, newVisit, openBrowser, type Visit } from '../site.ts';
import { answer, answersTo, calculator, expectPolite, resultOf } from './element.ts';
import { host, noncePolicy, pages } from './places.ts';

const folder = pages();
let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

let visit: Visit;
let origin: string;
afterEach(async () => {
  expectPolite(visit, origin);
  await leave(browser, visit);
});

/** Opens a page of tests/hosts/pages, on a host that sends `headers`. */
async function open(
  name: string,
  headers: Record<string, string> = {},
  options: BrowserContextOptions = {},
): Promise<Page> {
  origin = await host(folder, headers);
  visit = await newVisit(browser, options);
  await visit.page.goto(`${origin}${name}.html`);
  return visit.page;
}

interface Seen {
  events: { name: string; id: string; detail: Record<string, unknown>; at: number }[];
  compiled: number;
  defined?: number;
}
/** The notes of pages/watch.js. */
const seen = (page: Page): Promise<Seen> =>
  page.evaluate(() => JSON.parse(JSON.stringify((window as unknown as { seen: Seen }).seen)));
const eventsOf = async (page: Page, name: string) =>
  (await seen(page)).events.filter((event) => event.name === name);

const link = 'chip=h100-sxm&model=llama-3.1-405b&chips=16384&tokens=15.6T';

test('in a post it answers, says so once, and leaves the page as it was', async () => {
  const page = await open('post');
  const element = calculator(page);
  expect(await answer(element, 'trainingTime')).toBe('67.7 days');
  expect(await resultOf(element)).toEqual(await answersTo(link));
  expect(await element.locator('> table').isVisible()).toBe(false);
  const [ready, ...more] = await eventsOf(page, 'calc-ready');
  expect(more).toEqual([]);
  const { defined } = await seen(page);
  console.log(`answers ${Math.round(ready!.at - defined!)} ms after the script began`);
  expect(await eventsOf(page, 'calc-error')).toEqual([]);

  await element.locator('[data-field="run.chips"]').fill('8192');
  await expect.poll(() => answer(element, 'trainingTime')).toBe('135 days');
  const changes = await eventsOf(page, 'calc-change');
  expect(changes.length).toBeGreaterThan(0);
  expect(await resultOf(element)).toEqual(await answersTo(link.replace('16384', '8192')));
  expect(
    await page.evaluate(() => ({
      hash: location.hash,
      length: history.length,
      title: document.title,
      language: document.documentElement.lang,
      kept: localStorage.length + sessionStorage.length + document.cookie.length,
      attributes: document.documentElement.getAttributeNames(),
    })),
  ).toEqual({
    hash: '',
    length: 2,
    title: 'A post',
    language: 'en',
    kept: 0,
    attributes: ['lang'],
  });
});

test('under a policy of nonces and Trusted Types, with its script twice', async () => {
  const page = await open('nonce', { 'content-security-policy': noncePolicy });
  expect(await answer(calculator(page, 0), 'trainingTime')).toMatch(/days|years/);
  expect(await answer(calculator(page, 1), 'bound')).toContain('bound');
});

test('two on a page, each with its own state and language, its script thrice', async () => {
  const page = await open('two');
  const [first, second] = [calculator(page, 0), calculator(page, 1)];
  expect(await answer(first, 'trainingTime')).toMatch(/days|years/);
  expect(await answer(second, 'bound')).toContain('受限');
  expect(await resultOf(second)).toEqual(await answersTo('view=operation&chip=tpu-v5e'));
  const before = await answer(second, 'bound');
  await first.locator('[data-field="run.chips"]').fill('64');
  await expect.poll(() => resultOf(first)).toEqual(await answersTo('chip=h100-sxm&chips=64'));
  expect(await answer(second, 'bound')).toBe(before);
  const ready = await eventsOf(page, 'calc-ready');
  expect(ready.map(({ id }) => id).sort()).toEqual(['first', 'second']);
});

/** Puts a page of that content beside the others, and opens it. */
async function openPage(content: string): Promise<Page> {
  const head =
    '<!doctype html><html lang="en"><meta charset="utf-8"><link rel="icon" href="data:,"><script src="watch.js"></script>';
  writeFileSync(path.join(folder, 'made.html'), head + content);
  return open('made');
}
const script = '<script src="calculator/embed.js" defer></script>';

// They shared one search: the one that began first threw, and showed a best that was none for good.
test('two plans on a page find what each finds alone', async () => {
  const asked = [
    'chip=h100-sxm&model=llama-3-8b&chips=64',
    'chip=h100-sxm&model=llama-3-70b&chips=256',
  ];
  const element = (state: string): string =>
    `<scaling-calculator view="plan" state="${state.replaceAll('&', '&amp;')}"></scaling-calculator>`;
  const best = async (which: number): Promise<string> => {
    const at = calculator(visit.page, which);
    await at.scrollIntoViewIfNeeded();
    await at.locator('[data-progress="done"]').waitFor();
    return (await at.locator('.best tbody').innerText()).replace(/\s+/g, ' ');
  };
  const alone: string[] = [];
  for (const state of asked) {
    await openPage(element(state) + script);
    alone.push(await best(0));
    await leave(browser, visit);
  }
  await openPage(
    `<div style="height: 1px">${element(asked[0]!)}${element(asked[1]!)}</div>${script}`,
  );
  expect([await best(0), await best(1)]).toEqual(alone);
  // The best of one is also found while the other searches on.
  await calculator(visit.page, 0).locator('[data-field="run.chips"]').fill('128');
  await calculator(visit.page, 1).locator('[data-field="run.chips"]').fill('512');
  await calculator(visit.page, 0).locator('[data-field="run.chips"]').fill('64');
  await calculator(visit.page, 1).locator('[data-field="run.chips"]').fill('256');
  await expect.poll(() => best(0)).toBe(alone[0]);
  await expect.poll(() => best(1)).toBe(alone[1]);
});

test('the view changed twice quickly ends on the last, whichever script comes first', async () => {
  await openPage(`<scaling-calculator></scaling-calculator>${script}`);
  const { page } = visit;
  await answer(calculator(page), 'trainingTime');
  let release = (): void => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route(/embed-operation\.js/, async (route) => {
    await held;
    await route.continue();
  });
  const view = (name: string) =>
    calculator(page).evaluate((at, to) => at.setAttribute('view', to), name);
  await view('operation');
  await page.waitForFunction(() => document.querySelector('script[src*="embed-operation"]'));
  await view('training');
  await page.waitForFunction(
    () => document.querySelector('scaling-calculator')!.getAttribute('view') === 'training',
  );
  release();
  await page.waitForFunction(() => customElements.get('scaling-calculator-operation'));
  // The late script has done its work by then.
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
  const shown = () => calculator(page).evaluate((at) => at.shadowRoot!.lastElementChild!.localName);
  expect(await shown()).toBe('scaling-calculator-training');
  // The other way leads to a late one, over one that is there.
  await view('training');
  await view('roofline');
  await expect.poll(shown).toBe('scaling-calculator-operation');
});

test('a script that could not be had is asked for again by its reader', async () => {
  await openPage(`<scaling-calculator view="training"></scaling-calculator>${script}`);
  const { page } = visit;
  await answer(calculator(page), 'trainingTime');
  await page.route(/embed-operation\.js/, (route) => route.abort());
  await calculator(page).evaluate((at) => at.setAttribute('view', 'operation'));
  const message = calculator(page).locator('[part="message"]');
  expect(await message.innerText()).toContain('could not be loaded');
  await page.unroute(/embed-operation\.js/);
  await message.locator('button').click();
  await calculator(page).locator('[data-answer="lowerBound"]').waitFor();
  expect(await message.count()).toBe(0);
  // The errors are those of the browser and the element about the refused one.
  visit.errors.splice(0);
});

test('the first presets need no other script; others bring theirs', async () => {
  const files = () => visit.requests.filter((url) => url.endsWith('embed-presets.js')).length;
  await openPage(`<scaling-calculator chip="h100-sxm" model="llama-3.1-8b"></scaling-calculator>
    <scaling-calculator chip="b200-sxm" model="gpt-3-175b"></scaling-calculator>${script}`);
  const [one, other] = [calculator(visit.page, 0), calculator(visit.page, 1)];
  await other.scrollIntoViewIfNeeded();
  expect(await resultOf(other)).toEqual(await answersTo('chip=b200-sxm&model=gpt-3-175b'));
  expect(await resultOf(one)).toEqual(await answersTo('chip=h100-sxm&model=llama-3.1-8b'));
  expect(files()).toBe(1);
});

test('an element whose presets could not be had says so, and is asked for again', async () => {
  await openPage(`<scaling-calculator></scaling-calculator>${script}`);
  const { page } = visit;
  const element = calculator(page);
  await answer(element, 'trainingTime');
  expect(visit.requests.filter((url) => url.endsWith('embed-presets.js'))).toEqual([]);
  await page.evaluate(() => {
    const told: unknown[] = [];
    Object.assign(window, { told });
    addEventListener('calc-error', (event) => told.push((event as CustomEvent).detail));
  });
  await page.route(/embed-presets\.js/, (route) => route.abort());
  await element.evaluate((at) => at.setAttribute('chip', 'b200-sxm'));
  await element.locator('.lazy[data-state="failed"]').waitFor();
  // It does not answer with the chip that it had.
  expect(await element.locator('[data-answer]').count()).toBe(0);
  expect(await page.evaluate(() => (window as unknown as { told: unknown[] }).told)).toEqual([
    { issues: [{ code: 'notLoaded', field: 'presets', arguments: {} }] },
  ]);
  await page.unroute(/embed-presets\.js/);
  await element.locator('.retry').click();
  await expect.poll(() => element.locator('[data-field="chip"]').inputValue()).toBe('B200 SXM');
  expect(await resultOf(element)).toEqual(await answersTo('chip=b200-sxm'));
  // The errors are those of the browser about the refused one.
  visit.errors.splice(0);
});

test('a chart that stands alone has no way to others', async () => {
  const charts = ['roofline', 'sweep', 'heatMap'];
  await openPage(
    charts.map((view) => `<scaling-calculator view="${view}"></scaling-calculator>`).join('') +
      script,
  );
  for (const [which, chart] of charts.entries()) {
    const at = calculator(visit.page, which);
    await at.scrollIntoViewIfNeeded();
    await at.locator(`[data-shows="${chart}"] figcaption`).waitFor();
    expect(await at.locator('[role="tablist"], [role="tab"], [role="tabpanel"]').count()).toBe(0);
  }
});

test.each([
  ['gives all objects a function', 'Object.prototype.extend = function () {}'],
  ['gives all objects a text', "Object.prototype.chip = 'of another script'"],
  [
    'gives all objects groups and fields of questions',
    "for (const name of ['model', 'run', 'server', 'serving', 'plan', 'chips', 'memory', 'layers']) Object.prototype[name] = function () {}",
  ],
  ['has no Trusted Types', 'delete globalThis.trustedTypes'],
  ['lets no policy be made', "trustedTypes.createPolicy = () => { throw new TypeError('no') }"],
])('draws on a page that %s', async (_, change) => {
  await openPage(
    `<script>${change}</script>
    <scaling-calculator view="training" chip="h100-sxm"></scaling-calculator>
    <scaling-calculator view="serving" chip="h100-sxm"></scaling-calculator>
    ${script}`,
  );
  await answer(calculator(visit.page, 0), 'trainingTime');
  await answer(calculator(visit.page, 1), 'firstToken');
});

test('tells a host the key that it means', async () => {
  await openPage(
    `<scaling-calculator view="serving" chip="h100-sxm" model="llama-3.1-8b" state="chips=4"></scaling-calculator>
    ${script}`,
  );
  const element = calculator(visit.page, 0);
  await answer(element, 'firstToken');
  expect(visit.errors.splice(0)).toEqual([
    expect.stringContaining('does not know chips="4"; here it is serve.chips'),
  ]);
});

test('leads only to a page', async () => {
  const pages = [
    'javascript:alert(1)',
    ' java\nscript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'blob:null/x',
    'https://calc.example/x/#y',
    'sub/index.html',
    '',
  ];
  await openPage(
    pages.map((page) => `<scaling-calculator page="${page}"></scaling-calculator>`).join('') +
      script,
  );
  const hrefs: (string | null)[] = [];
  for (const which of pages.keys()) {
    const at = calculator(visit.page, which);
    await at.scrollIntoViewIfNeeded();
    await answer(at, 'trainingTime');
    const home = at.locator('.home a');
    hrefs.push((await home.count()) === 0 ? null : await home.getAttribute('href'));
  }
  const usual = `${origin}calculator/index.html`;
  expect(hrefs).toEqual([
    ...Array(5).fill(usual),
    'https://calc.example/x/',
    `${origin}sub/index.html`,
    null,
  ]);
  expect(visit.errors.splice(0).every((said) => /does not know page=/.test(said))).toBe(true);
});

test('in a column of 320 px nothing sticks out', async () => {
  const page = await open('narrow');
  for (const which of [0, 1, 2]) {
    const element = calculator(page, which);
    await element.scrollIntoViewIfNeeded();
    await element.locator('[data-answer]').first().waitFor();
    expect(await element.evaluate((at) => [at.clientWidth, at.scrollWidth])).toEqual([320, 320]);
  }
  expect(await page.locator('#column').evaluate((at) => at.scrollWidth)).toBe(320);
});

test('beside styles that mean the whole page', async () => {
  const page = await open('hostile');
  const element = calculator(page);
  expect(await answer(element, 'trainingTime')).toBe('67.7 days');
  const box = await element.boundingBox();
  expect(box!.width).toBe(600);
  expect(box!.height).toBeLessThan(3000);
  const style = await element.locator('[data-answer="trainingTime"] .about').evaluate((at) => {
    const { whiteSpace, textTransform, letterSpacing, fontStyle, direction } = getComputedStyle(at);
    return { whiteSpace, textTransform, letterSpacing, fontStyle, direction };
  });
  expect(style).toEqual({
    whiteSpace: 'normal',
    textTransform: 'none',
    letterSpacing: 'normal',
    fontStyle: 'normal',
    direction: 'ltr',
  });
});

test('on a page that reads from right to left', async () => {
  const page = await open('right-to-left');
  const element = calculator(page);
  expect(await answer(element, 'trainingTime')).toMatch(/days|years/);
  const large = element.locator('[data-answer="trainingTime"] .large');
  expect(await large.evaluate((at) => getComputedStyle(at).direction)).toBe('ltr');
  const { scrollWidth, clientWidth } = await page.evaluate(() => document.documentElement);
  expect(scrollWidth).toBe(clientWidth);
});

test('on a host that isolates its pages', async () => {
  const page = await open('post', {
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-embedder-policy': 'require-corp',
  });
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
  expect(await answer(calculator(page), 'trainingTime')).toBe('67.7 days');
});

test('with the script of another origin, which the policy names', async () => {
  const at = new URL(await host(folder)).origin;
  const file = path.join(folder, 'elsewhere.html');
  writeFileSync(file, readFileSync(file, 'utf8').replace('ORIGIN', at));
  const page = await open('elsewhere', {
    'content-security-policy': noncePolicy.replace("'nonce-n0nce'", at),
  });
  expect(await answer(calculator(page, 0), 'trainingTime')).toBe('67.7 days');
  expect(await answer(calculator(page, 1), 'bound')).toContain('bound');
  const asked = visit.requests.filter((url) => !url.startsWith(origin));
  expect(asked.map((url) => url.replace(at, ''))).toEqual([
    '/calculator/embed.js',
    '/calculator/embed-operation.js',
  ]);
  visit.requests = visit.requests.filter((url) => !asked.includes(url));
});

test('nothing is computed before it comes near, or before it is asked for', async () => {
  const page = await open('far');
  const [asked, below] = [calculator(page, 0), calculator(page, 1)];
  const loaded = [...visit.requests];
  await page.waitForTimeout(500);
  expect((await seen(page)).compiled).toBe(0);
  expect(visit.requests).toEqual(loaded);
  expect(await asked.locator('[data-answer]').count()).toBe(0);
  expect(await below.locator('[data-answer]').count()).toBe(0);
  expect(await asked.locator('> table').isVisible()).toBe(true);

  await page.mouse.wheel(0, 9500);
  expect(await answer(below, 'trainingTime')).toMatch(/days|years/);
  expect(await asked.locator('[data-answer]').count()).toBe(0);
  expect((await eventsOf(page, 'calc-ready')).map(({ id }) => id)).toEqual(['below']);

  await page.mouse.wheel(0, -9500);
  await page.keyboard.press('Tab'); // the link of the post
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  expect(await answer(asked, 'trainingTime')).toMatch(/days|years/);
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('asked');
  expect(visit.requests).toEqual(loaded);
});

test('where WebAssembly is forbidden, it says so, and the numbers of the post stay', async () => {
  const page = await open('post', { 'content-security-policy': "script-src 'self'" });
  await expect.poll(() => eventsOf(page, 'calc-error')).toHaveLength(1);
  const element = calculator(page);
  expect(await element.locator('.failed').innerText()).toContain('WebAssembly');
  expect(await element.locator('> table').isVisible()).toBe(true);
  expect(visit.errors.splice(0).join()).toMatch(/WebAssembly|Content Security Policy/);
});

test('without scripts, the numbers of the post stand there', async () => {
  const page = await open('post', {}, { javaScriptEnabled: false });
  expect(await page.locator('td').innerText()).toBe('67.7 days');
  expect(await page.locator('scaling-calculator a').isVisible()).toBe(true);
});

test('from disk', async () => {
  visit = await newVisit(browser);
  origin = 'file://';
  await visit.page.goto(pathToFileURL(path.join(folder, 'post.html')).href);
  const element = calculator(visit.page);
  expect(await answer(element, 'trainingTime')).toBe('67.7 days');
});

test('in a sandboxed frame, which has no origin', async () => {
  const page = await open('sandbox');
  const element = page.frameLocator('#post').locator('scaling-calculator');
  expect(await answer(element, 'trainingTime')).toBe('67.7 days');
});
