// Measured servers against predictions, and what they say of servers that are asked about.

import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { allText, answer, field, inOneLine, link, message, type } from './calculator.ts';
import { expectOneInterval, filter, found, loaded } from './evidence-page.ts';
import { violations } from './axe.ts';
import { unfinished, visits } from './visits.ts';

const open = visits();

async function openEvidence(hash = '', options: Parameters<typeof open>[1] = {}): Promise<Page> {
  const page = await open(`view=evidence&${hash}`, options);
  await page.locator('.evidence > .summary').waitFor();
  return page;
}
const measure = (page: Page, name: string) =>
  page.locator(`input[name="measure"][value="${name}"]`);

describe('measured servers', () => {
  test('load when they are first shown, and stay in the link', async () => {
    const page = await open.anew('view=evidence');
    await page.locator('.evidence > .summary').waitFor();
    const ofServers = async () =>
      (await loaded(page)).filter((name) => name.includes('serving-collection'));
    expect(await ofServers()).toEqual([]);
    await measure(page, 'tokenTime').check();
    await expect
      .poll(() => page.locator('.evidence > .means').first().innerText())
      .toMatch(
        /published measurements of serving, .* one in \d+ of each model on a chip is shown\./,
      );
    expect((await ofServers()).length).toBe(1);
    expect(await link(page)).toMatch(/#view=evidence&measure=tokenTime$/);
    await measure(page, 'stepTime').check();
    await expect.poll(() => found(page)).toMatch(/^Frameworks left out/);
    expect(await link(page)).toMatch(/#view=evidence$/);
  });

  test('are filtered by load, and grouped by it', async () => {
    const page = await openEvidence('measure=outputSpeed');
    const all = await found(page);
    await filter(page, 'load').selectOption('split');
    await expect.poll(() => found(page)).not.toBe(all);
    expect(await link(page)).toContain('measure=outputSpeed&runs=load:split');
    await page.locator('[data-reset]').click();
    await filter(page, 'by').selectOption('load');
    await expect.poll(() => page.locator('[data-group]').count()).toBe(4);
    expect(await allText(page)).not.toMatch(unfinished);
  });

  test('what is measured changes, and filters that both have stay', async () => {
    const page = await openEvidence('runs=chip:h100-sxm,source:maxtext');
    await measure(page, 'outputSpeed').check();
    await expect.poll(() => link(page)).toMatch(/measure=outputSpeed&runs=chip:h100-sxm$/);
    await measure(page, 'firstToken').check();
    await expect.poll(() => link(page)).toMatch(/measure=firstToken&runs=chip:h100-sxm$/);
    expect(await found(page)).toMatch(/^\d+ runs: half/);
  });

  test('are reached by keys, name their source, and open in the view of serving', async () => {
    const page = await openEvidence('measure=tokenTime&runs=chip:h200-sxm');
    await page.locator('scaling-scatter [role="listbox"]').focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    const chosen = page.locator('.chosen');
    await chosen.waitFor();
    const text = inOneLine(await chosen.innerText());
    expect(text).toMatch(/Lower bound [\d.]+ m?s/);
    expect(await chosen.locator('a[href^="https://"]').count()).toBe(1);
    const expected = /Predicted ([\d.]+ m?s) ·/.exec(text)?.[1];
    await page.locator('[data-open]').click();
    await page.locator('[data-question="serving"]').waitFor();
    await expect.poll(() => answer(page, 'tokenTime')).toBe(expected);
    expect(await field(page, 'chip').inputValue()).toMatch(/^H200/);
  });

  test('that are not predicted are counted by the reason', async () => {
    const page = await openEvidence('measure=firstToken');
    await page.locator('[data-part="evidence unpredicted"] > summary').click();
    const reasons = page.locator('details.reason');
    await expect.poll(() => reasons.count()).toBeGreaterThan(10);
    await reasons.first().locator('summary').click();
    await expect.poll(() => reasons.first().locator('li').count()).toBeGreaterThan(3);
  });

  test('go out as a table, each with its link', async () => {
    const page = await openEvidence('measure=outputSpeed&runs=chip:h100-sxm');
    await page.locator('[data-part="evidence runs"] > summary').click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.locator('[data-save="runs-csv"]').click(),
    ]);
    const chunks: Buffer[] = [];
    for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
    const csv = Buffer.concat(chunks).toString();
    expect(csv.split('\r\n')[0]).toContain('Upper bound');
    expect(csv).toContain('#view=serving&');
  });
});

describe('beside servers', () => {
  const usual =
    'view=serving&chip=h100-sxm&model=llama-3.1-70b&serve.chips=8&server.weights=fp8&serve.promptTokens=1024&serve.answerTokens=1024';

  test.each(['firstToken', 'tokenTime', 'outputSpeed'])(
    'each prediction has the runs most like it: %s',
    async (key) => {
      const page = await open(usual);
      await page.locator(`[data-part="how sure ${key}"] > summary`).click();
      const sure = page.locator('.how-sure');
      await sure.locator('a').first().waitFor();
      expect(inOneLine(await sure.innerText())).toMatch(
        /\d+ measured runs are like this one; half came within [\d.]+% .* same kind of load \(online\)/,
      );
      await expectOneInterval(page, key);
      await sure.locator('a').last().click();
      await page.locator('.evidence > .summary').waitFor();
      expect(await link(page)).toContain(`measure=${key}&runs=generation:hopper,`);
      expect(await link(page)).toContain('load:online');
      expect(await found(page)).toMatch(/^\d+ runs/);
    },
  );

  test('or that none is like it', async () => {
    const page = await open('view=serving&chip=tpu-v5p&model=llama-3-8b&serve.chips=4');
    await page.locator('[data-part="how sure tokenTime"] > summary').click();
    await expect
      .poll(() => page.locator('.how-sure').innerText())
      .toContain('No measured run is like this one');
  });

  test('the reader’s own: where it stands, and what would explain it, the most first', async () => {
    const page = await open(usual);
    await page.locator('[data-part="own run"] > summary').click();
    await field(page, 'measured').waitFor();
    const expected = Number(
      await page.locator('[data-answer="outputSpeed"] .large').getAttribute('data-value'),
    );
    const slow = (0.5 * expected).toFixed(0);
    await type(page, 'measured', slow);
    await page.keyboard.press('Enter');
    const standing = page.locator('.own-run .finding');
    await expect.poll(() => standing.getAttribute('data-place')).toBe('below');
    expect(inOneLine(await standing.innerText())).toMatch(/−50\.0%.* Slower than the 90% interval/);
    expect(await link(page)).toContain(`measured=output:${Number(slow)}`);
    await expect.poll(() => page.locator('[data-worth]').count()).toBeGreaterThan(3);
    const worths = await page
      .locator('[data-worth]')
      .evaluateAll((rows) =>
        rows.map((row) => parseFloat((row as HTMLTableRowElement).cells[2]!.innerText)),
      );
    expect([...worths].sort((a, b) => b - a)).toEqual(worths);
    await expect.poll(() => page.locator('[data-change]').count()).toBeGreaterThan(0);

    await field(page, 'measured.as').selectOption('token');
    await expect.poll(() => field(page, 'measured').inputValue()).toBe('');
    await type(page, 'measured', '1e-3');
    await page.keyboard.press('Enter');
    await expect.poll(() => standing.getAttribute('data-place')).toBe('belowLower');
    expect(await link(page)).toContain('measured=token:0.001');

    // Both stay in the browser, each among those of its measure.
    await page.locator('[data-view="evidence"]').click();
    await measure(page, 'tokenTime').check();
    const own = page.locator('.own-runs');
    await own.waitFor();
    expect(await own.locator('li').count()).toBe(1);
    expect(await own.innerText()).toContain('8 × H100');
    await own.locator('button').click();
    await own.waitFor({ state: 'detached' });
    await measure(page, 'outputSpeed').check();
    await own.waitFor();
    await own.locator('button').click();
    await own.waitFor({ state: 'detached' });
  });

  test('what is no measurement is told, in both languages', async () => {
    const page = await open(`${usual}&measured=first:0.5`);
    await field(page, 'measured').waitFor();
    await type(page, 'measured', 'soon');
    await expect
      .poll(() => message(page, 'measured'))
      .toMatch(/^Time to first token \(TTFT\): “soon” is not a number\./);
    const other = await open(`${usual}&measured=token:-1`, { locale: 'zh-CN' });
    await field(other, 'measured').waitFor();
    expect(await message(other, 'measured')).toMatch(
      /^每输出 token 时间（TPOT）须在 1\.00\s微秒 到 /,
    );
  });
});

describe('frontiers of several chips', () => {
  const usual =
    'view=serving&chip=h100-sxm&model=llama-3.1-70b&serve.chips=8&server.weights=fp8&serve.promptTokens=1024&serve.answerTokens=1024';

  async function openFrontier(hash: string, options?: Parameters<typeof open>[1]): Promise<Page> {
    const page = await open(`${usual}${hash}`, options);
    await page.locator('scaling-frontiers scaling-trade figcaption').waitFor();
    return page;
  }

  const within = async (page: Page, which: string): Promise<string> =>
    inOneLine(await page.locator(`[data-within="${which}"]`).innerText());

  test('chips are added and taken away, and the link holds them', async () => {
    const page = await openFrontier('');
    const chips = page.locator('[data-beside="overlay"]');
    await chips.locator('[data-chart="add"]').click();
    await expect.poll(() => link(page)).toContain('overlay=b200-sxm');
    const names = page.locator('scaling-trade .other');
    await expect.poll(() => names.allTextContents()).toContain('B200 SXM');
    await chips.locator('[data-chart="remove"]').click();
    await expect.poll(() => link(page)).not.toContain('overlay');
    await expect.poll(() => names.count()).toBe(1);
  });

  test('the drawing stays while a change is worked out', async () => {
    const page = await openFrontier('&overlay=b200-sxm');
    const frontiers = page.locator('scaling-frontiers');
    const title = (): Promise<string> => frontiers.locator('figcaption').innerText();
    await expect.poll(title).toContain('B200');
    await frontiers.evaluate((element) => {
      const removed = (nodes: NodeList): boolean =>
        [...nodes].some((node) => node.nodeName === 'SCALING-TRADE');
      new MutationObserver((changes) => {
        if (changes.some(({ removedNodes }) => removed(removedNodes)))
          element.setAttribute('data-lost', '');
      }).observe(element, { childList: true, subtree: true });
    });
    const before = await title();
    await type(page, 'serving.answerTokens', '256');
    await expect.poll(title).not.toBe(before);
    expect(await frontiers.getAttribute('data-lost')).toBeNull();
  });

  test('for a target the cheapest and for a budget the fastest are marked and told', async () => {
    const page = await openFrontier('&overlay=b200-sxm&deadline=20');
    await expect
      .poll(() => within(page, 'deadline'))
      .toMatch(/^Cheapest within 20\.0 ms per token: \d+ × .+ at a time; [\d.]+ ms per token, \$/);
    await page.locator('[data-limit="budget"]').fill('$2');
    await page.locator('[data-limit="budget"]').press('Enter');
    await expect
      .poll(() => within(page, 'budget'))
      .toMatch(/^Fastest for \$2\.00 per million tokens: \d+ × .+; [\d.]+ ms per token, \$/);
    expect(await link(page)).toContain('deadline=20&budget=2');
    const marks = await page.locator('scaling-trade text.strong').allTextContents();
    expect(marks.join(' ')).toContain('cheapest in time');
    expect(marks.join(' ')).toContain('fastest for the money');
  });

  test('a target that nothing meets names what comes nearest', async () => {
    const page = await openFrontier('&deadline=0.01&budget=0.0001');
    await expect
      .poll(() => within(page, 'deadline'))
      .toMatch(/^Nothing here takes 10\.0 [µμ]s per token or less\. The fastest: 8 × H100/);
    expect(await within(page, 'budget')).toMatch(/^Nothing here costs .+ or less\. The cheapest:/);
    expect(await allText(page)).not.toMatch(unfinished);
  });

  test('what is no target is told, typed or in a link', async () => {
    const page = await openFrontier('&deadline=soon');
    const told = page.locator('[data-message="frontier"]');
    expect(await told.innerText()).toContain(
      '“soon” can’t be “Max. normalized latency (ms/token)”',
    );
    await page.locator('[data-limit="deadline"]').fill('20');
    await page.locator('[data-limit="deadline"]').press('Enter');
    await told.waitFor({ state: 'detached' });
    await page.locator('[data-limit="budget"]').fill('-1');
    await page.locator('[data-limit="budget"]').press('Enter');
    await expect
      .poll(() => told.innerText())
      .toContain('“-1” can’t be “Max. price per million tokens ($)”');
  });

  test('a point of another chip is taken over by keys', async () => {
    const page = await openFrontier('&overlay=b200-sxm');
    await expect
      .poll(() => page.locator('scaling-trade .other').allTextContents())
      .toContain('B200 SXM');
    await page.locator('scaling-trade [role="listbox"]').focus();
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Enter');
    await expect.poll(() => field(page, 'chip').inputValue()).toMatch(/^B200/);
    await expect.poll(() => link(page)).toContain('serve.tensor=');
    expect(await allText(page)).not.toMatch(unfinished);
  });
});

test('layers that differ say what each kind keeps', async () => {
  const page = await open(
    'view=serving&chip=h100-sxm&model=qwen3.5-397b-a17b&serve.chips=16&server.weights=fp8',
  );
  const row = page.locator('[data-answer="servingFits"]');
  await expect.poll(() => row.innerText()).toContain('Recurrent state of linear attention');
  expect(await row.innerText()).toContain('KV cache of full-attention layers');
  await page.locator('[data-part="panel model"] > summary').click();
  const keeps = page.locator('scaling-layers .keeps');
  await keeps.waitFor();
  expect(await keeps.innerText()).toMatch(
    /^In the cache of a sequence: attention \d+\sMB, linear attention \d+\sMB\.$/,
  );
});

describe.each(['en-US', 'zh-CN'])('in %s', (locale) => {
  test.each([360, 768, 1440])('%d pixels wide it is accessible and fits', async (width) => {
    const viewport = { width, height: 900 };
    const rules = width === 768 ? 'colours' : 'all';
    const fits = async (page: Page): Promise<void> => {
      const [inner, outer] = await page.evaluate(() => [
        document.documentElement.scrollWidth,
        document.documentElement.clientWidth,
      ]);
      expect(inner).toBeLessThanOrEqual(outer!);
    };
    const evidence = await openEvidence('measure=tokenTime&runs=chip:h200-sxm', {
      locale,
      viewport,
    });
    await evidence.locator('scaling-scatter').waitFor();
    expect(await violations(evidence, rules)).toEqual([]);
    await fits(evidence);
    const page = await open(
      'view=serving&chip=h100-sxm&model=llama-3.1-70b&serve.chips=8&server.weights=fp8&overlay=b200-sxm&deadline=20&budget=2&measured=output:1500',
      { locale, viewport },
    );
    await page.locator('[data-worth]').first().waitFor();
    await page.locator('[data-part="how sure tokenTime"] > summary').click();
    await page.locator('.how-sure').waitFor();
    await page.locator('[data-within="budget"]').waitFor();
    expect(await violations(page, rules)).toEqual([]);
    await fits(page);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await violations(page, 'colours')).toEqual([]);
  });
});
