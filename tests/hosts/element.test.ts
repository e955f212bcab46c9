import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type Browser, dist, leave, newVisit, openBrowser, type Visit } from '../site.ts';
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
      // But for what tests of the page put there.
      kept:
        Object.keys(localStorage).filter((key) => !key.endsWith('.folds')).length +
        sessionStorage.length +
        document.cookie.length,
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
  await expect.poll(() => resultOf(second)).toEqual(await answersTo('view=operation&chip=tpu-v5e'));
  const before = await answer(second, 'bound');
  await first.locator('[data-field="run.chips"]').fill('64');
  await expect.poll(() => resultOf(first)).toEqual(await answersTo('chip=h100-sxm&chips=64'));
  expect(await answer(second, 'bound')).toBe(before);
  const ready = await eventsOf(page, 'calc-ready');
  expect(ready.map(({ id }) => id).sort()).toEqual(['first', 'second']);
});

/** The answers that an element tells its host, also where a frame told them to it. */
const resultTold = (element: Locator): Promise<unknown> =>
  element.evaluate((at) => (at as Element & { result?: { answers: unknown } }).result?.answers);

/** Puts a page of that content beside the others, and opens it. */
async function openPage(content: string): Promise<Page> {
  const head =
    '<!doctype html><html lang="en"><meta charset="utf-8"><link rel="icon" href="data:,"><script src="watch.js"></script>';
  writeFileSync(path.join(folder, 'made.html'), head + content);
  return open('made');
}
const script = '<script src="calculator/embed.js" defer></script>';

test('a plan, and a budget counted by it, are answered as at the command line', async () => {
  const cluster = 'chip=h100-sxm&model=llama-3.1-8b&chips=64';
  const links = [
    `view=plan&${cluster}&tokens=1T`,
    `view=budget&counting=predicted&${cluster}&budget.money=200k`,
  ];
  await openPage(
    links
      .map(
        (each) =>
          `<scaling-calculator state="${each.replaceAll('&', '&amp;')}"></scaling-calculator>`,
      )
      .join('') + script,
  );
  for (const [which, each] of links.entries()) {
    const element = calculator(visit.page, which);
    await element.scrollIntoViewIfNeeded();
    await element.locator('[data-answer]').first().waitFor();
    const program = [path.join(dist, 'cli.js'), each, '--format', 'json'];
    const said = execFileSync(process.execPath, program, { encoding: 'utf8' });
    // It leaves out what does not apply.
    expect(await resultOf(element)).toMatchObject(JSON.parse(said).answers);
  }
});

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

test('the view changed twice quickly ends on the last, whichever comes first', async () => {
  await openPage(`<scaling-calculator></scaling-calculator>${script}`);
  const { page } = visit;
  await answer(calculator(page), 'trainingTime');
  let release = (): void => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route(/element\.js/, async (route) => {
    await held;
    await route.continue();
  });
  const view = (name: string) =>
    calculator(page).evaluate((at, to) => at.setAttribute('view', to), name);
  const asked = page.waitForRequest(/element\.js/);
  await view('operation');
  await asked;
  await view('training');
  await page.waitForFunction(
    () => document.querySelector('scaling-calculator')!.getAttribute('view') === 'training',
  );
  release();
  await page.waitForFunction(() => customElements.get('scaling-calculator-whole'));
  // The late module has done its work by then.
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
  const shown = () => calculator(page).evaluate((at) => at.shadowRoot!.lastElementChild!.localName);
  expect(await shown()).toBe('scaling-calculator-training');
  // The other way leads to a late one, over one that is there.
  await view('training');
  await view('roofline');
  await expect.poll(shown).toBe('scaling-calculator-whole');
});

test('what could not be had is asked for again by its reader', async () => {
  await openPage(`<scaling-calculator view="training"></scaling-calculator>${script}`);
  const { page } = visit;
  await answer(calculator(page), 'trainingTime');
  const missing = /element\.js|offline\.html/;
  await page.route(missing, (route) => route.abort());
  await calculator(page).evaluate((at) => at.setAttribute('view', 'operation'));
  const message = calculator(page).locator('[part="message"]');
  expect(await message.innerText()).toContain(`could not be loaded: `);
  expect(await message.innerText()).toContain(`${origin}calculator/.`);
  await page.unroute(missing);
  await message.locator('button').click();
  await calculator(page).locator('[data-answer="lowerBound"]').waitFor();
  expect(await message.count()).toBe(0);
  // The errors are those of the browser about the refused ones.
  visit.errors.splice(0);
});

test('the first presets need nothing else; others come by themselves', async () => {
  const files = () => visit.requests.filter((url) => /more-presets/.test(url)).length;
  await openPage(`<scaling-calculator chip="h100-sxm" model="llama-3.1-8b"></scaling-calculator>
    <scaling-calculator chip="b200-sxm" model="gpt-3-175b"></scaling-calculator>${script}`);
  const [one, other] = [calculator(visit.page, 0), calculator(visit.page, 1)];
  await other.scrollIntoViewIfNeeded();
  expect(await resultOf(other)).toEqual(await answersTo('chip=b200-sxm&model=gpt-3-175b'));
  expect(await resultOf(one)).toEqual(await answersTo('chip=h100-sxm&model=llama-3.1-8b'));
  expect(files()).toBe(1);
  expect(visit.requests.filter((url) => /shared|whole/.test(url))).toEqual([]);
});

test('an element whose presets could not be had says so, and is asked for again', async () => {
  await openPage(`<scaling-calculator></scaling-calculator>${script}`);
  const { page } = visit;
  const element = calculator(page);
  await answer(element, 'trainingTime');
  expect(visit.requests.filter((url) => /more-presets/.test(url))).toEqual([]);
  await page.evaluate(() => {
    const told: unknown[] = [];
    Object.assign(window, { told });
    addEventListener('calc-error', (event) => told.push((event as CustomEvent).detail));
  });
  await page.route(/more-presets/, (route) => route.abort());
  await element.evaluate((at) => at.setAttribute('chip', 'b200-sxm'));
  await element.locator('.lazy[data-state="failed"]').waitFor();
  // It does not answer with the chip that it had.
  expect(await element.locator('[data-answer]').count()).toBe(0);
  expect(await page.evaluate(() => (window as unknown as { told: unknown[] }).told)).toEqual([
    { issues: [{ code: 'notLoaded', field: 'presets', arguments: {} }] },
  ]);
  await page.unroute(/more-presets/);
  await element.locator('.retry').click();
  await expect.poll(() => element.locator('[data-field="chip"]').inputValue()).toBe('B200 SXM');
  expect(await resultOf(element)).toEqual(await answersTo('chip=b200-sxm'));
  // The errors are those of the browser about the refused one.
  visit.errors.splice(0);
});

test('all that a plan takes is asked for before any of it has come', async () => {
  const asked: string[] = [];
  let release = (): void => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await openPage(`<scaling-calculator></scaling-calculator>${script}`);
  const { page } = visit;
  const element = calculator(page);
  await answer(element, 'trainingTime');
  await page.route(/\/assets\/.*\.js$/, async (route) => {
    // A hash of eight letters, of which the first may be a dash, too.
    const [, name = ''] = /assets\/([a-z.-]+)-[\w-]{8}\.js$/.exec(route.request().url()) ?? [];
    asked.push(name);
    if (name !== 'start') await held;
    await route.continue();
  });
  await element.evaluate((at) => at.setAttribute('view', 'plan'));
  await expect
    .poll(() => asked)
    .toEqual(expect.arrayContaining(['whole', 'shared', 'en', 'en.plan', 'plan-page', 'planner']));
  release();
  await expect.poll(() => answer(element, 'stepExpected')).toMatch(/\d/);
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
  [
    'gives all objects words of links and of drawings',
    "for (const name of ['sides', 'pin', 'find', 'label']) Object.prototype[name] = function () {}",
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
  // The question of an element that names none: the page begins with another.
  const asked = '#view=training';
  expect(hrefs).toEqual([
    ...Array(5).fill(usual + asked),
    `https://calc.example/x/${asked}`,
    `${origin}sub/index.html${asked}`,
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

/** Opens a page with the script of another origin, which the policy names. */
async function openElsewhere(
  theirs: Record<string, string> = {},
  allowed = '',
  wasm = "'wasm-unsafe-eval'",
): Promise<string> {
  const at = new URL(await host(folder, theirs)).origin;
  const page = readFileSync(path.join(folder, 'elsewhere.html'), 'utf8');
  writeFileSync(path.join(folder, 'made.html'), page.replace('ORIGIN', at));
  await open('made', {
    'content-security-policy': noncePolicy
      .replace("'nonce-n0nce' 'wasm-unsafe-eval'", `${at} ${wasm}`)
      .concat(allowed && `; ${allowed} ${at}`),
  });
  return at;
}

/** What was asked of that origin. */
function askedOf(at: string): string[] {
  const asked = visit.requests.filter((url) => url.startsWith(at));
  visit.requests = visit.requests.filter((url) => !asked.includes(url));
  return asked.map((url) => url.replace(at, ''));
}

test('with the script of another origin, whose modules may be imported', async () => {
  const at = await openElsewhere({ 'access-control-allow-origin': '*' });
  expect(await answer(calculator(visit.page, 0), 'trainingTime')).toBe('67.7 days');
  expect(await answer(calculator(visit.page, 1), 'bound')).toContain('bound');
  const asked = askedOf(at);
  expect(asked.slice(0, 2)).toEqual(['/calculator/embed.js', '/calculator/element.js']);
  expect(asked.filter((url) => /offline/.test(url))).toEqual([]);
});

test('on a host that isolates its pages, with the script of another origin', async () => {
  const both = {
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
  };
  const at = new URL(await host(folder, both)).origin;
  const page = readFileSync(path.join(folder, 'elsewhere.html'), 'utf8');
  writeFileSync(path.join(folder, 'made.html'), page.replace('ORIGIN', at));
  await open('made', { 'cross-origin-embedder-policy': 'require-corp' });
  expect(await answer(calculator(visit.page, 0), 'trainingTime')).toBe('67.7 days');
  expect(await answer(calculator(visit.page, 1), 'bound')).toContain('bound');
  askedOf(at);
});

const operation = 'view=operation&chip=tpu-v5e';
const inFrame = (element: Locator) => element.frameLocator('iframe').locator('scaling-frame');

test('with the script of another origin, which may be framed', async () => {
  const at = await openElsewhere({}, 'frame-src');
  const [first, second] = [calculator(visit.page, 0), calculator(visit.page, 1)];
  expect(await answer(first, 'trainingTime')).toBe('67.7 days');
  expect(await answer(inFrame(second), 'bound')).toContain('bound');
  await expect.poll(() => resultTold(second)).toEqual(await answersTo(operation));
  // Where it can be seen, the frame has the height of what is in it.
  await second.scrollIntoViewIfNeeded();
  const frame = second.locator('iframe');
  await expect.poll(() => frame.evaluate((it) => it.clientHeight)).toBeGreaterThan(400);
  const root = second.frameLocator('iframe').locator('html');
  await expect.poll(() => root.evaluate((it) => it.scrollHeight - it.clientHeight)).toBe(0);
  expect(askedOf(at)).toEqual([
    '/calculator/embed.js',
    '/calculator/element.js',
    expect.stringContaining('/calculator/offline.html?embed&view=operation'),
  ]);
  expect(visit.errors.splice(0).join()).toMatch(/CORS/);
});

test('where neither modules nor frames are allowed, it says what would have to be', async () => {
  const at = await openElsewhere();
  const [first, second] = [calculator(visit.page, 0), calculator(visit.page, 1)];
  expect(await answer(first, 'trainingTime')).toBe('67.7 days');
  expect(await second.locator('[part="message"]').innerText()).toContain(
    `(script-src) or frames (frame-src) of ${at}/calculator/.`,
  );
  await second.evaluate((it) => it.setAttribute('lang', 'zh'));
  await expect
    .poll(() => second.locator('[part="message"]').innerText())
    .toContain(`${at}/calculator/ 的脚本（script-src）或框架（frame-src）`);
  expect(await second.locator('> b').isVisible()).toBe(true);
  askedOf(at);
  expect(visit.errors.splice(0).join()).toMatch(/Framing/);
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

test('where WebAssembly is forbidden, but frames are not, a frame answers', async () => {
  const at = await openElsewhere({}, 'frame-src', '');
  const element = calculator(visit.page);
  expect(await answer(inFrame(element), 'trainingTime')).toBe('67.7 days');
  expect(await resultTold(element)).toEqual(await answersTo(link));
  expect(await element.locator('.failed').count()).toBe(0);
  askedOf(at);
  expect(visit.errors.splice(0).join()).toMatch(/WebAssembly|Content Security Policy/);
});

test('without scripts, the numbers of the post stand there', async () => {
  const page = await open('post', {}, { javaScriptEnabled: false });
  expect(await page.locator('td').innerText()).toBe('67.7 days');
  expect(await page.locator('scaling-calculator a').isVisible()).toBe(true);
});

/** Opens a post from a disk. */
async function openFile(name: string): Promise<Page> {
  visit = await newVisit(browser);
  origin = 'file://';
  await visit.page.goto(pathToFileURL(path.join(folder, `${name}.html`)).href);
  return visit.page;
}

test('from disk', async () => {
  const element = calculator(await openFile('post'));
  expect(await answer(element, 'trainingTime')).toBe('67.7 days');
});

test('from disk, what embed.js lacks is shown in frames', async () => {
  const tags = [
    'view="operation" chip="tpu-v5e" theme="dark"',
    'chip="b200-sxm"',
    'view="operation" chip="tpu-v5e" answer="bound"',
    '',
  ];
  const all = tags.map((tag) => `<p><scaling-calculator ${tag}>none</scaling-calculator></p>`);
  writeFileSync(
    path.join(folder, 'disk.html'),
    `<!doctype html><meta charset="utf-8"><script src="watch.js"></script>${all.join('')}${script}`,
  );
  const page = await openFile('disk');
  const [operations, presets, word, trained] = [0, 1, 2, 3].map((at) => calculator(page, at));
  expect(await answer(inFrame(operations!), 'bound')).toContain('bound');
  // Measured kernels complete it.
  await expect.poll(() => resultTold(operations!)).toEqual(await answersTo(operation));
  const scheme = inFrame(operations!).evaluate((at) => getComputedStyle(at).colorScheme);
  expect(await scheme).toBe('dark');
  await operations!.evaluate((at) => at.setAttribute('theme', 'light'));
  await expect
    .poll(() => inFrame(operations!).evaluate((at) => getComputedStyle(at).colorScheme))
    .toBe('light');
  // Attributes go on to mean something.
  await operations!.evaluate((at) => at.setAttribute('state', 'op.batch=16'));
  await expect
    .poll(() => resultTold(operations!))
    .toEqual(await answersTo(`${operation}&op.batch=16`));

  expect(await answer(inFrame(presets!), 'trainingTime')).toMatch(/days|years/);
  expect(await resultTold(presets!)).toEqual(await answersTo('chip=b200-sxm'));

  await expect.poll(() => word!.locator('.one').innerText()).toMatch(/-bound$/);
  expect(await word!.evaluate((at) => at.clientHeight)).toBeLessThan(40);

  // A reader who asks why gets there, too.
  await answer(trained!, 'trainingTime');
  await trained!.locator('[data-field="run.chips"]').fill('64');
  const before = await resultTold(trained!);
  await trained!.locator('[data-answer="trainingTime"] .why').click();
  await inFrame(trained!).locator('[data-answer="trainingTime"] .why').click();
  await inFrame(trained!).locator('.ladder li').nth(1).waitFor();
  expect(await trained!.locator('[data-answer]').count()).toBe(0);
  expect(await resultTold(trained!)).toEqual(before);
});

test('in a sandboxed frame, which has no origin', async () => {
  const page = await open('sandbox');
  const post = page.frameLocator('#post');
  const element = post.locator('scaling-calculator');
  expect(await answer(element, 'trainingTime')).toBe('67.7 days');
  await element.evaluate((at) => at.setAttribute('view', 'operation'));
  expect(await answer(inFrame(element), 'bound')).toContain('bound');
  expect(visit.errors.splice(0).join()).toMatch(/CORS/);
});

test('in a sandboxed frame, where the calculator’s host lets any origin read it', async () => {
  const page = await open('sandbox', { 'access-control-allow-origin': '*' });
  const element = page.frameLocator('#post').locator('scaling-calculator');
  await element.evaluate((at) => at.setAttribute('view', 'operation'));
  expect(await answer(element, 'bound')).toContain('bound');
  expect(visit.requests.filter((url) => /offline\.html\?embed&/.test(url))).toEqual([]);
});
