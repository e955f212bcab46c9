// The formats of "Share", as browsers read them.

import fc from 'fast-check';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { card } from '../../web/src/export/card.ts';
import { element, frame } from '../../web/src/export/embeds.ts';
import { type Browser, openBrowser } from '../site.ts';
import { saying, texts } from '../unit/handed-out.ts';

let browser: Browser;
let page: Page;
beforeAll(async () => {
  browser = await openBrowser();
  page = await (await browser.newContext()).newPage();
});
afterAll(() => browser.close());

test('whatever is said, pages read it back as it was, and nothing besides', async () => {
  const samples = fc.sample(texts, { numRuns: 400 });
  const written = samples.map((text) => ({
    element: element({ ...saying(text), link: text }, {}),
    frame: frame(saying(text), {}),
  }));
  const read = await page.evaluate(
    (given) =>
      given.map(({ element: html, frame: framed }) => {
        const body = new DOMParser().parseFromString(html, 'text/html').body;
        const iframe = new DOMParser().parseFromString(framed, 'text/html').body;
        const [calculator, script] = body.children;
        return {
          names: [...body.querySelectorAll('*')].map(({ localName }) => localName).join(' '),
          state: calculator?.getAttribute('state') ?? '',
          texts: ['th', 'td', 'a'].map((name) => body.querySelector(name)?.textContent),
          script: script?.getAttribute('src'),
          framed: [...iframe.children].map(({ localName }) => localName).join(' '),
          title: iframe.firstElementChild?.getAttribute('title'),
        };
      }),
    written,
  );
  // No page can hold the sign 0, nor half of a sign.
  const kept = (text: string) => text.replace(/[\0\ufffd\ud800-\udfff]/gu, '');
  samples.forEach((text, index) => {
    const found = read[index]!;
    const same = (one: string | null | undefined, other: string) =>
      expect(kept(one ?? '')).toBe(kept(other));
    expect(found.names).toBe('scaling-calculator table caption tbody tr th td p a script');
    same(found.state, text);
    found.texts.forEach((each) => same(each, text));
    expect(found.script).toBe('https://calc.example/scaling/embed.js');
    expect(found.framed).toBe('iframe script');
    same(found.title, `${text}: ${text}`);
  });
});

test('a picture has nothing but texts and lines, whatever it says', async () => {
  const paints = { paper: '#ffffff', ink: '#111111', quiet: '#666666', hairline: '#dddddd' };
  const wrap = (text: string): string[] => text.match(/[^]{1,90}/gu) ?? [];
  const pictures = fc
    .sample(texts, { numRuns: 300 })
    .map((text) => card(saying(text), paints, wrap));
  const faults = await page.evaluate(
    (all) =>
      all.filter((text) => {
        const file = new DOMParser().parseFromString(text, 'image/svg+xml');
        const names = new Set([...file.querySelectorAll('*')].map(({ localName }) => localName));
        return [...names].some(
          (name) => !['svg', 'title', 'desc', 'rect', 'line', 'text'].includes(name),
        );
      }),
    pictures,
  );
  expect(faults).toEqual([]);
});
