import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import {
  allText,
  answer,
  clickAll,
  field,
  inOneLine,
  link,
  message,
  openPanel,
  says,
  shownAnswers,
  skipLayout,
  summary,
  type,
} from './calculator.ts';
import { degree, degreeOf, stepTo } from './drawing.ts';
import { drawn } from './staying.ts';
import { unfinished, visits } from './visits.ts';

const open = visits();

/** A layout that the reader has fixed. */
const fixed = 'layout.tensor=8';

type Options = Parameters<typeof open>[1];

/** Room for all columns of the table beside open assumptions. */
const wide = { viewport: { width: 1680, height: 900 } };

/** A visit to the planner, once it has found what there is. */
async function openPlan(hash = '', options: Options = {}): Promise<Page> {
  const page = await open(`view=plan&${hash}`, options);
  await searched(page);
  return page;
}

const searched = (page: Page): Promise<void> => page.locator('[data-progress="done"]').waitFor();

/** The cells of one of the best layouts, by column. */
async function best(page: Page, index: number): Promise<Record<string, string>> {
  const heads = await page.locator('.best thead th:visible').allInnerTexts();
  const cells = await page.locator(`[data-plan="${index}"] td:visible`).allInnerTexts();
  return Object.fromEntries(cells.map((cell, at) => [heads[at] ?? '', inOneLine(cell)]));
}

/** Opens one of the parts below the best layouts. */
async function show(page: Page, section: string): Promise<void> {
  // A link that names it has opened it.
  const part = page.locator(`[data-part="plan ${section}"]`);
  if ((await part.getAttribute('open')) === null) await part.locator('> summary').click();
  await page.locator(`[data-section="${section}"]`).waitFor();
}

const caption = async (page: Page, chart: string): Promise<string> =>
  inOneLine(await page.locator(`scaling-${chart} figcaption`).first().innerText());

const sections = ['memory', 'timeline', 'front', 'map', 'most', 'levers', 'scaling'];

const loaded = (page: Page): Promise<string[]> =>
  page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name));

test('comes when it is first opened, and not before', async () => {
  const page = await open.anew();
  expect((await loaded(page)).filter((name) => name.includes('plan'))).toEqual([]);
  await page.locator('[data-counting="predicted"]').click();
  await searched(page);
  expect((await loaded(page)).filter((name) => name.includes('plan')).length).toBeGreaterThan(1);
  await expect.poll(() => link(page)).toContain('view=plan');
  await page.goBack();
  await page.locator('[data-question="training"]').waitFor();
});

/** The line under the question. */
const line = async (page: Page): Promise<string> =>
  inOneLine(await page.locator('.line').innerText());

/** The question as it reads, with what stands in its controls. */
const question = (page: Page): Promise<string> =>
  page.locator('.question').evaluate((element) => {
    const copy = element.cloneNode(true) as Element;
    for (const other of copy.querySelectorAll('input, [hidden]')) other.remove();
    return (copy.textContent ?? '').replace(/\s+/g, ' ').trim();
  });

// A plan opened on tensor 8 and context 2, whatever the input: 405B on 16,384 H100 took 20.4 s a step
// where the best takes 4.45 s, and 8B on 8 H100 could not be at all.
describe('the best layout', () => {
  test('is found on arrival, stands in the drawing and in no link', async () => {
    const page = await openPlan('chip=h100-sxm&model=llama-3-8b&chips=64');
    expect(await question(page)).toMatch(/, with the best layout\.$/);
    await degree(page, 'tensor').waitFor();
    expect(await answer(page, 'stepExpected')).toBe((await best(page, 0)).Step);
    expect(await line(page)).toMatch(/^(FSDP|ZeRO-1) over \d+, .*micro-batch \d: [\d.]+ days\./);
    await expect.poll(() => line(page)).toMatch(/ Next: .+, \d.*% less time\./);
    expect(await page.locator('[data-plan="own"]').count()).toBe(0);
    expect(await link(page)).not.toContain('layout.');
  });

  test('that may not fit is told beside one with room, and what that costs', async () => {
    const page = await open('view=plan&model=llama-3.1-405b&chip=h100-sxm&chips=1024');
    await expect.poll(() => line(page)).toMatch(/Keeping 10% free costs [\d.]*[1-9][\d.]*%\./);
    await page.locator('[data-roomy]').click();
    await expect.poll(() => link(page)).toContain('assume.memoryReserve=10%');
    await expect.poll(() => page.locator('[data-roomy]').count()).toBe(0);
  });

  test('of a full chip names nothing next that takes more memory, and no second time', async () => {
    const page = await openPlan(
      'trained=qlora&chip=rtx-4090&model=llama-3.1-8b&chips=1&corpus=examples',
    );
    await expect.poll(() => line(page)).toMatch(/^Next: /);
    expect(await line(page)).not.toContain('no recomputation');
    expect(await line(page)).not.toMatch(/hours|days/);
    await show(page, 'levers');
    const row = page.locator('[data-lever="lessRecompute"]');
    await expect.poll(() => row.locator('td').last().innerText()).toMatch(/; needs [\d.]+\sGB$/);
  });

  test('that may not fit though it leaves room is told alone', async () => {
    const page = await open('view=plan&model=llama-3-70b&chip=h100-sxm&chips=2048');
    const told = page.locator('.plans .means[data-progress="done"]');
    await expect
      .poll(() => told.innerText())
      .toContain('The fastest leaves at least 10% of memory free.');
    expect(await page.locator('[data-roomy]').count()).toBe(0);
  });

  test('is found anew at each change, until a degree is fixed; then the best is offered', async () => {
    const page = await openPlan('chip=h100-sxm&model=llama-3-8b&chips=64');
    const first = await answer(page, 'stepExpected');
    await type(page, 'run.chips', '8');
    await expect.poll(() => line(page)).toMatch(/^(FSDP|ZeRO-1) over [1-8], .*years\./);
    expect(await page.locator('.offers, .message').count()).toBe(0);
    await type(page, 'run.chips', '64');
    await expect.poll(() => answer(page, 'stepExpected')).toBe(first);
    await stepTo(page, 'tensor', 32);
    await expect.poll(() => question(page)).toMatch(/, with TP 32, .+, DP 2\.$/);
    await expect
      .poll(() => line(page))
      .toMatch(/^[\d.]+× slower than the best: (FSDP|ZeRO-1) over \d+,/);
    await expect.poll(() => link(page)).toContain('layout.tensor=32');
    await page.locator('[data-follow]').click();
    await expect.poll(() => answer(page, 'stepExpected')).toBe(first);
    expect(await link(page)).not.toContain('layout.');
    await page.goBack();
    await expect.poll(() => question(page)).toContain('with TP 32');
  });

  test('keeps a degree that the search is told to leave', async () => {
    const page = await openPlan('chip=h100-sxm&model=llama-3-8b&chips=64');
    await openPanel(page, 'search');
    await field(page, 'search.tensor').uncheck();
    await openPanel(page, 'layout');
    await type(page, 'layout.tensor', '4');
    await expect.poll(() => line(page)).toContain('TP 4');
    expect(await question(page)).toMatch(/ with the best layout with .*TP\) 4\.$/);
    expect(await link(page)).toContain('layout.tensor=4&search.tensor=no');
    await page.reload();
    await searched(page);
    await expect.poll(() => degreeOf(page, 'tensor')).toBe(4);
  });

  test('where none fits, is the one that needs the least memory', async () => {
    const page = await openPlan('model=llama-3.1-405b&chips=1');
    expect(await line(page)).toContain('needs the least memory');
    expect(await summary(page)).toMatch(/^Doesn’t fit/);
    expect(await page.locator('.offers').count()).toBe(0);
  });

  test('of an input that cannot be has no numbers', async () => {
    const page = await open('view=plan&chips=-3');
    expect(await page.locator('.summary, .line').count()).toBe(0);
    expect(await page.locator('.found').innerText()).not.toMatch(/\d/);
    expect(await question(page)).toMatch(/, with the best layout\.$/);
    await type(page, 'run.chips', '64');
    await expect.poll(() => line(page)).toMatch(/\d (days|years)\./);
  });
});

describe('one layout', () => {
  test('in a sentence, with its answers', async () => {
    const page = await openPlan(fixed);
    expect(inOneLine(await page.locator('.question').innerText())).toMatch(/, DP 560\.$/);
    expect(await summary(page)).toMatch(
      /^[\d.]+ days\. Compute-bound\. Fits: .+ of 96\.0 GB per chip\. .+ MFU, .+ per step\. \$/,
    );
    expect(await page.locator('.message').count()).toBe(0);
    expect(await says(page, 'memoryUsed')).toContain('of the usable 96.0 GB is free');
    expect(await says(page, 'stepExpected')).toContain('exposed TP communication');
    expect(await answer(page, 'mfuExact')).toMatch(/^\d\d\.\d%$/);
    await type(page, 'layout.tensor', '16');
    await expect
      .poll(async () => inOneLine(await page.locator('.question').innerText()))
      .toMatch(/, DP 280\.$/);
    await expect.poll(() => link(page)).toContain('layout.tensor=16');
  });

  test('every answer opens to its derivation', async () => {
    const page = await openPlan('layout.pipeline=2');
    await page.locator('[data-part="panel rest"] > summary').click();
    await page.locator('[data-part="panel rest"] .other').first().waitFor();
    await skipLayout(page);
    await clickAll(page, '.found .why');
    const answers = await page.locator('.found .answer').count();
    await expect.poll(() => page.locator('.found .derivation .ladder').count()).toBe(answers);
    await clickAll(page, '[data-part="panel rest"] .other > summary');
    const others = page.locator('[data-part="panel rest"] .other');
    await expect
      .poll(() => others.filter({ has: page.locator('.ladder li') }).count())
      .toBe(await others.count());
    // A step without a name would show its key.
    const steps = await page.locator('.found .step').allTextContents();
    expect(steps.filter((step) => /^[a-z]+[A-Z]/.test(step.trim()))).toEqual([]);
    await expect
      .poll(() => page.locator('.found math').filter({ hasText: '−1' }).count())
      .toBeGreaterThan(0);
  });

  test('that does not fit says so, and what would', async () => {
    const page = await openPlan('chips=64&layout.tensor=1&layout.context=1&layout.sharding=none');
    expect(await summary(page)).toMatch(
      /^Doesn’t fit: needs 1\.\d+ TB per chip, 96\.0 GB usable\. /,
    );
    await page.getByRole('button', { name: 'Shard all model states (FSDP)' }).click();
    await expect.poll(() => summary(page)).toMatch(/Fits|Tight/);
    await expect.poll(() => link(page)).not.toContain('layout.sharding');
  });

  test('degrees that do not divide the chips are each offered what does', async () => {
    const page = await open('view=plan&chip=h100-sxm&chips=32&layout.tensor=8&layout.pipeline=4');
    const said = 'TP 8 × CP 2 × PP 4 doesn’t divide the 32 chips of a slice.';
    await expect.poll(() => message(page, 'layout.tensor')).toContain(said);
    const offers = page.getByRole('button', { name: /\((CP|TP|PP)\): / });
    expect(await offers.allInnerTexts()).toEqual([
      'Context parallelism (CP): 1',
      'Tensor parallelism (TP): 4',
      'Pipeline parallelism (PP): 2',
    ]);
    await offers.first().click();
    await expect.poll(() => summary(page)).toMatch(/Fits|Tight/);
    expect(await link(page)).toContain('layout.context=1');
  });

  test.each([
    [
      'chips=100&layout.tensor=8',
      'layout.tensor',
      'TP 8 × CP 2 × PP 1 doesn’t divide the 100 chips of a slice.',
    ],
    ['layout.tensor=7', 'layout.tensor', 'Tensor parallelism (TP) must divide the 64 query heads'],
    ['layout.context=3&chips=24', 'layout.context', 'Context parallelism (CP) must divide 4,096'],
    [
      'layout.pipeline=5&layout.virtualStages=17',
      'layout.virtualStages',
      'Virtual stages per rank (VPP) must be from 1 to 16, the layers of a stage.',
    ],
    ['layout.pipeline=81', 'layout.pipeline', 'the model has only 80 layers'],
    ['layout.expert=2', 'layout.expert', 'This model has no experts.'],
    [
      'model=deepseek-v3&layout.expert=3',
      'layout.expert',
      'Expert parallelism (EP) must divide the 256 experts.',
    ],
    [
      'layout.tensor=8&layout.shardGroup=3',
      'layout.shardGroup',
      'must divide the DP degree, 1,120.',
    ],
    ['layout.pipeline=5&layout.schedule=dualPipe', 'layout.pipeline', 'even number of stages'],
    ['chips=8192', 'run.chips', 'no box of this torus has that many.'],
    [
      'chip=h100-sxm&chip.scaleOutBandwidth=none&chips=64',
      'chip.scaleOutBandwidth',
      'Give it here.',
    ],
    [
      'layout.offload=all&chip.hostBandwidth=none',
      'chip.hostBandwidth',
      'Host bandwidth of this chip is not known.',
    ],
  ])('%s is refused in words', async (hash, id, said) => {
    const page = await open(`view=plan&${hash}`);
    await page.locator(`[data-message="${id}"]`).waitFor();
    expect(await message(page, id)).toContain(said);
    // Nobody gave an input that has answers.
    expect(await page.locator('.summary').count()).toBe(0);
    expect(await page.locator('.found').innerText()).not.toMatch(/\d/);
    // The reason and its field stand right below the sentence.
    expect(await page.locator(`.asks [data-field="${id}"]`).count()).toBe(1);
    const offered = page.locator('.offers button').first();
    if ((await offered.count()) === 0) return;
    await offered.click();
    await page.locator('.summary').first().waitFor();
    expect(await page.locator('.stale').count()).toBe(0);
  });

  test('what is not known of another chip leaves no answer of the one before', async () => {
    const page = await openPlan('chip=h100-sxm&chips=1024&model=llama-3-8b&tokens=1T');
    await field(page, 'chip').click();
    await page.keyboard.type('tpu v4i');
    await page.keyboard.press('Enter');
    const id = 'chip.scaleOutBandwidth';
    await page.locator(`.asks [data-message="${id}"]`).waitFor();
    expect(await message(page, id)).toContain('of this chip is not known');
    expect(await summary(page)).toBe('–');
    expect(await shownAnswers(page)).not.toMatch(/\d/);
    const { y } = (await page.locator(`[data-message="${id}"]`).boundingBox())!;
    const question = (await page.locator('.question').boundingBox())!;
    expect(y - question.y - question.height).toBeLessThan(120);
    // The field can be filled in there, and stays while one types.
    await type(page, id, '12G');
    await expect.poll(() => summary(page)).toMatch(/days/);
    expect(await field(page, id).inputValue()).toContain('12');
    expect(await link(page)).toContain('chip.scaleOutBandwidth=12G');
    await page.goBack();
    await page.locator(`.asks [data-message="${id}"]`).waitFor();
    await page.getByRole('button', { name: /^Assume 50 GB\/s/ }).click();
    await expect.poll(() => summary(page)).toMatch(/days/);
    expect(await link(page)).toContain('chip.scaleOutBandwidth=50G');
  });

  test('replicas without a sequence are told', async () => {
    const page = await openPlan('layout.context=1');
    expect(await message(page, 'layout.tensor')).toBe(
      '1,120 replicas for 1,024 sequences in a batch: some have nothing to do.',
    );
  });

  test('what the step does not rest on is not asked', async () => {
    const page = await openPlan(fixed);
    for (const panel of ['layout', 'states', 'search', 'efficiency', 'run', 'reliability']) {
      await openPanel(page, panel);
    }
    for (const key of ['mfu', 'gradientBytes', 'optimizerBytes', 'stateSharding']) {
      await expect.poll(() => field(page, `run.${key}`).count()).toBe(0);
    }
    await expect.poll(() => field(page, 'layout.schedule').count()).toBe(0);
    await type(page, 'layout.pipeline', '2');
    await expect.poll(() => field(page, 'layout.schedule').count()).toBe(1);
  });
});

describe('the best layouts', () => {
  test.each([360, 768])('are told apart by their names at %i', async (width) => {
    const page = await open('view=plan&chip=h100-sxm&model=llama-3.1-70b&chips=64', {
      viewport: { width, height: 800 },
    });
    await page.locator('[data-plan="0"]').waitFor();
    const rows = await page.locator('[data-plan]').evaluateAll((all) =>
      all.map((row) => ({
        name: row.querySelector<HTMLElement>('td.narrow')!.innerText,
        button: row.querySelector('button')?.getAttribute('aria-label') ?? '',
        // The columns that there is no room for.
        cells: [...row.querySelectorAll('td.wide.words')].map((cell) => cell.textContent!.trim()),
      })),
    );
    expect(rows.some(({ cells }) => cells[1] !== 'none')).toBe(true);
    for (const { name, button, cells } of rows) {
      const [sharding, recomputed] = cells;
      for (const told of [sharding!, ...(recomputed === 'none' ? [] : [recomputed!])]) {
        expect(name).toContain(told);
        if (button) expect(button).toContain(told);
      }
    }
  });

  test('each with what it costs, and why it is not the best', async () => {
    const page = await openPlan(fixed, wide);
    const [first, second] = [await best(page, 0), await best(page, 1)];
    expect(first['vs. fastest']).toMatch(/^(fastest|within 1% of the fastest)/);
    expect(second['vs. fastest']).toMatch(/[+−][\d.]+ m?s [a-zA-Z]|just as fast/);
    // The reader's own is none of them.
    expect(await page.locator('[data-plan]').count()).toBe(11);
    const own = await page.locator('[data-plan="own"]').innerText();
    expect(inOneLine(own)).toMatch(/[+−][\d.]+ ms .* yours$/);
    expect(inOneLine(await page.locator('section.plans .means').first().innerText())).toMatch(
      /All [\d,]+ layouts searched: .*\. [\d,]+ were costed, .*\. Lower bound of all layouts that fit: \d+ ms\./,
    );
  });

  test('keep a schedule in words, and the best without it is offered', async () => {
    const kept = `${fixed}&layout.schedule=zb1p`;
    const page = await openPlan(kept, wide);
    const sentence = page.locator('.question');
    await page.locator('[data-follow]').click();
    await expect
      .poll(async () => inOneLine(await sentence.innerText()))
      .toContain('with the best layout with ZB-1p.');
    await page.locator('[data-unkept]').click();
    await expect
      .poll(async () => inOneLine(await sentence.innerText()))
      .toMatch(/with the best layout\.$/);
    expect(await link(page)).not.toContain('schedule');
    expect(await page.locator('[data-unkept]').count()).toBe(0);
  });

  test('can be taken over, and are then the reader’s own', async () => {
    const page = await openPlan(fixed, wide);
    const first = await best(page, 1);
    await page.locator('[data-plan="1"] button').click();
    await expect.poll(() => answer(page, 'stepExpected')).toBe(first.Step);
    await expect.poll(() => answer(page, 'memoryUsed')).toBe(first.Memory);
    await expect.poll(() => answer(page, 'mfuExact')).toBe(first.MFU);
    await expect.poll(() => field(page, 'layout.tensor').inputValue()).toBe(first.TP);
    await expect.poll(() => page.locator('[data-plan="1"]').innerText()).toContain('yours');
    await expect.poll(() => page.locator('[data-plan="own"]').count()).toBe(0);
    await page.goBack();
    await expect.poll(() => answer(page, 'stepExpected')).not.toBe(first.Step);
  });

  test('are searched anew at every input, of which the newest counts', async () => {
    const page = await openPlan(fixed);
    const before = await best(page, 0);
    for (const chips of ['2240', '1120', '4480']) await type(page, 'run.chips', chips);
    await expect.poll(async () => (await best(page, 0)).Step).not.toBe(before.Step);
    await searched(page);
    const first = await best(page, 0);
    await page.locator('[data-plan="0"] button').click();
    await expect.poll(() => answer(page, 'stepExpected')).toBe(first.Step);
    await expect.poll(() => link(page)).toContain('chips=4480');
  });

  test('show how far the search is where it takes longer, without holding up the page', async () => {
    const page = await open('view=plan&chip=h800-sxm&chips=2048');
    await searched(page);
    const log = page.evaluate(
      () =>
        new Promise<string[]>((resolve) => {
          const root = document.querySelector('scaling-page')!.shadowRoot!;
          const parts: string[] = [];
          const look = (): void => {
            const part = root.querySelector('[data-progress]')?.getAttribute('data-progress');
            if (part) parts.push(part);
            const searching = parts.some((each) => each !== 'done');
            if (searching && part === 'done') resolve(parts);
            else requestAnimationFrame(look);
          };
          look();
        }),
    );
    await page.evaluate(
      () => (location.hash = 'view=plan&model=deepseek-v3&chip=h800-sxm&chips=2048'),
    );
    // Each part is a frame that the page could draw while the search went on.
    expect(new Set(await log).size).toBeGreaterThan(3);
  });

  test('keep what is pinned', async () => {
    const page = await openPlan('search.tensor=no&layout.tensor=2');
    const column = await page.locator('[data-plan] td:nth-child(2)').allInnerTexts();
    expect(new Set(column)).toEqual(new Set(['2']));
    const panel = page.locator('[data-part="panel search"]');
    expect(await panel.innerText()).toContain('pinned: Tensor parallelism (TP)');
    await openPanel(page, 'search');
    await field(page, 'search.tensor').check();
    // The search leaves schedules alone unless it is told otherwise: nobody pinned them.
    await expect.poll(() => panel.innerText()).not.toContain('pinned');
  });

  test('are found even while the layout at hand cannot be', async () => {
    const page = await openPlan('chips=100&layout.tensor=8');
    expect(await page.locator('.stale').count()).toBe(1);
    await page.locator('[data-plan="0"] button').click();
    await expect.poll(() => page.locator('.stale').count()).toBe(0);
    await expect.poll(() => link(page)).toContain('chips=100');
  });

  test('nothing fits, or nothing can be searched: said in words', async () => {
    const page = await openPlan('model=llama-3.1-405b&chips=1&layout.tensor=1&layout.context=1');
    expect(await page.locator('section.plans .means').first().innerText()).toContain('None fits.');
    for (const section of ['map', 'levers']) {
      await show(page, section);
      await expect
        .poll(() => page.locator(`[data-section="${section}"] .means`).first().innerText())
        .toBe('Nothing fits anywhere');
    }
    await type(page, 'run.chips', '8192');
    await expect
      .poll(() => page.locator('section.plans .means').first().innerText())
      .toContain('once the input above is valid');
  });
});

describe('drawings', () => {
  test('of memory and time, by stage', async () => {
    const page = await openPlan('layout.pipeline=5&layout.context=1');
    await show(page, 'memory');
    expect(await caption(page, 'bars')).toMatch(/^Fits: at most .+ of 96\.0 GB in use$/);
    await show(page, 'timeline');
    expect(await caption(page, 'timeline')).toMatch(/computing$/);
    await type(page, 'layout.tensor', '7');
    await expect
      .poll(() => page.locator('[data-section="memory"]').innerText())
      .toContain('nothing to draw');
  });

  test('of time against memory: a point is taken over by keys', async () => {
    const page = await openPlan(fixed);
    await show(page, 'front');
    const before = await answer(page, 'stepExpected');
    const points = page.locator('scaling-pareto-frontier [tabindex="0"]').first();
    await points.focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('Enter');
    await expect.poll(() => answer(page, 'stepExpected')).not.toBe(before);
    expect(await page.locator('.message:not([data-notice])').count()).toBe(0);
  });

  test('of step times over two fields, which the link holds', async () => {
    const page = await openPlan('map=tensor,data');
    await show(page, 'map');
    expect(await caption(page, 'value-map')).toMatch(/^Fastest at TP degree \d+ and DP degree/);
    await page.locator('[data-map="y"]').selectOption('microBatch');
    await searched(page);
    await expect.poll(() => link(page)).toContain('map=tensor,microBatch');
    await expect.poll(() => caption(page, 'value-map')).toContain('micro-batch size');
    await page.locator('[data-map="x"]').selectOption('microBatch');
    await expect.poll(() => link(page)).toContain('map=microBatch,tensor');
  });

  test('of step times: a cell is taken over with its best layout', async () => {
    const page = await openPlan(`map=tensor,context&${fixed}`);
    await show(page, 'map');
    await page.locator('scaling-value-map [role="slider"]').first().focus();
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => field(page, 'layout.tensor').inputValue()).toBe('4');
    expect(await field(page, 'layout.context').inputValue()).toBe('2');
    expect(await page.locator('.message:not([data-notice])').count()).toBe(0);
  });

  test('of what would help, the most helpful first', async () => {
    const page = await openPlan('chip=h100-sxm&chips=1024');
    await show(page, 'levers');
    await expect
      .poll(() => page.locator('.levers tbody tr').allInnerTexts())
      .not.toContainEqual(expect.stringContaining('…'));
    const gains = await page.locator('.levers td strong').allInnerTexts();
    const numbers = gains.map((text) => Number(text.replace('−', '-').replace(/[^\d.-]/g, '')));
    expect(numbers.length).toBeGreaterThan(5);
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
    expect(numbers[0]).toBeLessThan(-20);
  });

  test('of the most that fits: what is longer does not, and each is taken over', async () => {
    const page = await openPlan('chip=rtx-4090&model=qwen3-8b&chips=1&trained=qlora');
    // Fine-tunings have it among their tables.
    const row = (what: string) => page.locator(`.most tr[data-most="${what}"]`);
    for (const what of ['sequence', 'microBatch', 'chip'])
      await row(what).locator('button').waitFor();
    expect(inOneLine(await row('microBatch').innerText())).toMatch(
      /at 4,096 tokens \d+ sequences?/,
    );
    const longest = Number(
      (await row('sequence').locator('strong').innerText()).replace(/\D/g, ''),
    );
    expect(longest % 256).toBe(0);
    await row('sequence').locator('button').click();
    await expect.poll(() => link(page)).toContain(`sequence=${longest}`);
    await searched(page);
    expect(await page.locator('.verdict').innerText()).not.toMatch(/doesn’t fit/i);
    await page.goto(
      `${(await page.url()).split('#')[0]}#view=plan&chip=rtx-4090&model=qwen3-8b&chips=1&trained=qlora&sequence=${2 * longest}&batch=${2 * longest}`,
    );
    await expect.poll(() => page.locator('.verdict').innerText()).toMatch(/doesn’t fit/i);
  });

  test.each(['en-US', 'zh-CN'])('of the most that fits, on a phone: %s', async (locale) => {
    const page = await open('view=plan&chip=rtx-4090&model=qwen3-8b&chips=1&trained=qlora', {
      viewport: { width: 360, height: 800 },
      locale,
    });
    const row = page.locator('.most tr[data-most="chip"]');
    await row.locator('button').waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
    // The layout stands below its name, in words that are true of a chip alone.
    const layout = row.locator('th .note');
    expect((await layout.boundingBox())!.width).toBeGreaterThan(120);
    expect(await layout.innerText()).toMatch(/^(one chip|单块芯片)/);
    expect(await row.innerText()).not.toContain('DDP');
  });

  test('of more and of fewer chips: a number is taken over with its best layout', async () => {
    const page = await openPlan('chip=h100-sxm&chips=1024&layout.context=1');
    await show(page, 'scaling');
    const allSearched = (): Promise<void> =>
      expect
        .poll(() => page.locator('[data-section="scaling"]').innerText())
        .not.toContain('searched');
    await allSearched();
    expect(await page.locator('scaling-sweep').count()).toBe(2);
    await page.locator('[data-section="scaling"] input[value="weak"]').check();
    await expect.poll(() => link(page)).toContain('scaling=weak');
    await page.locator('[data-section="scaling"] input[value="strong"]').check();
    await allSearched();
    const slider = page.locator('scaling-sweep [role="slider"]').first();
    await slider.focus();
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => field(page, 'run.chips').inputValue()).toBe('2,048');
    expect(await page.locator('.message:not([data-notice])').count()).toBe(0);
    await searched(page);
    expect(await page.locator('[data-plan="0"]').innerText()).toContain('yours');
  });
});

/** Dense and sparse, deep and flat, of switches and of a torus; each text is in both languages. */
const crowded = {
  dense:
    'chip=h100-sxm&model=llama-3.1-405b&chips=16384&batch=16777216&sequence=8192&layout.context=1&layout.pipeline=16',
  sparse:
    'chip=h800-sxm&model=deepseek-v3&chips=2048&layout.tensor=1&layout.context=1&layout.pipeline=16&layout.expert=64&layout.schedule=dualPipe&layout.fp8Matmuls=yes',
  small: 'chip=tpu-v5e&model=gpt2&chips=4&layout.tensor=1&layout.context=1&layout.sharding=none',
  full: 'chips=1&layout.tensor=1&layout.context=1',
};

describe('everything is said', () => {
  test.each([
    ['en-US', 'as it opens', ''],
    ['en-US', 'dense', crowded.dense],
    ['zh-CN', 'sparse', crowded.sparse],
    ['en-US', 'small', crowded.small],
    ['zh-CN', 'full', crowded.full],
  ])('in %s, %s', async (locale, _, hash) => {
    const page = await openPlan(hash, { locale });
    for (const section of sections) await show(page, section);
    await clickAll(page, '.more details.panel > summary');
    await drawn(page);
    await expect.poll(() => allText(page)).not.toMatch(unfinished);
    // The texts are read at once: a search that goes on replaces its charts.
    const texts = await page
      .locator('.inside > *')
      .evaluateAll((charts) => charts.map((chart) => chart.shadowRoot?.textContent ?? ''));
    expect(texts.filter((text) => text !== '').length).toBeGreaterThan(1);
    for (const text of texts) expect(text).not.toMatch(unfinished);
  });
});
