import { describe, expect, test } from 'vitest';
import { chips, models } from '../../web/src/model/presets.ts';
import {
  answer,
  clickAll,
  field,
  link,
  message,
  openPanel,
  says,
  skipLayout,
  summary,
  type,
  visitAll,
} from './calculator.ts';
import { unfinished, visits } from './visits.ts';
import en from '../../shared/text/en.json' with { type: 'json' };
import zh from '../../shared/text/zh.json' with { type: 'json' };

const open = visits();

describe('the book’s own example', () => {
  test('in English', async () => {
    const page = await open('batch=4M');
    expect(await answer(page, 'trainingTime')).toBe('44.3 days');
    expect(await answer(page, 'bound')).toMatch(/Compute-bound$/);
    expect(await answer(page, 'memoryPerChip')).toBe('2.42 GB');
    expect(await answer(page, 'cost')).toBe('$40.0M');
    expect(await answer(page, 'minimumChips')).toBe('226 chips');
    expect(await answer(page, 'computedParameters')).toBe('70.6B parameters');
    expect(await says(page, 'trainingTime')).toContain('435 years');
    expect(await says(page, 'cost')).toContain('list price of February 2025');
    expect(await says(page, 'cost')).toContain('9.53M chip-hours');
    expect(await says(page, 'tokensPerChip')).toMatch(/850.*113/);
    expect(await says(page, 'minimumChips')).toContain('The book says 225 chips');
    expect(await says(page, 'computedParameters')).toMatch(/79.9%.*17.1%.*2.98%/);
    expect(await summary(page)).toBe(
      '44.3 days. Compute-bound. 2.42 GB of 96.0 GB per chip. $40.0M.',
    );
    expect(await page.title()).toBe(
      'Llama 3 70B · 8,960 × TPU v5p · Training, as the book counts · Scaling Calculator',
    );
  });

  test('in Chinese', async () => {
    const page = await open('view=training', { locale: 'zh-CN' });
    expect(await page.locator('html').getAttribute('lang')).toBe('zh-Hans');
    expect(await answer(page, 'trainingTime')).toBe('44.3 天');
    expect(await answer(page, 'bound')).toMatch(/计算受限$/);
    expect(await answer(page, 'cost')).toMatch(/^4,003万 ?美元$/);
    expect(await answer(page, 'computedParameters')).toMatch(/^706亿 ?参数$/);
    expect(await field(page, 'run.tokens').inputValue()).toBe('15万亿');
    await type(page, 'run.tokens', '30万亿');
    await expect.poll(() => answer(page, 'trainingTime')).toBe('88.6 天');
  });

  test('other chips and models by search', async () => {
    const page = await open();
    await field(page, 'model').click();
    await page.keyboard.type('3.1 405');
    await page.keyboard.press('Enter');
    await expect.poll(() => answer(page, 'computedParameters')).toBe('406B parameters');
    await field(page, 'chip').click();
    await page.locator('[role="option"]', { hasText: 'H100 SXM' }).first().click();
    await expect.poll(() => field(page, 'chip').inputValue()).toMatch(/H100/);
    await expect.poll(() => link(page)).toContain('model=llama-3.1-405b');
    await expect.poll(() => link(page)).toContain('chip=h100-sxm');
  });
});

describe('derivations', () => {
  test('open in place, are asked for only then, and show the numbers put in', async () => {
    const page = await open();
    const row = page.locator('[data-answer="trainingTime"]');
    expect(await row.locator('math').count()).toBe(0);
    await row.locator('.why').click();
    const first = row.locator('.ladder li').first();
    await expect.poll(() => first.innerText()).toContain('Training time');
    await expect
      .poll(() => first.locator('math').allTextContents())
      .toEqual([
        expect.stringMatching(/T\s*train\s*=/),
        expect.stringMatching(/8,960.*459.*40/s),
        expect.stringMatching(/44\.3.days/),
      ]);
    await expect
      .poll(() => row.locator('.sources a').first().getAttribute('href'))
      .toContain('scaling-book');
    await type(page, 'run.mfu', '80%');
    await expect.poll(() => first.innerText()).toMatch(/22\.2.days/);
    await row.locator('.why').click();
    await expect.poll(() => row.locator('math').count()).toBe(0);
  });

  test('every answer has one, or says why not', async () => {
    const page = await open();
    await openPanel(page, 'rest');
    await skipLayout(page);
    await clickAll(page, '[data-answer] .why');
    const rows = page.locator('[data-answer]');
    await expect
      .poll(() => rows.filter({ has: page.locator('.ladder li') }).count())
      .toBe(await rows.count());
    await clickAll(page, '.other > summary');
    const without = () =>
      page
        .locator('.other')
        .evaluateAll((others) =>
          others
            .filter((other) => !other.querySelector('.ladder li'))
            .map((other) => other.getAttribute('data-part')),
        );
    await expect.poll(without).toEqual([]);
  });
});

test.each([
  ['en-US', en.answers.trainingTime.help],
  ['zh-CN', zh.answers.trainingTime.help],
])('a derivation begins with what the answer is, by keyboard too: %s', async (locale, sentence) => {
  const page = await open('view=training', { locale });
  const row = page.locator('[data-answer="trainingTime"]');
  const said = row.locator('.derivation > p').first();
  expect(await row.innerText()).not.toContain(sentence);
  await row.locator('.why').focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => said.innerText()).toBe(sentence);
  const [above, below] = await Promise.all([
    said.boundingBox(),
    row.locator('.ladder').boundingBox(),
  ]);
  expect(above!.y + above!.height).toBeLessThanOrEqual(below!.y);
  await page.keyboard.press('Enter');
  await expect.poll(() => said.count()).toBe(0);
});

describe('assumptions', () => {
  test('name their default, mark what differs and go back', async () => {
    const page = await open('batch=4M');
    await openPanel(page, 'memory');
    await type(page, 'run.checkpointsPerLayer', '12');
    await expect.poll(() => answer(page, 'memoryPerChip')).toBe('7.10 GB');
    await expect.poll(() => says(page, 'memoryPerChip')).toContain('The book says 8 GB');
    await expect
      .poll(() => page.locator('[data-part="panel memory"] .mark').innerText())
      .toBe('1 changed');
    await page.locator('[data-reset="run.checkpointsPerLayer"]').click();
    await expect.poll(() => answer(page, 'memoryPerChip')).toBe('2.42 GB');
    await expect.poll(() => page.locator('[data-part="panel memory"] .mark').count()).toBe(0);
  });

  test('the optimizer’s convention, and the vendor’s figures', async () => {
    const page = await open();
    await openPanel(page, 'memory');
    await field(page, 'optimizer').selectOption('zero');
    await expect.poll(() => says(page, 'memoryPerChip')).toContain('16 bytes per parameter');
    await openPanel(page, 'chip');
    await expect.poll(() => field(page, 'chip.memory').inputValue()).toBe('96 GB');
    await page.locator('[data-field="figures"][value="vendor"]').click();
    await expect.poll(() => field(page, 'chip.memory').inputValue()).toBe('95 GiB');
    await expect.poll(() => link(page)).toContain('figures=vendor');
  });

  test('a price has its own date, whosever it is', async () => {
    const page = await open('chip=h100-sxm');
    expect(await says(page, 'cost')).toMatch(
      /at \$3\.99 per chip-hour, the list price of September 2026 at Lambda/,
    );
    await page.goto((await link(page)).replace(/#.*/, '#chip=h100-sxm&prices=google-cloud'));
    await expect
      .poll(() => says(page, 'cost'))
      .toMatch(/at \$10\.80 per chip-hour, the list price of February 2025 at Google Cloud/);
  });

  test('MFU stands beside what it is with attention counted; more than the peak is told', async () => {
    const page = await open('mfu=90%25&sequence=128Ki&batch=4Mi');
    expect(await says(page, 'trainingTime')).toMatch(/90 ?% MFU is 200 ?% with attention counted/);
    expect(await message(page, 'run.mfu')).toContain('more than the chips can do');
  });

  test('an edited price is named as the reader’s own', async () => {
    const page = await open();
    // The price is where the cost is, and nowhere else.
    await openPanel(page, 'chip');
    await expect
      .poll(() => page.locator('[data-answer="cost"] [data-field="chip.price"]').count())
      .toBe(1);
    await expect.poll(() => field(page, 'chip.price').count()).toBe(1);
    await type(page, 'chip.price', '$2.10');
    await expect.poll(() => answer(page, 'cost')).toBe('$20.0M');
    await expect.poll(() => says(page, 'cost')).not.toContain('list price');
    await type(page, 'chip.price', '');
    await expect.poll(() => answer(page, 'cost')).toBe('unknown');
    await expect.poll(() => says(page, 'cost')).toContain('No price is known');
  });
});

test('a time at an MFU that the network may not allow is told as such', async () => {
  const page = await open('chip=h100-sxm&chips=8960');
  expect(await summary(page)).toContain('Network-bound');
  expect(await says(page, 'trainingTime')).toContain('40% MFU may be out of reach');
  await type(page, 'run.chips', '1024');
  await expect.poll(() => says(page, 'trainingTime')).not.toContain('out of reach');
});

test('the batch is one number, in training and in a plan of it', async () => {
  const plan = await open('view=plan');
  await plan.locator('[data-question="plan"]').waitFor();
  const planned = await field(plan, 'run.batchTokens').inputValue();
  const page = await open();
  expect(await field(page, 'run.batchTokens').inputValue()).toBe(planned);
  const batch = await field(page, 'run.batchTokens').inputValue();
  await page.locator('[data-counting="predicted"]').click();
  await page.locator('[data-question="plan"]').waitFor();
  expect(await field(page, 'run.batchTokens').inputValue()).toBe(batch);
  await page.locator('[data-counting="book"]').click();
  await expect.poll(() => field(page, 'run.batchTokens').inputValue()).toBe(batch);
  await expect.poll(() => link(page)).not.toContain('batch');
});

describe('what cannot be', () => {
  test('too little memory: the overflow, and a way out that works', async () => {
    const page = await open('chips=100');
    expect(await summary(page)).toContain('Doesn’t fit');
    expect(await says(page, 'memoryPerChip')).toContain('more than each chip has');
    expect(await page.locator('[data-answer="memoryPerChip"] .too-much').count()).toBe(1);
    await page.getByRole('button', { name: 'Use 226 chips' }).click();
    await expect.poll(() => field(page, 'run.chips').inputValue()).toBe('226');
    await expect.poll(() => says(page, 'memoryPerChip')).not.toContain('more than');
    await expect.poll(() => page.locator('.offers').count()).toBe(0);
  });

  test('more chips than the network joins, and no whole slices: some that are', async () => {
    const page = await open();
    await type(page, 'run.chips', '8961');
    await expect
      .poll(() => message(page, 'run.chips'))
      .toBe('Chips: the network joins at most 8,960. More need 2 slices or more.');
    await expect.poll(() => answer(page, 'trainingTime')).toBe('–');
    await expect.poll(() => field(page, 'run.chips').inputValue()).toBe('8961');
    await page.getByRole('button', { name: /in 2 slices/ }).click();
    await expect.poll(() => page.locator('.stale').count()).toBe(0);
    await expect.poll(() => message(page, 'run.chips')).toBe('');
    await expect.poll(() => link(page)).toContain('slices=2');
  });

  test('more chips than one torus has: slices are joined, and it is said', async () => {
    const page = await open();
    await type(page, 'run.chips', '17920');
    await expect.poll(() => answer(page, 'trainingTime')).toBe('22.2 days');
    expect(await page.locator('.asks .reason').innerText()).toBe(
      'One torus has fewer chips: 2 slices of 8,960 are joined by the scale-out network, and each holds a copy of the states.',
    );
    expect(await page.locator('.stale').count()).toBe(0);
  });

  test('a format that the chip lacks: one that it has', async () => {
    const page = await open();
    await field(page, 'chip').click();
    await page.keyboard.type('v100');
    await page.keyboard.press('Enter');
    // It chooses one, and says so.
    await expect
      .poll(() => page.locator('.asks .reason').allInnerTexts())
      .toEqual(['This chip has no known peak in bf16, so it computes in fp16.']);
    expect(await answer(page, 'trainingTime')).toMatch(/days|years/);
    expect(await says(page, 'bound')).toContain('fp16');
    await openPanel(page, 'run');
    await field(page, 'run.computeFormat').selectOption('fp8');
    await expect.poll(() => message(page, 'run.computeFormat')).toContain('no known peak in fp8');
    expect(await answer(page, 'trainingTime')).toBe('–');
    await page.getByRole('button', { name: 'Compute in fp16' }).click();
    await expect.poll(() => message(page, 'run.computeFormat')).toBe('');
  });
});

describe('every preset', () => {
  test('gives answers or says what to do, even on a narrow screen', async () => {
    const page = await open('view=training', { viewport: { width: 360, height: 740 } });
    const hashes = [
      ...chips.flatMap(({ id }, index) => {
        const view = index % 2 === 0 ? 'training' : 'operation';
        return [`view=${view}&chip=${id}&chips=8`];
      }),
      ...models.map(({ id }) => `model=${id}`),
    ];
    const seen = await visitAll(page, hashes);
    for (const { hash, text, model, answers, overflow } of seen) {
      expect(text, hash).not.toMatch(unfinished);
      expect(answers, hash).toBeGreaterThan(0);
      expect(overflow, hash).toBeLessThanOrEqual(0);
      if (hash.startsWith('model=')) expect(model, hash).not.toBe('');
    }
    expect(new Set(seen.map(({ text }) => text)).size).toBeGreaterThan(hashes.length / 2);
  });
});
