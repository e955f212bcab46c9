import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { violations } from './axe.ts';
import {
  answer,
  field,
  heard,
  link,
  message,
  openPanel,
  shownAnswers,
  summary,
  type,
} from './calculator.ts';
import { visits } from './visits.ts';

const open = visits();

describe('by keyboard alone', () => {
  const focused = (page: Page) =>
    page.evaluate(
      () =>
        document.activeElement?.shadowRoot?.activeElement?.getAttribute('data-field') ?? undefined,
    );

  test('every control of the question can be reached, and says its value and range', async () => {
    const page = await open();
    const chips = page.getByRole('spinbutton', { name: 'Chips' });
    expect(await chips.getAttribute('aria-valuenow')).toBe('8960');
    expect(await chips.getAttribute('aria-valuetext')).toBe('8,960');
    expect(await chips.getAttribute('aria-valuemin')).toBe('1');
    const order: string[] = [];
    for (let presses = 0; presses < 40 && !order.includes('run.mfu'); presses += 1) {
      await page.keyboard.press('Tab');
      const at = await focused(page);
      if (at) order.push(at);
    }
    expect(order).toEqual([
      'model',
      'run.chips',
      'chip',
      'run.tokens',
      'run.batchTokens',
      'run.sequenceLength',
      'run.mfu',
    ]);
  });

  test('arrow keys step, Shift takes ten, Escape takes back', async () => {
    const page = await open();
    const chips = field(page, 'run.chips');
    await chips.focus();
    // No slice of a v5p has 8,900 chips, or more than the pod's 8,960.
    await page.keyboard.press('ArrowUp');
    await expect.poll(() => chips.inputValue()).toBe('8,960');
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => chips.inputValue()).toBe('8,640');
    await expect.poll(() => answer(page, 'trainingTime')).toBe('46.0 days');
    await page.keyboard.press('Shift+ArrowDown');
    await expect.poll(() => chips.inputValue()).toBe('8,000');
    // The next input replaces it.
    await page.keyboard.type('512');
    await expect.poll(() => chips.inputValue()).toBe('512');
    await page.keyboard.press('Escape');
    await page.keyboard.type('64');
    await expect.poll(() => chips.inputValue()).toBe('64');
    const mfu = field(page, 'run.mfu');
    await mfu.focus();
    await page.keyboard.press('ArrowUp');
    await expect.poll(() => mfu.inputValue()).toBe('41%');
    const sequence = field(page, 'run.sequenceLength');
    await sequence.focus();
    await page.keyboard.press('ArrowUp');
    await expect.poll(() => sequence.inputValue()).toBe('8,192');
    await sequence.fill('abc');
    await page.keyboard.press('Escape');
    await expect.poll(() => sequence.inputValue()).toBe('4,096');
    await expect.poll(() => message(page, 'run.sequenceLength')).toBe('');
    // A number that cannot be is taken over, and taken back, too.
    await sequence.fill('-5');
    await page.keyboard.press('Enter');
    await expect.poll(() => message(page, 'run.sequenceLength')).toContain('from 1 to');
    await page.keyboard.press('Escape');
    await expect.poll(() => sequence.inputValue()).toBe('4,096');
    await expect.poll(() => message(page, 'run.sequenceLength')).toBe('');
  });

  test('the assumptions are one stop away', async () => {
    const page = await open();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    const part = page.locator('[data-part="fold assumptions"] > summary');
    expect(await part.evaluate((summary) => summary.matches(':focus'))).toBe(true);
    await expect.poll(() => link(page)).not.toContain('#assumptions');
  });

  test('a preset is found by typing and taken by Enter', async () => {
    const page = await open();
    const chip = page.getByRole('combobox', { name: 'Chip' });
    await chip.focus();
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => chip.getAttribute('aria-expanded')).toBe('true');
    const active = () => chip.getAttribute('aria-activedescendant');
    await expect.poll(() => active()).toBe('chip-tpu-v5p');
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => active()).toBe('chip-tpu-v4');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Escape');
    await expect.poll(() => chip.getAttribute('aria-expanded')).toBe('false');
    await expect.poll(() => chip.inputValue()).toBe('TPU v5p');
    // It was appended: “TPU v5pmi300”.
    await page.keyboard.type('mi300');
    await expect.poll(() => chip.inputValue()).toBe('mi300');
    await expect.poll(() => active()).toBe('chip-mi300x');
    await page.keyboard.press('Escape');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.type('h200');
    await page.keyboard.press('Enter');
    await expect.poll(() => chip.inputValue()).toContain('H200');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.type('no such chip');
    await expect
      .poll(() => page.locator('.options:not([hidden])').innerText())
      .toContain('Nothing by that');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    await expect.poll(() => chip.inputValue()).toContain('H200');
  });

  test('derivations open and close', async () => {
    const page = await open();
    const why = page.locator('[data-answer="cost"] .why[aria-expanded]');
    await why.focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => why.getAttribute('aria-expanded')).toBe('true');
    await page.locator('[data-answer="cost"] .ladder li').nth(1).waitFor();
    await page.keyboard.press('Space');
    await expect.poll(() => why.getAttribute('aria-expanded')).toBe('false');
  });
});

describe('by pointer', () => {
  async function drag(page: Page, id: string, by: number) {
    const box = (await field(page, id).boundingBox())!;
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + by, y, { steps: 8 });
  }

  test('numbers are dragged, and the answers follow', async () => {
    const page = await open();
    await drag(page, 'run.tokens', 50);
    expect(await field(page, 'run.tokens').inputValue()).toBe('25T');
    expect(await answer(page, 'trainingTime')).toBe('73.9 days');
    await page.mouse.up();
    await expect.poll(() => link(page)).toContain('tokens=25T');
    await drag(page, 'run.mfu', -25);
    await page.mouse.up();
    await expect.poll(() => field(page, 'run.mfu').inputValue()).toBe('35%');
    await page.goBack();
    await expect.poll(() => field(page, 'run.mfu').inputValue()).toBe('40%');
    await page.goBack();
    await expect.poll(() => field(page, 'run.tokens').inputValue()).toBe('15T');
  });

  test('a click puts the caret there, ready to type', async () => {
    const page = await open();
    await field(page, 'run.chips').click();
    await page.keyboard.type('1000');
    await expect.poll(() => field(page, 'run.chips').inputValue()).toBe('1000');
    await expect.poll(() => answer(page, 'trainingTime')).toBe('1.09 years');
    await page.keyboard.press('Tab');
    await expect.poll(() => field(page, 'run.chips').inputValue()).toBe('1,000');
  });

  test('a click on a selected number leaves it selected', async () => {
    const page = await open();
    const chips = field(page, 'run.chips');
    await chips.click();
    await chips.click();
    // It was put into the middle: “8,032k00”.
    await page.keyboard.type('32k');
    await expect.poll(() => chips.inputValue()).toBe('32k');
    // A click puts the caret there once the field has been typed in.
    await chips.click({ position: { x: 1, y: 8 } });
    await page.keyboard.type('1');
    await expect.poll(() => chips.inputValue()).not.toBe('1');
    const chip = field(page, 'chip');
    await chip.click();
    await chip.click();
    await page.keyboard.type('h200');
    await expect.poll(() => chip.inputValue()).toBe('h200');
  });

  test('a sideways touch drags, up and down scrolls', async () => {
    const page = await open('view=training', {
      hasTouch: true,
      viewport: { width: 360, height: 740 },
    });
    expect(
      await field(page, 'run.chips').evaluate((input) => getComputedStyle(input).touchAction),
    ).toBe('pan-y');
    await field(page, 'run.chips').tap();
    await page.keyboard.type('500');
    await expect.poll(() => field(page, 'run.chips').inputValue()).toBe('500');
  });
});

describe('mistakes', () => {
  const range = 'from 1 to 1B';
  const mistakes = [
    ['run.chips', '', `Chips is empty. Give a number ${range}.`],
    ['run.chips', 'many', `Chips: “many” is not a number. Give one ${range}.`],
    ['run.chips', '-5', `Chips must be ${range}.`],
    ['run.chips', '0', `Chips must be ${range}.`],
    ['run.chips', '2.5', `Chips must be a whole number ${range}.`],
    ['run.chips', '1e400', `Chips must be ${range}.`],
    ['run.chips', 'NaN', `Chips: “NaN” is not a number. Give one ${range}.`],
    ['run.chips', 'Infinity', `Chips: “Infinity” is not a number. Give one ${range}.`],
    ['run.chips', '1e300', `Chips must be ${range}.`],
    ['run.mfu', '140%', 'MFU must be from 0.01% to 100%.'],
    ['run.mfu', '-1', 'MFU must be from 0.01% to 100%.'],
    ['run.batchTokens', '100', 'Batch, in tokens: at least one sequence, 4,096 tokens.'],
    ['run.batchTokens', '2T', 'Batch, in tokens must be from 1 to 1T.'],
    ['run.tokens', '1,5', 'Training tokens: “1,5” is not a number. Give one from 1 to 1,000P.'],
  ] as const;
  const fields = [...new Set(mistakes.map(([id]) => id))];
  test.each(fields)('%s', async (id) => {
    const page = await open();
    const valid = await field(page, id).inputValue();
    for (const [, text, says] of mistakes.filter((each) => each[0] === id)) {
      await type(page, id, text);
      await expect.poll(() => message(page, id)).toBe(says);
      // The typed text stays. No answer does: none of them is to this question.
      await expect.poll(() => field(page, id).inputValue()).toBe(text);
      await expect.poll(() => field(page, id).getAttribute('aria-invalid')).toBe('true');
      await expect
        .poll(() => field(page, id).getAttribute('aria-describedby'))
        .toBe(`${id}-message`);
      await expect.poll(() => answer(page, 'trainingTime')).toBe('–');
      expect(await page.locator('.stale').innerText()).toBe(
        'Results appear once the input is valid.',
      );
      expect(await summary(page)).toBe('–');
      expect(await shownAnswers(page)).not.toMatch(/\d/);
      await page.keyboard.press('Tab');
      await expect.poll(() => page.locator('.stale').count()).toBe(1);
      await type(page, id, id === 'run.mfu' ? '40' : '10M');
      await expect.poll(() => page.locator('.stale').count()).toBe(id === 'run.chips' ? 1 : 0);
      await type(page, id, valid);
      await expect.poll(() => page.locator('.stale').count()).toBe(0);
      await expect.poll(() => answer(page, 'trainingTime')).toBe('44.3 days');
    }
  });

  test('are told at the field that must give way', async () => {
    const page = await open();
    await type(page, 'run.tokens', '1M');
    await expect
      .poll(() => message(page, 'run.batchTokens'))
      .toBe('Batch, in tokens: at most all the tokens, 1M.');
    await page.getByRole('button', { name: 'Use a batch of 1M' }).click();
    await expect.poll(() => page.locator('.stale').count()).toBe(0);
  });

  test('of round thousands: the power of two that was meant', async () => {
    const page = await open();
    await type(page, 'run.batchTokens', '16M');
    await type(page, 'run.sequenceLength', '8k');
    const at = (id: string) => page.locator(`[data-message="${id}"] button`);
    await expect.poll(() => at('run.sequenceLength').innerText()).toBe('8,192?');
    await at('run.sequenceLength').click();
    await expect.poll(() => field(page, 'run.sequenceLength').inputValue()).toBe('8,192');
    await expect.poll(() => message(page, 'run.batchTokens')).toContain('not a whole number');
    await expect.poll(() => at('run.batchTokens').innerText()).toBe('16,777,216?');
    await at('run.batchTokens').click();
    await expect.poll(() => link(page)).toMatch(/#batch=16777216&sequence=8192$/);
    await expect.poll(() => page.locator('.message').count()).toBe(0);
  });

  test('of a link have no answers: nobody gave an input that has', async () => {
    const page = await open('chips=-3&tokens=2T');
    expect(await page.locator('.summary').count()).toBe(0);
    expect(await page.locator('.found').innerText()).not.toMatch(/\d/);
    await type(page, 'run.chips', '1000');
    await expect.poll(() => answer(page, 'trainingTime')).toMatch(/days$/);
  });

  test('in the assumptions, and in Chinese', async () => {
    const page = await open('view=training&lang=zh');
    await openPanel(page, 'model');
    await type(page, 'model.kvHeads', '7');
    await expect.poll(() => message(page, 'model.kvHeads')).toBe('KV 头数须能整除查询头数 64。');
    await expect.poll(() => page.locator('.stale').innerText()).toBe('输入有效后给出结果。');
    // The reason stands below the sentence, too, if the panel with the field is open.
    expect(await page.locator('.asks .reason').innerText()).toBe('KV 头数须能整除查询头数 64。');
    await type(page, 'model.kvHeads', '很多');
    await expect.poll(() => message(page, 'model.kvHeads')).toContain('“很多”不是数');
    await page.locator('[data-reset="model.kvHeads"]').click();
    await expect.poll(() => field(page, 'model.kvHeads').inputValue()).toBe('8');
    await expect.poll(() => page.locator('.stale').count()).toBe(0);
  });

  test('are told once, after the typing', async () => {
    const page = await open();
    const said = await heard(page.locator('[aria-live="polite"]'));
    // Both in one task: however slow the machine, no pause lies between them.
    await field(page, 'run.mfu').evaluate((input: HTMLInputElement) => {
      for (const text of ['50', '60']) {
        input.value = text;
        input.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }));
      }
    });
    await expect.poll(said).toEqual([expect.stringContaining('29.5')]);
  });
});

describe('a drawing without an answer', () => {
  const shape = (page: Page) => page.locator('.picture .outline:visible');

  test.each([
    ['view=plan&chip=h100-sxm&model=llama-3.1-8b&chips=64', 'run.chips', '64'],
    ['view=serving', 'serving.users', '10'],
    ['view=budget', 'run.chips', '64'],
    ['view=operation', 'operation.batch', '64'],
    ['view=reward', 'pools.chips', '64'],
  ])('keeps an empty outline until there is one: %s', async (hash, id, valid) => {
    for (const viewport of [
      { width: 360, height: 640 },
      { width: 1440, height: 900 },
    ]) {
      const page = await open(hash, { viewport });
      await page.locator('.picture > .drawing :is([role="button"], .hit)').first().waitFor();
      expect(await shape(page).count()).toBe(0);
      await type(page, id, '-1');
      await expect.poll(() => shape(page).count()).toBe(1);
      // No mark of the former answer is left, and the reason stands above.
      expect(await page.locator('.picture .drawing .hit').count()).toBe(0);
      expect(await page.locator('.picture').innerText()).not.toMatch(/\d/);
      expect(await message(page, id)).not.toBe('');
      expect(await violations(page, 'all', page.locator('.picture'))).toEqual([]);
      await type(page, id, valid);
      await expect.poll(() => shape(page).count()).toBe(0);
      await page.locator('.picture > .drawing .hit').first().waitFor();
    }
  });

  test('of a link has one, too', async () => {
    const page = await open('view=plan&chips=0');
    await expect.poll(() => shape(page).count()).toBe(1);
    await type(page, 'run.chips', '64');
    await expect.poll(() => shape(page).count()).toBe(0);
  });
});
