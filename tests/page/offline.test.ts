// The page works without a network after one visit, until a newer version is asked for.

import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { serve } from '../../web/tools/serve.mjs';
import { type Browser, dist, newContext, openBrowser } from '../site.ts';
import { answer, showChart, skipLayout, type, unfold } from './calculator.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'offline-'));
let browser: Browser;
let site: { url: string; close: () => Promise<unknown> };
let context: BrowserContext;
/** The context of a group of tests that share one, as each of its own would keep the page anew. */
let shared: BrowserContext | undefined;
let errors: string[];

beforeAll(async () => {
  cpSync(dist, folder, { recursive: true });
  browser = await openBrowser();
  // Below a path, as most have it, and with another site's things on the same origin.
  site = await serve(folder, { base: '/sub/path/' });
});
afterAll(async () => {
  await browser.close();
  await site.close();
  rmSync(folder, { recursive: true });
});
async function openContext(): Promise<BrowserContext> {
  const context = await newContext(browser, { locale: 'en-US' });
  await context.clock.install();
  return context;
}
beforeEach(async () => {
  context = shared ?? (await openContext());
  errors = [];
});
afterEach(async () => {
  if (context !== shared) return context.close();
  await Promise.all(context.pages().map((page) => page.close()));
  await context.setOffline(false);
});

async function open(hash = 'view=training', { query = '' } = {}): Promise<Page> {
  const page = await context.newPage();
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) errors.push(message.text());
  });
  page.on('pageerror', (error) => errors.push(String(error)));
  await page.goto(`${site.url}${query}#${hash}`);
  await page.locator('.verdict button').first().waitFor();
  // The page does not know what was open where nothing can be read.
  if ((await page.locator('[data-answer]').count()) === 0) await unfold(page, 'why');
  return page;
}

/** Pretends that the page has been open for a while: only then is it kept. */
const later = (page: Page): Promise<void> => page.clock.fastForward(3000);

/** The same, where nothing is to come of it. */
async function muchLater(page: Page): Promise<void> {
  await later(page);
  await page.waitForTimeout(500);
}

/** The worker has everything, and the page is in its care. */
async function kept(page: Page): Promise<void> {
  await later(page);
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
    const { serviceWorker } = navigator;
    if (serviceWorker.controller) return;
    await new Promise((resolve) => serviceWorker.addEventListener('controllerchange', resolve));
  });
}

const caches = (page: Page): Promise<string[]> => page.evaluate(() => globalThis.caches.keys());

describe('without a network', () => {
  beforeAll(async () => {
    shared = await openContext();
  });
  afterAll(async () => {
    await shared?.close();
    shared = undefined;
  });

  test('every view works, whichever was visited', async () => {
    const page = await open();
    await kept(page);
    await context.setOffline(true);
    await page.reload();
    await expect.poll(() => answer(page, 'trainingTime')).toBe('44.3 days');
    await type(page, 'run.chips', '4000');
    await expect.poll(() => answer(page, 'trainingTime')).toBe('99.3 days');
    await page.locator('[data-view="operation"]').click();
    await expect.poll(() => answer(page, 'lowerBound')).toMatch(/\d/);
    await showChart(page, 'heatMap');
    await page.locator('[data-view="collective"]').click();
    await expect.poll(() => answer(page, 'collectiveTime')).toMatch(/\d/);
    await page.locator('[data-view="plan"]').click();
    await page.locator('[data-counting="predicted"]').click();
    await expect.poll(() => answer(page, 'stepExpected')).toMatch(/\d/);
    await page.locator('[data-language="zh"]').click();
    await page.locator('scaling-page:lang(zh)').waitFor();
    await page.locator('[data-counting="book"]').click();
    await page.locator('.why').first().click();
    await page.locator('.derivation .step').first().waitFor();
    expect(errors).toEqual([]);
  });

  test('so does a link that was never opened, and one through index.html', async () => {
    await kept(await open());
    await context.setOffline(true);
    for (const query of ['?from=somewhere', 'index.html']) {
      const page = await open('view=plan&chips=512', { query });
      expect(await answer(page, 'stepExpected')).toMatch(/\d/);
    }
  });

  test('frames in other pages have nothing kept for them', async () => {
    const page = await open();
    await kept(page);
    await context.setOffline(true);
    await expect(page.goto(`${site.url}?embed`)).rejects.toThrow(/ERR_INTERNET_DISCONNECTED/);
  });

  test('a page in a frame keeps nothing', async () => {
    // Not the page: it could register its worker again after that is taken away.
    const host = await context.newPage();
    await host.goto(`${site.url}hosts/frame.js`);
    await host.evaluate(async () => {
      for (const registration of await navigator.serviceWorker.getRegistrations())
        await registration.unregister();
    });
    await host.evaluate((address) => {
      const frame = document.createElement('iframe');
      frame.src = address;
      document.body.append(frame);
    }, site.url);
    await host.frameLocator('iframe').locator('[data-answer]').first().waitFor();
    await muchLater(host);
    const workers = () => navigator.serviceWorker.getRegistrations().then(({ length }) => length);
    expect(await host.evaluate(workers)).toBe(0);
  });
});

describe('a newer version', () => {
  const edit = (file: string, change: (text: string) => string): void => {
    const at = path.join(folder, file);
    writeFileSync(at, change(readFileSync(at, 'utf8')));
  };
  const publish = (name: string): void => {
    edit('index.html', (text) =>
      text.replace(
        /(<meta name="shown"[^>]*>)?<\/head>/,
        `<meta name="shown" content="${name}"></head>`,
      ),
    );
    const page = readFileSync(path.join(folder, 'index.html'));
    const digest = createHash('sha256').update(page).digest('base64');
    edit('worker.js', (text) =>
      text
        .replace(/version = '\w+'/, `version = '${name}'`)
        .replace(/(\["\.\/",\["text\/html"\],"sha256-)[^"]+/, `$1${digest}`),
    );
  };
  const shown = (page: Page) => page.locator('meta[name="shown"]').getAttribute('content');

  test('is announced, comes when asked for, and leaves nothing of the old one', async () => {
    publish('one');
    const page = await open('chips=4000');
    await kept(page);
    // Caches of others on the same origin.
    await page.evaluate(() => globalThis.caches.open('not ours'));
    expect((await caches(page)).filter((name) => / one$/.test(name))).toHaveLength(1);
    expect(await page.locator('.renewal').count()).toBe(0);

    publish('two');
    await page.reload();
    await page.locator('[data-answer]').first().waitFor();
    await later(page);
    await page.locator('.renewal').waitFor();
    expect(await shown(page)).toBe('one');
    expect(await answer(page, 'trainingTime')).toBe('99.3 days');
    // A second window is told as well, and is not reloaded under the reader's hands.
    const other = await open();
    await later(other);
    await other.locator('.renewal').waitFor();
    await type(other, 'run.chips', 'many');

    await page.locator('.renewal button').click();
    await expect.poll(() => shown(page).catch(() => null)).toBe('two');
    await expect.poll(() => answer(page, 'trainingTime')).toBe('99.3 days');
    expect(await page.locator('.renewal').count()).toBe(0);
    await expect
      .poll(async () => (await caches(page)).sort())
      .toEqual(['not ours', expect.stringMatching(/^scaling-calculator .* two$/)]);
    expect(await shown(other)).toBe('one');
    expect(await other.locator('[data-field="run.chips"]').inputValue()).toBe('many');
    await other.locator('.renewal button').click();
    await expect.poll(() => shown(other).catch(() => null)).toBe('two');
    expect(errors).toEqual([]);
  });

  test('that is broken changes nothing', async () => {
    publish('three');
    const page = await open();
    await kept(page);
    edit('worker.js', (text) =>
      text.replace('[["./"', '[["missing.js",[],""],["./"').replace("'three'", "'four'"),
    );
    await page.reload();
    await page.locator('[data-answer]').first().waitFor();
    await muchLater(page);
    expect(await page.locator('.renewal').count()).toBe(0);
    await context.setOffline(true);
    await page.reload();
    await expect.poll(() => answer(page, 'trainingTime')).toBe('44.3 days');
    edit('worker.js', (text) => text.replace('["missing.js",[],""],', ''));
  });
});

/** A host of the folder that answers in its own way, if it does; and what it was asked for. */
async function hostOf(
  own: (file: string) => { status: number; headers: Record<string, string> } | string | undefined,
): Promise<{ url: string; asked: Set<string>; server: Server }> {
  const asked = new Set<string>();
  const types: Record<string, string> = {
    '.html': 'text/html',
    '.js': 'text/javascript',
    '.css': 'text/css',
  };
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url!, 'http://localhost');
    const file = pathname.replace(/^\/calc\//, '');
    asked.add(file);
    const answered = own(file);
    if (typeof answered === 'object') {
      response.writeHead(answered.status, answered.headers).end();
      return;
    }
    const name = answered ?? (file || 'index.html');
    try {
      const content = readFileSync(path.join(folder, name));
      response.writeHead(200, { 'Content-Type': types[path.extname(name)] ?? '' }).end(content);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://localhost:${port}/calc/`, asked, server };
}

/** The worker was fetched, and either keeps the page or was given up. */
async function settled(page: Page, asked: Set<string>): Promise<void> {
  await page.locator('[data-answer]').first().waitFor();
  await later(page);
  await expect.poll(() => asked.has('worker.js')).toBe(true);
  const state = (): Promise<boolean> =>
    page.evaluate(async () => {
      const registration = await navigator.serviceWorker.getRegistration();
      return registration === undefined || registration.active !== null;
    });
  await expect.poll(state).toBe(true);
}

// Any answer of a host was once kept: a redirected page, which browsers refuse when it comes from a
// worker, and the host's own page in place of a script.
describe('only what is as it was made is kept', () => {
  test('where the host redirects the folder, the page goes on opening', async () => {
    const { url, asked, server } = await hostOf((file) =>
      file === '' ? { status: 302, headers: { Location: '/calc/index.html' } } : undefined,
    );
    const page = await context.newPage();
    await page.goto(`${url}#view=training`);
    await settled(page, asked);
    await page.goto('about:blank');
    await page.goto(`${url}#chips=4000`);
    await expect.poll(() => answer(page, 'trainingTime')).toBe('99.3 days');
    expect(await caches(page)).toEqual([]);
    server.close();
  });

  test('whom a redirected page shuts out, the next version lets in', async () => {
    let worker = 'before.js';
    let redirects = true;
    // This worker keeps any answer, as earlier versions did.
    writeFileSync(
      path.join(folder, 'before.js'),
      `const name = 'scaling-calculator ' + registration.scope + ' before';
      addEventListener('install', (event) => {
        skipWaiting();
        event.waitUntil(caches.open(name).then((cache) => cache.addAll(['./'])));
      });
      addEventListener('activate', (event) => event.waitUntil(clients.claim()));
      addEventListener('fetch', (event) =>
        event.respondWith(caches.match(event.request).then((found) => found ?? fetch(event.request))),
      );`,
    );
    const { url, asked, server } = await hostOf((file) => {
      if (file === 'worker.js') return worker;
      const folderIsAsked = file === '' && redirects;
      return folderIsAsked ? { status: 302, headers: { Location: '/calc/index.html' } } : undefined;
    });
    let page = await context.newPage();
    await page.goto(`${url}#view=training`);
    await settled(page, asked);
    await expect.poll(() => page.evaluate(() => globalThis.caches.keys())).toHaveLength(1);
    await expect(page.goto(url)).rejects.toThrow(/ERR_FAILED/);
    // The browser's own page for that is still on its way into this window.
    await page.close();
    page = await context.newPage();
    worker = 'worker.js';
    // Browsers look for a newer worker by themselves, but in their own time.
    await page.goto(`${url}index.html`);
    await page.evaluate(async () => {
      const registration = await navigator.serviceWorker.getRegistration();
      // Not awaited: the worker ends its registration, and the promise may never be settled.
      registration!.update().catch(() => undefined);
    });
    await expect.poll(() => caches(page)).toEqual([]);
    await page.goto(`${url}#view=training`);
    await expect.poll(() => answer(page, 'trainingTime')).toBe('44.3 days');
    redirects = false;
    rmSync(path.join(folder, 'before.js'));
    server.close();
  });

  test('while a deploy is half done, the host’s page is not kept as a script', async () => {
    const names = readFileSync(path.join(folder, 'worker.js'), 'utf8');
    const plan = /assets\/plan-[^"]+\.js/.exec(names)![0];
    let missing = true;
    const { url, asked, server } = await hostOf((file) =>
      missing && file === plan ? 'index.html' : undefined,
    );
    const page = await context.newPage();
    await page.goto(`${url}#view=training`);
    await settled(page, asked);
    expect(await caches(page)).toEqual([]);
    missing = false;
    asked.clear();
    await page.reload();
    await page.locator('[data-view="plan"]').click();
    await page.locator('[data-counting="predicted"]').click();
    await expect.poll(() => answer(page, 'stepExpected')).toMatch(/\d/);
    // The deploy is done: now all of it is kept.
    await settled(page, asked);
    await expect.poll(() => caches(page)).toHaveLength(1);
    server.close();
  });

  test('a script that the host calls text is not kept', async () => {
    const { url, asked, server } = await hostOf(() => undefined);
    server.prependListener('request', ({ url: at }, response) => {
      if (/assets\/plan-/.test(at ?? '')) {
        response.writeHead = (status: number) => {
          response.statusCode = status;
          response.setHeader('Content-Type', 'text/plain');
          return response;
        };
      }
    });
    const page = await context.newPage();
    await page.goto(`${url}#view=training`);
    await settled(page, asked);
    expect(await caches(page)).toEqual([]);
    server.close();
  });
});

describe('where it may not be kept', () => {
  test.each([
    [
      'workers are refused',
      () => {
        navigator.serviceWorker.register = () =>
          Promise.reject(new DOMException('no', 'SecurityError'));
      },
    ],
    [
      'there are no workers',
      () => {
        Object.defineProperty(Navigator.prototype, 'serviceWorker', { value: undefined });
      },
    ],
    [
      'storage throws',
      () => {
        Object.defineProperty(globalThis, 'localStorage', {
          get: () => {
            throw new DOMException('no');
          },
        });
      },
    ],
  ])('the page works all the same: %s', async (_, refuse) => {
    await context.addInitScript(refuse);
    const page = await open('view=operation');
    await muchLater(page);
    await page.locator('[data-view="plan"]').click();
    await expect.poll(() => answer(page, 'wallTime')).toMatch(/days$/);
    expect(errors).toEqual([]);
  });
});

test('under a policy that forbids the worker to fetch, nothing is kept and all else works', async () => {
  const policy = /http-equiv="Content-Security-Policy"\s+content="([^"]*)"/;
  const [, strict] = policy.exec(readFileSync(path.join(folder, 'index.html'), 'utf8'))!;
  const strictSite = await serve(folder, { headers: { 'Content-Security-Policy': strict! } });
  const page = await context.newPage();
  page.on('pageerror', (error) => errors.push(String(error)));
  await page.goto(`${strictSite.url}#view=training`);
  await expect.poll(() => answer(page, 'trainingTime')).toBe('44.3 days');
  const state = (): Promise<string> =>
    page.evaluate(async () => {
      const registration = await navigator.serviceWorker.getRegistration();
      return registration?.active?.state ?? 'none';
    });
  await muchLater(page);
  expect(await state()).toBe('none');
  await page.locator('[data-view="operation"]').click();
  await expect.poll(() => answer(page, 'lowerBound')).toMatch(/\d/);
  expect(errors).toEqual([]);
  await strictSite.close();
});

test('nothing is ever asked of another origin, by the page or by its worker', async () => {
  const asked: string[] = [];
  context.on('request', (request) => asked.push(request.url()));
  const page = await open('view=training&lang=zh');
  await kept(page);
  await skipLayout(page);
  for (const hash of [
    'view=plan&chip=h100-sxm&chips=512',
    'view=training&model=own&pin=chips%3D4096',
    'view=operation&chart=roofline&overlay=h100-sxm',
    'view=operation&chart=sweep',
    'view=operation&chart=heatMap',
    'view=collective',
    'nonsense=1',
  ]) {
    await page.evaluate((link) => (location.hash = link), hash);
    await page.locator('[data-answer]').first().waitFor({ state: 'attached' });
    // All that opens, and of what then can open inside, and is alike, two each.
    for (const most of [Infinity, 2]) {
      await page.evaluate((most) => {
        const { shadowRoot } = document.querySelector('scaling-page')!;
        const opened = new Map<string, number>();
        // Tables of all chips and models stay closed where each row takes a search.
        const plan = location.hash.includes('view=plan') ? ':not(.overviews *)' : '';
        for (const part of shadowRoot!.querySelectorAll(`details:not([open])${plan}`)) {
          const count = opened.get(part.className) ?? 0;
          opened.set(part.className, count + 1);
          if (count < most) (part as HTMLDetailsElement).open = true;
        }
        return new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      }, most);
    }
    // An input that is not whole has no answers to explain.
    const why = page.locator('.why:not([data-own])');
    if (!hash.includes('model=own')) await why.first().dispatchEvent('click');
  }
  await skipLayout(page, false);
  await page.locator('[data-share]').click();
  await page.locator('dialog.share [name="format"]').first().waitFor();
  for (const format of await page.locator('dialog.share [name="format"]').all()) {
    await format.check();
  }
  await page.reload();
  await page.locator('[data-answer]').first().waitFor();
  expect(asked.length).toBeGreaterThan(20);
  expect(asked.filter((url) => !/^(data|blob):/.test(url) && !url.startsWith(site.url))).toEqual(
    [],
  );
  expect(errors).toEqual([]);
});

test('it can be installed: a manifest with icons of the sizes that it says', async () => {
  const page = await open();
  const client = await context.newCDPSession(page);
  const { errors: faults } = await client.send('Page.getAppManifest');
  expect(faults).toEqual([]);
  const manifest = await page.locator('link[rel="manifest"]').getAttribute('href');
  const { icons, start_url: start } = JSON.parse(
    readFileSync(path.join(folder, manifest!), 'utf8'),
  );
  expect(start).toBe('./');
  for (const { src, sizes } of icons.filter(({ type }: { type: string }) => type === 'image/png')) {
    const png = readFileSync(path.join(folder, src));
    expect(`${png.readUInt32BE(16)}x${png.readUInt32BE(20)}`).toBe(sizes);
  }
});

test('the footer tells the version of the program and of its data', async () => {
  const page = await open();
  expect(await page.locator('.version').innerText()).toMatch(
    /^Version [0-9a-f]{8}, data 20\d\d-\d\d \([0-9a-f]{4}\)\.$/,
  );
});
