import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { answer, field, link, type } from '../page/calculator.ts';
import {
  type Browser,
  dist,
  leave,
  newContext,
  newVisit,
  openBrowser,
  serve,
  visit,
  type Visit,
} from '../site.ts';

/** A script that gives all objects these names. */
const putOnAll = (names: readonly string[], value: string): string =>
  `const value = ${value}; for (const name of ${JSON.stringify(names)}) Object.prototype[name] = value`;

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

/** The calculator works here, to the last click, and asks nobody else for anything. */
async function works(opened: Visit, origin: string) {
  const { page, errors, requests } = opened;
  expect(await answer(page, 'wallTime')).toMatch(/days$/);
  await page.locator('[data-counting="book"]').click();
  expect(await answer(page, 'trainingTime')).toBe('44.3 days');
  await type(page, 'run.mfu', '80%');
  expect(await answer(page, 'trainingTime')).toBe('22.2 days');
  await page.locator('[data-answer="trainingTime"] .why').click();
  await page.locator('.ladder li').nth(1).waitFor();
  await field(page, 'chip').click();
  await page.keyboard.type('h100');
  await page.keyboard.press('Enter');
  expect(await link(page)).toContain('#chip=');
  await page.locator('[data-language="zh"]').click();
  await expect.poll(() => answer(page, 'trainingTime')).toContain('天');
  await page.reload();
  await page.locator('[data-answer]').first().waitFor();
  expect(await answer(page, 'trainingTime')).toContain('天');
  expect(errors).toEqual([]);
  expect(requests.filter((url) => !url.startsWith(origin))).toEqual([]);
  await leave(browser, opened);
}

test('at the root of a static host', async () => {
  const site = await serve();
  await works(await visit(browser, site.address), site.address);
  await site.close();
});

test('in a folder of a static host', async () => {
  const site = await serve('/some/folder/');
  await works(await visit(browser, site.address), site.address);
  await works(await visit(browser, `${site.address}index.html?utm=x`), site.address);
  await site.close();
});

test('where the host’s own policy is strict, with Trusted Types', async () => {
  const site = await serve('/', {
    'content-security-policy': [
      "default-src 'none'",
      "script-src 'self' 'wasm-unsafe-eval'",
      "style-src 'self'",
      "img-src 'self' data:",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      'trusted-types lit-html scaling-calculator',
    ].join('; '),
    'x-content-type-options': 'nosniff',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-embedder-policy': 'require-corp',
    'referrer-policy': 'no-referrer',
  });
  await works(await visit(browser, site.address), site.address);
  await site.close();
});

/** Every name in the scripts of the page. */
const names = (): string[] => {
  const scripts = readdirSync(path.join(dist, 'assets')).filter((file) => file.endsWith('.js'));
  const text = scripts.map((file) => readFileSync(path.join(dist, 'assets', file), 'utf8')).join();
  return [...new Set(text.match(/[A-Za-z_$][\w$]*/g))].filter((name) => !(name in {}));
};

test.each([
  ['has given all objects every name that is used', () => putOnAll(names(), '() => 7')],
  ['has given all objects numbers', () => putOnAll(names(), '7')],
  ['has taken Trusted Types away', () => 'delete globalThis.trustedTypes'],
  [
    'lets no policy be made',
    () => "trustedTypes.createPolicy = () => { throw new TypeError('no') }",
  ],
  ['has taken the name of the policy', () => "trustedTypes.createPolicy('lit-html', {})"],
])('where another script %s', async (_, change) => {
  const site = await serve();
  const { page, errors } = await newVisit(browser);
  await page.addInitScript(`if (self === top) { ${change()} }`);
  await page.goto(`${site.address}#view=serving`);
  await page.locator('[data-answer="firstToken"] .why').click();
  await page.locator('.ladder li').nth(1).waitFor();
  await page.locator('[data-view="plan"]').click();
  expect(await answer(page, 'wallTime')).toMatch(/days$/);
  // The browser tells of the name that is taken.
  expect(errors.filter((error) => !error.includes('with that name already exists'))).toEqual([]);
  await page.context().close();
  await site.close();
});

test.each([
  ['all objects keep a name', "Object.defineProperty(Object.prototype, 'nodeType', { value: 7 })"],
  ['no template is trusted', 'delete globalThis.trustedTypes'],
])('where %s, one sentence says that it could not be loaded', async (_, change) => {
  const site = await serve();
  const { page } = await newVisit(browser);
  await page.addInitScript(change); // in frames, too
  await page.goto(site.address);
  const shell = page.locator('.shell [role="status"]');
  await expect.poll(() => shell.innerText()).toBe('The calculator could not be loaded. Try again');
  await page.context().close();
  await site.close();
});

test('where WebAssembly is forbidden it says so', async () => {
  const site = await serve('/', { 'content-security-policy': "script-src 'self'" });
  const context = await newContext(browser, { locale: 'en-US' });
  const page = await context.newPage();
  await page.goto(site.address);
  // The texts may come after the failure.
  await expect.poll(() => page.locator('.failed').innerText()).toContain('needs WebAssembly');
  await context.close();
  await site.close();
});

test('a preview of its links finds its title and its picture', async () => {
  const site = await serve('/some/folder/');
  const { page, errors } = await newVisit(browser);
  await page.goto(site.address);
  const said = (name: string) =>
    page
      .locator(`meta[property="${name}"], meta[name="${name}"]`)
      .getAttribute('content', { timeout: 1000 });
  expect(await said('og:title')).toBe('Scaling Calculator');
  expect(await said('og:description')).toBe(await said('description'));
  expect(await said('og:type')).toBe('website');
  expect(await said('twitter:card')).toBe('summary_large_image');
  const { href } = new URL((await said('og:image'))!, site.address);
  expect(href.startsWith(site.address)).toBe(true);
  const reply = await page.request.get(href);
  expect(reply.headers()['content-type']).toBe('image/png');
  const picture = await reply.body();
  // Its header has width and height.
  expect([picture.readUInt32BE(16), picture.readUInt32BE(20)]).toEqual([1200, 630]);
  expect(picture.length).toBeLessThan(150_000);
  expect(errors).toEqual([]);
  await page.context().close();
  await site.close();
});

test('as one file, from disk', async () => {
  const file = path.join(dist, 'offline.html');
  expect(existsSync(file)).toBe(true);
  const { href } = pathToFileURL(file);
  await works(await visit(browser, href), 'file://');
});

test('without JavaScript it says what it needs', async () => {
  const site = await serve();
  const context = await newContext(browser, { javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(site.address);
  expect(await page.locator('noscript').innerText()).toContain('needs JavaScript');
  await context.close();
  await site.close();
});
