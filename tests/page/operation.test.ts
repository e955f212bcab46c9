import { describe, expect, test } from 'vitest';
import { answer, field, link, says, summary, type } from './calculator.ts';
import { visits } from './visits.ts';

const open = visits();

describe('one operation', () => {
  test('a matmul on TPU v5e: critical intensity 240, by rule and exactly', async () => {
    const page = await open('view=operation&chip=tpu-v5e');
    expect(await answer(page, 'bound')).toMatch(/Memory-bound$/);
    expect(await says(page, 'bound')).toContain('240');
    expect(await answer(page, 'criticalBatch')).toBe('240 tokens');
    expect(await says(page, 'criticalBatch')).toContain('272 tokens');
    await type(page, 'operation.batch', '1024');
    await expect.poll(() => answer(page, 'bound')).toMatch(/Compute-bound$/);
    await expect.poll(() => answer(page, 'fractionOfPeak')).toBe('100%');
    await expect
      .poll(() => summary(page))
      .toMatch(/^Compute-bound\. Lower bound .*, 100% of the peak\.$/);
  });

  test('int8 weights halve the critical batch', async () => {
    const page = await open('view=operation&chip=tpu-v5e');
    await field(page, 'operation.weightFormat').selectOption('int8');
    await expect.poll(() => answer(page, 'criticalBatch')).toBe('120 tokens');
    await expect.poll(() => says(page, 'criticalBatch')).toContain('136 tokens');
  });

  test('never compute-bound is said in words', async () => {
    const page = await open('view=operation&chip=tpu-v5e&op.contraction=128&op.output=128');
    expect(await says(page, 'criticalBatch')).toContain('never, however large the batch');
  });

  test('a matmul over two chips: D > 8755, whatever the batch', async () => {
    const page = await open('view=operation&chip=tpu-v5e&op.kind=splitMatmul&op.batch=8192');
    expect(await answer(page, 'bound')).toMatch(/Network-bound$/);
    expect(await answer(page, 'criticalContraction')).toBe('8,756');
    await type(page, 'operation.contraction', '8756');
    await expect.poll(() => answer(page, 'bound')).toMatch(/Compute-bound$/);
  });

  test('a network of unknown speed is said to be unknown', async () => {
    const page = await open('view=operation&chip=tpu-v4i&op.kind=splitMatmul');
    expect(await summary(page)).toContain('not counting the network');
    expect(await answer(page, 'lowerBound')).toBe('unknown');
    expect(await says(page, 'lowerBound')).toContain('How long the network takes is not known');
  });

  test('a dot product and weights for each row are always memory-bound', async () => {
    const page = await open('view=operation&chip=tpu-v5e&op.kind=dotProduct');
    expect(await answer(page, 'bound')).toMatch(/Memory-bound$/);
    expect(await says(page, 'bound')).toContain('0.500 FLOPs');
    await field(page, 'operation.kind').selectOption('perBatchWeights');
    await expect.poll(() => answer(page, 'bound')).toMatch(/Memory-bound$/);
  });

  test('the question is kept in the link, the other one beside it', async () => {
    const page = await open();
    await page.locator('[data-view="operation"]').click();
    await expect.poll(() => link(page)).toMatch(/#view=operation$/);
    await expect.poll(() => page.locator('[data-question="operation"]').count()).toBe(1);
    await page.goBack();
    await expect.poll(() => page.locator('[data-question="training"]').count()).toBe(1);
  });

  test('in Chinese', async () => {
    const page = await open('view=operation&chip=tpu-v5e', { locale: 'zh-CN' });
    expect(await answer(page, 'bound')).toMatch(/访存受限$/);
    expect(await page.locator('.question').innerText()).toContain('矩阵乘法');
  });
});
