// WCAG 2.2 AA: what axe finds, and what it can't.

import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { field, openPanel, type } from './calculator.ts';
import { openAll, show, staying } from './staying.ts';
import { visits } from './visits.ts';

const open = visits();
const axePath = createRequire(import.meta.url).resolve('axe-core');

/** Each view as it is most crowded; plans that fit, that don't, and that cannot be. */
const views = [
  '',
  'chips=100',
  'nothing=1&chips=many&sequence=4097',
  'view=operation&op.kind=shardedMatmul&overlay=h100-sxm,tpu-v5e',
  'view=operation&op.kind=attention&op.attention=latent&chart=sweep&lines=op.heads:8,16,64',
  'view=operation&op.kind=layer&chart=heatMap',
  'view=collective&coll.kind=allReduce&mesh.x=4&mesh.y=4',
  'view=plan',
  'view=plan&chips=64&layout.sharding=none&layout.pipeline=2',
  'view=plan&chips=100',
];
const languages = ['en-US', 'zh-CN'];

type Findings = { id: string; nodes: { html: string; failureSummary?: string }[] }[];

/** All rules once; in the other theme those that colours matter to. */
async function violations(page: Page, rules: 'all' | 'colours' = 'all'): Promise<string[]> {
  return page.evaluate(async (which) => {
    const { axe } = window as unknown as {
      axe: { run(options: object): Promise<{ violations: Findings }> };
    };
    const only =
      which === 'all'
        ? {
            type: 'tag',
            values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
          }
        : { type: 'rule', values: ['color-contrast', 'link-in-text-block'] };
    const { violations } = await axe.run({
      runOnly: only,
      rules: which === 'all' ? { 'target-size': { enabled: true } } : {},
      resultTypes: ['violations'],
    });
    return violations.map(
      ({ id, nodes }) =>
        `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join(' | ')}`,
    );
  }, rules);
}

/** In both themes. */
async function expectNoViolations(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light' });
  expect(await violations(page)).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await violations(page, 'colours')).toEqual([]);
}

describe.each(languages)('axe, %s', (locale) => {
  const page = staying({ locale, viewport: { width: 1440, height: 900 } });
  beforeAll(async () => {
    await page().addScriptTag({ path: axePath });
  });

  test('as it opens', async () => {
    await expectNoViolations(page());
  });

  test('with the list of chips', async () => {
    await field(page(), 'chip').click();
    await expectNoViolations(page());
    await page().keyboard.press('Escape');
  });

  test('with a mistake', async () => {
    await type(page(), 'run.chips', 'many');
    await expectNoViolations(page());
  });

  test.each(views)('with all open: %s', async (hash) => {
    await show(page(), hash);
    await openAll(page());
    await expectNoViolations(page());
  });
});

/** What axe leaves out: it does not know what lies behind a drawing's texts. */
test('words and marks stand out from every ground, in charts too', async () => {
  const page = await open();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const ratios = await page.locator('[data-answer]').first().evaluate((element) => {
      const root = (element.getRootNode() as ShadowRoot).host;
      const probe = root.appendChild(document.createElement('i'));
      const luminance = (name: string): number => {
        probe.style.color = `var(--${name})`;
        const parts = getComputedStyle(probe).color.match(/[\d.]+/g)!.slice(0, 3);
        const [r = 0, g = 0, b = 0] = parts
          .map((part) => Number(part) / 255)
          .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      const ratio = (one: string, other: string): number => {
        const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
        return (high + 0.05) / (low + 0.05);
      };
      const inks = ['ink', 'quiet', 'compute', 'memory', 'network'];
      return inks.flatMap((ink) =>
        ['paper', 'tint'].map((ground) => [`${ink} on ${ground}`, ratio(ink, ground)] as const),
      );
    });
    for (const [pair, ratio] of ratios) {
      expect(ratio, `${pair}, ${colorScheme}`).toBeGreaterThanOrEqual(4.5);
    }
  }
});

interface Stop {
  what: string;
  /** Place in reading order. */
  place: number;
  /** Something shows that the focus is here. */
  shown: boolean;
  /** Some of it can be seen. */
  seen: boolean;
}

/** Where the focus is; undefined outside the page. */
const stop = (page: Page): Promise<Stop | undefined> =>
  page.evaluate(() => {
    let focused = document.activeElement;
    while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
    if (!focused || focused === document.body) return undefined;
    const own = focused;
    const { outlineStyle } = getComputedStyle(own);
    const ring = own.querySelector('.ring');
    const { left, top, width, height } = own.getBoundingClientRect();
    const at = (x: number, y: number): Element | null => {
      let found = document.elementFromPoint(left + x * width, top + y * height);
      for (let inner = found; inner?.shadowRoot; found = inner) {
        inner = inner.shadowRoot.elementFromPoint(left + x * width, top + y * height);
        if (!inner || inner === found) break;
      }
      return found;
    };
    const places = [0.5, 0.02, 0.98].flatMap((x) => [0.5, 0.02, 0.98].map((y) => at(x, y)));
    return {
      what: `${own.localName} ${own.getAttribute('data-field') ?? ''} ${own.getAttribute('aria-label') ?? own.textContent?.trim().slice(0, 40)}`,
      place: everything('*').indexOf(own),
      shown: outlineStyle !== 'none' || (ring !== null && getComputedStyle(ring).stroke !== 'none'),
      // What is drawn as a line or a ring has nothing in its middle.
      seen: places.some((found) => found !== null && (own.contains(found) || found.contains(own))),
    };
  });

/** Goes through the page by one key, from end to end. */
async function walk(page: Page, key: 'Tab' | 'Shift+Tab'): Promise<Stop[]> {
  const stops: Stop[] = [];
  for (let pressed = 0; pressed < 400; pressed++) {
    await page.keyboard.press(key);
    const here = await stop(page);
    if (!here) return stops;
    stops.push(here);
  }
  throw new Error(`no way out by ${key}: ${stops.at(-1)?.what}`);
}

describe.each([
  [360, 740],
  [1440, 900],
])('by keyboard, %d × %d', (width, height) => {
  const page = staying({ viewport: { width, height } });

  test.each(['', 'view=operation&op.kind=shardedMatmul&overlay=h100-sxm', 'view=plan'])(
    'every stop in reading order, marked, and not covered: %s',
    async (hash) => {
      await show(page(), hash);
      await openAll(page());
      const there = await walk(page(), 'Tab');
      const back = await walk(page(), 'Shift+Tab');
      expect(there.length).toBeGreaterThan(20);
      expect(back.map(({ what }) => what).reverse()).toEqual(there.map(({ what }) => what));
      expect(there.filter(({ place }, at) => at > 0 && place < there[at - 1]!.place)).toEqual([]);
      expect([...there, ...back].filter(({ shown, seen }) => !shown || !seen)).toEqual([]);
    },
  );
});
