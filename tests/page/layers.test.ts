// A model's layers as a strip, and several models side by side along their context.

import { expect, test } from 'vitest';
import { openPanel } from './calculator.ts';
import { unfinished, visits } from './visits.ts';

const open = visits();

const hybrid =
  'model.layers=60&model.layerPattern=15x(3xld.ad)&model.linearAttention=gatedDeltaNet' +
  '&model.linearKeyHeads=16&model.linearValueHeads=64&model.linearKeyDim=128' +
  '&model.linearValueDim=128&model.linearConvolution=4';

test('a model with a pattern shows its layers, in colours, letters and words', async () => {
  const page = await open(hybrid);
  await openPanel(page, 'model');
  const strip = page.locator('scaling-layers .strip');
  await strip.waitFor();
  const runs = await strip
    .locator('.run')
    .evaluateAll((all) => all.map((run) => [run.textContent, run.getBoundingClientRect().width]));
  expect(runs.map(([letter]) => letter).join('')).toBe('la'.repeat(15));
  // Each as wide as it has layers.
  expect(Number(runs[0]![1]) / Number(runs[1]![1])).toBeCloseTo(3, 0);
  const legend = page.locator('scaling-layers .legend li');
  expect(await legend.allInnerTexts()).toEqual([
    expect.stringContaining('45 layers: linear attention, then a dense MLP'),
    expect.stringContaining('15 layers: attention, then a dense MLP'),
  ]);
  // 30 runs are too many to tell one by one.
  expect(await strip.getAttribute('aria-label')).toMatch(/^60 layers, by kind\. 45 layers: linear/);
  expect(await strip.getAttribute('role')).toBe('img');
});

test('in order where runs are few, and none where there is no pattern', async () => {
  const page = await open('model.layers=4&model.layerPattern=2xad.ad.w-&model.slidingWindow=128');
  await openPanel(page, 'model');
  const strip = page.locator('scaling-layers .strip');
  await strip.waitFor();
  expect(await strip.getAttribute('aria-label')).toBe(
    '4 layers, from the first to the last. 3 layers: attention, then a dense MLP, 1 layer: windowed attention.',
  );
  await page.evaluate(() => (location.hash = 'model=llama-3.1-8b'));
  await expect.poll(() => page.locator('scaling-layers').count()).toBe(0);
});

test('layers that share keys, and those with a convolution, are told in words', async () => {
  const page = await open('model.layers=4&model.layerPattern=vd.ad.v-.a0d');
  await openPanel(page, 'model');
  const strip = page.locator('scaling-layers .strip');
  await strip.waitFor();
  expect(await strip.getAttribute('aria-label')).toBe(
    '4 layers, from the first to the last. 1 layer: short convolution, then a dense MLP, ' +
      '1 layer: attention, then a dense MLP, 1 layer: short convolution, ' +
      '1 layer: attention to the keys of an earlier layer, then a dense MLP.',
  );
});

test('models stand side by side along their context; a link holds which', async () => {
  const page = await open('view=serving&model=llama-3.1-8b&models=deepseek-v3');
  // The link has opened what it sets.
  const charts = page.locator('[data-section="context"] scaling-sweep');
  await expect.poll(() => charts.count()).toBe(2);
  const titles = () => charts.locator('figcaption').allInnerTexts();
  await expect.poll(async () => (await titles()).length).toBeGreaterThan(1);
  // 2 (K and V) of 8 heads of 128 numbers of 2 bytes, in 32 layers: 131,072 bytes a token.
  expect((await titles()).join()).toMatch(/Llama 3\.1 8B: 17\.2\sGB for a sequence of 131,072/);
  const models = page.locator('[data-beside="models"]');
  await models.locator('[data-chart="add"]').click();
  await expect
    .poll(() => page.evaluate(() => location.hash))
    .toContain('models=deepseek-v3,gpt-oss-120b');
  await charts.first().getByText('gpt-oss-120b').first().waitFor();
  await models.locator('[data-chart="remove"]').first().click();
  await expect.poll(() => page.evaluate(() => location.hash)).toContain('models=gpt-oss-120b');
  expect(await page.locator('[data-section="context"]').innerText()).not.toMatch(unfinished);
});
