import type { FrameLocator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type Browser, leave, newVisit, openBrowser, type Visit } from '../site.ts';
import { answer, expectPolite } from './element.ts';
import { host, pages } from './places.ts';

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

async function open(name: string, headers: Record<string, string> = {}): Promise<Page> {
  origin = await host(folder, headers);
  visit = await newVisit(browser);
  await visit.page.goto(`${origin}${name}.html`);
  return visit.page;
}

const inside = (page: Page): FrameLocator => page.frameLocator('#calculator');
const timeIn = (page: Page): Promise<string> =>
  answer(inside(page).locator('scaling-frame'), 'trainingTime');
const heightOf = (page: Page, id: string): Promise<number> =>
  page.locator(`#${id}`).evaluate((frame) => frame.clientHeight);
/** The extent by which the frame's content goes beyond it. */
const hidden = (page: Page): Promise<number> =>
  inside(page)
    .locator('html')
    .evaluate((root) => root.scrollHeight - root.clientHeight);

/** Values that are no height. */
const noHeights = [NaN, Infinity, -500, 0, 99, 5001, 1e9, '700', '700px; position: fixed', [700]];
const noMessages = [
  ...[null, undefined, 0, '', 'height', [], {}, { height: 700 }],
  ...[{ scalingCalculator: null }, { scalingCalculator: 700 }, { scalingCalculator: [] }],
  ...noHeights.map((height) => ({ scalingCalculator: { v: 1, height } })),
];

test('takes the height that it needs, and no more', async () => {
  const page = await open('frame');
  expect(await timeIn(page)).toMatch(/days|years/);
  await expect.poll(() => heightOf(page, 'calculator')).toBeGreaterThan(400);
  await expect.poll(() => hidden(page)).toBe(0);
  const before = await heightOf(page, 'calculator');
  const why = inside(page).locator('[data-answer="trainingTime"] .why');
  await why.click();
  await expect.poll(() => heightOf(page, 'calculator')).toBeGreaterThan(before);
  await expect.poll(() => hidden(page)).toBe(0);
  await why.click();
  await expect.poll(() => heightOf(page, 'calculator')).toBe(before);
});

test('its host gives no frame a height that another asks for, or that is none', async () => {
  const page = await open('frame');
  await timeIn(page);
  await expect.poll(() => hidden(page)).toBe(0);
  const before = await heightOf(page, 'calculator');
  await page.evaluate((messages) => {
    for (const message of messages) window.postMessage(message, '*');
    window.postMessage({ scalingCalculator: { v: 1, height: 4000 } }, '*');
    window.frames[1]!.postMessage({ toParent: messages }, '*');
  }, noMessages);
  await page.waitForTimeout(300);
  expect([await heightOf(page, 'calculator'), await heightOf(page, 'other')]).toEqual([
    before,
    200,
  ]);
  // A frame that is no calculator's asked for a height here, and got it.
  await page.evaluate(() => {
    const message = { scalingCalculator: { v: 1, height: 300 } };
    window.frames[1]!.postMessage({ toParent: [message] }, '*');
  });
  await page.waitForTimeout(300);
  expect(await heightOf(page, 'other')).toBe(200);
  expect(await heightOf(page, 'calculator')).toBe(before);
});

test('the calculator’s own script knows its frames by where it comes from', async () => {
  const page = await open('frame');
  await timeIn(page);
  await expect.poll(() => hidden(page)).toBe(0);
  const before = await heightOf(page, 'calculator');
  // Another site's frames may be called the same.
  const resized = await page.evaluate(async (folder) => {
    const script = document.createElement('script');
    script.src = `${folder}calculator/hosts/frame.js`;
    document.head.append(script);
    await new Promise((resolve) => script.addEventListener('load', resolve));
    const other = document.querySelector<HTMLIFrameElement>('#other')!;
    const tell = async (src: string): Promise<string> => {
      other.style.height = '';
      other.src = src;
      await new Promise((resolve) => other.addEventListener('load', resolve, { once: true }));
      const message = { scalingCalculator: { v: 1, height: 300 } };
      const told = new Promise((resolve) => addEventListener('message', resolve, { once: true }));
      other.contentWindow!.postMessage({ toParent: [message] }, '*');
      await told;
      return other.style.height;
    };
    // The page's own copy of the script lies elsewhere: it has only the parameter to go by.
    return [
      await tell('liar.html'),
      await tell('liar.html?embedded'),
      await tell('liar.html?x=embed'),
    ];
  }, origin);
  expect(resized).toEqual(['', '', '']);
  expect(await heightOf(page, 'calculator')).toBe(before);
});

test('takes a state from its host, as a link or as its keys', async () => {
  const page = await open('frame');
  expect(await timeIn(page)).toMatch(/days|years/);
  const set = (state: unknown) =>
    page.evaluate((message) => window.frames[0]!.postMessage({ scalingCalculator: message }, '*'), {
      v: 1,
      set: state,
    });
  await set('chip=h100-sxm&model=llama-3.1-405b&chips=16384&tokens=15.6T');
  await expect.poll(() => timeIn(page)).toBe('67.7 days');
  await set({ chip: 'h100-sxm', model: 'llama-3.1-405b', chips: 8192, tokens: '15.6T' });
  await expect.poll(() => timeIn(page)).toBe('135 days');
});

test('takes a state of a view whose fields are not described yet', async () => {
  const page = await open('frame');
  await timeIn(page);
  await page.evaluate((set) => {
    window.frames[0]!.postMessage({ scalingCalculator: { v: 1, set } }, '*');
  }, 'view=serving&chip=h100-sxm&model=llama-3-70b&serve.chips=4&server.weights=fp8');
  await expect
    .poll(() => inside(page).locator('[data-field="serving.chips"]').first().inputValue())
    .toBe('4');
});

test('shows the last of many states, and draws once a frame', async () => {
  const page = await open('frame');
  await timeIn(page);
  const inner = page.frames().find((each) => each.url().includes('embed'))!;
  await inner.evaluate(() => {
    const frame = document.querySelector('scaling-frame')!;
    const counts = { shown: 0, frames: 0 };
    Object.assign(window, { counts });
    frame.addEventListener('calc-change', () => (counts.shown += 1));
    const count = (): void => {
      counts.frames += 1;
      requestAnimationFrame(count);
    };
    requestAnimationFrame(count);
  });
  await page.evaluate(() => {
    for (let chips = 1; chips <= 2000; chips += 1) {
      const message = { scalingCalculator: { v: 1, set: { chips } } };
      window.frames[0]!.postMessage(message, '*');
    }
  });
  await expect
    .poll(() => inside(page).locator('[data-field="run.chips"]').inputValue())
    .toBe('2,000');
  const { shown, frames } = await inner.evaluate(
    () => (window as unknown as { counts: { shown: number; frames: number } }).counts,
  );
  expect(shown).toBeGreaterThan(0);
  expect(shown).toBeLessThanOrEqual(frames + 1);
});

test('takes nothing from others, and nothing but states from its host', async () => {
  const page = await open('frame');
  await timeIn(page);
  const state = 'chip=h100-sxm&model=llama-3.1-405b&chips=16384&tokens=15.6T';
  const asState = (set: unknown, v: unknown = 1) => ({ scalingCalculator: { v, set } });
  await page.evaluate((message) => window.frames[0]!.postMessage(message, '*'), asState(state));
  await expect.poll(() => timeIn(page)).toBe('67.7 days');

  const other = asState(state.replace('16384', '8192'));
  await page.evaluate((message) => {
    window.frames[1]!.postMessage({ toSibling: [message] }, '*');
  }, other);
  await page.evaluate(
    (messages) => {
      for (const message of messages) window.frames[0]!.postMessage(message, '*');
    },
    [
      ...noMessages,
      ...[asState(1), asState(null), asState(true), asState(NaN)],
      ...[asState('chips=64', 2), asState('chips=64', '1'), asState('x'.repeat(1e6))],
    ],
  );
  await page.waitForTimeout(300);
  expect(await timeIn(page)).toBe('67.7 days');
});

test('reads what is wrong in a state as it reads a link', async () => {
  const page = await open('frame');
  await timeIn(page);
  const send = (set: unknown) =>
    page.evaluate((message) => window.frames[0]!.postMessage(message, '*'), {
      scalingCalculator: { v: 1, set },
    });
  const attack = '<img src=x onerror="parent.harmed = 1">';
  await send({ 'chip.name': attack, 'model.name': attack, chips: '64', __proto__: { chips: 1 } });
  await send({ chips: attack, tokens: 'NaN', batch: '1e999', view: 'javascript:alert(1)' });
  await send({ chips: { toString: 1, valueOf: 1 }, tokens: [[]], constructor: 'x' });
  await send(`chips=64&pin=${encodeURIComponent(`model.name=${attack}`)}&${'a=1&'.repeat(500)}`);
  // Of messages in one frame the last is read.
  await send('chips=4096&nobody=1');
  await expect.poll(() => timeIn(page)).toMatch(/days|years/);
  await expect
    .poll(() => inside(page).locator('[data-field="run.chips"]').inputValue())
    .toBe('4,096');
  expect(await page.evaluate(() => 'harmed' in window)).toBe(false);
  expect(await inside(page).locator('img').count()).toBe(0);
  expect(page.frames().length).toBe(3);
  // The console names unknown keys.
  const told = visit.errors.splice(0);
  expect(told.filter((text) => !/^unknown in this address: /.test(text))).toEqual([]);
  expect(told.length).toBeGreaterThan(0);
});

test('without its host’s script it scrolls, and not sideways', async () => {
  const page = await open('plain-frame');
  await timeIn(page);
  expect(await heightOf(page, 'calculator')).toBe(420);
  const root = inside(page).locator('html');
  expect(await root.evaluate((at) => at.scrollWidth - at.clientWidth)).toBe(0);
  await root.evaluate((at) => at.scrollTo(0, 300));
  expect(await root.evaluate((at) => at.scrollTop)).toBe(300);
});

test('on a host that isolates its pages', async () => {
  const page = await open('frame', {
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-embedder-policy': 'require-corp',
  });
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
  expect(await timeIn(page)).toMatch(/days|years/);
});

test('sandboxed, as one file', async () => {
  const page = await open('sandbox');
  expect(await timeIn(page)).toMatch(/days|years/);
});

test('sandboxed, where the calculator’s host lets any origin read it', async () => {
  const page = await open('sandboxed-page', { 'access-control-allow-origin': '*' });
  expect(await timeIn(page)).toMatch(/days|years/);
  await inside(page).locator('[data-field="run.chips"]').fill('64');
  await inside(page).locator('[data-answer="trainingTime"] .why').click();
  await inside(page).locator('.ladder li').nth(1).waitFor();
});
