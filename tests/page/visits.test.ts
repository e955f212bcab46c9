// Visits in one window, one after the other, know nothing of each other.

import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { clickAll, field, type } from './calculator.ts';
import { surroundingsOf } from './renewal.ts';
import { drawn, open as unfold } from './staying.ts';
import { visits } from './visits.ts';

const open = visits();

/** All that there is of a page, or of what stands out of it, once it is at rest. */
const wholeOf = (page: Page, part = 'html'): Promise<string[]> =>
  page.evaluate(async (part) => {
    const look = (): string[] => {
      const lines: string[] = [];
      const visit = (node: Element | ShadowRoot): void => {
        for (const child of node.childNodes) {
          if (child instanceof Text && child.data.trim()) lines.push(child.data.trim());
          if (!(child instanceof Element) || child.matches('head > link')) continue;
          const { value, checked, scrollTop } = child as HTMLInputElement;
          const state = [value, checked, scrollTop, child.matches(':focus')].join();
          const attributes = [...child.attributes].map(({ name, value }) => `${name}=${value}`);
          lines.push([child.localName, ...attributes.sort(), state].join(' '));
          if (child.shadowRoot) visit(child.shadowRoot);
          visit(child);
        }
      };
      visit(part === 'html' ? document.documentElement : everything(part)[0]!);
      const kept = [localStorage, sessionStorage].map((storage) => JSON.stringify(storage));
      const { lang, dataset } = document.documentElement;
      return [...lines, ...kept, lang, JSON.stringify(dataset), location.href];
    };
    let whole = look();
    for (let frames = 0; frames < 5; frames += 1) {
      await new Promise(requestAnimationFrame);
      const before = whole.join('\n');
      whole = look();
      if (whole.join('\n') !== before) frames = 0;
    }
    return whole;
  }, part);

/** Opens all that loads on first use, and does something with each dialog. */
async function openParts(page: Page, each: () => Promise<unknown>): Promise<void> {
  await drawn(page);
  await unfold(page, '.assumptions details');
  for (const opener of await page.locator('button[data-own], [data-share]').all()) {
    await opener.click();
    await page.locator('dialog[open] button').first().waitFor();
    await each();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.locator('dialog').count()).toBe(0);
  }
  await page.locator('[data-part="panel all-chip"] > summary').click();
  await page.locator('scaling-overview [data-progress="done"]').waitFor();
  await page.locator('[data-part="panel examples"] > summary').click();
  await page.locator('.chapter > summary').first().click();
  await page.locator('.ask').first().waitFor();
}

/** Changes all that a reader can. */
async function mess(page: Page): Promise<void> {
  await openParts(page, async () => {
    const typed = page.locator('dialog textarea:not([readonly]), dialog input[name="address"]');
    for (const at of await typed.all()) await at.fill('calc.example');
  });
  await page.locator('[data-part="columns chip"] > summary').click();
  await page.locator('.columns input').first().waitFor();
  await clickAll(page, '.columns input, scaling-overview [data-sort], .found .why');
  await page.locator('.keep').click();
  await type(page, 'operation.batch', 'many');
  await page.locator('.ask').first().click();
  await page.locator('.guess input').first().fill('7');
  await field(page, 'chip').fill('H100');
  await page.locator('button[data-theme]').click();
  await page.locator('[data-language="zh"]').click();
  await page.locator('scaling-page:lang(zh)').waitFor();
  await page.evaluate(() => {
    localStorage.setItem('scaling-calculator.own', 'garbage');
    sessionStorage.setItem('own', 'garbage');
    scrollTo(0, 500);
  });
  await page.locator('.summary').first().hover();
}

const loadedAt = (page: Page): Promise<number> => page.evaluate(() => performance.timeOrigin);

describe('a page that is made again is as one that is loaded', () => {
  async function expectSame(hash: string, look: (page: Page) => Promise<unknown>): Promise<void> {
    const page = await open('view=operation');
    await mess(page);
    const loaded = await loadedAt(page);
    expect(await open(hash)).toBe(page);
    expect(await loadedAt(page)).toBe(loaded);
    const again = await look(page);
    expect(await open.anew(hash)).toBe(page);
    expect(await loadedAt(page)).not.toBe(loaded);
    expect(again).toEqual(await look(page));
  }

  test('as it opens', () =>
    expectSame('view=training', async (page) => {
      await page.locator('scaling-term').first().waitFor();
      return wholeOf(page);
    }));

  test('with all that it may remember', () =>
    expectSame('view=plan&chips=64', async (page) => {
      await page.locator('.line', { hasText: 'Next: ' }).waitFor();
      await page.locator('scaling-term').first().waitFor(); // loaded once there is time
      const seen = [await wholeOf(page)];
      await openParts(page, async () => seen.push(await wholeOf(page, 'dialog')));
      return [...seen, await wholeOf(page)];
    }));
});

describe('a window is not gone on with', () => {
  test('where what surrounds the page is not what it was', async () => {
    const page = await open();
    const changes = [
      () => document.body.append('left behind'),
      () => document.body.classList.add('left'),
      () => document.adoptedStyleSheets.push(new CSSStyleSheet()),
      () => Object.assign(window, { left: true }),
      () => void (Storage.prototype.setItem = () => undefined),
      () => void Object.defineProperty(navigator, 'clipboard', { value: undefined }),
      () => (document.cookie = 'left=1'),
      () => caches.open('left').then(() => undefined),
      // Databases are listed once they are made, which opening only begins.
      () =>
        new Promise<void>((done) => {
          indexedDB.open('left').onsuccess = ({ target }) => {
            (target as IDBOpenDBRequest).result.close();
            done();
          };
        }),
    ];
    for (const change of changes) {
      const before = await surroundingsOf(page);
      await page.evaluate(change as () => unknown);
      expect(await surroundingsOf(page), String(change)).not.toEqual(before);
    }
    const loaded = await loadedAt(page);
    expect(await loadedAt(await open())).not.toBe(loaded);
  });

  const changes: [string, (page: Page) => Promise<unknown>][] = [
    ['requests are answered otherwise', (page) => page.route('**/*', (route) => route.abort())],
    ['there is a second page', (page) => page.context().newPage()],
    ['someone listens', async (page) => page.on('request', () => undefined)],
    ['a button is held down', (page) => page.mouse.down()],
  ];
  test.each(changes)('where %s', async (_, change) => {
    const page = await open();
    await change(page);
    expect(await open()).not.toBe(page);
    expect(page.isClosed()).toBe(true);
  });

  let failed: Page;
  test.fails('where a test fails', async () => {
    failed = await open();
    expect(failed).toBe(undefined);
  });
  test('by the one after', async () => {
    expect(failed.isClosed()).toBe(true);
    expect(await open()).not.toBe(failed);
  });
});

test('size and media are taken back', async () => {
  const page = await open();
  const look = (): Promise<unknown[]> =>
    page.evaluate(() => {
      const { backgroundColor } = getComputedStyle(document.documentElement);
      return [innerWidth, innerHeight, backgroundColor, matchMedia('print').matches];
    });
  const before = await look();
  const loaded = await loadedAt(page);
  await page.setViewportSize({ width: 320, height: 480 });
  await page.emulateMedia({ colorScheme: 'dark', media: 'print' });
  expect(await look()).not.toEqual(before);
  expect(await open()).toBe(page);
  expect(await look()).toEqual(before);
  expect(await loadedAt(page)).toBe(loaded);
});
