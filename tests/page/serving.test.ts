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
  skipLayout,
  summary,
  type,
  visitAll,
} from './calculator.ts';
import { violations } from './axe.ts';
import { unfinished, visits } from './visits.ts';

const open = visits();

const usual = 'view=serving&chip=h100-sxm&model=llama-3.1-70b&serve.chips=4&server.weights=fp8';
const sparse = 'view=serving&chip=h100-sxm&model=deepseek-v3&serve.chips=16&server.weights=fp8';
const over = 'view=serving&chip=h100-sxm&model=llama-3.1-405b&serve.chips=4';

/** The question as it reads, with what stands in its controls. */
const question = (page: Page): Promise<string> =>
  page.locator('.question').evaluate((element) => {
    const copy = element.cloneNode(true) as Element;
    for (const other of copy.querySelectorAll('input, select, [hidden]')) other.remove();
    return (copy.textContent ?? '').replace(/\s+/g, ' ').trim();
  });

const loaded = (page: Page): Promise<string[]> =>
  page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name));

/** The charts below the answers that open. */
const sections = ['parts', 'prefill', 'cacheOver'];

/** Opens one of the parts below the answers. */
async function show(page: Page, section: string): Promise<void> {
  await page.locator(`[data-part="serving ${section}"] > summary`).click();
  await page.locator(`[data-section="${section}"]`).waitFor();
}

test('comes when it is first opened, and not before', async () => {
  const page = await open.anew();
  expect((await loaded(page)).filter((name) => name.includes('serving'))).toEqual([]);
  await page.locator('[data-view="serving"]').click();
  await page.locator('[data-question="serving"]').waitFor();
  await page.locator('[data-answer="servingFits"]').waitFor();
  expect((await loaded(page)).filter((name) => name.includes('serving')).length).toBeGreaterThan(1);
  expect(await link(page)).toContain('view=serving');
});

test('says in a sentence what is served, and in another how', async () => {
  const page = await open(usual);
  expect(await question(page)).toMatch(/^Serve .+ using the best layout: TP .*\.$/);
  expect(await summary(page)).toMatch(
    /^Fits: .+ GB free per chip\. TTFT .+, then .+ ms per token\. .+ tokens\/s in total\. \$.+\. \d instances? of \d H100 SXM[^.]*\.$/,
  );
  expect(await answer(page, 'servingFits')).toBe('yes');
  // Memory that is kept back is not free: the cache's room is taken or free.
  expect(await says(page, 'servingFits')).toMatch(
    /[\d.]+ GB of the usable [\d.]+ GB free\. KV cache capacity .+: at most \d+ concurrent sequences\./,
  );
  expect(await says(page, 'firstToken')).toMatch(/90% interval .+–.+; lower bound/);
  expect(await allText(page)).not.toMatch(unfinished);
});

const seeing = 'chip=h100-sxm&model=gemma-3-27b';

test.each([
  [`view=serving&${seeing}&serve.chips=2`, 'serving.imagesPerPrompt', 'serve.imagesPerPrompt'],
  [`view=plan&${seeing}&chips=64`, 'run.imagesPerSequence', 'imagesPerSequence'],
])(
  'says in the sentence how many images there are, where there are any: %s',
  async (of, id, key) => {
    const told = (page: Page) => page.locator(`.question [data-field="${id}"]`);
    const page = await open(of);
    expect(await told(page).count()).toBe(0);
    expect(await question(page)).not.toMatch(/image/);
    await page.evaluate((hash) => (location.hash = hash), `${of}&${key}=2`);
    await expect.poll(() => told(page).count()).toBe(1);
    expect(await told(page).inputValue()).toBe('2');
    expect(await question(page)).toMatch(/ images (and [\d,]+ output tokens per request|each),/);
    await type(page, id as 'serving.imagesPerPrompt', '1');
    await expect.poll(() => question(page)).toMatch(/ image (and|each)/);
    const chinese = await open(`${of}&${key}=2`, { locale: 'zh-CN' });
    expect(await question(chinese)).toContain('张图像');
  },
);

test('opens in the formats of the published model, and keeps those of the reader', async () => {
  const page = await open('view=serving&chip=h100-sxm&model=gpt-oss-120b&serve.chips=2');
  const format = field(page, 'server.weights');
  expect(await question(page)).toContain(', experts in MXFP4, on');
  expect(await format.inputValue()).toBe('bf16');
  expect(await link(page)).not.toContain('server.');
  await visitAll(page, ['view=serving&chip=a100-sxm-80gb&model=deepseek-v3&serve.chips=16']);
  expect(await format.inputValue()).toBe('fp8Block');
  expect(await summary(page)).toContain('Fits: ');
  await format.selectOption('bf16');
  await expect.poll(() => summary(page)).toMatch(/^Doesn’t fit/);
  expect(await link(page)).toContain('server.weights=bf16');
  await format.selectOption('fp8Block');
  await expect.poll(() => link(page)).not.toContain('server.');
});

describe('the division', () => {
  test('is the best until the reader fixes it, and again at their wish', async () => {
    const page = await open(usual);
    const best = await field(page, 'serving.tensor').inputValue();
    const other = best === '4' ? '2' : '4';
    await type(page, 'serving.tensor', other);
    await expect.poll(() => question(page)).not.toContain('the best layout');
    expect(await link(page)).toContain(`serve.tensor=${other}`);
    await page.locator('.best-ways').click();
    await expect.poll(() => question(page)).toContain('the best layout');
    expect(await field(page, 'serving.tensor').inputValue()).toBe(best);
    expect(await link(page)).not.toContain('serve.tensor');
  });

  test('of a model with experts names their ways', async () => {
    const page = await open(sparse);
    expect(await question(page)).toMatch(/attention DP .*, EP /);
    expect(await field(page, 'serving.expert').inputValue()).toBe('16');
  });

  test('that cannot be says why, and is mended', async () => {
    const page = await open(`${usual}&serve.tensor=8`);
    expect(await message(page, 'serving.tensor')).toContain('must be from 1 to 4');
    await page.locator('.offers button', { hasText: 'Use the best layout' }).first().click();
    await expect.poll(() => message(page, 'serving.tensor')).toBe('');
    expect(await summary(page)).toContain('Fits: ');
  });
});

test('what does not fit has no speed, and a way out', async () => {
  const page = await open(over);
  expect(await summary(page)).toMatch(/^Doesn’t fit: at least \d+ chips/);
  expect(await page.locator('[data-answer="tokenTime"]').count()).toBe(0);
  const offers = await page.locator('.offers button').allInnerTexts();
  expect(offers.some((offer) => /^Use \d+ chips: /.test(offer))).toBe(true);
  await page.locator('.offers button', { hasText: /^Use \d+ chips: / }).click();
  await expect.poll(() => summary(page)).toContain('Fits: ');
});

test('chips that are offered hold all users, in a slice if they are on a torus', async () => {
  const page = await open('view=serving&chip=tpu-v5e&serve.chips=4');
  expect(await summary(page)).toMatch(/^Doesn’t fit: at least 32 chips/);
  const offered = await page.locator('.offers button').allInnerTexts();
  expect(offered.find((offer) => offer.startsWith('Use 32 chips: '))).toBeDefined();
});

test('users who do not fit are counted, and wait by name', async () => {
  const crowd = 'view=serving&chip=h200-sxm&model=qwen3-235b-a22b&serve.users=1000';
  const page = await open(crowd);
  expect(await summary(page)).toMatch(
    /^\d{3} of 1,000 users fit; the rest queue [\d.]+ s for a place\. TTFT /,
  );
  expect(await answer(page, 'servingFits')).toMatch(/^\d{3} of 1,000$/);
  expect(await says(page, 'firstToken')).toMatch(/Queueing for a place takes [\d.]+ s\./);
  const parts = await page.locator('[data-answer="firstToken"] ul.parts li').allInnerTexts();
  expect(parts.join('; ')).toMatch(/Prefill .*Queueing time .*Queueing for a place /);
  // More servers hold them all.
  await page
    .locator('.offers button', { hasText: /^Use \d+ chips: \d instances? of \d+, / })
    .click();
  await expect.poll(() => summary(page)).toMatch(/^Fits: /);
  const other = await open(crowd, { locale: 'zh-CN' });
  expect(await summary(other)).toMatch(/^1,?000 个用户中可容纳 \d{3} 个，其余等待空位 [\d.]+ 秒。/);
});

test('targets of many users are answered by servers in whole nodes', async () => {
  const page = await open(
    'view=serving&chip=h200-sxm&model=qwen3-235b-a22b&serve.users=1000&serve.firstTarget=2&serve.tokenTarget=0.05',
  );
  const offer = page.locator('.offers button', { hasText: /^Use \d+ chips: / });
  const [, chips, servers, each, nodes] =
    /^Use (\d+) chips: (\d+) instances? of (\d+), (\d+) nodes?$/
      .exec(await offer.first().innerText())!
      .map(Number);
  expect(servers! * each!).toBe(chips);
  expect(nodes! * 8).toBe(chips);
  await offer.first().click();
  await expect.poll(() => answer(page, 'meetsTargets')).toBe('yes');
  expect(await says(page, 'servers')).toContain(
    `${servers} instances of ${each} chips. ${chips} chips in ${nodes} nodes of 8.`,
  );
});

test('chips that nobody sells so are answered, with a note', async () => {
  const page = await open(`${usual.replace('chips=4', 'chips=5')}`);
  expect(await message(page, 'serving.chips')).toMatch(/a node has 8 chips/);
  expect(await summary(page)).toMatch(/^Fits/);
});

describe('targets', () => {
  test('that are met say so', async () => {
    const page = await open(`${usual}&serve.tokenTarget=1`);
    expect(await answer(page, 'meetsTargets')).toBe('yes');
    expect(await says(page, 'meetsTargets')).toContain('These chips meet them.');
  });

  test('that no hardware meets say the nearest, and what stands in the way', async () => {
    const page = await open(`${usual}&serve.tokenTarget=0.0001`);
    expect(await answer(page, 'meetsTargets')).toBe('no');
    expect(await says(page, 'meetsTargets')).toMatch(
      /The closest these chips get is .+× the target\. Even at peak rates, a token takes/,
    );
    expect(await allText(page)).not.toMatch(unfinished);
  });

  test('are met by the chips that are offered', async () => {
    const page = await open(`${usual}&serve.users=512&serve.tokenTarget=0.03`);
    await expect.poll(() => answer(page, 'meetsTargets')).toBe('no');
    await page.locator('.offers button', { hasText: /^Use \d+ chips: / }).click();
    await expect.poll(() => answer(page, 'meetsTargets')).toBe('yes');
  });

  test('of a share of requests say how long these wait', async () => {
    const page = await open(`${usual}&serve.firstTarget=30&serve.targetShare=99%25`);
    expect(await says(page, 'meetsTargets')).toMatch(/99% of requests: TTFT within/);
  });

  test('say how many requests keep to them, and up to which rate nine of ten do', async () => {
    const page = await open(
      'view=serving&chip=h100-sxm&model=llama-3.1-8b&serve.chips=8&serve.load=open&serve.requestRate=25&serve.firstTarget=0.3&serve.tokenTarget=0.015&target=withinTargets:atLeast:0.9',
    );
    const within = async (): Promise<number> => parseFloat(await answer(page, 'withinTargets'));
    expect(await within()).toBeLessThan(90);
    expect(inOneLine(await page.locator('[data-answer="withinTargets"]').innerText())).toMatch(
      /Goodput: [\d.]+ requests\/s of [\d.]+ requests\/s, [\d.]+ requests\/s per chip\./,
    );
    const rate = page.locator('[data-turn="serving.requestRate"]');
    await rate.locator('.use').click();
    await expect.poll(within).toBeGreaterThanOrEqual(90);
    expect(await within()).toBeLessThan(91);
  });
});

test('a column of lengths is pasted, and takes the place of the mean', async () => {
  const page = await open(usual);
  await openPanel(page, 'load');
  const list = page.locator('textarea[data-field="serving.promptLengths"]');
  const lengths = Array.from({ length: 3000 }, (_, at) => 1000 + at);
  await list.fill(`prompt_tokens\n${lengths.join(',')}`);
  await list.blur();
  await expect.poll(() => question(page)).toContain('listed input');
  expect(await list.inputValue()).toMatch(/^1\d{3}:\d+, .*, 3999:1$/);
  expect(await link(page)).toContain('serve.promptLengths=');
  // A text that can't be read stays, and is named.
  await list.fill('512:20, many');
  await list.blur();
  await expect
    .poll(() => message(page, 'serving.promptLengths'))
    .toMatch(/character 9 can’t be read/);
  expect(await list.inputValue()).toBe('512:20, many');
  await list.fill('');
  await list.blur();
  await expect.poll(() => question(page)).not.toContain('listed input');
});

test('each large answer is derived, to the number that it shows', async () => {
  const page = await open(sparse);
  await skipLayout(page);
  await clickAll(page, '.answer button.why');
  await expect
    .poll(() => page.locator('.derivation:not([hidden]) .ladder').count())
    .toBeGreaterThanOrEqual(8);
  expect(await allText(page)).not.toMatch(unfinished);
});

test('a step with many parts inside keeps them folded until they are asked for', async () => {
  const page = await open(sparse);
  await page.locator('[data-answer="firstToken"] button.why').click();
  const step = page.locator('.ladder li', { has: page.locator('details.parts') }).first();
  await step.waitFor();
  await expect.poll(() => step.locator('.lines').count()).toBe(1);
  const folded = step.locator('details.parts > summary');
  // The page does not lay out what is out of sight: that has no `innerText`.
  const count = Number(/\d+/.exec((await folded.textContent())!)?.[0]);
  expect(count).toBeGreaterThan(12);
  await folded.click();
  await expect.poll(() => step.locator('.lines').count()).toBe(1 + count);
});

test('the frontier is drawn at once, with chips and batches along it', async () => {
  const page = await open(usual);
  const marks = page.locator('scaling-trade text.quiet', { hasText: /^\d+ × \d+$/ });
  await expect.poll(() => marks.count()).toBeGreaterThan(4);
  expect(await says(page, 'tokenTime')).toMatch(
    /Prefill takes .+% of an instance’s time: a mixed step .+, a decode-only step .+\./,
  );
  expect(await says(page, 'chipsForLoad')).toMatch(/^The load is [\d.]+% of the sequences that /);
});

test('charts are drawn', async () => {
  const page = await open(usual);
  for (const section of sections) await show(page, section);
  await page.locator('scaling-trade figcaption').waitFor();
  await expect.poll(() => page.locator('scaling-sweep figcaption').count()).toBe(3);
  expect(await page.locator('[data-section="parts"] .readout').innerText()).toContain(
    'Decode step',
  );
  expect(await allText(page)).not.toMatch(unfinished);
});

test('the cursor of a chart crosses no name, on a phone', async () => {
  const page = await open(usual, { viewport: { width: 360, height: 740 } });
  await show(page, 'prefill');
  const chart = page.locator('[data-section="prefill"] scaling-sweep');
  await chart.locator('figcaption').waitFor();
  const crossed = await chart.evaluate(({ shadowRoot }) => {
    const boxes = (selector: string) =>
      [...shadowRoot!.querySelectorAll(selector)].map((each) => each.getBoundingClientRect());
    const lines = boxes('.reading line.at');
    const names = boxes('.drawing text.halo');
    const over = names.filter(({ left, right, top, bottom }) =>
      lines.some(
        (line) =>
          line.left > left && line.left < right && line.bottom > top + 3 && line.top < bottom - 3,
      ),
    );
    return [lines.length > 0, names.length > 0, over.length];
  });
  expect(crossed).toEqual([true, true, 0]);
});

test('the software sets its fields, and says when it is none of the list', async () => {
  const page = await open(usual);
  await openPanel(page, 'software');
  await openPanel(page, 'cache');
  await field(page, 'software').selectOption('tensorrt-llm');
  await expect.poll(() => link(page)).toContain('server.allocation=whole');
  expect(await field(page, 'software').inputValue()).toBe('tensorrt-llm');
  await field(page, 'server.host').selectOption('compiled');
  await expect.poll(() => field(page, 'software').inputValue()).toBe('');
});

test('all chips stand side by side, each with the fewest that hold it', async () => {
  const page = await open('view=serving&chip=h100-sxm&model=llama-3.1-70b&serve.chips=8');
  await page.locator('[data-part="panel all-chip"] > summary').click();
  await page.locator('.overview[aria-busy="false"]').waitFor();
  const heads = await page.locator('.overview thead th').allInnerTexts();
  expect(heads.join(' ')).toContain('Fewest chips');
  await expect.poll(() => page.locator('.overview tbody tr').count()).toBeGreaterThan(10);
  expect(await allText(page)).not.toMatch(unfinished);
});

test('bad input is told at its field, in both languages', async () => {
  const page = await open(`${usual}&serve.users=0`);
  expect(await message(page, 'serving.users')).toMatch(/Concurrency must be .*from 1 to/);
  const other = await open(`${usual}&serve.users=0`, { locale: 'zh-CN' });
  expect(await message(other, 'serving.users')).toMatch(/1.*之间|1 到/);
});

test('never says what no reader should see, whatever the load', async () => {
  const page = await open(usual);
  const models = ['llama-3.1-8b', 'deepseek-v3', 'gpt-oss-120b', 'mixtral-8x7b', 'gemma-3-27b'];
  const chips = ['tpu-v5e', 'h200-sxm', 'a100-sxm-80gb', 'b200'];
  const loads = ['closed', 'most', 'open', 'static'];
  const hashes = models.flatMap((model) =>
    chips.flatMap((chip, index) =>
      [1, 64].map(
        (users) =>
          `view=serving&chip=${chip}&model=${model}&serve.chips=8&serve.users=${users}&serve.load=${loads[index % 4]}`,
      ),
    ),
  );
  await skipLayout(page);
  for (const seen of await visitAll(page, hashes)) {
    expect(seen.text, seen.hash).not.toMatch(unfinished);
    expect(seen.answers + seen.messages, seen.hash).toBeGreaterThan(0);
  }
});

describe.each(['en-US', 'zh-CN'])('in %s', (locale) => {
  test.each([360, 768, 1440])('%d pixels wide it is accessible and fits', async (width) => {
    const page = await open(usual, { locale, viewport: { width, height: 900 } });
    await page.locator('[data-answer="costAll"]').waitFor();
    expect(await violations(page, width === 768 ? 'colours' : 'all')).toEqual([]);
    const [inner, outer] = await page.evaluate(() => [
      document.documentElement.scrollWidth,
      document.documentElement.clientWidth,
    ]);
    expect(inner).toBeLessThanOrEqual(outer!);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await violations(page, 'colours')).toEqual([]);
  });
});

test('free memory is one amount, in the answers and in the drawing', async () => {
  const page = await open(usual);
  const drawn = page.locator('scaling-serving-drawing [data-part="cacheRoom"]').first();
  await drawn.waitFor();
  const [, free] = /([\d.]+ GB) of the usable [\d.]+ GB free/.exec(
    await says(page, 'servingFits'),
  )!;
  expect(await summary(page)).toContain(`Fits: ${free} free per chip.`);
  const labels = await page.locator('scaling-serving-drawing').evaluate((element) => {
    const root = element.shadowRoot ?? element;
    return (root.textContent ?? '').replace(/\s+/g, ' ');
  });
  expect(labels).toContain(`${free} free`);
});

test('an answer under the pointer has no more digits than are known', async () => {
  const page = await open(usual);
  const title = await page
    .locator('[data-answer="tokenTime"] [title]')
    .first()
    .getAttribute('title');
  expect(title!.replace(/\D/g, '').replace(/^0+/, '').length).toBeLessThanOrEqual(6);
});
