// Measured fine-tunings against predictions: their steps and their memory.

import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { allText, answer, inOneLine, link } from './calculator.ts';
import { filter, found, loaded } from './evidence-page.ts';
import { violations } from './axe.ts';
import { unfinished, visits } from './visits.ts';

const open = visits();

async function openEvidence(hash: string): Promise<Page> {
  const page = await open(`view=evidence&${hash}`);
  await page.locator('.evidence > .summary').waitFor();
  return page;
}

describe('measured fine-tunings', () => {
  test('load when they are first shown, grouped by what is trained', async () => {
    const page = await open.anew('view=evidence');
    await page.locator('.evidence > .summary').waitFor();
    const ofTunings = async () =>
      (await loaded(page)).filter((name) => name.includes('tuning-collection'));
    expect(await ofTunings()).toEqual([]);
    await page.locator('input[name="measure"][value="tuningStep"]').check();
    await expect.poll(() => found(page)).toMatch(/^Sources left out/);
    expect((await ofTunings()).length).toBe(1);
    expect(await link(page)).toMatch(/#view=evidence&measure=tuningStep$/);
    await expect.poll(() => page.locator('[data-group]').count()).toBe(3);
    await page.locator('[data-group="qlora"] button').click();
    expect(await link(page)).toContain('runs=trained:qlora');
    await expect.poll(() => found(page)).toMatch(/^1\d runs/);
    expect(await violations(page)).toEqual([]);
  });

  test('hold as much in the plan as the evidence says', async () => {
    const page = await openEvidence('measure=tuningMemory&run=unsloth-maxctx-llama-3.1-8b-24gb-hf');
    const chosen = page.locator('.chosen');
    await chosen.waitFor();
    const text = inOneLine(await chosen.innerText());
    expect(text).toMatch(/Measured [\d.]+ GB/);
    expect(text).not.toMatch(/Lower bound|undefined/);
    const expected = /Predicted ([\d.]+ GB) ·/.exec(text)?.[1];
    await page.locator('[data-open]').click();
    await page.locator('[data-question="plan"]').waitFor();
    await expect.poll(() => answer(page, 'memoryUsed')).toBe(expected);
  });

  test.each(['en', 'zh'])('that can not be used say why: %s', async (lang) => {
    const page = await openEvidence(`measure=tuningMemory&lang=${lang}`);
    await filter(page, 'trained').selectOption('lora');
    await page.locator('[data-part="evidence unpredicted"] > summary').click();
    const reasons = page.locator('details.reason');
    await expect.poll(() => reasons.count()).toBeGreaterThan(6);
    const said = await reasons.allInnerTexts();
    for (const each of said) {
      expect(each).not.toMatch(unfinished);
      if (lang === 'zh') expect(each).toMatch(/[\u4e00-\u9fff]/);
    }
    expect(await allText(page)).not.toMatch(unfinished);
  });
});
