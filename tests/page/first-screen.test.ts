// The first screen, before a reader scrolls or opens anything, has the question, the verdict and its
// drawing.

import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { violations } from './axe.ts';
import { field, inOneLine, link, type } from './calculator.ts';
import { visits } from './visits.ts';

const open = visits();

const desk = { viewport: { width: 1440, height: 900 } };
const phone = { viewport: { width: 360, height: 640 } };
const large = 'view=plan&chip=h100-sxm&model=llama-3.1-405b&chips=16384&tokens=15.6T';
const plan = 'view=plan&chip=h100-sxm&model=llama-3.1-8b&chips=64&tokens=100B';

const tuning =
  'view=plan&chip=rtx-4090&model=llama-3.1-8b&chips=1&trained=qlora&tokens=10M&batch=65536';

/** The page of a reader who has opened no fold yet. */
async function openFolded(hash: string, options: object = desk): Promise<Page> {
  const page = await open(hash, options);
  await page.evaluate(() => localStorage.setItem('scaling-calculator.folds', ''));
  await page.reload();
  await page.locator('[data-part="fold compare"]').waitFor();
  await page.locator('.verdict button, .sides scaling-rivals-drawing .best').first().waitFor();
  return page;
}

const fold = (page: Page, name: string) => page.locator(`[data-part="fold ${name}"]`);
const toggle = (page: Page, name: string): Promise<void> =>
  fold(page, name).locator('> summary').click();
const isOpen = (page: Page, name: string): Promise<boolean> =>
  fold(page, name).evaluate((details) => (details as HTMLDetailsElement).open);

/** The words in the window: of text and of controls, in the drawings, too. */
const wordsInSight = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const isSeen = ({ top, bottom, left, right }: DOMRect): boolean =>
      bottom > 0 && top < innerHeight && right > 0 && left < innerWidth && right - left > 1.5;
    const read = (node: Node): string[] => {
      if (node instanceof Text) {
        const range = document.createRange();
        range.selectNodeContents(node);
        const shown = node.parentElement?.checkVisibility({
          visibilityProperty: true,
          opacityProperty: true,
        });
        const clipped = node.parentElement?.closest('.hidden, .summary');
        return shown && !clipped && isSeen(range.getBoundingClientRect()) ? [node.data] : [];
      }
      if (node instanceof HTMLInputElement || node instanceof HTMLSelectElement) {
        const said =
          node instanceof HTMLSelectElement ? node.selectedOptions[0]?.textContent : node.value;
        const isText = node.type !== 'checkbox' && node.type !== 'radio';
        return isText && isSeen(node.getBoundingClientRect()) ? [said ?? ''] : [];
      }
      if (!(node instanceof Element) || node.matches('style, script')) return [];
      return [...(node.shadowRoot ?? node).childNodes].flatMap(read);
    };
    return read(document.body)
      .join(' ')
      .split(/\s+/)
      .filter((word) => /[\p{L}\p{N}]/u.test(word));
  });

describe('at most 150 words stand on the first screen', () => {
  test.each([
    ...['view=plan', plan, 'view=training', 'view=serving', 'view=budget', 'view=collective'],
    ...[large, large.replace('plan', 'training')],
    ...['view=reward', 'view=reward&pools.sharing=apart'],
    ...['view=operation', 'view=operation&chip=h100-sxm&op.kind=shardedMatmul'],
    ...[tuning, `${plan}&sides=chip:h100-sxm,tpu-v5p,b200-sxm`],
  ])('%s', async (hash) => {
    const page = await openFolded(hash);
    if (hash === tuning) await page.locator('[data-plan="roomy"]').waitFor();
    else if (hash.startsWith('view=plan') && !hash.includes('sides'))
      await page.locator('scaling-drawing .units').waitFor();
    if (hash === 'view=budget') {
      await page.locator('scaling-rivals-drawing .best').first().waitFor();
    }
    if (hash.startsWith('view=reward')) {
      await page.locator('scaling-pools-drawing .hit').first().waitFor();
    }
    if (hash.startsWith('view=operation')) {
      await page.locator('scaling-race-drawing .lane').first().waitFor();
      await page.locator('scaling-roofline svg.drawing').waitFor();
    }
    if (hash === 'view=collective') {
      await page.locator('scaling-collective-drawing .lane').first().waitFor();
    }
    const words = await wordsInSight(page);
    // It reads what is drawn, too.
    expect(words).toContain('Scaling');
    expect(words.length).toBeGreaterThan(50);
    expect(words.length, words.join(' ')).toBeLessThanOrEqual(150);
  });

  test('of concepts, too', async () => {
    const page = await open('view=concepts', desk);
    await page.locator('[data-concept="failures"] .number strong').waitFor();
    const words = await wordsInSight(page);
    expect(words).toContain('ZeRO-1');
    expect(words.length, words.join(' ')).toBeLessThanOrEqual(150);
  });

  test('of a first visit, too', async () => {
    const page = await openFolded('');
    await page.locator('.welcome').waitFor();
    await page.locator('scaling-drawing .units').waitFor();
    const words = await wordsInSight(page);
    expect(words.length, words.join(' ')).toBeLessThanOrEqual(150);
  });
});

test.each([
  ...['view=plan', 'view=training', 'view=serving', 'view=budget', 'view=operation', 'view=reward'],
  'view=collective',
])('a phone sees the verdict, and where it begins to be drawn: %s', async (hash) => {
  const page = await openFolded(hash, phone);
  const verdict = (await page.locator('.verdict').boundingBox())!;
  expect(verdict.y + verdict.height).toBeLessThanOrEqual(640);
  if (hash === 'view=plan') {
    const tank = (await page.locator('scaling-drawing .vessel').first().boundingBox())!;
    expect(tank.y + tank.height).toBeLessThanOrEqual(640);
  }
  expect(
    await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
  ).toBeLessThanOrEqual(0);
});

test.each(['view=plan', 'view=serving', 'view=reward', 'view=budget'])(
  'Tab goes down the first screen of a phone from its head on, row by row: %s',
  async (hash) => {
    const page = await openFolded(hash, phone);
    await page.locator('.picture svg [tabindex="0"]').first().waitFor();
    await page.locator('.settings button').last().focus();
    const places: { top: number; bottom: number; name: string }[] = [];
    while (places.length < 50) {
      await page.keyboard.press('Tab');
      const place = await page.evaluate(() => {
        let at = document.activeElement;
        while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
        const { top, bottom } = at!.getBoundingClientRect();
        return { top: top + scrollY, bottom: bottom + scrollY, name: at!.outerHTML.slice(0, 80) };
      });
      if (place.top > 640) break;
      places.push(place);
    }
    expect(places.length).toBeGreaterThan(8);
    places.slice(1).forEach(({ bottom, name }, index) => {
      expect(bottom, name).toBeGreaterThan(places[index]!.top);
    });
  },
);

test.each([360, 768, 960, 1080, 1160, 1440])(
  'Tab goes through the header as it is drawn, at %i px',
  async (width) => {
    const page = await openFolded('view=plan', { viewport: { width, height: 900 } });
    const order = await page.locator('header').evaluate((header) =>
      [...header.querySelectorAll<HTMLElement>('a, button')].map((each) => {
        const { left, right, top, bottom } = each.getBoundingClientRect();
        return { left, right, top, bottom, name: each.innerText };
      }),
    );
    expect(order.length).toBeGreaterThan(10);
    order.slice(1).forEach(({ left, bottom, top, name }, index) => {
      const before = order[index]!;
      const isBeside = top < before.bottom && bottom > before.top;
      expect(isBeside ? left >= before.right : top >= before.bottom, name).toBe(true);
    });
  },
);

test('what binds is whole on a phone, however long its name', async () => {
  const page = await openFolded(
    'view=plan&chip=h100-sxm&model=llama-3.1-70b&chips=64&layout.tensor=8&batch=1M',
    phone,
  );
  await toggle(page, 'why');
  await page.locator('.answer .large .bound').first().waitFor();
  expect(inOneLine(await page.locator('.answer .large .bound').first().innerText())).toContain(
    'DP communication',
  );
  expect(
    await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
  ).toBeLessThanOrEqual(0);
});

describe('folds', () => {
  const names = ['why', 'assumptions', 'compare'];

  test('hold all but tables, and are closed until a reader opens them', async () => {
    const page = await openFolded(plan);
    for (const name of names) expect(await isOpen(page, name), name).toBe(false);
    // Beside the three, only worked examples can be opened.
    const lines = page.locator('main summary');
    await page.locator('.best').waitFor();
    expect((await lines.allInnerTexts()).map(inOneLine)).toEqual([
      'Why',
      'Assumptions',
      'Compare',
      expect.stringContaining('Guess, then compare'),
    ]);
    expect(await page.locator('[data-answer], .assumptions, .overviews').count()).toBe(0);
    expect(await violations(page, 'all')).toEqual([]);
  });

  test('are opened by the keyboard, in their order, and stay open the next time', async () => {
    const page = await openFolded(plan);
    await fold(page, 'why').locator('> summary').focus();
    for (const name of names) {
      const focused = await page.evaluate(() =>
        document
          .querySelector('scaling-page')!
          .shadowRoot!.activeElement!.closest('[data-part]')!
          .getAttribute('data-part')!,
      );
      expect(focused).toBe(`fold ${name}`);
      if (name !== 'compare') await page.keyboard.press('Tab');
    }
    await page.keyboard.press('Enter');
    await page.locator('.overviews').waitFor();
    await page.reload();
    await page.locator('.overviews').waitFor();
    expect(await page.locator('[data-answer]').count()).toBe(0);
    await toggle(page, 'compare');
    await page.reload();
    await page.locator('.verdict button').first().waitFor();
    expect(await isOpen(page, 'compare')).toBe(false);
  });

  test('hold what each is about', async () => {
    const page = await openFolded(plan);
    const held = async (name: string): Promise<string[]> => {
      await toggle(page, name);
      await fold(page, name).locator('details').first().waitFor();
      if (name !== 'assumptions')
        await fold(page, name).locator('.plans details').first().waitFor();
      return fold(page, name)
        .locator('details.panel')
        .evaluateAll((all) => all.map((each) => each.getAttribute('data-part')!));
    };
    expect(await held('why')).toEqual([
      ...['how sure', 'own run', 'panel rest', 'plan memory', 'plan timeline'],
    ]);
    expect(await held('compare')).toEqual([
      ...['plan front', 'plan map', 'plan most', 'plan levers', 'plan scaling'],
      ...['panel all-chip', 'panel all-model'],
    ]);
    expect(await held('assumptions')).toContain('panel efficiency');
    // One search is shared by all parts that show what it found.
    await page.locator('[data-part="plan front"] > summary').click();
    await page.locator('scaling-pareto-frontier figcaption').waitFor();
  });

  test('of assumptions stands beside the answers where there is room', async () => {
    const page = await openFolded(plan);
    const top = async (): Promise<number> => {
      await page.locator('.best').waitFor();
      return (await page.locator('.best').boundingBox())!.y;
    };
    const before = await top();
    await toggle(page, 'assumptions');
    await page.locator('[data-part="panel chip"] > summary').click();
    await field(page, 'chip.memory').waitFor();
    expect((await top()) - before).toBeLessThan(300);
    const aside = (await fold(page, 'assumptions').boundingBox())!;
    const verdict = (await page.locator('.verdict').boundingBox())!;
    expect(aside.x).toBeGreaterThanOrEqual(verdict.x + verdict.width);
    expect(aside.height).toBeLessThanOrEqual(900);
    // A change there changes the answers in view.
    const said = await page.locator('[data-verdict="memoryUsed"]').innerText();
    await type(page, 'chip.memory', '40');
    await expect.poll(() => page.locator('[data-verdict="memoryUsed"]').innerText()).not.toBe(said);
    await page.setViewportSize({ width: 768, height: 900 });
    const below = (await fold(page, 'assumptions').boundingBox())!;
    const there = (await page.locator('.verdict').boundingBox())!;
    expect(below.y).toBeGreaterThan(there.y + there.height);
  });

  test('say what differs in them while they are closed', async () => {
    const page = await openFolded(`${plan}&assume.memoryReserve=10%25`);
    expect(inOneLine(await fold(page, 'assumptions').locator('> summary').innerText())).toBe(
      'Assumptions 1 changed',
    );
  });

  test.each([
    ['target=wallTime:atMost:1209600', 'why', '[data-target="wallTime"] .target'],
    ['scaling=weak', 'compare', '[data-section="scaling"]'],
    ['map=tensor,context', 'compare', '[data-section="map"]'],
  ])('are opened by a link that shows something inside: %s', async (words, name, inside) => {
    const page = await openFolded(`${plan}&${words}`);
    await page.locator(inside).waitFor();
    expect(await isOpen(page, name)).toBe(true);
    expect(await link(page)).toContain(words.split('=')[0]);
  });

  test('are come to by the way past the question', async () => {
    const page = await openFolded('view=training');
    await page.locator('.skip').focus();
    await page.keyboard.press('Enter');
    await page.locator('.assumptions').waitFor();
    await page.keyboard.press('Tab');
    const inside = await page.evaluate(() =>
      document
        .querySelector('scaling-page')!
        .shadowRoot!.activeElement!.closest('[data-part]')!
        .getAttribute('data-part'),
    );
    expect(inside).toBe('fold assumptions');
  });
});

describe('the summary', () => {
  test('stays in view once the verdict has gone, and not before', async () => {
    const page = await openFolded(plan);
    const summary = page.locator('.summary');
    expect((await summary.boundingBox())!.height).toBeLessThan(2);
    await toggle(page, 'why');
    await page.locator('[data-answer="goodput"]').scrollIntoViewIfNeeded();
    await expect.poll(async () => (await summary.boundingBox())!.height).toBeGreaterThan(20);
    expect((await summary.boundingBox())!.y).toBe(0);
    await page.evaluate(() => scrollTo(0, 0));
    await expect.poll(async () => (await summary.boundingBox())!.height).toBeLessThan(2);
  });
});

test('the verdict tells why where it stands, without a fold', async () => {
  const page = await openFolded('view=training');
  await page.locator('[data-verdict="trainingTime"] button').click();
  const reason = page.locator('.picture > .derivation');
  await reason.locator('math').first().waitFor();
  expect(await page.locator('[data-answer]').count()).toBe(0);
  await page.locator('[data-verdict="trainingTime"] button').click();
  await expect.poll(() => reason.isHidden()).toBe(true);
});
