// Terms have a short explanation at hand: on hover, on focus, at a touch.

import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { field, openPanel, type } from './calculator.ts';
import { newVisit, openBrowser, serve } from '../site.ts';
import { show, staying } from './staying.ts';
import { visits } from './visits.ts';

const open = visits();

const terms = (page: Page): Locator => page.locator('scaling-term');
const term = (page: Page, word: string): Locator =>
  terms(page)
    .filter({ hasText: new RegExp(`^${word}$`) })
    .first();
const tip = (page: Page): Locator => page.locator('.tip:popover-open');
/** What it says of the term. */
const meaning = (page: Page): Locator => tip(page).locator('span');
/** The explanation of a term for screen readers. */
const described = (at: Locator): Promise<string> =>
  at.evaluate((element) => {
    const id = element.getAttribute('aria-describedby')!;
    return (element.getRootNode() as ShadowRoot).getElementById(id)?.textContent ?? '';
  });

const hbm =
  'High-bandwidth memory: a chip’s main memory, for weights, activations and optimizer states.';

describe('a term', () => {
  test('is marked where a section has it first, and nowhere else', async () => {
    const page = await open();
    await term(page, 'HBM').first().waitFor();
    const words = await page.locator('.answers scaling-term').allInnerTexts();
    expect(words).toContain('Bottleneck');
    expect(words).toContain('arithmetic intensity');
    expect(new Set(words).size).toBe(words.length);
    expect(await page.locator('.question scaling-term').allInnerTexts()).toEqual(['MFU']);
    // Texts read as before.
    expect(await page.locator('[data-answer="bound"] .means').innerText()).toContain(
      'has an arithmetic intensity of 436 FLOPs per byte of HBM. From the critical intensity of 164',
    );
  });

  test('in the name of a field, too', async () => {
    const page = await open();
    await openPanel(page, 'chip');
    const names = page.locator('[data-part="panel chip"] .name');
    await names.locator('scaling-term').first().waitFor();
    expect(await names.first().innerText()).toMatch(/^Memory \(HBM\)/);
    expect(await names.locator('scaling-term').first().innerText()).toBe('HBM');
  });

  test('beside a chart, and still there once that is drawn again', async () => {
    const page = await open('view=operation');
    await term(page, 'Roofs').waitFor();
    await page.locator('scaling-roofline').hover();
    await page.locator('.setting scaling-term').waitFor();
    await term(page, 'Roofs').hover();
    await expect.poll(() => meaning(page).innerText()).toMatch(/^A chip’s roofline: /);
  });

  test('says what it means under the pointer, and goes on until that leaves both', async () => {
    const page = await open();
    await term(page, 'HBM').hover();
    await expect.poll(() => meaning(page).innerText()).toBe(hbm);
    await tip(page).hover();
    await page.waitForTimeout(500);
    expect(await tip(page).count()).toBe(1);
    await page.mouse.move(5, 5);
    await expect.poll(() => tip(page).count()).toBe(0);
  });

  test('Escape closes it, and nothing else', async () => {
    const page = await open();
    await type(page, 'run.chips', 'many');
    await field(page, 'run.chips').focus();
    await term(page, 'MFU').hover();
    await expect.poll(() => tip(page).count()).toBe(1);
    await page.keyboard.press('Escape');
    await expect.poll(() => tip(page).count()).toBe(0);
    await expect.poll(() => field(page, 'run.chips').inputValue()).toBe('many');
    await page.keyboard.press('Escape');
    await expect.poll(() => field(page, 'run.chips').inputValue()).not.toBe('many');
  });

  test('says it while it has the focus, and to those who listen', async () => {
    const page = await open();
    await term(page, 'MFU').waitFor();
    await field(page, 'run.mfu').focus();
    await page.keyboard.press('Tab');
    await expect.poll(() => meaning(page).innerText()).toMatch(/^Model FLOPs utilization/);
    await expect.poll(() => described(term(page, 'MFU'))).toBe(await meaning(page).innerText());
    await page.keyboard.press('Tab');
    await expect.poll(() => tip(page).count()).toBe(0);
  });

  test.each(['Enter', 'Space'])('%s goes on to the link to its place in the index', async (key) => {
    const page = await open();
    await term(page, 'MFU').focus();
    await expect.poll(() => tip(page).count()).toBe(1);
    await page.keyboard.press(key);
    const link = tip(page).locator('a');
    await expect.poll(() => link.evaluate((at) => at.matches(':focus'))).toBe(true);
    expect(await tip(page).getAttribute('aria-hidden')).toBeNull();
    // Escape gives the focus back, and Tab goes on behind the term.
    await page.keyboard.press('Escape');
    await expect.poll(() => tip(page).count()).toBe(0);
    expect(await term(page, 'MFU').evaluate((at) => at.matches(':focus'))).toBe(true);
    await page.keyboard.press(key);
    await page.keyboard.press('Tab');
    await expect.poll(() => tip(page).count()).toBe(0);
    expect(await term(page, 'MFU').evaluate((at) => at.matches(':focus'))).toBe(false);
    await term(page, 'MFU').focus();
    await page.keyboard.press(key);
    await page.keyboard.press('Enter');
    await page.locator('[data-concept="mfu"][data-chosen]').waitFor();
    await page.goBack();
    await term(page, 'MFU').waitFor();
  });

  test('a click on what is shown leads there, too', async () => {
    const page = await open();
    await term(page, 'HBM').hover();
    await tip(page).locator('a').click();
    await page.locator('[data-concept="hbm"][data-chosen]').waitFor();
  });

  test('at a touch, until the next', async () => {
    const page = await open('view=training', {
      hasTouch: true,
      viewport: { width: 360, height: 740 },
    });
    await term(page, 'MFU').tap();
    await expect.poll(() => meaning(page).innerText()).toMatch(/^Model FLOPs/);
    await term(page, 'MFU').tap();
    await expect.poll(() => tip(page).count()).toBe(0);
    await term(page, 'MFU').tap();
    await page.locator('h1').tap();
    await expect.poll(() => tip(page).count()).toBe(0);
    await term(page, 'MFU').tap();
    await term(page, 'HBM').tap();
    await expect.poll(() => meaning(page).innerText()).toBe(hbm);
  });

  test('goes with what it stands in', async () => {
    const page = await open();
    await term(page, 'MFU').focus();
    await expect.poll(() => tip(page).count()).toBe(1);
    await page.evaluate(() => (location.hash = 'view=collective'));
    await expect.poll(() => tip(page).count()).toBe(0);
  });

  test('speaks the reader’s language', async () => {
    const page = await open('lang=zh');
    await term(page, '算术强度').hover();
    await expect
      .poll(() => meaning(page).innerText())
      .toBe('每搬运 1 字节所做的运算次数。高于芯片的临界强度时，计算比搬运更花时间。');
    await page.locator('[data-language="en"]').click();
    await term(page, 'arithmetic intensity').hover();
    await expect.poll(() => meaning(page).innerText()).toMatch(/^FLOPs done for each byte/);
  });

  test('is plain text on paper', async () => {
    const page = await open();
    await term(page, 'HBM').hover();
    await page.emulateMedia({ media: 'print' });
    expect(await tip(page).evaluate((box) => getComputedStyle(box).display)).toBe('none');
    expect(
      await term(page, 'HBM').evaluate((word) => getComputedStyle(word).textDecorationLine),
    ).toBe('none');
  });
});

test('a text stands as it is where explanations cannot be had', async () => {
  const [site, browser] = await Promise.all([serve(), openBrowser()]);
  const { page, errors } = await newVisit(browser);
  const refused: string[] = [];
  await page.route(/glossary|terms/, (route) => {
    refused.push(route.request().url());
    return route.abort();
  });
  await page.goto(`${site.address}#view=training`);
  await expect.poll(() => refused.length).toBeGreaterThan(0);
  expect(await page.locator('[data-answer="bound"] .means').innerText()).toContain('of HBM.');
  expect(await terms(page).count()).toBe(0);
  expect(errors.filter((error) => !/^failed|ERR_FAILED/.test(error))).toEqual([]);
  await browser.close();
  await site.close();
});

test('an explanation stays at its term when text before it comes or goes', async () => {
  const page = await open();
  const word = term(page, 'HBM');
  await word.focus();
  // Below the term, or above it where there is more room.
  const gap = async (): Promise<number> => {
    const box = (await tip(page).boundingBox())!;
    const of = (await word.boundingBox())!;
    return Math.max(box.y - (of.y + of.height), of.y - (box.y + box.height));
  };
  const before = await gap();
  expect(before).toBeGreaterThan(0);
  await page.evaluate(() => {
    const text = document.createElement('div');
    text.style.height = '123px';
    document.body.prepend(text);
  });
  await expect.poll(gap).toBeCloseTo(before, 0);
});

describe('at any size', () => {
  const stay = staying({});

  test.each([
    'view=training',
    'view=plan',
    'view=operation&op.kind=shardedMatmul&lang=zh',
    'view=collective',
  ])('no explanation covers its term or leaves the window: %s', async (hash) => {
    const page = stay();
    await show(page, hash);
    await terms(page).first().waitFor();
    // The constants of kernels come later, and with them an answer that marks its terms anew.
    if (/view=(operation|collective)/.test(hash))
      await page.locator('[data-answer="timeExpected"]').waitFor();
    for (const [width, height] of [
      [360, 740],
      [768, 1024],
      [1440, 900],
    ] as const) {
      await page.setViewportSize({ width, height });
      const places = await page.evaluate(async () => {
        const found = [];
        for (const each of everything('scaling-term')) {
          (each as HTMLElement).focus();
          const own = (each.getRootNode() as ShadowRoot).activeElement!;
          // The window scrolls to the term, and its explanation follows: both must be at rest.
          const placeOf = (): string => {
            const box = everything('.tip:popover-open')[0];
            const rects = [own, box].map((each) => each?.getBoundingClientRect().toJSON());
            return JSON.stringify(rects);
          };
          for (let before = '', frames = 0; frames < 2; frames += 1) {
            await new Promise(requestAnimationFrame);
            const now = placeOf();
            if (now !== before) frames = 0;
            before = now;
          }
          const box = everything('.tip:popover-open')[0]!;
          const { left, right, top, bottom } = box.getBoundingClientRect();
          found.push({
            word: own.textContent,
            covered: [...own.getClientRects()].some(
              (line) =>
                line.left < right && line.right > left && line.top < bottom && line.bottom > top,
            ),
            inside:
              left >= 0 &&
              right <= innerWidth &&
              top + scrollY >= 0 &&
              box.scrollWidth <= box.clientWidth,
          });
        }
        return found;
      });
      expect(places.length).toBeGreaterThan(2);
      for (const place of places)
        expect(place, `at ${width}`).toEqual({ ...place, covered: false, inside: true });
    }
  });
});
