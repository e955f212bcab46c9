// Checks of any chart's look.

import type { Download, Page } from 'playwright-core';
import { expect } from 'vitest';
import { contentOf } from '../../site.ts';
import { violations, type Rules } from '../axe.ts';
import { chart, type Kind } from './visits.ts';

/**
 * Leaves of what stands in rows, and is alike in all but texts and names, two of each: what is true
 * of them is true of all.
 */
export async function keepTwoOfEach(page: Page, lists = 'tbody'): Promise<void> {
  await page.locator(lists).evaluateAll((all) => {
    for (const list of all) {
      const seen = new Map<string, number>();
      for (const row of [...list.children]) {
        const kind = row.outerHTML
          .replace(/<!--.*?-->/g, '')
          .replace(/(<math.*?<\/math>\s*)+/gs, '<math>')
          .replace(/>[^<]+</g, '>text<')
          .replace(/ (id|href|title|data-[a-z-]+|aria-(describedby|controls|label))="[^"]*"/g, '');
        const count = seen.get(kind) ?? 0;
        seen.set(kind, count + 1);
        if (count >= 2) row.remove();
      }
    }
  });
}

/** Violations that axe finds. */
export async function objections(page: Page, rules: Rules): Promise<string[]> {
  await keepTwoOfEach(page);
  // The harness has no heading of its own.
  return (await violations(page, rules)).filter((text) => !text.startsWith('page-has-heading-one'));
}

/** Gives the window another width, which drawings follow. */
export async function widen(page: Page, width: number): Promise<void> {
  await page.setViewportSize({ width, height: 2000 });
  await page.evaluate(async (width) => {
    const follows = (): boolean =>
      innerWidth === width &&
      [...document.querySelector('scaling-charts')!.shadowRoot!.children].every((chart) => {
        const drawing = chart.shadowRoot?.querySelector<SVGSVGElement>('svg.drawing');
        return !drawing || Math.abs(drawing.viewBox.baseVal.width - chart.clientWidth) < 1;
      });
    do await new Promise(requestAnimationFrame);
    while (!follows());
  }, width);
}

/** Expects that nothing has to be scrolled sideways, and that texts are large enough and inside
 * their drawing. */
export async function expectLegible(page: Page, kinds: readonly Kind[]): Promise<void> {
  const { scroll, client } = await page.evaluate(() => ({
    scroll: document.documentElement.scrollWidth,
    client: document.documentElement.clientWidth,
  }));
  expect(scroll).toBeLessThanOrEqual(client);
  for (const kind of kinds) {
    const texts = await chart(page, kind)
      .locator('.plot text')
      .evaluateAll((elements) =>
        elements.map((element) => {
          const text = element as SVGTextElement;
          const { left, right, top, bottom } = text.getBoundingClientRect();
          const svg = text.ownerSVGElement!.getBoundingClientRect();
          return {
            text: text.textContent ?? '',
            size: parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM()!.a,
            turned: Math.abs(text.getScreenCTM()!.b) > 0.01,
            inside:
              left >= svg.left - 1 &&
              right <= svg.right + 1 &&
              top >= svg.top - 1 &&
              bottom <= svg.bottom + 1,
          };
        }),
      );
    expect(texts.length).toBeGreaterThan(8);
    for (const { text, size, turned, inside } of texts) {
      if (!turned) expect(size, text).toBeGreaterThanOrEqual(11);
      expect(inside, `${kind}: ${text}`).toBe(true);
    }
  }
}

/** Texts that lie over one another. */
export const covered = (page: Page, kind: Kind, selector: string): Promise<string[]> =>
  chart(page, kind)
    .locator(selector)
    .evaluateAll((texts) => {
      const boxes = texts.map((text) => text.getBoundingClientRect());
      return boxes.flatMap((a, index) =>
        boxes.slice(0, index).flatMap((b, other) => {
          const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
          const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
          // Boxes of lines of text touch; letters do not.
          const both = `${texts[index]!.textContent} / ${texts[other]!.textContent}`;
          return across > 1 && down > 5 ? [both] : [];
        }),
      );
    });

/**
 * Pictures that charts save. Chromium encodes them between the frames of a page; where it draws
 * none, only after seconds.
 */
export async function pictures(page: Page, kinds: readonly Kind[]): Promise<Map<string, Buffer>> {
  const frames = await page.evaluateHandle(() => {
    const drawing = { goesOn: true };
    const draw = (): void => void (drawing.goesOn && requestAnimationFrame(draw));
    draw();
    return drawing;
  });
  const downloads: Download[] = [];
  page.on('download', (download) => downloads.push(download));
  for (const kind of kinds) {
    await chart(page, kind).getByRole('button', { name: 'Download PNG' }).click();
  }
  await expect.poll(() => downloads.length).toBe(kinds.length);
  page.removeAllListeners('download');
  await frames.evaluate((drawing) => (drawing.goesOn = false));
  const contents = await Promise.all(downloads.map(contentOf));
  return new Map(contents.map((content, at) => [downloads[at]!.suggestedFilename(), content]));
}

/** The file that a chart saves. */
export async function saved(page: Page, kind: Kind, what: string): Promise<Buffer> {
  const waiting = page.waitForEvent('download');
  await chart(page, kind)
    .getByRole('button', { name: `Download ${what}` })
    .click();
  const download = await waiting;
  expect(download.suggestedFilename()).toMatch(new RegExp(`\\.${what.toLowerCase()}$`));
  return contentOf(download);
}
