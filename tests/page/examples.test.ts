// The worked questions: guessed first, then compared.

import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import {
  allText,
  answer,
  field,
  hold,
  link,
  openPanel,
  says,
  summary,
  type,
} from './calculator.ts';
import { violations } from './axe.ts';
import { visits } from './visits.ts';

const open = visits();

const question = (page: Page, id: string): Locator => page.locator(`[data-example="${id}"]`);
const result = async (page: Page, id: string): Promise<string> =>
  (await question(page, id).locator('.result').innerText()).replace(/\s+/g, ' ').trim();

/** Opens the panel, the chapter and the question. */
async function ask(page: Page, chapter: string, id: string): Promise<void> {
  if ((await page.locator('.chapter').count()) === 0) await openPanel(page, 'examples');
  const part = page.locator(`[data-part="examples ${chapter}"]`);
  if ((await part.locator('.questions').count()) === 0) await part.locator('> summary').click();
  await question(page, id).locator('.ask').click();
  await question(page, id).locator('.guess').waitFor();
}

async function guess(page: Page, id: string, text: string): Promise<void> {
  await question(page, id).locator('input').fill(text);
  await page.keyboard.press('Enter');
}

describe('a question', () => {
  test('loads its state, and hides its answer until it is guessed', async () => {
    const page = await open();
    await ask(page, 'applied-training', 'llama-3-70b-pod');
    expect(await answer(page, 'trainingTime')).toBe('Guess first');
    expect(await summary(page)).toMatch(/^…\. Compute-bound/);
    expect(await allText(page)).not.toContain('44.3');
    await guess(page, 'llama-3-70b-pod', '88 days');
    expect(await answer(page, 'trainingTime')).toBe('44.3 days');
    expect(await result(page, 'llama-3-70b-pod')).toBe(
      'Too high by a factor of 2. Your guess 88.0 days Calculator 44.3 days ' +
        'Book 44 days Counting parameters and FLOPs',
    );
  });

  test('of another kind goes there, and back in history leads home', async () => {
    const page = await open('chips=4000');
    await ask(page, 'sharding', 'gather-on-line');
    expect(await link(page)).toMatch(/#view=collective&chip=tpu-v5e&coll\.bytes=33554432$/);
    expect(await answer(page, 'collectiveTime')).toBe('Guess first');
    await guess(page, 'gather-on-line', '560');
    expect(await result(page, 'gather-on-line')).toMatch(/^Right, within 1%\..*559 µs.*560 µs/);
    await page.goBack();
    await expect.poll(() => field(page, 'run.chips').inputValue()).toBe('4,000');
  });

  test('of serving loads what answers it', async () => {
    const page = await open();
    await ask(page, 'applied-inference', 'prefill-70b');
    await expect.poll(() => link(page)).toContain('view=serving');
    await guess(page, 'prefill-70b', '0.91');
    await expect
      .poll(() => result(page, 'prefill-70b'))
      .toMatch(/^Right, within 1%\..*910 ms.*0\.91/);
  });

  test('keeps a guess that is typed while the view of its answer loads', async () => {
    const page = await open();
    await openPanel(page, 'examples');
    await page.locator('.chapter').first().waitFor();
    const load = await hold(page, /assets\/(en\.)?serv/);
    await ask(page, 'applied-inference', 'prefill-70b');
    await guess(page, 'prefill-70b', '1');
    expect(await page.locator('[data-answer="prefillTime"]').count()).toBe(0);
    load();
    await page.locator('[data-answer]').first().waitFor();
    const typed = question(page, 'prefill-70b').locator('input');
    expect(await typed.inputValue()).toBe('1');
    expect(await typed.evaluate((each) => each.matches(':focus'))).toBe(true);
    expect(await result(page, 'prefill-70b')).toMatch(/^9\.9% too high\. Your guess 1\.00 s/);
    await page.unrouteAll();
  });

  test('closes where another opens, and at a second press', async () => {
    const page = await open();
    await ask(page, 'applied-training', 'llama-3-70b-pod');
    await ask(page, 'applied-training', 'llama-3-70b-12-checkpoints');
    expect(await page.locator('.ask[aria-expanded="true"]').count()).toBe(1);
    expect(await page.locator('.guess').count()).toBe(1);
    expect(await link(page)).toMatch(/#checkpointsPerLayer=12$/);
    await question(page, 'llama-3-70b-12-checkpoints').locator('.ask').click();
    await expect.poll(() => page.locator('.guess').count()).toBe(0);
    await expect.poll(() => answer(page, 'memoryPerChip')).toBe('7.10 GB');
  });

  test('says what an erratum is, and that a guess is as printed', async () => {
    const page = await open();
    await ask(page, 'applied-training', 'llama-3-70b-12-checkpoints');
    expect(await allText(page)).not.toContain('The book says 8 GB');
    await guess(page, 'llama-3-70b-12-checkpoints', '8 GB');
    const text = await result(page, 'llama-3-70b-12-checkpoints');
    expect(text).toMatch(/^13% too high\. It is the printed answer, though\./);
    expect(text).toMatch(/Calculator 7\.10 GB Book 8 GB.*The printed answer is off\./);
    expect(await says(page, 'memoryPerChip')).toContain('The book says 8 GB');
  });

  test('gives its answer without a guess, and brings the reader to it', async () => {
    const page = await open();
    await ask(page, 'article-llama', 'one-chip-seconds');
    await question(page, 'one-chip-seconds').getByText('Show the answer').click();
    await page.locator('.result:focus').waitFor();
    const text = await result(page, 'one-chip-seconds');
    expect(text).toMatch(/^Calculator 435 years Article 435M s/);
    expect(text).not.toContain('Your guess');
    expect(await page.locator('.done').count()).toBe(1);
    expect(
      await page.locator('[data-part="examples article-llama"] > summary').innerText(),
    ).toMatch(/1 of 3/);
  });

  test.each([
    ['Compare', 1440],
    ['Show the answer', 1440],
    ['Show the answer', 360],
  ])('stays in view: “%s”, %d px wide', async (press, width) => {
    const page = await open('', { viewport: { width, height: 900 } });
    expect(await page.locator('.welcome').count()).toBe(1);
    await ask(page, 'roofline', 'matmul-critical-batch');
    const asked = question(page, 'matmul-critical-batch');
    // The welcome is in the way now.
    expect(await page.locator('.welcome').count()).toBe(0);
    const top = async () => Math.round((await asked.boundingBox())!.y);
    await page.locator('.large').first().waitFor();
    const before = await top();
    if (press === 'Compare') await asked.locator('input').fill('5');
    await asked.getByText(press, { exact: true }).click();
    await asked.locator('.result').waitFor();
    // The charts, which told the answer, take their room above.
    await page.locator('scaling-roofline svg.drawing').waitFor();
    await expect
      .poll(async () => {
        const box = (await asked.boundingBox())!;
        return box.y >= 0 && box.y + box.height <= 900;
      })
      .toBe(true);
    // It moves by what the result needs at most.
    const height = (await asked.locator('.result').boundingBox())!.height;
    expect(Math.abs((await top()) - before)).toBeLessThanOrEqual(height + 32);
  });

  test('with a choice for an answer, without a printed one, and with what cannot be read', async () => {
    const page = await open();
    await ask(page, 'applied-training', 'llama-3-70b-fsdp');
    const choices = question(page, 'llama-3-70b-fsdp');
    await choices.getByRole('button', { name: 'Compute-bound' }).click();
    await expect
      .poll(() => result(page, 'llama-3-70b-fsdp'))
      .toMatch(/^No\. Calculator Network-bound Book/);
    await choices.getByRole('button', { name: 'Network-bound' }).click();
    await expect.poll(() => result(page, 'llama-3-70b-fsdp')).toMatch(/^Right\./);
    await expect
      .poll(() => choices.locator('[aria-pressed="true"]').innerText())
      .toBe('Network-bound');

    await ask(page, 'applied-training', 'llama-3-70b-four-pods');
    await guess(page, 'llama-3-70b-four-pods', '1 d');
    await expect
      .poll(() => result(page, 'llama-3-70b-four-pods'))
      .toMatch(
        /^Too low by a factor of 11: about 1 order of magnitude\..*11\.1 days Book no answer is printed/,
      );

    await ask(page, 'roofline', 'matmul-critical-batch');
    for (const text of ['many', '', '-3']) {
      await guess(page, 'matmul-critical-batch', text);
      await question(page, 'matmul-critical-batch').locator('.message').waitFor();
      expect(await question(page, 'matmul-critical-batch').locator('input').inputValue()).toBe(
        text,
      );
      expect(await question(page, 'matmul-critical-batch').locator('.result').count()).toBe(0);
    }
    await guess(page, 'matmul-critical-batch', '24K tokens');
    expect(await page.locator('.task .message').count()).toBe(0);
    expect(await result(page, 'matmul-critical-batch')).toMatch(
      /^Too high by a factor of 100: about 2 orders/,
    );
  });

  test('of a plan brings the planner, and is told what was assumed', async () => {
    const page = await open();
    await ask(page, 'applied-training', 'llama-3-70b-plan-mfu');
    await expect.poll(() => answer(page, 'mfu').catch(() => '')).toBe('Guess first');
    expect(await allText(page)).not.toContain('37.8');
    await guess(page, 'llama-3-70b-plan-mfu', '50');
    expect(await result(page, 'llama-3-70b-plan-mfu')).toMatch(
      /^32% too high\..*Calculator 37\.8% Book 40%.*The book assumes 40%/,
    );
    expect(await says(page, 'mfuExact')).toContain('by 6N, 37.8%.');
  });

  test('is told from other inputs, and leads back to its own', async () => {
    const page = await open();
    await ask(page, 'applied-training', 'llama-3-70b-pod');
    await type(page, 'run.chips', '4480');
    await expect.poll(() => answer(page, 'trainingTime')).toBe('88.6 days');
    await guess(page, 'llama-3-70b-pod', '44');
    await expect.poll(() => result(page, 'llama-3-70b-pod')).toContain('Calculator 44.3 days');
    await page.getByRole('button', { name: 'Back to the question' }).click();
    await expect.poll(() => answer(page, 'trainingTime')).toBe('44.3 days');
    await expect.poll(() => page.locator('.moved').count()).toBe(0);
  });

  test('is one for the keyboard and for those who listen', async () => {
    const page = await open();
    await page.locator('[data-part="panel examples"] > summary').focus();
    await page.keyboard.press('Enter');
    await page.locator('.chapter').first().waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.locator('.ask').first().waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.locator('.guess input').waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.type('2');
    const told = page.locator('scaling-examples [role="status"]');
    await expect.poll(() => told.innerText()).toBe('');
    await page.keyboard.press('Enter');
    await expect
      .poll(() => told.innerText())
      .toBe('Too high by a factor of 2. Calculator: 1.01\u00a0ms.');
    expect(await page.locator('.guess input:focus').count()).toBe(1);
  });
});

describe('the panel', () => {
  test('is fetched only when it opens, with the words of one language', async () => {
    const page = await open.anew();
    const fetched = () =>
      page.evaluate(
        () =>
          performance
            .getEntriesByType('resource')
            .filter(({ name }) => /\/(examples|\w+\.workedExamples)/.test(name)).length,
      );
    expect(await fetched()).toBe(0);
    await openPanel(page, 'examples');
    await page.locator('.chapter').first().waitFor();
    expect(await fetched()).toBe(2);
  });

  test.each([
    ['en', 'all'],
    ['zh', 'all but colours'],
  ] as const)('nothing scrolls sideways, and axe finds nothing: %s', async (language, rules) => {
    const page = await open(`view=training&lang=${language}`);
    await page.setViewportSize({ width: 360, height: 800 });
    await ask(page, 'applied-training', 'llama-3-70b-chips');
    await guess(page, 'llama-3-70b-chips', 'x');
    await question(page, 'llama-3-70b-chips').locator('.message').waitFor();
    await ask(page, 'applied-training', 'llama-3-70b-time-on-few');
    await guess(page, 'llama-3-70b-time-on-few', '4');
    await question(page, 'llama-3-70b-time-on-few').locator('.erratum').waitFor();
    await ask(page, 'sharding', 'gather-small-bound');
    for (const chapter of await page.locator('.chapter').all()) {
      if ((await chapter.getAttribute('open')) === null) await chapter.locator('> summary').click();
    }
    for (const width of [1440, 360]) {
      await page.setViewportSize({ width, height: 800 });
      const { scroll, client } = await page.evaluate(() => ({
        scroll: document.documentElement.scrollWidth,
        client: document.documentElement.clientWidth,
      }));
      expect(scroll, `at ${width}`).toBeLessThanOrEqual(client);
    }
    // Questions that wait look alike in all chapters.
    await page.locator('.chapter').evaluateAll((chapters) => {
      for (const chapter of chapters as HTMLDetailsElement[])
        chapter.open = /applied-training|sharding/.test(chapter.dataset.part!);
    });
    const panel = page.locator('[data-part="panel examples"]');
    expect(await violations(page, rules, panel)).toEqual([]);
    if (rules !== 'all') return;
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await violations(page, 'colours', panel)).toEqual([]);
    await page.setViewportSize({ width: 1440, height: 800 });
    expect(await violations(page, 'all but colours', panel)).toEqual([]);
  });

  test('in Chinese', async () => {
    const page = await open('view=training&lang=zh');
    await ask(page, 'article-llama', 'one-chip-seconds');
    expect(await answer(page, 'trainingTime')).toBe('44.3 天');
    await guess(page, 'one-chip-seconds', '4.35亿秒');
    expect(await result(page, 'one-chip-seconds')).toMatch(
      /^偏低：答案是它的 32 倍，约差 1 个数量级。不过原文正是这个数。.*435 年 文章 4\.35亿秒/,
    );
  });
});
