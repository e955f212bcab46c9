// "Share": what the dialog gives, how it is copied and saved, and that all can get at it.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Download, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createEngine } from '../../web/src/engine/index.ts';
import { serve } from '../../web/tools/serve.mjs';
import { contentOf, dist, newContext, openBrowser, visit } from '../site.ts';
import { field, link, type } from './calculator.ts';
import { violations } from './axe.ts';
import { visits } from './visits.ts';

const open = visits();
const formats = [
  ...['link', 'frame', 'element', 'hugo', 'jekyll', 'markdown', 'latex', 'bibtex'],
  ...['svg', 'png', 'csv', 'json'],
];

const dialog = (page: Page) => page.locator('dialog.share');
const written = (page: Page) => dialog(page).locator('textarea').inputValue();
const said = (page: Page) => dialog(page).locator('[role="status"]').innerText();

async function use(page: Page, address = 'https://calc.example/scaling/'): Promise<void> {
  await page.locator('[data-share]').click();
  await dialog(page).locator('[value="link"]').waitFor();
  if (address) await dialog(page).locator('[name="address"]').fill(address);
}

async function choose(page: Page, format: string): Promise<void> {
  await dialog(page).locator(`[value="${format}"]`).check();
  await dialog(page).locator(`[data-format="${format}"]`).waitFor();
}

async function save(page: Page, button = '[data-save]'): Promise<[Download, Buffer]> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog(page).locator(button).click(),
  ]);
  return [download, await contentOf(download)];
}

/** Receives copies, in place of the machine's own clipboard. */
const withClipboard = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const copies: string[] = [];
    Object.assign(globalThis, { copies });
    Object.defineProperty(navigator, 'clipboard', {
      value: {
        writeText: (text: string) => Promise.resolve(void copies.push(text)),
        write: async ([item]: ClipboardItem[]) => {
          const image = await item!.getType('image/png');
          copies.push(`${image.type} ${image.size}`);
        },
      },
    });
  });
const copies = (page: Page) =>
  page.evaluate(() => (globalThis as unknown as { copies: string[] }).copies);

describe('each format', () => {
  const endings: Record<string, string> = {
    ...{ frame: 'html', element: 'html', hugo: 'md', jekyll: 'md', markdown: 'md' },
    ...{ latex: 'tex', bibtex: 'bib', svg: 'svg', csv: 'csv', json: 'json' },
  };

  // A link is no file.
  test('is copied, is saved, and says what its host must allow', async () => {
    const page = await open('chips=1000');
    await withClipboard(page);
    await use(page);
    expect(await dialog(page).locator('[data-save]').count()).toBe(0);
    for (const format of formats) {
      await choose(page, format);
      await expect
        .poll(() => dialog(page).locator('.needs').innerText())
        .toMatch(/^What it needs: .{5,}\.$/s);
      await expect.poll(() => dialog(page).locator('.what').innerText()).not.toBe('');
      await expect.poll(() => said(page)).toBe('');
      await dialog(page).locator('[data-copy]').click();
      await expect.poll(() => said(page)).toBe('Copied.');
      const copied = (await copies(page)).at(-1);
      if (format === 'png') {
        expect(copied).toMatch(/^image\/png \d{4,}$/);
        const [download, content] = await save(page);
        expect(download.suggestedFilename()).toBe('scaling-calculator.png');
        expect(content.toString('latin1', 1, 4)).toBe('PNG');
        expect(content.readUInt32BE(16)).toBe(1280);
        continue;
      }
      const text = await written(page);
      expect(copied).toBe(text);
      expect(text.length).toBeGreaterThan(20);
      if (format === 'link') continue;
      const [download, content] = await save(page);
      expect(download.suggestedFilename()).toBe(`scaling-calculator.${endings[format]}`);
      // A field has line feeds alone.
      expect(content.toString().replaceAll('\r\n', '\n')).toBe(text);
    }
    await choose(page, 'element');
    await expect
      .poll(() => dialog(page).locator('.needs').innerText())
      .toContain("script-src https://calc.example 'wasm-unsafe-eval'");
  });
});

test.each([
  [
    'en-US',
    'light',
    'view=plan&chip=h100-sxm&model=llama-3.1-405b&chips=16384',
    'wallTime',
    'Scaling Calculator',
  ],
  [
    'zh-CN',
    'dark',
    'view=plan&chip=h100-sxm&model=llama-3.1-405b&chips=8',
    'wallTime',
    'Scaling 计算器',
  ],
  [
    'en-US',
    'dark',
    'view=serving&chip=h100-sxm&model=llama-3.1-70b&serve.chips=8&serve.users=1000',
    'firstToken',
    'Scaling Calculator',
  ],
  [
    'zh-CN',
    'light',
    'view=serving&chip=h100-sxm&model=llama-3.1-70b&serve.chips=64',
    'firstToken',
    'Scaling 计算器',
  ],
  [
    'en-US',
    'light',
    'view=operation&chip=h100-sxm&op.kind=shardedMatmul',
    'timeExpected',
    'Scaling Calculator',
  ],
  ['zh-CN', 'dark', 'view=operation&chip=tpu-v5e', 'timeExpected', 'Scaling 计算器'],
  [
    'en-US',
    'dark',
    'view=collective&chip=h100-sxm&mesh.x=1024',
    'timeExpected',
    'Scaling Calculator',
  ],
  [
    'zh-CN',
    'light',
    'view=collective&chip=tpu-v4&mesh.x=4&mesh.y=4&mesh.z=4',
    'timeExpected',
    'Scaling 计算器',
  ],
  [
    'en-US',
    'dark',
    'view=reward&chip=h100-sxm&model=llama-3.1-8b&pools.sharing=apart',
    'stepExpected',
    'Scaling Calculator',
  ],
  ['zh-CN', 'light', 'view=reward', 'stepExpected', 'Scaling 计算器'],
  ['en', 'light', 'view=budget', 'budgetTokens', 'Scaling Calculator'],
] as const)('a card is a verdict and its drawing: %s, %s, %s', async (...given) => {
  const [locale, colorScheme, hash, key, name] = given;
  const page = await open(hash, { locale, colorScheme });
  const told = page.locator(`[data-verdict="${key}"] .said`);
  await page.locator(`[data-verdict="${key}"] button.said`).waitFor();
  const shown = (await told.innerText()).trim();
  // A card names the time to the first token beside its value.
  const verdict = key === 'firstToken' ? `TTFT ${shown}` : shown;
  await use(page);
  await choose(page, 'svg');
  await dialog(page).locator('img.preview').waitFor();
  const text = await written(page);
  expect(text).not.toMatch(
    /class=|style=|var\(|oklab|color-mix|light-dark|<script|href|NaN|undefined/,
  );
  // The page itself lets no text become markup.
  const blank = await (await newContext(page.context().browser()!)).newPage();
  const card = await blank.evaluate((text) => {
    const { documentElement: root } = new DOMParser().parseFromString(text, 'image/svg+xml');
    const sizes = [...root.querySelectorAll('text')].map((each) => {
      const scale = /scale\(([\d.]+)\)/.exec(each.parentElement?.getAttribute('transform') ?? '');
      return parseFloat(each.getAttribute('font-size')!) * Number(scale?.[1] ?? 1);
    });
    return {
      root: root.localName,
      size: [root.getAttribute('width'), root.getAttribute('height')],
      texts: [...root.querySelectorAll('text')].map(({ textContent }) => textContent),
      least: Math.min(...sizes),
      ground: root.querySelector('rect')!.getAttribute('fill'),
    };
  }, text);
  await blank.context().close();
  expect(card.root).toBe('svg');
  expect(card.size).toEqual(['1200', '630']);
  expect(card.texts.map((each) => each!.trim())).toEqual(expect.arrayContaining([verdict, name]));
  expect(card.texts.filter((each) => each!.includes('calc.example/scaling/'))).toHaveLength(1);
  const telling = (part: RegExp): number => card.texts.filter((each) => part.test(each!)).length;
  expect(telling(/Lambda/), 'whose prices').toBeLessThan(2);
  if (key === 'firstToken' && !hash.includes('users')) {
    expect(telling(/(90% interval|90% 区间).* · TPOT /)).toBe(1);
    expect(telling(/^(per million output tokens|每百万输出 token)$/)).toBe(1);
  }
  if (key === 'stepExpected' && !hash.includes('apart')) {
    expect(telling(/Step time by|生成芯片/)).toBeGreaterThan(0);
  }
  expect(card.least).toBeGreaterThanOrEqual(13);
  const paper = await dialog(page).evaluate((each) => getComputedStyle(each).backgroundColor);
  expect(card.ground).toBe(paper);
  await choose(page, 'png');
  const [, content] = await save(page);
  expect([content.readUInt32BE(16), content.readUInt32BE(20)]).toEqual([1200, 630]);
});

test('a card of a page that others cannot open has the question behind its address', async () => {
  const page = await open('view=reward&chip=h100-sxm&model=llama-3.1-8b');
  await page.locator('[data-verdict="stepExpected"] button.said').waitFor();
  await use(page, '');
  await choose(page, 'svg');
  await expect.poll(() => written(page)).toContain('>#view=reward&amp;');
});

describe('what they say', () => {
  test('is the present state, with what was edited', async () => {
    const page = await open('chips=1000&chip.memory=80G&assume.overlapData=10%');
    await use(page);
    expect(await written(page)).toBe(
      'https://calc.example/scaling/#chips=1000&chip.memory=80G&assume.rates=stated&assume.overlapData=10%25&also=plan',
    );
    await choose(page, 'markdown');
    await expect
      .poll(() => written(page))
      .toMatch(
        /^Train Llama 3 70B on 1,000\u00a0× TPU v5p \(edited\) with 15T tokens.* MFU\. Prices: .*\. With Memory \(HBM\)\u00a080 GB\.\n/,
      );
    await expect.poll(() => written(page)).toContain('| Training time | 1.09\u00a0years |');
  });

  test('is right in every view', async () => {
    const page = await open('view=operation');
    for (const [view, answer] of [
      ['operation', 'Lower bound of the time'],
      ['collective', 'Time'],
      ['plan', 'Step time'],
      ['training', 'Training time'],
    ] as const) {
      const chosen = view === 'training' ? 'data-counting="book"' : `data-view="${view}"`;
      await page.locator(`[${chosen}]`).click();
      await page.locator(`.question[data-question="${view}"]`).waitFor();
      await page.locator('[data-answer]').first().waitFor();
      await use(page);
      await choose(page, 'markdown');
      await expect.poll(() => written(page)).toContain(`| ${answer}`);
      await expect.poll(() => written(page)).not.toMatch(/undefined|NaN|\{|\[object/);
      await page.keyboard.press('Escape');
    }
  });

  test('has the range of every answer whose range the page shows', async () => {
    const page = await open('view=plan&chip=h100-sxm&model=llama-3-70b&chips=512');
    const ranges = await page
      .locator('.verdict .note span:last-child')
      .evaluateAll((all) => all.map((each) => /\S+–\S+/.exec(each.textContent!)?.[0]));
    await use(page);
    await choose(page, 'markdown');
    await expect.poll(() => written(page)).toContain('| 90% interval |');
    expect(ranges).toHaveLength(4);
    const table = (await written(page)).replaceAll('\\', '');
    for (const range of ranges) expect(table).toContain(range!);
  });

  test('can be reckoned again from the JSON, to the last digit', async () => {
    const operations = await (await createEngine()).operations();
    const page = await open('view=operation&op.batch=777&chip=h100-sxm&figures=vendor');
    await page.locator('[data-answer="timeExpected"]').waitFor();
    await use(page);
    await choose(page, 'json');
    const { input, answers } = JSON.parse(await written(page));
    const again = operations.roofline(input);
    expect(again.ok).toBe(true);
    if (!again.ok) return;
    for (const [key, value] of Object.entries(answers)) {
      const own = again.answers[key as keyof typeof again.answers];
      expect(value, key).toEqual(typeof own === 'object' ? null : own);
    }
  });

  test('keeps to itself what the reader is to guess', async () => {
    const page = await open();
    await page.locator('[data-part="panel examples"] > summary').click();
    await page.locator('.chapter > summary').first().click();
    await page.locator('.ask').first().click();
    await page.getByText('guess first').first().waitFor();
    await use(page);
    await choose(page, 'csv');
    await expect.poll(() => written(page)).toMatch(/,,[^,]*,…\r?\n/);
  });

  test('with a mistake in the input: the link, and no answers', async () => {
    const page = await open('chips=-3');
    await use(page);
    expect(await written(page)).toContain('#chips=-3');
    await choose(page, 'markdown');
    await expect.poll(() => dialog(page).locator('.mistaken').innerText()).toContain('mistake');
  });
});

describe('the calculator on other pages', () => {
  test('as much of it as is asked for', async () => {
    const page = await open('view=operation');
    await use(page);
    await choose(page, 'element');
    const choice = (name: string) => dialog(page).locator(`select[name="${name}"]`);
    await choice('shows').selectOption('view roofline');
    await choice('controls').selectOption('none');
    await choice('theme').selectOption('dark');
    await choice('reveal').selectOption('interaction');
    await expect
      .poll(() => written(page))
      .toMatch(
        /^<scaling-calculator state="view=operation" view="roofline" controls="none" theme="dark" reveal="interaction" lang="en">/,
      );
    // A frame starts when it comes near by itself.
    await choose(page, 'frame');
    await expect
      .poll(() => written(page))
      .toContain(
        '?embed&#38;view=roofline&#38;controls=none&#38;theme=dark&#38;lang=en#view=operation"',
      );
    await choose(page, 'hugo');
    await choice('shows').selectOption('answer lowerBound');
    await expect.poll(() => choice('theme').count()).toBe(0);
    await expect
      .poll(() => written(page))
      .toMatch(
        /^\{\{< scaling-calculator base="https:\/\/calc.example\/scaling\/" state="view=operation" .*answer="lowerBound" lang="en" >\}\}[\d.]+\u00a0µs\{\{< \/scaling-calculator >\}\}$/,
      );
    await choice('shows').selectOption('view');
    await choice('theme').selectOption('');
    await choice('controls').selectOption('');
    await choice('reveal').selectOption('');
    await choose(page, 'element');
    await expect
      .poll(() => written(page))
      .toMatch(/^<scaling-calculator state="view=operation" lang="en">/);
  });

  test('gives the files that a site needs once', async () => {
    const page = await open();
    await use(page);
    for (const [format, file] of [
      ['hugo', 'hugo/layouts/shortcodes/scaling-calculator.html'],
      ['jekyll', 'jekyll/_includes/scaling-calculator.html'],
    ] as const) {
      await choose(page, format);
      const [download, content] = await save(page, '[data-site-file]');
      expect(download.suggestedFilename()).toBe('scaling-calculator.html');
      expect(content).toEqual(readFileSync(`web/hosts/${file}`));
    }
  });

  test('needs an address that others can open', async () => {
    const page = await open();
    await use(page, '');
    const address = dialog(page).locator('[name="address"]');
    expect(await written(page)).toBe(await link(page)); // this machine's own, to begin with
    expect(await dialog(page).locator('.hint').innerText()).toContain('this machine only');
    await address.fill('javascript:alert(1)');
    await expect.poll(() => dialog(page).locator('textarea').count()).toBe(0);
    await expect.poll(() => dialog(page).locator('[data-copy]').isDisabled()).toBe(true);
    await expect.poll(() => dialog(page).locator('.hint').innerText()).toContain('no web address');
    await expect.poll(() => address.getAttribute('aria-invalid')).toBe('true');
    // Data says what it says without one.
    await choose(page, 'json');
    expect(JSON.parse(await written(page)).answers.trainingTime).toBeGreaterThan(1e6);
    await choose(page, 'link');
    await address.fill('calc.example');
    await expect.poll(() => written(page)).toBe('https://calc.example/#view=training');
  });
});

test('opened from a disk, it asks where readers find it', async () => {
  const browser = await openBrowser();
  const { page, errors, requests } = await visit(browser, `file://${dist}/offline.html#chips=1000`);
  await use(page, '');
  expect(await dialog(page).locator('.hint').innerText()).toContain('opened from a disk');
  expect(await dialog(page).locator('[name="address"]').inputValue()).toBe('');
  for (const format of ['link', 'element', 'markdown', 'bibtex']) {
    await choose(page, format);
    await expect.poll(() => dialog(page).locator('textarea').count()).toBe(0);
    await expect.poll(() => dialog(page).locator('[data-copy]').isDisabled()).toBe(true);
  }
  await choose(page, 'svg');
  await expect.poll(() => written(page)).toContain('<svg');
  await choose(page, 'frame');
  await dialog(page).locator('[name="address"]').fill('calc.example/scaling');
  await expect.poll(() => written(page)).toContain('"https://calc.example/scaling/?embed');
  expect(errors).toEqual([]);
  expect(requests.every((url) => url.startsWith('file:') || url.startsWith('data:'))).toBe(true);
  await browser.close();
});

test('index.html, opened from a disk, leads to the page in one file', async () => {
  const browser = await openBrowser();
  // Its scripts and styles are refused, which the browser reports.
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`file://${dist}/index.html`);
  await expect
    .poll(() => page.locator('body').innerText())
    .toMatch(/don’t let this page load.*offline\.html[^]*浏览器不允许.*offline\.html/);
  expect(await page.locator('body').innerText()).not.toMatch(/loading|加载……/);
  await page.locator('.from-disk a').first().click();
  await page.locator('[data-answer]').first().waitFor();
  await context.close();
  // Served, the shell says that it loads.
  const site = await serve(dist);
  const slow = await browser.newContext();
  const served = await slow.newPage();
  await served.route('**/*.js', () => undefined);
  await served.goto(site.url, { waitUntil: 'commit' });
  await expect.poll(() => served.locator('body').innerText()).toMatch(/loading …[^]*正在加载/);
  expect(await served.locator('body').innerText()).not.toContain('offline.html');
  await slow.close();
  await site.close();
  await browser.close();
});

describe('what it prints works where it is pasted', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'post-'));
  let host: { url: string; close: () => Promise<unknown> };
  beforeAll(async () => {
    host = await serve(folder);
  });
  afterAll(async () => {
    await host.close();
    rmSync(folder, { recursive: true });
  });

  /** A post on another origin, with `content` in it. */
  async function post(page: Page, content: string): Promise<Page> {
    const html = `<!doctype html><html lang="en"><meta charset="utf-8"><p>Before.</p>${content}`;
    writeFileSync(path.join(folder, 'index.html'), html);
    const reader = await page.context().newPage();
    await reader.goto(host.url);
    return reader;
  }

  test('a frame, as high as what is in it', async () => {
    const page = await open('chips=4000');
    await use(page, '');
    await choose(page, 'frame');
    const reader = await post(page, await written(page));
    const frame = reader.frameLocator('iframe');
    await expect.poll(() => frame.locator('.summary').first().innerText()).toMatch(/^99\.3\sdays/);
    const heights = () =>
      reader
        .locator('iframe')
        .first()
        .evaluate((element) => element.getBoundingClientRect().height);
    await expect.poll(heights).toBeGreaterThan(600);
    // Other frames, and other messages, change nothing.
    const high = await heights();
    await reader.evaluate(() => {
      const other = document.createElement('iframe');
      document.body.append(other);
      for (const height of [300, '300', NaN, 1e9, -1, { valueOf: () => 300 }]) {
        try {
          window.postMessage({ scalingCalculator: { v: 1, height } }, '*');
          window.postMessage({ height }, '*');
        } catch {
          // Functions can't be sent at all.
        }
      }
      window.postMessage(null, '*');
      window.postMessage('scalingCalculator', '*');
      // All messages are heard by the second frame after the last one, and their changes are drawn.
      return new Promise((resolve) => {
        addEventListener('message', ({ data }) => {
          if (data === 'last') requestAnimationFrame(() => requestAnimationFrame(resolve));
        });
        window.postMessage('last', '*');
      });
    });
    expect(await heights()).toBe(high);
  });

  test('an element, and one number in a sentence', async () => {
    const page = await open('chips=4000');
    await use(page, '');
    await choose(page, 'element');
    const whole = await written(page);
    await dialog(page).locator('[name="shows"]').selectOption('answer trainingTime');
    const reader = await post(page, `${whole}<p>It takes ${await written(page)}.</p>`);
    await expect.poll(() => reader.locator('.summary').first().innerText()).toMatch(/^99\.3\sdays/);
    await expect.poll(() => reader.locator('p .one').innerText()).toBe('99.3\u00a0days');
    // The text stands as it is where no script runs.
    const plain = await newContext(page.context().browser()!, { javaScriptEnabled: false });
    const feed = await plain.newPage();
    await feed.goto(host.url);
    expect(await feed.locator('table').innerText()).toContain('99.3\u00a0days');
    expect(await feed.locator('p').last().innerText()).toBe('It takes 99.3\u00a0days.');
    expect(await feed.locator('a').getAttribute('href')).toBe(await link(page));
    await plain.close();
  });
});

describe('pictures', () => {
  test('of the answers, or of the chart that is shown', async () => {
    const page = await open('view=operation&chart=sweep');
    await page.locator('[data-shows="sweep"] figcaption').waitFor();
    await use(page);
    await choose(page, 'svg');
    const preview = () =>
      dialog(page)
        .locator('.preview')
        .evaluate(async (image: HTMLImageElement) => {
          await image.decode();
          return image.naturalWidth;
        });
    const title = await page.locator('[data-shows="sweep"] figcaption').innerText();
    await expect.poll(() => written(page)).toContain('<title>On TPU v5p');
    expect(await preview()).toBe(1200);
    await dialog(page).locator('[name="picture"]').selectOption(title);
    await expect.poll(() => written(page)).toContain(`<title>${title}</title>`);
    expect(await preview()).toBeGreaterThan(300);
    await expect.poll(() => written(page)).not.toMatch(/class=|style=|var\(|url\(|<script/);
  });
});

// A radio button in a shadow tree stays in its group after it was removed, and keeps all around it.
test('opened and closed, it leaves nothing behind', async () => {
  const page = await open();
  const client = await page.context().newCDPSession(page);
  const nodes = async (): Promise<number> => {
    for (let round = 0; round < 3; round += 1) await client.send('HeapProfiler.collectGarbage');
    return (await client.send('Memory.getDOMCounters')).nodes;
  };
  const openAndClose = async (): Promise<void> => {
    await use(page, '');
    await dialog(page).locator('.close').click();
    await dialog(page).waitFor({ state: 'detached' });
  };
  // Nodes that are made once stay.
  for (let round = 0; round < 2; round += 1) await openAndClose();
  const once = await nodes();
  for (let round = 0; round < 4; round += 1) await openAndClose();
  expect((await nodes()) - once).toBeLessThan(20);
});

describe('where copying is refused', () => {
  test('the text is selected, and that is said', async () => {
    const page = await open();
    await page.evaluate(() => {
      Object.defineProperty(navigator, 'clipboard', { value: undefined });
      document.execCommand = () => false;
    });
    await use(page);
    await dialog(page).locator('[data-copy]').click();
    await expect.poll(() => said(page)).toContain('The text is selected');
    const selected = await dialog(page)
      .locator('textarea')
      .evaluate((text: HTMLTextAreaElement) =>
        text.value.slice(text.selectionStart, text.selectionEnd),
      );
    expect(selected).toBe(await written(page));
    await choose(page, 'png');
    await dialog(page).locator('[data-copy]').click();
    await expect.poll(() => said(page)).toContain('download it instead');
  });

  test('the old way is tried first', async () => {
    const page = await open();
    await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
    await use(page);
    await dialog(page).locator('[data-copy]').click();
    await expect.poll(() => said(page)).toBe('Copied.');
  });
});

describe('for everyone', () => {
  test('by keyboard alone, and back to where it was', async () => {
    const page = await open();
    const button = page.locator('[data-share]');
    const focused = () =>
      page.evaluate(() => {
        let at = document.activeElement;
        while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
        return at instanceof HTMLInputElement ? at.value : at?.textContent?.trim();
      });
    await button.focus();
    await page.keyboard.press('Enter');
    await dialog(page).locator('[value="link"]').waitFor();
    await expect.poll(focused).toBe('link');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await dialog(page).locator('[data-format="element"]').waitFor();
    expect(await focused()).toBe('element');
    await page.keyboard.press('Escape');
    await expect.poll(() => dialog(page).count()).toBe(0);
    expect(await focused()).toBe('Share');
    // The dialog opens again, and its button closes it.
    await page.keyboard.press('Enter');
    await dialog(page).locator('.close').click();
    await expect.poll(() => dialog(page).count()).toBe(0);
    expect(await focused()).toBe('Share');
    await type(page, 'run.chips', '4000');
    await expect.poll(() => field(page, 'run.chips').inputValue()).toBe('4000');
  });

  test('in Chinese', async () => {
    const page = await open('view=training&lang=zh');
    await use(page);
    await expect.poll(() => dialog(page).locator('h2').innerText()).toBe('分享与引用');
    await choose(page, 'element');
    await expect.poll(() => written(page)).toContain('lang="zh-Hans"');
    await expect
      .poll(() => written(page))
      .toContain('<th scope="row">训练时间</th><td>44.3\u00a0天</td>');
    await choose(page, 'latex');
    await expect.poll(() => written(page)).toContain('ctex');
  });

  test.each([
    ['en', 'light', 1280],
    ['zh', 'dark', 360],
  ] as const)('axe finds nothing: %s, %s, %i px', async (lang, colorScheme, width) => {
    const page = await open(`lang=${lang}&view=operation`, {
      colorScheme,
      viewport: { width, height: 780 },
    });
    await use(page);
    expect(await violations(page, 'all', dialog(page))).toEqual([]);
    // Formats that differ in texts alone show all colours in one of them.
    const shapes = ['element', 'hugo', 'latex', 'svg', 'csv'];
    for (const format of formats) {
      await choose(page, format);
      const rules = shapes.includes(format) ? 'all' : 'all but colours';
      // The rest of the dialog is the same for all.
      const made = dialog(page).locator('.made');
      expect(await violations(page, rules, made), format).toEqual([]);
      // Nothing sticks out, and nothing scrolls sideways.
      const [inner, outer] = await dialog(page).evaluate((box) => [
        box.scrollWidth,
        box.clientWidth,
      ]);
      expect(inner, format).toBe(outer);
    }
  });
});
