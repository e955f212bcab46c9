// The reader's own chips and models: read, kept, taken, and what goes wrong.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { fileOf, llama } from '../gguf.ts';
import { answer, field, hold, link, openPanel, type, unfold } from './calculator.ts';
import { contentOf } from '../site.ts';
import { violations } from './axe.ts';
import { visits } from './visits.ts';

const open = visits();
const config = (name: string): string =>
  readFileSync(path.resolve(import.meta.dirname, `../golden/configs/${name}.json`), 'utf8');

const dialog = (page: Page): Locator => page.locator('dialog.own');
const text = (page: Page): Locator => page.locator('#own-text');
const button = (page: Page, name: string): Locator =>
  dialog(page).getByRole('button', { name, exact: true });
const row = (page: Page, name: string): Locator => page.locator(`[data-kept="${name}"]`);
const kept = async (page: Page): Promise<string[]> => page.locator('.kept .called').allInnerTexts();

async function openOwn(page: Page, kind: 'model' | 'chip' = 'model'): Promise<void> {
  if ((await page.locator(`[data-own="${kind}"]`).count()) === 0) await openPanel(page, kind);
  await page.locator(`[data-own="${kind}"]`).click();
  await dialog(page).waitFor();
}

async function paste(page: Page, content: string): Promise<void> {
  await openOwn(page);
  await text(page).fill(content);
}

/** Keeps a model under a name. */
async function keep(page: Page, name: string, content: string): Promise<void> {
  await paste(page, content);
  await dialog(page).getByLabel('Name').first().fill(name);
  await button(page, 'Save').click();
}

/** The rows of the n-th table of the dialog. */
const table = async (page: Page, n: number): Promise<string[]> => {
  const rows = await dialog(page).locator('table').nth(n).locator('tbody tr').allInnerTexts();
  return rows.map((each) => each.replace(/\s+/g, ' ').trim());
};

/** Drops a file onto the page, as the desktop would; its content so many times over. */
async function drop(page: Page, name: string, content: string, times = 1): Promise<void> {
  const transfer = await page.evaluateHandle(
    ([name, content, times]) => {
      const data = new DataTransfer();
      data.items.add(new File([content.repeat(times)], name, { type: 'application/json' }));
      return data;
    },
    [name, content, times] as const,
  );
  await page.dispatchEvent('h1', 'dragover', { dataTransfer: transfer });
  await page.dispatchEvent('h1', 'drop', { dataTransfer: transfer });
  await dialog(page).waitFor();
}

async function exported(page: Page, press: Locator): Promise<{ name: string; content: string }> {
  const [download] = await Promise.all([page.waitForEvent('download'), press.click()]);
  const content = String(await contentOf(download));
  return { name: download.suggestedFilename(), content };
}

const hash = async (page: Page): Promise<string> =>
  decodeURIComponent(new URL(await link(page)).hash);

describe('a config.json', () => {
  test('is pasted, looked at, and used', async () => {
    const page = await open();
    await paste(page, config('gpt-oss-20b'));
    await expect
      .poll(() => dialog(page).locator('.counts').innerText())
      .toBe('20.9B parameters, 4.19B active per token');
    const given = await table(page, 0);
    expect(given).toContain('num_local_experts Experts 32');
    expect(given).toContain('layer_types Layers with a window 12');
    const assumed = await table(page, 1);
    expect(assumed).toContain('gpt_oss is built so');
    expect(assumed).toContain('Attention sinks yes');
    await expect.poll(() => dialog(page).innerText()).toContain('weights are quantized');
    await dialog(page).locator('.ignored summary').click();
    await expect.poll(() => dialog(page).locator('.ignored').innerText()).toContain('swiglu_limit');
    await expect.poll(() => dialog(page).innerText()).toContain('Nothing is uploaded');

    await dialog(page).getByLabel('Name').first().fill('My model');
    await button(page, 'Use it').click();
    // The server's module loads before the model is taken, with its formats.
    await expect.poll(() => field(page, 'model').inputValue()).toBe('My model');
    await expect.poll(() => answer(page, 'computedParameters')).toContain('20.9B');
    await expect
      .poll(() => hash(page))
      .toContain('#model=own&model.name=My model&batch=4194304&model.layers=24&');
    expect(await hash(page)).toContain('server.expertWeights=mxfp4');
    // All of it is the reader's to edit, and nothing is marked as differing from a preset.
    expect(await page.locator('[data-reset^="model."]').count()).toBe(0);
    await type(page, 'model.layers', '12');
    await expect.poll(() => answer(page, 'computedParameters')).toContain('11');
    await page.reload();
    await page.locator('[data-answer]').first().waitFor();
    expect(await field(page, 'model').inputValue()).toBe('My model');
    expect(await answer(page, 'computedParameters')).toContain('11');
  });

  test('with layers that are not alike, and formats by part', async () => {
    const page = await open();
    await paste(page, config('deepseek-v4-flash'));
    await expect.poll(() => dialog(page).locator('.counts').innerText()).toContain('284B');
    const given = await table(page, 0);
    expect(given.join()).toContain('compress_ratios');
    expect(given.join()).toContain('2xwe.c4e.20x(c128e.c4e)');
    const formats = await dialog(page).locator('.quantised li').allInnerTexts();
    expect(formats).toEqual(['Weights: FP8 in blocks', 'Experts: MXFP4']);
    await button(page, 'Use it').click();
    await expect.poll(() => answer(page, 'computedParameters')).toContain('284B');
    await expect.poll(() => hash(page)).toContain('server.weights=fp8Block');
  });

  test('what contradicts the name of its file is doubted', async () => {
    const page = await open();
    await drop(page, 'Nemotron-3-Nano-102B-A9B.json', config('nemotron-3-nano-30b-a3b'));
    const warning = dialog(page).locator('.warning');
    await expect.poll(() => warning.innerText()).toContain('has 102B parameters');
    expect(await warning.innerText()).toContain('as read here it has 31.6B');
  });

  test('kinds of layers that nothing describes are refused by name', async () => {
    const page = await open();
    const sizes = { hidden_size: 64, num_hidden_layers: 8, num_attention_heads: 4, vocab_size: 99 };
    const types = Array(8).fill('recurrent') as string[];
    await paste(page, JSON.stringify({ ...sizes, model_type: 'griffin', layer_types: types }));
    await expect
      .poll(() => dialog(page).locator('.refused').innerText())
      .toContain('“griffin” has layers that the calculator cannot describe: recurrent.');
    expect(await button(page, 'Use it').count()).toBe(0);
  });

  test.each([
    ['', 'model panel closed'],
    ['view=collective', 'a view that has no model'],
  ])('is dropped anywhere: %s (%s)', async (hash) => {
    const page = await open(hash);
    const before = await link(page);
    await drop(page, 'llama-3.1-8b.json', config('llama-3.1-8b'));
    await expect.poll(() => dialog(page).locator('.counts').innerText()).toBe('8.03B parameters');
    await expect
      .poll(() => dialog(page).getByLabel('Name').first().inputValue())
      .toBe('llama-3.1-8b');
    await expect.poll(() => link(page)).toBe(before);
    await button(page, 'Use it').click();
    await expect.poll(() => link(page)).toContain('model=own');
  });

  test('is chosen as a file; what was typed comes back', async () => {
    const page = await open();
    await paste(page, '{"model_type": "half');
    await dialog(page)
      .locator('input[type="file"]')
      .setInputFiles({
        name: 'config.json',
        mimeType: 'application/json',
        buffer: Buffer.from(config('gpt2')),
      });
    await expect.poll(() => dialog(page).innerText()).toContain('124M parameters');
    expect(await dialog(page).getByLabel('Name').first().inputValue()).toBe('gpt2 0.124B');
    expect(await text(page).inputValue()).toBe('{"model_type": "half');
    await button(page, 'Back to what was typed').click();
    await expect.poll(() => dialog(page).locator('.refused').innerText()).toContain('not JSON');
    await button(page, 'Close').click();
    await openOwn(page);
    await expect.poll(() => text(page).inputValue()).toBe('{"model_type": "half');
  });

  test('is a GGUF file, whose format becomes that of the server', async () => {
    const page = await open('view=serving&chip=rtx-4090');
    await openOwn(page);
    await dialog(page)
      .locator('input[type="file"]')
      .setInputFiles({
        name: 'model.gguf',
        mimeType: 'application/octet-stream',
        buffer: Buffer.from(fileOf(llama, 9, ['token_embd.weight', 'output.weight'])),
      });
    await expect.poll(() => dialog(page).innerText()).toContain('8.03B parameters');
    expect(await dialog(page).innerText()).toContain('llama.block_count');
    expect(await dialog(page).innerText()).toContain('GGUF Q4_K_M');
    await button(page, 'Use it').click();
    await expect.poll(() => link(page)).toContain('server.weights=int4');
  });

  // It could be read only below some thirty fields of a panel.
  test.each([
    ['among the models', ''],
    ['under "Nothing by that name"', 'no such model'],
  ])('is offered where a model is picked: %s', async (_, typed) => {
    const page = await open();
    await field(page, 'model').click();
    if (typed) await page.keyboard.type(typed);
    const options = page.locator('#model-list [role="option"]');
    const offered = options.filter({ hasText: 'Read a config.json' });
    await expect.poll(() => offered.count()).toBe(1);
    if (typed) {
      await expect.poll(() => options.first().innerText()).toBe('Nothing by that name.');
      // Enter alone takes nothing.
      await page.keyboard.press('Enter');
      await expect.poll(() => dialog(page).count()).toBe(0);
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
    } else await offered.click();
    await dialog(page).waitFor();
    await text(page).fill(config('gpt2'));
    await button(page, 'Use it').click();
    await expect.poll(() => link(page)).toContain('model=own');
  });

  test('of a kind that is refused, or of an architecture that is not known, says so first', async () => {
    const page = await open();
    const kind = { model_type: 'bert', architectures: ['BertForMaskedLM'] };
    await paste(page, JSON.stringify({ ...JSON.parse(config('gpt2')), ...kind }));
    const said = await dialog(page).locator('.reading').innerText();
    expect(said).toMatch(/^“bert” is an encoder\./);
    expect(said.indexOf('parameters')).toBeGreaterThan(said.indexOf('is an encoder'));

    const sizes = {
      hidden_size: 64,
      num_hidden_layers: 2,
      num_attention_heads: 4,
      vocab_size: 100,
    };
    await text(page).fill(
      JSON.stringify({ ...sizes, model_type: 'brand_new', intermediate_size: 128 }),
    );
    await expect
      .poll(() => dialog(page).locator('.warning').innerText())
      .toContain('does not know the architecture “brand_new”');
    await expect.poll(() => table(page, 1)).toContain('As in most models');
    await text(page).fill(JSON.stringify({ ...sizes, model_type: 'bert', intermediate_size: 128 }));
    await expect
      .poll(() => dialog(page).locator('.warning').innerText())
      .toContain('is an encoder');
    await text(page).fill('{"model_type": "mamba", "d_model": 64}');
    await expect.poll(() => dialog(page).locator('.refused').innerText()).toContain('state-space');
    await expect.poll(() => button(page, 'Use it').count()).toBe(0);
  });

  test('with mistakes: each is named, the rest is used', async () => {
    const page = await open();
    const file = JSON.parse(config('llama-3.1-8b')) as object;
    const wrong = { num_hidden_layers: '32', hidden_size: -4096, num_key_value_heads: 7 };
    await paste(page, JSON.stringify({ ...file, ...wrong }));
    const troubles = () => dialog(page).locator('.troubles li').allInnerTexts();
    await expect
      .poll(() => troubles())
      .toEqual([
        '“num_hidden_layers” is "32", not a number. Layers must be a whole number from 1 to 100K.',
        '“hidden_size” is -4096. Hidden size must be a whole number from 1 to 10M.',
      ]);
    await text(page).fill(JSON.stringify({ ...file, num_key_value_heads: 7 }));
    await expect
      .poll(() => troubles())
      .toEqual(['Key/value heads must divide the 32 query heads.']);
    await text(page).fill(JSON.stringify({ ...file, num_hidden_layers: '32' }));
    await button(page, 'Use it').click();
    await expect
      .poll(() => page.locator('[data-message="model.layers"]').innerText())
      .toContain('Layers');
    await type(page, 'model.layers', '32');
    await expect.poll(() => answer(page, 'computedParameters')).toContain('8.03B');
  });
});

describe('what is no config', () => {
  test('is refused in a sentence, and stays where it was typed', async () => {
    const page = await open();
    await openOwn(page);
    for (const [content, says] of [
      ['<html><img src=x onerror="pwned=1"><script>pwned=1</script>', 'This is a web page'],
      ['https://huggingface.co/gpt2', 'This is an address'],
      ['[1, 2, 3]', 'This is JSON, but not an object'],
      ['{"a": 1,\n"b"', 'This is not JSON'],
      ['['.repeat(100_000), 'nested deeper'],
      ['{"name": "left-pad"}', 'No model in here'],
    ] as const) {
      await text(page).fill(content);
      const refused = dialog(page).locator('.refused');
      await expect.poll(() => refused.innerText()).toContain(says);
      await expect.poll(() => refused.getAttribute('role')).toBe('alert');
      await expect.poll(() => text(page).getAttribute('aria-invalid')).toBe('true');
      await expect.poll(() => text(page).inputValue()).toBe(content);
      await expect.poll(() => button(page, 'Use it').count()).toBe(0);
    }
    await expect.poll(() => page.evaluate(() => 'pwned' in window)).toBe(false);
  });

  test('10 MB are not even read', async () => {
    const page = await open();
    await drop(page, 'model.safetensors', 'x', 10_000_000);
    await expect
      .poll(() => dialog(page).locator('.refused').innerText())
      .toContain('This is 10.0\u00a0MB');
  });

  test('names that are more than names stay text', async () => {
    const page = await open();
    const name = 'a/<img src=x onerror="window.pwned=1"><b>x\u202e';
    const text = config('llama-2-7b-hf').replace(
      'meta-llama/Llama-2-7b-hf',
      JSON.stringify(name).slice(1, -1),
    );
    const file = text.replace('{', '{"__proto__": 7, "<script>pwned=1</script>": 1,');
    await drop(page, 'x.json', file);
    await dialog(page).locator('.ignored summary').click();
    await expect
      .poll(() => dialog(page).locator('.ignored').innerText())
      .toContain('<script>pwned=1</script>');
    await button(page, 'Save').click();
    await button(page, 'Use it').click();
    await expect
      .poll(() => field(page, 'model').inputValue())
      .toBe('<img src=x onerror="window.pwned=1"><b>x');
    await page.reload();
    await page.locator('[data-answer]').first().waitFor();
    await field(page, 'model').click();
    await page.locator('.options [role="option"]').first().waitFor();
    expect(await page.evaluate(() => 'pwned' in window)).toBe(false);
    expect(await page.locator('.options img, .options b').count()).toBe(0);
  });
});

describe('the storage', () => {
  test('keeps models over a reload, beside the presets', async () => {
    const page = await open();
    await keep(page, 'Φ', config('phi-4'));
    await expect
      .poll(() => dialog(page).locator('.foot [role="status"]').innerText())
      .toContain('Saved as “Φ”.');
    await expect.poll(() => kept(page)).toEqual(['Φ']);
    await expect.poll(() => row(page, 'Φ').innerText()).toContain('14.7B parameters');
    await page.keyboard.press('Escape');
    await page.reload();
    await page.locator('[data-answer]').first().waitFor();

    const model = page.getByRole('combobox', { name: 'Model' });
    await model.click();
    await expect.poll(() => page.locator('.options').first().innerText()).toContain('Φ');
    await page.keyboard.type('Φ');
    await page.keyboard.press('Enter');
    await expect.poll(() => model.inputValue()).toBe('Φ');
    await expect.poll(() => answer(page, 'computedParameters')).toContain('14.7B');
    // An edited preset is not the kept one any more, though it has its name.
    await openPanel(page, 'model');
    await type(page, 'model.layers', '41');
    await openOwn(page);
    await button(page, 'Replace “Φ”').click();
    await expect.poll(() => dialog(page).innerText()).toContain('“Φ” is saved as it is');
    await button(page, 'Close').click();
    await model.click();
    await page.keyboard.type('Llama 3 8B');
    await page.keyboard.press('Enter');
    await expect.poll(() => hash(page)).toBe('#model=llama-3-8b&batch=4194304');
  });

  test('offers what it keeps to a reader who typed its name before it was read', async () => {
    const page = await open();
    await keep(page, 'Φ', config('phi-4'));
    await expect.poll(() => kept(page)).toEqual(['Φ']);
    const give = await hold(page, /assets\/preset-library-/);
    await page.reload();
    await page.locator('[data-answer]').first().waitFor();
    const active = page.locator('.options .active');
    await field(page, 'model').click();
    await page.keyboard.type('Φ');
    await expect
      .poll(() => page.locator('.options').first().innerText())
      .toContain('Nothing by that name');
    expect(await active.count()).toBe(0);
    give();
    await expect.poll(() => active.allInnerTexts()).toEqual([expect.stringContaining('Φ')]);
    await page.keyboard.press('Enter');
    await expect.poll(() => answer(page, 'computedParameters')).toContain('14.7B');
    await page.unrouteAll();
  });

  test('its things are renamed, deleted, brought back', async () => {
    const page = await open();
    for (const [name, content] of [
      ['A', 'gpt2'],
      ['B', 'phi-4'],
    ] as const) {
      if ((await dialog(page).count()) === 0) await openOwn(page);
      await text(page).fill(config(content));
      await dialog(page).getByLabel('Name').first().fill(name);
      await button(page, 'Save').click();
    }
    await expect.poll(() => kept(page)).toEqual(['A', 'B']);
    await row(page, 'A').getByRole('button', { name: 'Rename “A”' }).click();
    await page.keyboard.type('B');
    await page.keyboard.press('Enter');
    await expect
      .poll(() => dialog(page).locator('.foot [role="alert"]').innerText())
      .toBe('There is already one called “B”.');
    await page.keyboard.type('2');
    await page.keyboard.press('Enter');
    await expect.poll(() => kept(page)).toEqual(['B2', 'B']);
    // The button that was pressed has the focus again.
    expect(
      await page.evaluate(() =>
        document
          .querySelector('scaling-page')!
          .shadowRoot!.activeElement?.getAttribute('data-rename'),
      ),
    ).toBe('B2');
    await button(page, 'Rename “B2”').click();
    await page.keyboard.press('Escape');
    await expect.poll(() => kept(page)).toEqual(['B2', 'B']);
    await expect.poll(() => dialog(page).count()).toBe(1);
    await button(page, 'Delete “B2”').click();
    await expect.poll(() => kept(page)).toEqual(['B']);
    await button(page, 'Undo').click();
    await expect.poll(() => kept(page)).toEqual(['B', 'B2']);
    await button(page, 'Use “B2”').click();
    await expect.poll(() => answer(page, 'computedParameters')).toContain('124M');
  });

  test('hands out files, and takes them; axe finds nothing', async () => {
    const page = await open();
    await keep(page, '自己的 MoE/1', config('gpt-oss-20b'));
    expect(await violations(page, 'all', dialog(page))).toEqual([]);
    const { name, content } = await exported(page, button(page, 'Export “自己的 MoE/1” to a file'));
    expect(name).toBe('自己的-MoE-1.scaling-calculator.json');
    expect(JSON.parse(content)).toMatchObject({
      format: 'scaling-calculator',
      version: 1,
      kind: 'model',
      name: '自己的 MoE/1',
      base: 'own',
      fields: { layers: 24, experts: 32 },
    });
    await button(page, 'Use “自己的 MoE/1”').click();
    const there = await hash(page);
    await page.evaluate(() => localStorage.clear());
    await page.goto('about:blank');
    await page.goBack();
    await page.locator('[data-answer]').first().waitFor();
    await page.evaluate(() => (location.hash = 'view=training'));
    await drop(page, name, content);
    await expect.poll(() => dialog(page).innerText()).toContain('20.9B parameters');
    await button(page, 'Use it').click();
    await expect.poll(() => hash(page)).toBe(there);
  });

  test('of a file only what is sound is taken, and the rest named', async () => {
    const page = await open();
    const file = {
      format: 'scaling-calculator',
      version: 1,
      kind: 'chip',
      name: 'Mine',
      base: 'h100-sxm',
      fields: {
        memory: 1.2e11,
        power: -1,
        network: 'carrier pigeons',
        colour: 'green',
        price: '3',
      },
    };
    await drop(page, 'mine.json', JSON.stringify(file));
    await expect.poll(() => dialog(page).locator('h2').innerText()).toBe('Custom chip');
    await expect
      .poll(() => dialog(page).locator('.troubles li').allInnerTexts())
      .toEqual([
        expect.stringContaining('“power” cannot be -1. '),
        '“network” cannot be "carrier pigeons" (Network).',
        'There is no field “colour”.',
        expect.stringContaining('“price” cannot be "3". '),
      ]);
    await button(page, 'Use it').click();
    await expect
      .poll(() => hash(page))
      .toBe('#chip=h100-sxm&chip.name=Mine&batch=4194304&chip.memory=120G');
    for (const [change, says] of [
      [{ version: 2 }, 'newer version'],
      [{ kind: 'constructor' }, 'does not say whether it is of a chip or of a model'],
    ] as const) {
      await drop(page, 'mine.json', JSON.stringify({ ...file, ...change }));
      await expect.poll(() => dialog(page).locator('.refused').innerText()).toContain(says);
      await button(page, 'Close').click();
    }
  });

  test('keeps a chip that differs from a preset', async () => {
    const page = await open('chip=h100-sxm');
    await openOwn(page, 'chip');
    await expect
      .poll(() => dialog(page).innerText())
      .toContain('is a preset. Change it under “Chip”');
    await button(page, 'Close').click();
    await type(page, 'chip.memory', '120G');
    await openOwn(page, 'chip');
    await expect.poll(() => dialog(page).innerText()).toContain('1 changed');
    await dialog(page).getByLabel('Name').fill('H100 of 120 GB');
    await button(page, 'Save').click();
    // The preset in use goes by that name from then on.
    await expect
      .poll(() => hash(page))
      .toBe('#chip=h100-sxm&chip.name=H100 of 120 GB&chip.memory=120G');
    await button(page, 'Close').click();
    const chip = page.getByRole('combobox', { name: 'Chip', exact: true });
    await chip.click();
    await page.keyboard.type('v5e');
    await page.keyboard.press('Enter');
    await expect.poll(() => chip.inputValue()).toBe('TPU v5e');
    await chip.click();
    await page.keyboard.type('120 GB');
    await page.keyboard.press('Enter');
    await expect.poll(() => chip.inputValue()).toBe('H100 of 120 GB');
    await expect
      .poll(() => hash(page))
      .toBe('#chip=h100-sxm&chip.name=H100 of 120 GB&chip.memory=120G');
  });

  test('is shared with other tabs', async () => {
    const page = await open();
    await openOwn(page);
    const other = await page.context().newPage();
    await other.goto(await link(page));
    await other.locator('[data-answer]').first().waitFor();
    await paste(other, config('gpt2'));
    await button(other, 'Save').click();
    await expect.poll(() => kept(page)).toEqual(['gpt2 0.124B']);
  });
});

describe('storage', () => {
  /** The page anew, with storage as `script` leaves it. */
  async function withStorage(page: Page, script: () => void): Promise<void> {
    await page.addInitScript(script);
    await page.reload();
    await page.locator('.verdict button').first().waitFor();
    // The page does not know what was open where nothing can be read.
    if ((await page.locator('[data-answer]').count()) === 0) {
      for (const fold of ['why', 'assumptions', 'compare'] as const) await unfold(page, fold);
    }
  }

  test('that is forbidden: all but keeping works', async () => {
    const page = await open();
    await withStorage(page, () => {
      Object.defineProperty(window, 'localStorage', {
        get: () => {
          throw new DOMException('no', 'SecurityError');
        },
      });
    });
    await paste(page, config('gpt2'));
    await expect
      .poll(() => dialog(page).locator('.warning').innerText())
      .toContain('This browser does not let the page save anything here.');
    await button(page, 'Save').click();
    await expect
      .poll(() => dialog(page).locator('.foot [role="alert"]').innerText())
      .toContain('Export it to a file, or copy the link');
    await expect.poll(() => text(page).inputValue()).toBe(config('gpt2'));
    await button(page, 'Use it').click();
    await expect.poll(() => answer(page, 'computedParameters')).toContain('124M');
    await openOwn(page);
    const { content } = await exported(page, button(page, 'Export'));
    expect(JSON.parse(content)).toMatchObject({ kind: 'model', fields: { layers: 12 } });
  });

  test('that is full', async () => {
    const page = await open();
    await withStorage(page, () => {
      Storage.prototype.setItem = () => {
        throw new DOMException('full', 'QuotaExceededError');
      };
    });
    await paste(page, config('gpt2'));
    await button(page, 'Save').click();
    await expect
      .poll(() => dialog(page).locator('.foot [role="alert"]').innerText())
      .toContain('no more room');
    await expect.poll(() => kept(page)).toEqual([]);
  });

  test('with something else in it: what can be read is, and what is newer stays', async () => {
    const page = await open();
    const halfDamaged = [
      7,
      { kind: 'model', name: 'A', base: 'llama-3-8b', fields: { layers: 40, nothing: 1 } },
      { kind: 'model', base: 'llama-3-8b', fields: {} },
      { kind: 'spoon', name: 'B', base: 'own', fields: {} },
      { kind: 'model', name: 'C', base: 'no such', fields: { layers: 'x' } },
    ];
    const newer = '{"version":9,"things":[]}';
    for (const [stored, names, says] of [
      ['garbage {', [], 'could not be read'],
      ['[]', [], 'could not be read'],
      [JSON.stringify({ version: 1, things: halfDamaged }), ['A', 'C'], 'could not be read'],
      [newer, [], 'newer version'],
    ] as const) {
      await page.evaluate((text) => localStorage.setItem('scaling-calculator.own', text), stored);
      await page.reload();
      await page.locator('[data-answer]').first().waitFor();
      await openOwn(page);
      await expect.poll(() => kept(page)).toEqual(names);
      await expect.poll(() => dialog(page).locator('.warning').innerText()).toContain(says);
    }
    await text(page).fill(config('gpt2'));
    await button(page, 'Save').click();
    await expect
      .poll(() => dialog(page).locator('.foot [role="alert"]').innerText())
      .toContain('newer version');
    await expect
      .poll(() => page.evaluate(() => localStorage.getItem('scaling-calculator.own')))
      .toBe(newer);
  });
});

describe('for everyone', () => {
  test('by keyboard alone', async () => {
    const page = await open();
    await openPanel(page, 'model');
    const opener = page.locator('[data-own="model"]');
    await opener.focus();
    await page.keyboard.press('Enter');
    await dialog(page).waitFor();
    await page.keyboard.press('Tab');
    const at = () =>
      page.evaluate(() => document.querySelector('scaling-page')!.shadowRoot!.activeElement?.id);
    await expect.poll(() => at()).toBe('own-text');
    await page.keyboard.insertText(config('gpt2'));
    // The status reports the reading once, after the typing.
    const told = dialog(page).locator('[role="status"]').first();
    await expect.poll(() => told.textContent()).toContain('124M parameters');
    await page.keyboard.press('Escape');
    await expect.poll(() => dialog(page).count()).toBe(0);
    expect(await opener.evaluate((element) => element.matches(':focus'))).toBe(true);
    await page.keyboard.press('Enter');
    await dialog(page).waitFor();
    expect(await text(page).inputValue()).toBe(config('gpt2'));
  });

  test('in Chinese, and axe finds nothing, in the dark', async () => {
    const page = await open('view=training&lang=zh');
    await page.setViewportSize({ width: 360, height: 800 });
    await paste(page, config('deepseek-v3'));
    await expect
      .poll(() => dialog(page).locator('.counts').innerText())
      .toBe('参数量 6,710亿，每个 token 激活 376亿');
    const words = await dialog(page).innerText();
    expect(words).toContain('不会上传任何内容');
    expect(words).toContain('未使用的键');
    expect(words).not.toMatch(/file|field|Save|saved/);
    await text(page).fill('<html>');
    await expect.poll(() => dialog(page).locator('.refused').innerText()).toContain('这是网页');
    expect(
      await dialog(page).evaluate((element) => element.scrollWidth <= element.clientWidth),
    ).toBe(true);
    await text(page).fill(config('gpt-oss-20b'));
    await dialog(page).locator('[data-keep]').first().click();
    await page.setViewportSize({ width: 1280, height: 720 });
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await violations(page, 'all', dialog(page))).toEqual([]);
  });
});
