// On paper the page is a report: what was asked, what came out, and how, in black on white.

import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { link } from './calculator.ts';
import { visits } from './visits.ts';

const open = visits();

/** The space between the margins of an A4 page, in CSS pixels. */
const paper = { width: 658, height: 1000 };

declare global {
  interface Window {
    prints: number;
  }
}

/** The page as it would be printed. */
async function printed(page: Page, how: (page: Page) => Promise<void>): Promise<void> {
  await page.evaluate(() => {
    window.prints = 0;
    window.print = () => {
      dispatchEvent(new Event('beforeprint'));
      window.prints++;
    };
  });
  await how(page);
  await expect.poll(() => page.evaluate(() => window.prints)).toBe(1);
  await page.setViewportSize(paper);
  await page.emulateMedia({ media: 'print' });
}

const byKey = (page: Page) => page.keyboard.press('Control+p');
/** With derivations, on further pages. */
const inFull = async (page: Page): Promise<void> => {
  await page.locator('[data-full]').check();
  await byKey(page);
};
const byButton = (page: Page) => page.getByRole('button', { name: 'Print a report' }).click();

const visible = (page: Page): Promise<string> =>
  page.locator('scaling-page').evaluate((host) => {
    const text = (node: Element | ShadowRoot): string =>
      [...node.children]
        .filter((child) => child.checkVisibility())
        .map((child) => (child as HTMLElement).innerText ?? child.textContent)
        .join('\n');
    return text(host.shadowRoot!);
  });

describe.each([
  ['en-US', 'Inputs', 'Sources'],
  ['zh-CN', '输入', '来源'],
])('%s', (locale, inputs, sources) => {
  test('what was asked, what differs, every answer with its steps, and the sources', async () => {
    const page = await open('chips=4096&chip.memory=141G', { locale });
    const asked = page.locator('[data-answer]');
    const answers = await asked.count();
    await printed(page, inFull);
    const report = page.locator('.report').first();
    expect(await page.locator('.report h1').innerText()).toMatch(/ · /);
    expect(await report.innerText()).toContain(await link(page));
    const now = new Intl.DateTimeFormat(locale, { dateStyle: 'long' }).format(new Date());
    expect(await report.locator('.from').innerText()).toContain(now);
    expect(await report.locator('h2').first().innerText()).toBe(inputs);
    const rows = await report.locator('.inputs tr').allInnerTexts();
    expect(rows.filter((row) => /141 GB[^]*96 GB/.test(row))).toHaveLength(1);
    expect(rows.filter((row) => /4,096\s[^]*8,960/.test(row))).toHaveLength(1);
    expect(await page.locator('[data-told]').count()).toBe(answers);
    const large = await page.locator('[data-told] .large').allInnerTexts();
    expect(large.length).toBe(answers);
    for (const told of large) expect(told.trim()).not.toBe('');
    // Every step once, with its formula and the numbers put in.
    const steps = await report.locator('.step').allInnerTexts();
    expect(steps.length).toBeGreaterThan(30);
    expect(new Set(steps).size).toBe(steps.length);
    expect(await report.locator('[data-told="trainingTime"] math').count()).toBeGreaterThan(8);
    const last = page.locator('.report').last();
    expect(await last.locator('h2').innerText()).toBe(sources);
    const numbers = steps.map((step) => Number(/\[(\d+)\]$/.exec(step)![1]));
    expect(Math.max(...numbers)).toBeLessThanOrEqual(await last.locator('li').count());
    expect((await page.pdf({ format: 'A4' })).subarray(0, 5).toString()).toBe('%PDF-');
    // Afterwards the page is as it was.
    await page.evaluate(() => dispatchEvent(new Event('afterprint')));
    await page.emulateMedia({ media: 'screen' });
    await expect.poll(() => page.locator('.report').count()).toBe(0);
    await expect.poll(() => page.locator('.answers').isVisible()).toBe(true);
  });
});

const pagesOf = async (page: Page): Promise<number> =>
  (await page.pdf({ format: 'A4', margin })).toString('latin1').match(/\/Type\s*\/Page[^s]/g)!
    .length;
const margin = { top: '15mm', right: '15mm', bottom: '15mm', left: '15mm' };

test.each([
  'view=plan&chip=h100-sxm&model=llama-3.1-405b&chips=16384&tokens=15.6T&batch=16777216',
  'view=plan&chip=h800-sxm&model=deepseek-v3&chips=2048&lang=zh',
  'view=plan&chip=h100-sxm&model=llama-3.1-405b&chips=8',
  'view=training',
  'view=serving&chip=h100-sxm',
  'view=serving&chip=h200-sxm&model=deepseek-v3&serve.chips=16&lang=zh',
  'view=budget',
  'view=operation',
  'view=collective',
])('is one page, with verdict, inputs, assumptions and sources: %s', async (hash) => {
  const page = await open(hash);
  const answers = await page.locator('[data-answer]').count();
  await printed(page, byKey);
  const report = page.locator('.report').first();
  const large = await report.locator('[data-verdict] .large').allInnerTexts();
  expect(large.length).toBe(answers);
  for (const told of large) expect(told.trim()).not.toBe('');
  expect(await report.locator('.inputs tr').count()).toBeGreaterThan(1);
  if (!/operation|collective/.test(hash)) {
    expect(await report.locator('.assumed tr').count()).toBeGreaterThan(4);
  }
  expect(await report.locator('math, .further').count()).toBe(0);
  // The picture of answers, with nothing to press.
  const pictures = report.locator('.drawing svg');
  const isDrawn = /^view=(plan|serving|operation|collective|budget)/.test(hash);
  expect(await pictures.count()).toBe(isDrawn ? 1 : 0);
  if (isDrawn) {
    expect((await pictures.boundingBox())!.width).toBeGreaterThan(640);
    expect(await pictures.locator('text').count()).toBeGreaterThan(10);
    expect(await pictures.locator('[role="button"], [tabindex]').count()).toBe(0);
  }
  expect(await page.locator('.report').last().locator('li').count()).toBeGreaterThan(1);
  expect(await page.locator('main').isVisible()).toBe(false);
  expect(await pagesOf(page)).toBe(1);
});

test('ranges in which answers likely lie stand by them, and derivations come if wanted', async () => {
  const page = await open('view=plan&chip=h100-sxm&model=llama-3-70b&chips=512');
  await printed(page, inFull);
  const step = page.locator('.report [data-verdict="stepExpected"]');
  expect(await step.innerText()).toMatch(/90% interval \S+–\S+.s/);
  const likely = page.locator('.report .likely');
  const ranged = await likely.evaluateAll((all) =>
    all.map((each) => each.closest('section')!.getAttribute('data-verdict')),
  );
  expect(ranged).toEqual(['wallTime', 'wallCost', 'mfuExact', 'memoryUsed', 'stepExpected']);
  expect(await page.locator('.report .further math').count()).toBeGreaterThan(30);
  expect(await pagesOf(page)).toBeGreaterThan(3);
});

test.each([
  'view=plan',
  'view=operation&op.kind=attention&op.attention=latent&chart=sweep&lines=op.heads:8,16,64',
  'view=collective&mesh.x=4&mesh.y=4',
])(
  'no control, nothing wider than the paper, no step parted, black on white in the dark too: %s',
  async (hash) => {
    const page = await open(hash, { colorScheme: 'dark' });
    await page.locator('button[data-theme]').click();
    await page.locator('button[data-theme]').click();
    await printed(page, inFull);
    const controls = await page
      .locator('button:visible, select:visible, input:visible, [role="tab"]:visible, nav:visible')
      .evaluateAll((found) =>
        // A term that has its explanation at hand is a word on paper; a map keeps its cells.
        found.filter((each) => !each.closest('.term, svg')).map(({ outerHTML }) => outerHTML),
      );
    expect(controls).toEqual([]);
    const looks = await page.evaluate(() => {
      const host = document.querySelector('scaling-page')!;
      const report = host.shadowRoot!.querySelector('.report')!;
      return {
        wide: document.documentElement.scrollWidth - document.documentElement.clientWidth,
        ground: getComputedStyle(document.documentElement).backgroundColor,
        paper: getComputedStyle(host).backgroundColor,
        ink: getComputedStyle(report).color,
        sticky: [...host.shadowRoot!.querySelectorAll('*')].filter((each) => {
          const { position } = getComputedStyle(each);
          return each.checkVisibility() && (position === 'sticky' || position === 'fixed');
        }).length,
      };
    });
    expect(looks).toEqual({
      wide: 0,
      ground: 'rgb(255, 255, 255)',
      paper: 'rgb(255, 255, 255)',
      ink: 'rgb(0, 0, 0)',
      sticky: 0,
    });
    const parted = await page
      .locator('.report .ladder li, .report .whole, .report tr')
      .evaluateAll((all) =>
        all
          .filter((each) => getComputedStyle(each).breakInside !== 'avoid')
          .map((each) => each.outerHTML),
      );
    expect(parted).toEqual([]);
  },
);

// While it prints, Chromium halts the page: nothing may be drawn then that was never drawn before.
test.each(['chips=4096', 'view=serving'])(
  'the print of the browser itself has the report, without an error: %s',
  async (hash) => {
    const page = await open(hash);
    await page.evaluate(() => {
      window.prints = 0;
      const shown = (): number =>
        document.querySelector('scaling-page')!.shadowRoot!.querySelectorAll('.report').length;
      addEventListener('beforeprint', () => (window.prints += shown()), { once: true });
    });
    await byButton(page);
    await expect.poll(() => page.evaluate(() => window.prints)).toBe(2);
    await expect.poll(() => page.locator('.report').count()).toBe(0);
  },
);

test('charts that are shown are on paper, and what was closed is not', async () => {
  const page = await open('view=operation');
  await page.locator('[role="tabpanel"] figcaption').waitFor();
  await page.locator('[data-full]').check();
  await printed(page, byButton);
  expect(await page.locator('[role="tabpanel"] svg.drawing').isVisible()).toBe(true);
  expect(await visible(page)).not.toMatch(
    /Worked examples|Assumptions|Side by side|Against all others/,
  );
});

test('printed by the menu of the browser before anything is there, the page itself comes out', async () => {
  const page = await open('chips=4096');
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  await page.emulateMedia({ media: 'print' });
  await expect.poll(() => page.locator('.report').count()).toBe(0);
  await expect.poll(() => page.locator('.question').isVisible()).toBe(true);
  await expect.poll(() => page.locator('[data-answer="cost"]').isVisible()).toBe(true);
  await expect.poll(() => page.locator('.why').first().isVisible()).toBe(false);
});

test('a target is printed with what meets it, without its controls', async () => {
  const page = await open('batch=4194304&target=trainingTime:atMost:1209600');
  await page.locator('[data-turn="run.chips"]').waitFor();
  await printed(page, byKey);
  const told = page.locator('.report .target');
  const text = (await told.innerText()).replace(/\s+/g, ' ');
  expect(text).toContain('at most 14.0 days');
  expect(text).toContain('8,960 → 28,672 in 4 slices');
  expect(await told.locator('button, input, select').count()).toBe(0);
});

test('questions side by side are printed in place of the answers to one', async () => {
  const page = await open(
    'view=plan&chip=h100-sxm&model=llama-3.1-8b&chips=64&tokens=1T&batch=1048576' +
      '&sides=chip:h100-sxm,b200-sxm',
  );
  await page.locator('scaling-trade').waitFor();
  await page.locator('.sides [role="status"][data-progress="done"]').waitFor({ state: 'attached' });
  await printed(page, byButton);
  expect(await page.locator('.report [data-told]').count()).toBe(0);
  expect(await page.locator('.report .asked').innerText()).toContain('H100');
  const seen = (await visible(page)).replace(/\s+/g, ' ');
  expect(seen).toContain('B200 SXM');
  expect(seen).toContain('per chip-hour');
  expect(seen).not.toContain('CSV');
});
