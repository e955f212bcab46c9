import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { field, openPanel, type } from './calculator.ts';
import { visits } from './visits.ts';

const open = visits();
const axePath = createRequire(import.meta.url).resolve('axe-core');

async function violations(page: Page): Promise<string[]> {
  await page.addScriptTag({ path: axePath });
  return page.evaluate(async () => {
    const { axe } = window as unknown as {
      axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
    };
    const { violations } = await axe.run();
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
  });
}

/** Pixels by which the page is wider than its window. */
const overflow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

// Axe comes in a script of its own, which the page's policy would refuse.
const unguarded = { bypassCSP: true };

const states: Record<string, (page: Page) => Promise<void>> = {
  'as it opens': async () => {},
  'with everything open': async (page) => {
    for (const why of await page.locator('.why').all()) await why.click();
    for (const panel of await page.locator('details.panel > summary').all()) await panel.click();
  },
  'with the list of chips': async (page) => {
    await field(page, 'chip').click();
  },
  'with a mistake': async (page) => {
    await type(page, 'run.chips', 'many');
  },
};

/** Questions with charts, each as it is most crowded. */
const drawn = [
  'view=operation&op.kind=shardedMatmul&overlay=h100-sxm,tpu-v5e',
  'view=operation&op.kind=attention&op.attention=latent&chart=sweep&lines=op.heads:8,16,64',
  'view=operation&op.kind=layer&chart=heatMap',
  'view=collective&coll.kind=allReduce&mesh.x=4&mesh.y=4',
];

/** Plans: one that fits, one that does not, one that cannot be. */
const plans = ['', 'chips=64&layout.sharding=none&layout.pipeline=2', 'chips=100'];

/** A visit to the planner with everything open, once all is drawn. */
async function openPlan(hash: string, ...options: Parameters<typeof open>[1][]): Promise<Page> {
  const page = await open(`view=plan&${hash}`, ...options);
  for (const panel of await page.locator('details.panel > summary').all()) await panel.click();
  await page.locator('[data-progress="done"]').waitFor();
  await expect
    .poll(() => page.locator('.plans').innerText(), { timeout: 60_000 })
    .not.toMatch(/…|searched\.|已搜索/);
  return page;
}

describe.each(['light', 'dark'] as const)('%s', (colorScheme) => {
  describe.each(['en-US', 'zh-CN'])('%s', (locale) => {
    test.each(Object.keys(states))('%s', async (name) => {
      const page = await open('', { locale, colorScheme, ...unguarded });
      await states[name]!(page);
      expect(await violations(page)).toEqual([]);
    });

    test('more than fits', async () => {
      const page = await open('chips=100', { locale, colorScheme, ...unguarded });
      expect(await violations(page)).toEqual([]);
    });

    test.each(plans)('plans: %s', async (hash) => {
      const page = await openPlan(hash, { locale, colorScheme, ...unguarded });
      expect(await violations(page)).toEqual([]);
    });

    test.each(drawn)('%s', async (hash) => {
      const page = await open(hash, { locale, colorScheme, ...unguarded });
      await page.locator('[role="tabpanel"] figcaption').waitFor();
      for (const panel of await page.locator('details.panel > summary').all()) await panel.click();
      expect(await violations(page)).toEqual([]);
    });
  });
});

describe.each([320, 360, 768, 1440])('%d px wide', (width) => {
  test.each(['en-US', 'zh-CN'])('no horizontal scroll in %s', async (locale) => {
    const page = await open('chips=100', { locale, viewport: { width, height: 800 } });
    for (const why of await page.locator('.why').all()) await why.click();
    for (const panel of await page.locator('details.panel > summary').all()) await panel.click();
    await field(page, 'chip').click();
    expect(await overflow(page)).toBeLessThanOrEqual(0);
  });
});

describe.each([320, 360, 768, 1440])('plans, %d px wide', (width) => {
  test.each(['en-US', 'zh-CN'])('no horizontal scroll in %s', async (locale) => {
    const page = await openPlan('layout.pipeline=2', { locale, viewport: { width, height: 800 } });
    for (const why of await page.locator('.found .why').all()) await why.click();
    expect(await overflow(page)).toBeLessThanOrEqual(0);
  });
});

describe.each([320, 360, 768, 1440])('with charts, %d px wide', (width) => {
  test.each(['en-US', 'zh-CN'])('no horizontal scroll in %s', async (locale) => {
    const page = await open('', { locale, viewport: { width, height: 800 } });
    for (const hash of drawn) {
      await page.evaluate((link) => (location.hash = link), hash);
      await page.locator('[role="tabpanel"] figcaption').waitFor();
      for (const control of await page.locator('.setting scaling-preset input').all()) {
        await control.click();
        expect(await overflow(page), hash).toBeLessThanOrEqual(0);
        await page.keyboard.press('Escape');
      }
      expect(await overflow(page), hash).toBeLessThanOrEqual(0);
    }
  });
});

test('the theme follows the system until it is chosen, and is remembered', async () => {
  const page = await open('', { colorScheme: 'dark' });
  const ground = () =>
    page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const calculator = () =>
    page
      .locator('scaling-calculator')
      .evaluate((element) => getComputedStyle(element).backgroundColor);
  expect(await ground()).toBe('rgb(22, 21, 20)');
  expect(await calculator()).toBe('rgb(22, 21, 20)');
  await page.locator('button[data-theme]').click();
  expect(await ground()).toBe('rgb(252, 251, 249)');
  expect(await calculator()).toBe('rgb(252, 251, 249)');
  await page.reload();
  await page.locator('[data-answer]').first().waitFor();
  expect(await ground()).toBe('rgb(252, 251, 249)');
});

test('changes are marked, but not under reduced motion', async () => {
  for (const reducedMotion of ['no-preference', 'reduce'] as const) {
    const page = await open('', { reducedMotion });
    await type(page, 'run.mfu', '50');
    const animation = await page
      .locator('[data-answer="trainingTime"] .large')
      .evaluate((large) => getComputedStyle(large, '::after').animationName);
    expect(animation === 'none').toBe(reducedMotion === 'reduce');
  }
});

test('print leaves out what only a screen can use', async () => {
  const page = await open();
  await page.emulateMedia({ media: 'print' });
  expect(await page.locator('.why').first().isVisible()).toBe(false);
  expect(await page.locator('[data-answer="cost"]').isVisible()).toBe(true);
});

test('a chart is announced as the answers are: once, after the dragging', async () => {
  const page = await open('view=operation&chip=tpu-v5e');
  const live = page.locator('scaling-calculator [aria-live="polite"]').last();
  const point = page.locator('scaling-roofline [role="slider"]');
  await point.focus();
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowLeft');
  expect(await live.textContent()).toBe('');
  await expect.poll(() => live.textContent()).toMatch(/^Compute-bound\. /);
});

test('one thing of each kind: headings, landmarks, a live region', async () => {
  const page = await open();
  await openPanel(page, 'memory');
  expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
  expect(await page.getByRole('main').count()).toBe(1);
  expect(await page.locator('[aria-live]').count()).toBe(1);
});
