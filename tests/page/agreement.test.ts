// Charts and derivations agree with the answers beside them.

import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { answer, says, summary } from './calculator.ts';
import { visits } from './visits.ts';

const open = visits();
const title = async (page: Page, chart: string): Promise<string> => {
  const caption = page.locator(`scaling-${chart} figcaption`);
  await caption.waitFor();
  return caption.innerText();
};
const plain = (text: string): string => text.replaceAll('\u00a0', ' ');
const percent = (text: string): number => Number(/([\d.]+)\s*%/.exec(text)![1]);

describe('a timeline', () => {
  test.each([
    ['without stages', ''],
    ['with stages', '&layout.tensor=8&layout.pipeline=4'],
  ])('%s: what computes does not idle, and no lane is empty', async (_, layout) => {
    const page = await open(
      `view=plan&chip=h100-sxm&model=llama-3.1-8b&chips=64&assume.rates=stated${layout}`,
    );
    await page.locator('[data-part="plan timeline"] > summary').click();
    const computing = percent(await title(page, 'timeline'));
    const timeline = page.locator('scaling-timeline');
    const idle = percent(await timeline.locator('.readout').innerText());
    expect(computing + idle).toBeLessThanOrEqual(100.1);
    // All that is left goes to the update, and to what stages wait for.
    expect(computing + idle).toBeGreaterThan(95);
    await timeline.getByText('Data table').click();
    await timeline.getByRole('table').waitFor();
    const rows = await timeline.locator('tbody tr').allInnerTexts();
    expect(rows.length).toBeGreaterThan(1);
    for (const row of rows) expect(row).toMatch(/[1-9]/);
    expect(rows.join(' ')).not.toMatch(/^(Experts|Host)/m);
  });
});

describe('a transfer', () => {
  test('is named by what of it is counted, wherever it has an amount', async () => {
    const address = 'view=plan&chip=h100-sxm&model=llama-3.1-8b&chips=64';
    const kinds = async (layout: string): Promise<string> => {
      const page = await open(address + layout);
      await page.locator('[data-part="plan timeline"] > summary').click();
      await title(page, 'timeline');
      const entries = page.locator('scaling-timeline .legend text:not(.letter)');
      return plain((await entries.allTextContents()).join(' | '));
    };
    const staged = await kinds('&layout.tensor=8&layout.pipeline=4');
    expect(staged).toContain('forward, with exposed communication');
    expect(staged).toContain('PP communication, outside passes');
    expect(await kinds('&layout.tensor=8&layout.pipeline=1')).toContain('TP communication, total');
    const page = await open(`${address}&layout.tensor=8&layout.pipeline=4`);
    const bar = page.locator('[data-answer="stepExpected"] .parts');
    await expect.poll(() => bar.textContent()).toContain('exposed TP communication');
    const piece = page.locator('scaling-drawing [data-key="exposedTensor"]').first();
    expect(await piece.getAttribute('aria-label')).toMatch(/^exposed TP communication/);
    // The number of a concept is all of a transfer.
    const concepts = await open('view=concepts');
    const tensor = concepts.locator('[data-concept="tensorParallel"]');
    await expect.poll(() => tensor.innerText()).toContain('TP communication, total');
  });
});

describe('a roofline', () => {
  test('has the critical batch that the answer has, and a legend with each chip’s ridge', async () => {
    const page = await open('view=operation&chip=h100-sxm&overlay=tpu-v5p,a100-sxm-80gb');
    const said = await title(page, 'roofline');
    const critical = /above ([\d,]+)$/.exec(said)![1]!;
    expect(await says(page, 'criticalBatch')).toContain(`as charts do: ${critical} tokens`);
    const ridge = (await says(page, 'bound')).match(/critical intensity of (\d+)/)![1]!;
    const drawing = page.locator('scaling-roofline .drawing');
    const read = async (): Promise<string[]> =>
      (await drawing.locator('text').allTextContents()).map(plain);
    const legendIn = (texts: string[]): string[] =>
      texts.filter((text) => /^ridge at \d+ FLOPs\/byte, yours [\d.]+ TFLOPs\/s$/.test(text));
    await expect.poll(async () => legendIn(await read()).length).toBe(3);
    const texts = await read();
    const legend = legendIn(texts);
    expect(legend[0]).toContain(`ridge at ${ridge} `);
    expect(texts).toContain(ridge);
    // On each chip stands what the reader's operation reaches there.
    expect(texts).toEqual(expect.arrayContaining(['yours on TPU v5p', 'yours on A100 SXM4 80GB']));
    const colours = await drawing
      .locator('path.other:not(.point)')
      .evaluateAll((paths) => paths.map((path) => getComputedStyle(path).stroke));
    expect(new Set(colours).size).toBe(2);
  });
});

describe('a step', () => {
  test('is told in seconds, however long', async () => {
    const page = await open(
      'view=plan&chip=a100-sxm-80gb&model=llama-3.1-405b&chips=512&batch=16M',
    );
    const step = await answer(page, 'stepExpected');
    expect(step).toMatch(/^[\d.,]+ s$/);
    expect(Number(step.replace(/[ s,]/g, ''))).toBeGreaterThan(60);
    expect(await summary(page)).toMatch(/, [\d.,]+ s per step/);
  });
});

describe('formulas on a phone', () => {
  test('show that they scroll, and their units are in the reader’s language', async () => {
    const page = await open('view=plan&chip=h100-sxm&model=llama-3.1-8b&chips=64', {
      locale: 'zh-CN',
      viewport: { width: 360, height: 800 },
    });
    await page.locator('[data-answer="stepExpected"] .why').click();
    // A derivation is drawn in slices, its sources last.
    await page.locator('[data-answer="stepExpected"] .sources').waitFor();
    const lines = await page.locator('[data-answer="stepExpected"] .lines').evaluateAll((all) =>
      all.map((each) => ({
        wide: each.scrollWidth > each.clientWidth + 1,
        // Paper that moves along over shades that stay.
        shaded: getComputedStyle(each).backgroundAttachment === 'local, local, scroll, scroll',
      })),
    );
    expect(lines.some(({ wide }) => wide)).toBe(true);
    expect(lines.filter(({ wide, shaded }) => wide && !shaded)).toEqual([]);
    const numbers = await page.locator('[data-answer="stepExpected"] mn').allTextContents();
    expect(numbers.join(' ')).toMatch(/微秒/);
    expect(numbers.filter((text) => /\d\s(s|ms|h|tokens|chips?|params?)\b/.test(text))).toEqual([]);
  });
});
