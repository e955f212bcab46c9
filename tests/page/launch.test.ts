// Launch commands: a layout goes out as one, and one that is pasted or dropped becomes the question.

import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { violations } from './axe.ts';
import { link, openPanel } from './calculator.ts';
import { visits } from './visits.ts';

const open = visits();
const plan =
  'view=plan&chip=h100-sxm&model=llama-3.1-70b&chips=64&tokens=1T&batch=4194304&sequence=8192&layout.tensor=8&layout.context=1&layout.pipeline=1&layout.sharding=gradients&layout.recompute=full';

const share = (page: Page) => page.locator('dialog.share');
const own = (page: Page) => page.locator('dialog.own');
const text = (page: Page) => page.locator('#own-text');
const hash = async (page: Page): Promise<string> =>
  decodeURIComponent(new URL(await link(page)).hash);

async function openReader(page: Page, panel = 'stack'): Promise<void> {
  await openPanel(page, panel);
  await page.locator('[data-own="launch"]').click();
  await own(page).waitFor();
}

const written = async (page: Page, software: string): Promise<string> => {
  await share(page).locator(`[value="${software}"]`).check();
  const area = share(page).locator(`[data-format="${software}"] textarea`);
  await area.waitFor();
  return area.inputValue();
};

describe('Share', () => {
  test('hands out a layout as launches, and says what they can’t', async () => {
    const page = await open(plan);
    await page.locator('[data-share]').click();
    const offered = share(page).locator('.group').filter({ hasText: 'To launch it' });
    await offered.waitFor();
    expect(await offered.locator('label').allInnerTexts()).toEqual([
      'Megatron-LM',
      'torchtitan',
      'MaxText',
      'DeepSpeed',
    ]);
    expect(await written(page, 'megatron')).toContain('--tensor-model-parallel-size 8');
    expect(await violations(page)).toEqual([]);
    expect(await written(page, 'deepspeed')).toContain('"stage": 2');
    const notes = share(page).locator('.made');
    await expect.poll(() => notes.innerText()).toContain('DeepSpeed can’t say all of it');
    await expect.poll(() => notes.innerText()).toContain('Sequence length: 8,192');
  });

  test('says in the software’s own words what it refuses', async () => {
    const experts = 'layout.tensor=2&layout.expert=8&layout.sequenceParallel=no';
    const page = await open(
      plan.replace('llama-3.1-70b', 'mixtral-8x7b').replace('layout.tensor=8', experts),
    );
    await page.locator('[data-share]').click();
    await written(page, 'megatron');
    expect(await share(page).locator('.mistaken').innerText()).toContain(
      'When using expert parallelism and tensor parallelism for training, sequence parallelism must be used',
    );
  });

  test('leads to what reads them', async () => {
    const page = await open(plan);
    await page.locator('[data-share]').click();
    await written(page, 'megatron');
    await share(page).locator('[data-read-launch]').click();
    await own(page).waitFor();
    expect(await share(page).count()).toBe(0);
  });

  test('has servers where the question is of servers', async () => {
    const page = await open(
      'view=serving&chip=h200-sxm&model=deepseek-v3&serve.chips=32&serve.tensor=4&serve.attentionData=4&serve.expert=16',
    );
    await page.locator('[data-share]').click();
    expect(await written(page, 'sglang')).toContain('--tp-size 16');
    await expect
      .poll(() => share(page).locator('.made').innerText())
      .toContain('Start 2 of these instances.');
  });
});

describe('a launch', () => {
  test('is pasted, looked at by keyboard, and used', async () => {
    const page = await open(plan);
    await openReader(page);
    await text(page).fill(
      'vllm serve Qwen/Qwen3-235B-A22B-FP8 \\\n  -tp 4 -dp 2 --enable-expert-parallel --enforce-eager --foo 1',
    );
    await expect.poll(() => own(page).locator('.counts').innerText()).toBe('A server with vLLM.');
    const all = await own(page).innerText();
    expect(all).toContain('Model: Qwen3 235B-A22B, by the name “Qwen/Qwen3-235B-A22B-FP8”.');
    expect(all).toContain('It does not name the chip: H100 SXM5 80GB stays.');
    expect(await own(page).locator('.unplaced').innerText()).toContain('enforce-eager');
    expect(await own(page).locator('.ignored').innerText()).toContain('1 key');
    expect(await violations(page)).toEqual([]);
    await own(page).getByRole('button', { name: 'Use it', exact: true }).focus();
    await page.keyboard.press('Enter');
    await own(page).waitFor({ state: 'detached' });
    await expect.poll(() => hash(page)).toContain('view=serving');
    const now = await hash(page);
    for (const each of [
      'chip=h100-sxm',
      'model=qwen3-235b-a22b',
      'serve.tensor=4',
      'serve.expert=8',
    ]) {
      expect(now).toContain(each);
    }
  });

  test('is dropped as a file, wherever', async () => {
    const page = await open();
    const transfer = await page.evaluateHandle(() => {
      const data = new DataTransfer();
      const yaml =
        'trainer:\n  num_nodes: 4\n  devices: 8\nmodel:\n  tensor_model_parallel_size: 8\n  micro_batch_size: 2\n';
      data.items.add(new File([yaml], 'run.yaml', { type: 'text/yaml' }));
      return data;
    });
    await page.dispatchEvent('h1', 'dragover', { dataTransfer: transfer });
    await page.dispatchEvent('h1', 'drop', { dataTransfer: transfer });
    await expect
      .poll(() => own(page).locator('.counts').innerText())
      .toBe('A training with Megatron-LM.');
    await own(page).getByRole('button', { name: 'Use it', exact: true }).click();
    await expect.poll(() => hash(page)).toContain('chips=32');
    expect(await hash(page)).toContain('layout.microBatch=2');
  });

  test('that can’t be read says why, and closes by Escape', async () => {
    const page = await open(plan);
    await openReader(page);
    await text(page).fill("vllm serve 'x --tensor-parallel-size 8");
    await expect
      .poll(() => own(page).locator('.refused').innerText())
      .toContain('begins at line 1');
    await text(page).fill('--num-apples 3 --num-pears 4');
    await expect
      .poll(() => own(page).locator('.refused').innerText())
      .toContain('starts none of the software');
    await text(page).fill(
      'torchrun --nproc-per-node 8 pretrain_gpt.py --num-layers 32 --hidden-size 4096 --num-attention-heads 30 --tensor-model-parallel-size 4',
    );
    await expect
      .poll(() => own(page).locator('.troubles').first().innerText())
      .toContain('num_attention_heads (30) must be a multiple of tensor_model_parallel_size (4).');
    await page.keyboard.press('Escape');
    await own(page).waitFor({ state: 'detached' });
  });

  test('speaks Chinese', async () => {
    const page = await open(`${plan}&lang=zh`);
    await openReader(page);
    await text(page).fill('vllm serve deepseek-ai/DeepSeek-V3 -tp 8');
    await expect
      .poll(() => own(page).locator('.counts').innerText())
      .toBe('使用 vLLM 的推理服务。');
  });
});
