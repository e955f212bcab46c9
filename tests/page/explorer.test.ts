import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { chips } from '../../web/src/model/presets.ts';
import {
  answer,
  chartControl,
  field,
  finding,
  link,
  message,
  openPanel,
  says,
  showChart,
  shownAnswers,
  skipLayout,
  type,
  visitAll,
} from './calculator.ts';
import { unfinished, visits } from './visits.ts';

const open = visits();

/** A visit to the explorer, once its charts are there. */
async function openLab(
  hash: string,
  ...options: Parameters<typeof open> extends [unknown?, ...infer Rest] ? Rest : never
): Promise<Page> {
  const page = await open(`view=operation&${hash}`, ...options);
  await page.locator('[role="tabpanel"] figcaption').waitFor();
  return page;
}

/** All that the open chart says. */
const chartText = (page: Page): Promise<string> =>
  page
    .locator('[role="tabpanel"] > :first-child')
    .evaluate((chart) => chart.shadowRoot?.textContent ?? '');

const kinds = [
  'dotProduct',
  'elementwise',
  'reduction',
  'softmax',
  'rmsNorm',
  'matmul',
  'perBatchWeights',
  'tiledMatmul',
  'shardedMatmul',
  'attention',
  'norm',
  'qkvProjection',
  'attentionScores',
  'attentionValues',
  'attentionCore',
  'outputProjection',
  'feedForward',
  'router',
  'experts',
  'lmHead',
  'embedding',
  'kvRead',
  'layer',
];

describe('every operation', () => {
  /** Goes through operations, and for each through charts, inside the page. */
  const goThrough = (page: Page, charts: readonly string[]) =>
    page.evaluate(
      async ({ kinds, charts }) => {
        const root = document.querySelector('scaling-page')!.shadowRoot!;
        const drawn = () => new Promise(requestAnimationFrame);
        const texts = (selector: string): string[] =>
          [...root.querySelectorAll(selector)].map((each) => each.textContent ?? '');
        const seen = [];
        for (const kind of kinds) {
          const choice = root.querySelector<HTMLSelectElement>('[data-field="operation.kind"]')!;
          choice.value = kind;
          choice.dispatchEvent(new Event('change', { bubbles: true }));
          await drawn();
          const shown = [];
          for (const chart of charts) {
            root.querySelector<HTMLElement>(`[data-tab="${chart}"]`)!.click();
            let panel: ShadowRoot | null | undefined;
            do {
              await drawn();
              panel = root.querySelector(`[data-shows="${chart}"]`)?.firstElementChild?.shadowRoot;
            } while (!panel?.querySelector('figcaption'));
            const finding = panel.querySelector('figcaption')!.textContent ?? '';
            shown.push({ chart, finding, text: panel.textContent ?? '' });
          }
          seen.push({
            kind,
            wrong: texts('.stale, .message'),
            summary: texts('.summary')[0] ?? '',
            shown,
            text: root.textContent ?? '',
          });
        }
        return seen;
      },
      { kinds, charts },
    );

  test.each(['en-US', 'zh-CN'])('is asked for and answered, in %s', async (locale) => {
    const page = await openLab('model=deepseek-v3', { locale });
    const offered = await field(page, 'operation.kind')
      .locator('option')
      .evaluateAll((options) => options.map((option) => (option as HTMLOptionElement).value));
    expect(offered).toEqual(kinds);
    expect(await field(page, 'operation.kind').locator('optgroup').count()).toBe(2);
    // Both languages word charts alike, so one is looked at for each kind.
    const charts = ['roofline', 'sweep', 'heatMap'].slice(0, locale === 'en-US' ? 3 : 1);
    await skipLayout(page);
    const seen = await goThrough(page, charts);
    expect(seen.map(({ kind }) => kind)).toEqual(kinds);
    for (const { kind, wrong, summary, shown, text } of seen) {
      expect(wrong, kind).toEqual([]);
      expect(summary, kind).toMatch(/\d/);
      for (const { chart, finding, text } of shown) {
        expect(finding, `${kind} ${chart}`).toMatch(/\d/);
        expect(text, `${kind} ${chart}`).not.toMatch(unfinished);
      }
      expect(text, kind).not.toMatch(unfinished);
    }
    expect(new Set(seen.map(({ summary }) => summary)).size).toBeGreaterThan(kinds.length / 2);
  });

  test('on every chip gives answers or says what is missing', async () => {
    const page = await openLab('');
    const cases = ['op.operandsIn=onChip', 'op.kind=shardedMatmul', 'op.kind=softmax'];
    const hashes = chips.map(
      ({ id }, index) => `view=operation&chip=${id}&${cases[index % cases.length]}`,
    );
    await skipLayout(page);
    const seen = await visitAll(page, hashes);
    for (const { hash, messages, stale, text } of seen) {
      expect(messages > 0 || !stale, hash).toBe(true);
      expect(text, hash).not.toMatch(unfinished);
    }
  });
});

describe('what the sentence asks', () => {
  test('operands from VMEM: compute-bound from a 22nd of the batch', async () => {
    const page = await openLab('chip=tpu-v5e&op.output=8192&op.contraction=8192');
    await field(page, 'operation.operandsIn').selectOption('onChip');
    await expect.poll(() => answer(page, 'criticalBatch')).toBe('10.9 tokens');
    await expect.poll(() => answer(page, 'bound')).toMatch(/Compute-bound$/);
    await expect.poll(() => finding(page)).toBe('Compute-bound above batch B = 10');
  });

  test('several chips of a torus along its axes, of switches as one number', async () => {
    const page = await openLab('chip=tpu-v5p&op.kind=shardedMatmul');
    expect(await page.locator('.question [data-field^="mesh."]').count()).toBe(3);
    await field(page, 'chip').click();
    await page.keyboard.type('h100 sxm');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('.question [data-field^="mesh."]').count()).toBe(1);
    await expect.poll(() => field(page, 'mesh.x').inputValue()).toBe('4');
    await field(page, 'operation.kind').selectOption('matmul');
    await expect.poll(() => page.locator('[data-field^="mesh."]').count()).toBe(0);
  });

  test('the four cases of chapter 3', async () => {
    const page = await openLab('chip=tpu-v5e&op.kind=shardedMatmul');
    const shard = async (activations: string, weights: string) => {
      await field(page, 'operation.activationSharding').selectOption(activations);
      await field(page, 'operation.weightSharding').selectOption(weights);
    };
    const asked = (key: string) =>
      page.locator(`.question [data-field="operation.${key}"]`).count();
    await expect.poll(() => says(page, 'networkTime')).toContain('AllReduce');
    await expect.poll(() => asked('reduction')).toBe(1);
    await field(page, 'operation.reduction').selectOption('reduceScatter');
    await expect.poll(() => says(page, 'networkTime')).toContain('ReduceScatter');
    await shard('batch', 'contraction');
    await expect.poll(() => says(page, 'networkTime')).toContain('AllGather');
    expect((await asked('reduction')) + (await asked('gathered'))).toBe(0);
    await shard('batch', 'none');
    await expect.poll(() => answer(page, 'networkCollective')).toBe('none');
    await shard('batch', 'output');
    await expect.poll(() => asked('gathered')).toBe(1);
    await expect.poll(() => says(page, 'networkTime')).toContain('AllGather');
  });

  test('blocks that do not fit a core are told', async () => {
    const page = await openLab('chip=h100-sxm&op.kind=tiledMatmul');
    expect(await page.locator('.message').count()).toBe(0);
    await type(page, 'operation.tileRows', '4096');
    await expect
      .poll(() => message(page, 'operation.tileRows'))
      .toMatch(/^These blocks take .*B, a core has .*B\.$/);
    await expect.poll(() => says(page, 'tileBytes')).toContain('Doesn’t fit');
  });

  test('only what matters is among the assumptions', async () => {
    const page = await openLab('op.kind=attention');
    await openPanel(page, 'operation');
    const shown = () =>
      page
        .locator('[data-part="panel operation"] [data-field]')
        .evaluateAll((controls) => controls.map((control) => control.getAttribute('data-field')));
    await expect
      .poll(() => shown())
      .toEqual([
        'operation.pass',
        'operation.operandsIn',
        'operation.attentionMask',
        'operation.keyValueFormat',
        'operation.computeFormat',
      ]);
    await field(page, 'operation.attention').selectOption('latent');
    await expect.poll(() => shown()).toContain('operation.ropeDim');
    await expect.poll(() => shown()).not.toContain('operation.headDim');
    await expect
      .poll(() => page.locator('[data-part="panel mesh"], [data-part="panel model"]').count())
      .toBe(0);
  });
});

describe('bad input', () => {
  test.each([
    [
      'op.kind=elementwise',
      'operation.chain',
      '0',
      'Operations in a chain must be from 1 to 10,000.',
    ],
    [
      'op.kind=elementwise',
      'operation.fused',
      'two',
      'Operations in a kernel: “two” is not a number. Give one from 1 to 10,000.',
    ],
    [
      'op.kind=tiledMatmul',
      'operation.tileOutput',
      '1.5',
      'Block, columns must be a whole number from 1 to 1M.',
    ],
    [
      'op.kind=attention',
      'operation.kvHeads',
      '7',
      'Key/value heads must divide the 32 query heads.',
    ],
    ['op.kind=attention', 'operation.keys', '', 'Keys S is empty. Give a number from 1 to 1T.'],
    ['op.kind=shardedMatmul', 'mesh.x', '1e9', 'Chips, X axis must be from 1 to 1M.'],
    ['op.kind=shardedMatmul', 'mesh.x', '17', 'Chips, X axis: the torus has at most 16.'],
    [
      'op.kind=shardedMatmul&op.contraction=2',
      'mesh.x',
      '4',
      'Chips, X axis: at most 2 chips in all, one for each element of what is sharded.',
    ],
  ])('%s: %s “%s”', async (hash, id, text, said) => {
    const page = await openLab(`chip=tpu-v5e&mesh.x=2&${hash}`);
    await type(page, id, text);
    await expect.poll(() => message(page, id)).toBe(said);
    await expect.poll(() => field(page, id).inputValue()).toBe(text);
    await expect.poll(() => page.locator('.stale').count()).toBe(1);
    // What is drawn is blank, as the answers are.
    expect(await shownAnswers(page)).not.toMatch(/\d/);
  });

  test.each([
    [
      'op.kind=attention&op.attentionMask=causal&op.keys=100',
      'operation.keys',
      'Keys S: with a causal mask, at least one for each of the 4,096 queries.',
      'Keys S: 4,096',
    ],
    [
      'chip=l4&op.operandsIn=onChip',
      'operation.operandsIn',
      'This chip has no known bandwidth of its on-chip memory.',
      'Read from HBM',
    ],
    [
      'chip=v100-sxm2-32gb',
      'operation.computeFormat',
      'This chip has no known peak in bf16.',
      'Compute in fp16',
    ],
  ])('%s: told at %s, with a way out', async (hash, id, said, offer) => {
    const page = await open(`view=operation&${hash}`);
    await expect.poll(() => message(page, id)).toBe(said);
    await page.getByRole('button', { name: offer, exact: true }).click();
    await expect.poll(() => message(page, id)).toBe('');
    await expect.poll(() => page.locator('.stale').count()).toBe(0);
  });

  test('a rate that is not listed is asked for where it is missing', async () => {
    const page = await open('view=operation&chip=tpu-v4&op.kind=softmax');
    expect(await message(page, 'chip.peakVector')).toContain('is not known');
    await type(page, 'chip.peakVector', '4T');
    await expect.poll(() => page.locator('.stale').count()).toBe(0);
    await expect.poll(() => link(page)).toContain('chip.peakVector=4T');
  });

  test('what is left out of a layer is told beside the closed panel, and inside the open one', async () => {
    const page = await openLab('chip=tpu-v6e&op.kind=layer');
    expect(await message(page, 'chip.peakVector')).toContain('count only with what they move');
    expect(await page.locator('.stale').count()).toBe(0);
    await openPanel(page, 'chip');
    await expect.poll(() => page.locator('[data-message="chip.peakVector"]').count()).toBe(1);
    await type(page, 'chip.peakVector', '10T');
    await expect.poll(() => message(page, 'chip.peakVector')).toBe('');
  });

  test('is mended by an offer', async () => {
    const page = await open('view=operation&chip=tpu-v5e&op.kind=shardedMatmul&mesh.x=64');
    await page.getByRole('button', { name: 'Chips, X axis: 16' }).click();
    await expect.poll(() => field(page, 'mesh.x').inputValue()).toBe('16');
    await field(page, 'operation.kind').selectOption('experts');
    await expect.poll(() => message(page, 'operation.kind')).toBe('This model has no experts.');
    await page.getByRole('button', { name: 'Do the feed-forward instead' }).click();
    await expect.poll(() => page.locator('.stale').count()).toBe(0);
  });

  test('of a field that no longer matters can still be seen', async () => {
    const page = await openLab('');
    await type(page, 'operation.output', 'wide');
    await field(page, 'operation.kind').selectOption('softmax');
    await expect.poll(() => message(page, 'operation.output')).toContain('“wide” is not a number');
    await page.locator('[data-reset="operation.output"]').click();
    await expect.poll(() => page.locator('.stale').count()).toBe(0);
  });
});

describe('charts', () => {
  test('say what they find, and follow the sentence', async () => {
    const page = await openLab('chip=tpu-v5e');
    expect(await finding(page)).toBe('Memory-bound at batch B = 128, compute-bound above 272');
    await type(page, 'operation.batch', '1000');
    await expect.poll(() => finding(page)).toBe('Compute-bound above batch B = 272');
    await field(page, 'operation.kind').selectOption('dotProduct');
    await expect.poll(() => finding(page)).toMatch(/^Memory-bound for any length N from /);
  });

  test('the point is moved by keys, and the sentence follows', async () => {
    const page = await openLab('chip=tpu-v5e');
    const point = page.locator('scaling-roofline [role="slider"]');
    await point.focus();
    await page.keyboard.press('End');
    await expect.poll(() => field(page, 'operation.batch').inputValue()).toBe('65,536');
    await page.keyboard.press('Home');
    await expect.poll(() => field(page, 'operation.batch').inputValue()).toBe('1');
    await page.keyboard.press('Tab');
    await expect.poll(() => link(page)).toContain('op.batch=1');
    await page.goBack();
    await expect.poll(() => field(page, 'operation.batch').inputValue()).toBe('128');
  });

  test('the point is dragged along its track', async () => {
    const page = await openLab('chip=tpu-v5e');
    const point = page.locator('scaling-roofline [role="slider"] .own');
    await point.scrollIntoViewIfNeeded();
    const box = (await point.boundingBox())!;
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + 120, box.y, { steps: 6 });
    await page.mouse.up();
    const batch = Number((await field(page, 'operation.batch').inputValue()).replaceAll(',', ''));
    expect(batch).toBeGreaterThan(272);
    await expect.poll(() => answer(page, 'bound')).toMatch(/Compute-bound$/);
    await expect.poll(() => link(page)).toContain('op.batch=');
  });

  test('operations of a layer are points; so are roofs of other chips, as the link says', async () => {
    const page = await openLab('chip=tpu-v5e&overlay=h100-sxm');
    const points = page.locator('scaling-roofline [role="listbox"] [role="option"]');
    expect(await points.count()).toBeGreaterThan(8);
    expect(await chartText(page)).toContain('H100');
    await chartControl(page, 'add').click();
    await chartControl(page, 'overlay-1').click();
    await page.keyboard.type('b200');
    await page.keyboard.press('Enter');
    await expect.poll(() => link(page)).toMatch(/overlay=h100-sxm,b200/);
    await page.getByRole('button', { name: /^Remove H100/ }).click();
    await expect.poll(() => link(page)).toMatch(/overlay=b200/);
    await page.reload();
    await page.locator('[role="tabpanel"] figcaption').waitFor();
    expect(await chartText(page)).toContain('B200');
  });

  test('a sweep: the answer, the axis, its ends and lines are in the link', async () => {
    const page = await openLab('chip=tpu-v5e');
    await showChart(page, 'sweep');
    await chartControl(page, 'answer').selectOption('fractionOfPeak');
    await chartControl(page, 'lines').selectOption('operation.contraction=operation.output');
    await chartControl(page, 'over-to').fill('4096');
    await chartControl(page, 'over-to').press('Enter');
    await expect
      .poll(() => link(page))
      .toContain(
        'chart=sweep&over=op.batch:1..4096&answer=fractionOfPeak&lines=op.contraction=op.output:1024',
      );
    const text = await chartText(page);
    expect(text).toContain('D = F = 1,024');
    expect(text).toContain('D = F = 4,096');
    await page.reload();
    await page.locator('[role="tabpanel"] figcaption').waitFor();
    expect(await chartText(page)).toBe(text);
    await chartControl(page, 'over').selectOption('operation.output');
    await expect.poll(() => link(page)).toContain('over=op.output&');
  });

  test('lines of formats: the book’s exercise', async () => {
    const page = await openLab('chip=tpu-v5e&chart=sweep&lines=op.weightFormat:bf16,int8');
    const text = await chartText(page);
    expect(text).toContain('Weights in: int8');
    expect(text).toMatch(/272[^]*136|136[^]*272/);
    await chartControl(page, 'add').click();
    await expect.poll(() => link(page)).toContain('lines=op.weightFormat:bf16,int8,fp32');
    await page.getByRole('button', { name: /^Remove Line 1/ }).click();
    await expect.poll(() => link(page)).toContain('lines=op.weightFormat:int8,fp32');
  });

  test('a wrong end of an axis is told, stays, and changes nothing', async () => {
    const page = await openLab('chip=tpu-v5e&chart=sweep');
    const before = await link(page);
    await chartControl(page, 'over-from').fill('-4');
    await expect.poll(() => message(page, 'over-from')).toContain('Batch B, from must be');
    await expect.poll(() => chartControl(page, 'over-from').inputValue()).toBe('-4');
    await expect
      .poll(() => chartControl(page, 'over-from').getAttribute('aria-invalid'))
      .toBe('true');
    await expect.poll(() => link(page)).toBe(before);
    await chartControl(page, 'over-from').fill('8');
    await chartControl(page, 'over-from').press('Tab');
    await expect.poll(() => message(page, 'over-from')).toBe('');
    await expect.poll(() => link(page)).toContain('over=op.batch:8..65536');
  });

  test.each([
    ['over-from', '1e6', 'Batch B, from: an axis goes from above 0 to a larger number.'],
    ['over-to', '1', 'Batch B, to: an axis goes from above 0 to a larger number.'],
    ['over-to', '2.5', 'Batch B, to must be a whole number from 1 to 1T.'],
    ['over-to', '', 'Batch B, to is empty. Give a number from 1 to 1T.'],
    ['line-0', '-1', 'Line 1: Contraction D must be from 1 to 1T.'],
    ['line-1', '1024', 'Line 2: Contraction D: another line is that already, or it is too much.'],
  ])('%s “%s” is refused in words', async (name, text, said) => {
    const page = await openLab('chip=tpu-v5e&chart=sweep&lines=op.contraction:1024,2048');
    const before = await link(page);
    await chartControl(page, name).fill(text);
    await expect.poll(() => message(page, name)).toBe(said);
    // Another setting may change meanwhile: what was typed stays.
    await chartControl(page, 'answer').selectOption('lowerBound');
    await expect.poll(() => chartControl(page, name).inputValue()).toBe(text);
    await page.goBack();
    await expect.poll(() => link(page)).toBe(before);
    await expect.poll(() => message(page, name)).toBe('');
  });

  test('typing an end of an axis is one step back', async () => {
    const page = await openLab('chip=tpu-v5e&chart=sweep');
    await chartControl(page, 'over-to').focus();
    await page.keyboard.press('Control+A');
    await page.keyboard.type('9000');
    await page.keyboard.press('Tab');
    await expect.poll(() => link(page)).toContain('over=op.batch:1..9000');
    await page.goBack();
    await expect.poll(() => link(page)).not.toContain('over=');
  });

  test('a map over two inputs is walked by keys', async () => {
    const page = await openLab('chip=tpu-v5e&chart=heatMap&over=op.batch:16..4096');
    await page.locator('scaling-heat-map [data-axis="x"]').focus();
    await page.keyboard.press('Home');
    await expect.poll(() => field(page, 'operation.batch').inputValue()).toBe('16');
    // The other point stays, though it is between two rows.
    await expect.poll(() => field(page, 'operation.output').inputValue()).toBe('4,096');
    await page.locator('scaling-heat-map [data-axis="y"]').focus();
    await page.keyboard.press('ArrowUp');
    await expect.poll(() => field(page, 'operation.output').inputValue()).not.toBe('4,096');
    await chartControl(page, 'against').selectOption('chip.memoryBandwidth');
    await expect.poll(() => link(page)).toContain('against=chip.memoryBandwidth');
    await expect.poll(() => chartText(page)).toContain('B/s');
  });

  test('charts change by arrow keys, and the choice is kept', async () => {
    const page = await openLab('');
    await page.locator('[data-tab="roofline"]').focus();
    await page.keyboard.press('ArrowRight');
    await page.locator('[data-shows="sweep"] figcaption').waitFor();
    expect(await page.locator('[data-tab="sweep"]').getAttribute('aria-selected')).toBe('true');
    expect(await link(page)).toContain('chart=sweep');
    await page.goBack();
    await page.locator('[data-shows="roofline"] figcaption').waitFor();
  });

  test('are not loaded for training', async () => {
    const page = await open.anew();
    const loaded = () =>
      page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name));
    expect((await loaded()).filter((name) => /explorer/.test(name))).toEqual([]);
    await page.locator('[data-view="operation"]').click();
    await page.locator('[role="tabpanel"] figcaption').waitFor();
    expect((await loaded()).filter((name) => /\/explorer-/.test(name))).toHaveLength(1);
    expect((await loaded()).filter((name) => /en\.explorer-/.test(name))).toHaveLength(1);
  });
});
