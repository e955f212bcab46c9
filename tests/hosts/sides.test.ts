// Several answers side by side in posts: the same as on the page.

import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { FrameLocator, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { questions, views } from '../../web/src/model/views.ts';
import { type Browser, leave, newVisit, openBrowser, type Visit } from '../site.ts';
import { answer, calculator, expectPolite, resultOf, word } from './element.ts';
import { host, pages } from './places.ts';

const folder = pages();
let browser: Browser;
let origin: string;
beforeAll(async () => {
  browser = await openBrowser();
  origin = await host(folder);
});
afterAll(() => browser.close());

let visit: Visit;
afterEach(async () => {
  expectPolite(visit, origin);
  await leave(browser, visit);
});

const states = {
  plan: 'chip=h100-sxm&model=llama-3.1-8b&chips=64&tokens=1T&batch=1048576&sides=chip:h100-sxm,b200-sxm',
  serving: 'chip=h100-sxm&model=llama-3.1-8b&serve.chips=8&sides=chip:h100-sxm,b200-sxm,tpu-v5e',
};

interface Post {
  lang?: string;
  width?: number;
  dark?: boolean;
}

/** Opens a post with these elements, a line of text above each. */
async function post(
  elements: readonly Record<string, string>[],
  { lang = 'en', width = 760, dark = false }: Post = {},
): Promise<Page> {
  const escaped = (text: string): string => text.replaceAll('&', '&amp;');
  const content = elements.map((attributes) => {
    const written = Object.entries(attributes).map(
      ([name, value]) => ` ${name}="${escaped(value)}"`,
    );
    return `<p>A line.</p><scaling-calculator${written.join('')}><b>None.</b></scaling-calculator>`;
  });
  writeFileSync(
    path.join(folder, 'sides.html'),
    `<!doctype html><html lang="${lang}"><meta charset="utf-8">
    <meta name="viewport" content="width=device-width"><link rel="icon" href="data:,">
    ${content.join('')}<script src="calculator/embed.js" defer></script>`,
  );
  visit = await newVisit(browser, {
    viewport: { width, height: 900 },
    colorScheme: dark ? 'dark' : 'light',
  });
  await visit.page.goto(`${origin}sides.html`);
  return visit.page;
}

/** Waits until all that stands side by side is known, with its curves. */
async function found(at: Locator | FrameLocator): Promise<void> {
  const done = at.locator('.sides [role="status"][data-progress="done"]');
  await done.waitFor({ state: 'attached' });
  await at.locator('scaling-trade').waitFor();
  await done.waitFor({ state: 'attached' });
}

/** The facts of the sides: each by its key, with its number to the last bit. */
const said = (at: Locator): Promise<string[]> =>
  at.locator('.side').evaluateAll((sides) =>
    sides.flatMap((side) => [
      side.querySelector('h3')!.textContent!.replace(/\s+/g, ' '),
      ...[...side.querySelectorAll('.fact')].map((fact) => {
        const value = fact.querySelector<HTMLElement>('.value')!.dataset['value'];
        return `${fact.getAttribute('data-fact')} ${value} ${fact.textContent!.replace(/\s+/g, ' ')}`;
      }),
    ]),
  );

/** The same on the page. */
async function onPage(state: string, lang = 'en'): Promise<string[]> {
  const beside = await newVisit(browser);
  const { page, errors } = beside;
  await page.goto(`${origin}calculator/index.html#lang=${lang}&${state}`);
  await found(page.locator('scaling-page'));
  const all = await said(page.locator('scaling-page'));
  expect(errors).toEqual([]);
  await leave(browser, beside);
  return all;
}

describe('servers side by side in a post', () => {
  const ways: Post[] = [
    { lang: 'en', width: 760 },
    { lang: 'zh', width: 360, dark: true },
    { lang: 'en', width: 360 },
    { lang: 'zh', width: 760, dark: true },
  ];
  test.each(ways)('%o: say the same as the page, to the last bit', async (how) => {
    const page = await post([{ view: 'serving', state: states.serving }], how);
    const element = calculator(page);
    await found(element);
    const all = await said(element);
    expect(all).toHaveLength(3 * 9);
    expect(all).toEqual(await onPage(`view=serving&${states.serving}`, how.lang));
    expect(all.join()).not.toMatch(/NaN|Infinity|undefined|\{\w+\}/);
    expect(await element.locator('.sides').innerText()).not.toMatch(/undefined|\{\w+\}/);
    expect(await element.locator('b').isVisible()).toBe(false);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(how.width);
  });

  test('lead to one answer and its charts by keyboard, and keep the focus', async () => {
    const page = await post([{ view: 'serving', state: states.serving }]);
    const element = calculator(page);
    await found(element);
    const time = await element
      .locator('[data-side="1"] [data-fact="tokenTime"] .value')
      .getAttribute('data-value');
    await element.locator('[data-side="0"] .remove').focus();
    await page.keyboard.press('Tab'); // the link of the price
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await answer(element, 'tokenTime');
    await element.locator('scaling-serving').waitFor();
    const answers = await resultOf(element);
    expect(String(answers!['tokenTime'])).toBe(time);
    expect(await element.locator('.sides').count()).toBe(0);
    expect(await element.locator('[data-field="chip"]').inputValue()).toBe('B200 SXM');
    expect(await page.evaluate(() => document.activeElement?.localName)).toBe('scaling-calculator');
  });

  test('say what is wrong by its field, in both languages', async () => {
    const wrong = { view: 'serving', state: states.serving.replace('chips=8', 'chips=0') };
    const page = await post([
      { ...wrong, lang: 'en' },
      { ...wrong, lang: 'zh' },
      { view: 'serving', state: 'serve.chips=8&sides=serve.chips:0,8', lang: 'en' },
      { view: 'serving', state: 'sides=chip:h100-sxm,nochip', lang: 'zh' },
    ]);
    const saying = [
      'Chips must be from 1 to 1M.',
      '芯片数须在 1 到 100万 之间。',
      'Chips must be from 1 to 1M.',
      '芯片 nochip：没有这个选项。',
    ];
    for (const [which, text] of saying.entries()) {
      const element = calculator(page, which);
      await element.scrollIntoViewIfNeeded();
      const message = element.locator('.message').first();
      await message.waitFor();
      await expect.poll(() => message.innerText()).toBe(text);
      if (which > 1) continue;
      await expect
        .poll(() => element.locator('.side .invalid').allInnerTexts())
        .toEqual(Array(3).fill(expect.stringContaining(text)));
    }
  });

  test('a number alone is that of the question', async () => {
    const page = await post([{ view: 'serving', state: states.serving, answer: 'tokenTime' }]);
    expect(await word(calculator(page))).toMatch(/ms$/);
  });
});

test('plans, servers and one server on a page each have their own', async () => {
  expect(questions.filter((view) => views[view].sides === view)).toEqual(Object.keys(states));
  const alone = states.serving.replace(/&sides.*/, '');
  const page = await post([
    { view: 'plan', state: states.plan },
    { view: 'serving', state: states.serving },
    { view: 'serving', state: alone },
    { view: 'serving', state: states.serving.replace('chips=8', 'chips=16') },
  ]);
  for (const [which, state] of [
    [0, `view=plan&${states.plan}`],
    [1, `view=serving&${states.serving}`],
    [3, `view=serving&${states.serving.replace('chips=8', 'chips=16')}`],
  ] as const) {
    const element = calculator(page, which);
    await element.scrollIntoViewIfNeeded();
    await found(element);
    expect(await said(element), state).toEqual(await onPage(state));
  }
  await calculator(page, 2).scrollIntoViewIfNeeded();
  expect(await answer(calculator(page, 2), 'tokenTime')).toMatch(/ms/);
});

test.each(questions.filter((view) => views[view].sides === view))('%s in a frame', async (view) => {
  visit = await newVisit(browser);
  const state = states[view as 'plan'];
  await visit.page.goto(`${origin}calculator/index.html?embed&lang=en#view=${view}&${state}`);
  const frame = visit.page.locator('scaling-frame');
  await found(frame);
  expect(await said(frame)).toEqual(await onPage(`view=${view}&${state}`));
});
