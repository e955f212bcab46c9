// The state of the page is its link.

import { describe, expect, test } from 'vitest';
import { answer, field, inOneLine, link, openPanel, summary, type } from './calculator.ts';
import { visits } from './visits.ts';

const open = visits();

describe('in the browser', () => {
  test('the state is the link: it survives a reload and can be shared', async () => {
    const page = await open();
    await type(page, 'run.chips', '1e3');
    await type(page, 'run.tokens', '2T');
    await field(page, 'run.tokens').press('Enter');
    await openPanel(page, 'chip');
    await type(page, 'chip.memory', '80 GB');
    await field(page, 'chip.memory').press('Enter');
    await expect
      .poll(() => link(page))
      .toMatch(/#chips=1000&tokens=2T&batch=4194304&chip\.memory=80G$/);
    const said = await summary(page);
    await page.reload();
    await page.locator('[data-answer]').first().waitFor();
    expect(await summary(page)).toBe(said);
    expect(await field(page, 'chip').inputValue()).toBe('TPU v5p (edited)');
  });

  test('the title names the state, in the reader’s language, also on the way back', async () => {
    const page = await open('chip=h100-sxm&model=llama-3.1-405b&chips=16384');
    const titled = (title: string) => expect.poll(() => page.title()).toBe(title);
    const asBook = (title: string) => title.replace('Training', 'Training, as the book counts');
    const trained = 'Llama 3.1 405B · 16,384 × H100 SXM5 80GB · Training · Scaling Calculator';
    await titled(asBook(trained));
    await type(page, 'run.chips', '8192');
    await titled(asBook(trained).replace('16,384', '8,192'));
    await page.goBack();
    await titled(asBook(trained));
    await page.locator('[data-counting="predicted"]').click();
    await titled(trained);
    // Chips of one machine go along to servers, a training's fleet does not; a page has nothing of a
    // state.
    await page.locator('[data-view="serving"]').click();
    await titled('Llama 3.1 405B · 8 × H100 SXM5 80GB · Serving · Scaling Calculator');
    await page.locator('[data-view="plan"]').click();
    await titled(trained);
    await type(page, 'run.chips', '4');
    await page.locator('[data-view="serving"]').click();
    await titled('Llama 3.1 405B · 4 × H100 SXM5 80GB · Serving · Scaling Calculator');
    await page.locator('[data-view="operation"]').click();
    await titled('H100 SXM5 80GB · Operation · Scaling Calculator');
    await page.locator('[data-view="evidence"]').click();
    await titled('Evidence · Scaling Calculator');
    await page.locator('[data-view="plan"]').click();
    await page.locator('[data-language="zh"]').click();
    await titled('Llama 3.1 405B · 4 × H100 SXM5 80GB · 训练 · Scaling 计算器');
  });

  test('the way of counting goes along to the next question, and back', async () => {
    const page = await open('view=plan&chips=64');
    const counted = (how: string) =>
      expect.poll(() => page.locator('[aria-pressed="true"][data-counting]').innerText()).toBe(how);
    await counted('predicted');
    await page.locator('[data-counting="book"]').click();
    for (const view of ['serving', 'evidence']) {
      await page.locator(`[data-view="${view}"]`).click();
      await page.locator('[data-view="budget"]').click();
      await counted('as the book counts');
      await page.locator('[data-view="plan"]').click();
      await counted('as the book counts');
      expect(await link(page)).not.toContain('view=plan');
    }
    await page.locator('[data-counting="predicted"]').click();
    await page.locator('[data-view="budget"]').click();
    await counted('predicted');
  });

  test('the title of several names neither alone', async () => {
    const page = await open('view=plan&chips=64&sides=chip:h100-sxm,tpu-v5p');
    await expect.poll(() => page.title()).toBe('Side by side · Training · Scaling Calculator');
  });

  test('another link, set while a number is being typed, replaces the number', async () => {
    const page = await open();
    const price = page.locator('[data-answer="cost"] input[data-field="chip.price"]');
    await price.focus();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('12');
    await page.evaluate(() => (location.hash = 'chips=64&tokens=3T&chip.price=7'));
    await expect.poll(() => field(page, 'run.tokens').inputValue()).toBe('3T');
    // Neither what waited to be written nor what was typed comes back.
    await page.waitForTimeout(300);
    expect(await price.inputValue()).toBe('7');
    await price.blur();
    expect(await price.inputValue()).toBe('7');
    expect(await link(page)).toMatch(/#chips=64&tokens=3T&chip\.price=7$/);
  });

  test('back and forward walk through edits, not through keystrokes', async () => {
    const page = await open();
    await field(page, 'run.chips').click();
    await page.keyboard.type('4000');
    await page.keyboard.press('Tab');
    await field(page, 'model').click();
    await page.keyboard.type('llama 3 8b');
    await page.keyboard.press('Enter');
    await page.goBack();
    await expect.poll(() => field(page, 'model').inputValue()).toBe('Llama 3 70B');
    await expect.poll(() => field(page, 'run.chips').inputValue()).toBe('4,000');
    await page.goBack();
    await expect.poll(() => field(page, 'run.chips').inputValue()).toBe('8,960');
    await page.goForward();
    await expect.poll(() => field(page, 'run.chips').inputValue()).toBe('4,000');
  });

  test('a wrong value is told at its field, the rest is used', async () => {
    const page = await open('chips=-3&tokens=2T');
    expect(await field(page, 'run.tokens').inputValue()).toBe('2T');
    expect(await field(page, 'run.chips').inputValue()).toBe('-3');
    expect(await page.locator('[data-message="run.chips"]').innerText()).toContain('from 1 to');
    expect(await page.locator('.stale').count()).toBe(1);
  });

  test('what is unknown is listed, once, and can be closed', async () => {
    const page = await open('chip=tpu-v99&tokens=2T&gpus=8&mfu=lots');
    const note = page.locator('.problems');
    expect(await note.locator('li').allInnerTexts()).toEqual([
      '“chip” cannot be “tpu-v99”',
      'there is no “gpus”',
      expect.stringMatching(/^“mfu” cannot be “lots” \(.*–100%\)$/),
    ]);
    expect(await field(page, 'run.tokens').inputValue()).toBe('2T');
    expect(await field(page, 'chip').inputValue()).toBe('TPU v5p');
    await note.getByRole('button').click();
    await expect.poll(() => note.count()).toBe(0);
  });

  test('what was probably meant is offered, with all else of the link', async () => {
    const page = await open('chip=b200&chip.memory=200G&chps=512&view=plans');
    const note = page.locator('.problems');
    await expect
      .poll(() => note.locator('[data-meant]').allInnerTexts())
      .toEqual(['Use b200-sxm', 'Use plan', 'Use chips']);
    await note.locator('[data-meant="b200-sxm"]').click();
    await expect.poll(() => field(page, 'chip').inputValue()).toMatch(/^B200/);
    await expect.poll(() => link(page)).toMatch(/#chip=b200-sxm&chip\.memory=200G/);
    await note.locator('[data-meant="chips"]').click();
    await expect.poll(() => field(page, 'run.chips').inputValue()).toBe('512');
    await expect.poll(() => note.locator('li').count()).toBe(1);
  });

  test('a key of another view is told, and taken over where it is meant', async () => {
    const page = await open('view=serving&chip=h100-sxm&model=llama-3.1-8b&chips=4');
    const note = page.locator('.problems');
    await expect
      .poll(async () => inOneLine(await note.locator('li').innerText()))
      .toBe('“chips” belongs to “Training”; here it is “serve.chips” Use serve.chips');
    await note.locator('[data-meant="serve.chips"]').click();
    await expect.poll(() => field(page, 'serving.chips').first().inputValue()).toBe('4');
    expect(await link(page)).not.toMatch(/[#&]chips=/);
    await expect.poll(() => note.count()).toBe(0);
    // What the page itself writes says what it means.
    await page.evaluate(() => (location.hash = 'chips=64'));
    await expect.poll(() => field(page, 'run.chips').inputValue()).toBe('64');
    await page.locator('[data-view="serving"]').click();
    await field(page, 'serving.chips').first().waitFor();
    await page.reload();
    await field(page, 'serving.chips').first().waitFor();
    expect(await note.count()).toBe(0);
  });

  test('a key of another view in a link without a view names it, and opens it', async () => {
    const page = await open('chip=h100-sxm&model=llama-3.1-8b&chips=4&serve.users=50');
    const note = page.locator('.problems');
    await expect
      .poll(async () => inOneLine(await note.locator('li').innerText()))
      .toBe('“serve.users” belongs to “Serving” and is not used here Open “Serving”');
    await note.locator('[data-meant="serving"]').click();
    await expect.poll(() => field(page, 'serving.users').first().inputValue()).toBe('50');
    await expect
      .poll(async () => inOneLine(await note.locator('li').innerText()))
      .toBe('“chips” belongs to “Training”; here it is “serve.chips” Use serve.chips');
    await open('chip=h100-sxm&model=llama-3.1-8b&serve.users=50');
    await expect.poll(() => field(page, 'serving.users').first().inputValue()).toBe('50');
    expect(await note.count()).toBe(0);
  });

  test('a link that is too long is told with its limit', async () => {
    const page = await open(`chips=64&${'x'.repeat(40_960)}`);
    await expect
      .poll(() => page.locator('.problems li').innerText())
      .toBe('it is longer than 40,960 characters and was not read');
  });

  test('8 KB of noise', async () => {
    let seed = 7;
    const noise = Array.from({ length: 8000 }, () => {
      seed = (seed * 48271) % 2147483647;
      return '&=%#?;+abcxyz019._~'.charAt(seed % 19);
    }).join('');
    for (const hash of [noise, 'x'.repeat(20_000), '%'.repeat(5000), 'chips=1&'.repeat(1000)]) {
      const page = await open(hash);
      // Links of which nothing can be read show what the page begins with.
      const key = hash.startsWith('chips') ? 'trainingTime' : 'wallTime';
      await expect.poll(() => answer(page, key)).toMatch(/\d/);
      expect(await page.locator('.problems').count()).toBe(hash.startsWith('chips') ? 0 : 1);
    }
  });

  test('the language of a link wins over the browser’s', async () => {
    const page = await open('lang=zh&chips=4000');
    expect(await answer(page, 'trainingTime')).toBe('99.3 天');
    await page.locator('[data-language="en"]').click();
    await expect.poll(() => answer(page, 'trainingTime')).toBe('99.3 days');
    expect(await link(page)).toMatch(/#chips=4000$/);
    await page.reload();
    await page.locator('[data-answer]').first().waitFor();
    expect(await answer(page, 'trainingTime')).toBe('99.3 days');
  });
});
