// Measured runs against predictions, and what they say of a plan.

import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { answer, field, inOneLine, link, message, type } from './calculator.ts';
import { expectOneInterval, filter, found, loaded } from './evidence-page.ts';
import { visits } from './visits.ts';

const open = visits();

async function openEvidence(hash = '', options: Parameters<typeof open>[1] = {}): Promise<Page> {
  const page = await open(`view=evidence&${hash}`, options);
  await page.locator('.evidence').waitFor();
  return page;
}

test('comes when it is first opened, and not before', async () => {
  const page = await open.anew();
  const ofEvidence = async () => (await loaded(page)).filter((name) => /evidence-/.test(name));
  expect(await ofEvidence()).toEqual([]);
  await page.locator('[data-view="evidence"]').click();
  await page.locator('.evidence').waitFor();
  expect((await ofEvidence()).length).toBeGreaterThan(0);
  expect(await link(page)).toMatch(/#view=evidence$/);
  expect(await page.locator('[data-view="evidence"]').getAttribute('aria-current')).toBe('page');
  await page.locator('[data-view="plan"]').click();
  await page.locator('[data-question="training"]').waitFor();
  expect(await link(page)).not.toContain('evidence');
});

test('says how errors changed from version to version, in each language', async () => {
  for (const [lang, kept] of [
    ['en', /Other framework.*2026-11-28 .*10\.2% \/ 31\.4% 90\.2% in it/],
    ['zh', /其他框架.*2026-11-28 .*10\.2% \/ 31\.4%/],
  ] as const) {
    const page = await openEvidence(`lang=${lang}`);
    const history = page.locator('[data-part="evidence history"]');
    await history.locator('summary').click();
    await expect.poll(async () => inOneLine(await history.innerText())).toMatch(kept);
  }
});

describe('filters', () => {
  test('say how far off predictions are, of those that are shown', async () => {
    const page = await openEvidence();
    // The summary of all runs begins with those that nothing was fitted to.
    const all = /^Frameworks left out of the fit: half of their runs within 10\.9% .* 30\.1%/;
    expect(await found(page)).toMatch(all);
    await page.getByText(/^Half of 754 runs lie within/).waitFor();
    await filter(page, 'chip').selectOption('h100-sxm');
    await filter(page, 'kind').selectOption('moe');
    await expect.poll(() => found(page)).toMatch(/^\d{2,3} runs: /);
    expect(await link(page)).toContain('runs=chip:h100-sxm,kind:moe');
    const groups = page.locator('[data-group]');
    expect(await groups.count()).toBe(1);
    expect(inOneLine(await groups.innerText())).toMatch(/^H100 SXM5 80GB \d+ [\d.]+% [\d.]+%/);
    await page.goBack();
    await expect.poll(() => page.locator('[data-group]').count()).toBe(1);
    await page.locator('[data-reset]').click();
    await expect.poll(() => found(page)).toMatch(all);
    expect(await link(page)).not.toContain('runs=');
  });

  test('a group is one, too; and groups are of what the reader chooses', async () => {
    const page = await openEvidence();
    await filter(page, 'by').selectOption('source');
    await expect.poll(() => page.locator('[data-group]').count()).toBeGreaterThan(15);
    const first = page.locator('[data-group] button').first();
    const name = inOneLine(await first.innerText());
    await first.click();
    await expect.poll(() => page.locator('[data-group]').count()).toBe(1);
    expect(await filter(page, 'source').inputValue()).toBe(name);
  });

  test('what no run has is said, not drawn', async () => {
    const page = await openEvidence('runs=chip:tpu-v5e,format:fp4');
    expect(await found(page)).toBe('No measured run has all of this.');
    expect(await page.locator('scaling-scatter').count()).toBe(0);
    await page.locator('[data-reset]').click();
    await page.locator('scaling-scatter').waitFor();
  });

  test('a link that makes no sense is told', async () => {
    const page = await openEvidence('runs=chips:many&run=nobody');
    expect(await message(page, 'runs')).toContain('“chips:many”, which makes no sense');
    expect(await found(page)).toMatch(/^Frameworks left out/);
    expect(await page.locator('.evidence').innerText()).toContain('There is no run by the name');
  });
});

describe('a run', () => {
  const chosen = (page: Page) => page.locator('.chosen');

  test('is reached by keys, names its source, and opens in the planner', async () => {
    const page = await openEvidence('runs=chip:tpu-v5e');
    const list = page.locator('scaling-scatter [role="listbox"]');
    await list.focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    const option = page.locator('scaling-scatter [role="option"]');
    await expect.poll(() => option.getAttribute('aria-posinset')).toBe('3');
    expect(await option.getAttribute('aria-label')).toContain('TPU v5e');
    await page.keyboard.press('Enter');
    await chosen(page).waitFor();
    expect(await link(page)).toMatch(/run=maxtext/);
    const source = chosen(page).locator('a[href^="https://github.com/"]');
    expect(await source.innerText()).toContain('AI-Hypercomputer/maxtext');
    const text = inOneLine(await chosen(page).innerText());
    const expected = /Predicted ([\d.]+ m?s) ·/.exec(text)?.[1];
    await page.locator('[data-open]').click();
    await page.locator('[data-question="plan"]').waitFor();
    await expect.poll(() => answer(page, 'stepExpected')).toBe(expected);
    expect(await field(page, 'chip').inputValue()).toMatch(/^TPU v5e/);
  });

  test('without a prediction says why', async () => {
    const page = await openEvidence('run=mt-nlg-530b-3360');
    expect(inOneLine(await page.locator('.evidence').innerText())).toContain(
      'MT-NLG-530B on A100-80GB-SXM has no prediction: known only second-hand.',
    );
    await page.locator('[data-part="evidence unpredicted"] > summary').click();
    const reasons = page.locator('details.reason');
    await expect.poll(() => reasons.count()).toBeGreaterThan(10);
    await reasons.first().locator('summary').click();
    await expect.poll(() => reasons.first().locator('li').count()).toBeGreaterThan(20);
  });

  test('stands in a list, from which tables are downloaded', async () => {
    const page = await openEvidence('runs=chip:h100-sxm');
    await page.locator('[data-part="evidence runs"] > summary').click();
    await expect.poll(() => page.locator('[data-listed]').count()).toBe(20);
    await page.locator('[data-more]').click();
    await expect.poll(() => page.locator('[data-listed]').count()).toBe(40);
    const save = async (name: string): Promise<string> => {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.locator(`[data-save="${name}"]`).click(),
      ]);
      const chunks: Buffer[] = [];
      for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
      return Buffer.concat(chunks).toString();
    };
    const csv = await save('runs-csv');
    expect(csv.split('\r\n').length).toBeGreaterThan(300);
    expect(csv).toContain('#view=plan&');
    expect(await save('errors-markdown')).toMatch(/^\| Chip \| Runs \|.*\n\| --- \| ---: \|/);
  });
});

test.each(['en', 'zh'])('is one width, in both themes, in %s', async (lang) => {
  const page = await openEvidence(`lang=${lang}&run=mt-nlg-530b-3360`, {
    viewport: { width: 360, height: 720 },
    colorScheme: 'dark',
  });
  await page.locator('[data-part="evidence runs"] > summary').click();
  await page.locator('[data-listed]').first().waitFor();
  const overflow = () =>
    page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement;
      return scrollWidth - clientWidth;
    });
  expect(await overflow()).toBe(0);
});

describe('beside a plan', () => {
  const plan = 'view=plan&chip=h100-sxm&model=llama-3.1-70b&chips=64&layout.tensor=8&batch=1M';

  test('the runs most like it, or that none is', async () => {
    const page = await open(plan);
    const sure = page.locator('[data-part="how sure"]');
    await sure.locator('> summary').click();
    await page.locator('.how-sure a').first().waitFor();
    expect(inOneLine(await sure.innerText())).toMatch(
      /\d+ measured runs are like this one; half came within [\d.]+% .* TFLOPs\/s per chip measured, [\d.]+ TFLOPs\/s predicted\./,
    );
    await expectOneInterval(page, 'stepExpected');
    await sure.locator('a').last().click();
    await page.locator('.evidence').waitFor();
    expect(await link(page)).toContain('runs=generation:hopper,');
    expect(await found(page)).toMatch(/^\d+ runs/);
    await page.locator('[data-near="chips"]').click();
    await expect.poll(() => page.locator('[data-near]').count()).toBe(1);

    const other = await open('view=plan&chip=trainium2&model=llama-3-8b&chips=64&layout.tensor=8');
    await other.locator('[data-part="how sure"] > summary').click();
    await expect
      .poll(() => other.locator('.how-sure').innerText())
      .toContain('No measured run is like this one');
    await expectOneInterval(other, 'stepExpected');
  });

  test('of adapters, the fine-tunings most like it', async () => {
    const page = await open('view=plan&chip=a100-sxm-80gb&model=llama-2-7b&chips=1&trained=lora');
    const sure = page.locator('[data-part="how sure"]');
    await sure.locator('> summary').click();
    await page.locator('.how-sure a').first().waitFor();
    expect(inOneLine(await sure.innerText())).toMatch(/measured runs? (is|are) like this one/);
    expect(inOneLine(await sure.innerText())).toMatch(/dense, (by )?LoRA/);
    await sure.locator('a').last().click();
    await page.locator('.evidence').waitFor();
    expect(await link(page)).toContain('trained:lora');
    expect(await found(page)).toMatch(/^\d+ run/);
  });

  test('a run of the reader’s own: where it stands, and what would explain it', async () => {
    // Of a framework that is not named, such a run would lie within the bounds.
    const page = await open(`${plan}&stack.software=known`);
    await page.locator('[data-part="own run"] > summary').click();
    await field(page, 'measured').waitFor();
    const expected = Number(
      await page.locator('[data-answer="stepExpected"] .large').getAttribute('data-value'),
    );
    const slow = (1.6 * expected).toFixed(3);
    await type(page, 'measured', slow);
    await page.keyboard.press('Enter');
    const standing = page.locator('.own-run .finding');
    await expect.poll(() => standing.getAttribute('data-place')).toBe('aboveUpper');
    expect(inOneLine(await standing.innerText())).toMatch(/\+60\.0%/);
    expect(await link(page)).toContain(`measured=step:${Number(slow)}`);
    await expect.poll(() => page.locator('[data-worth]').count()).toBeGreaterThan(2);
    const worths = await page
      .locator('[data-worth]')
      .evaluateAll((rows) => rows.map((row) => (row as HTMLTableRowElement).cells[2]!.innerText));
    const seconds = worths.map((text) => parseFloat(text) / (text.includes('ms') ? 1000 : 1));
    expect([...seconds].sort((a, b) => b - a)).toEqual(seconds);
    await expect.poll(() => page.locator('[data-change]').count()).toBeGreaterThan(0);

    // The same as a speed.
    await field(page, 'measured.as').selectOption('speed');
    await expect.poll(() => link(page)).toContain('measured=speed:');
    expect(await standing.getAttribute('data-place')).toBe('aboveUpper');

    // It stays in the browser, and stands among the measured runs.
    await page.locator('[data-view="evidence"]').click();
    const own = page.locator('.own-runs');
    await own.waitFor();
    expect(await own.innerText()).toContain('64 × H100');
    await own.locator('button').click();
    await own.waitFor({ state: 'detached' });
  });

  test('a link with what can’t have been measured is told', async () => {
    const page = await open(`${plan}&measured=step:-7`);
    await field(page, 'measured').waitFor();
    expect(await message(page, 'measured')).toMatch(/^Step time must be from .+ to .+\.$/);
    expect(await field(page, 'measured').inputValue()).toBe('-7');
  });

  test('what is no measurement is told, with the range', async () => {
    const page = await open(`${plan}&measured=step:3`);
    await field(page, 'measured').waitFor();
    await type(page, 'measured', 'soon');
    await expect
      .poll(() => message(page, 'measured'))
      .toMatch(/^Step time: “soon” is not a number\./);
    await type(page, 'measured', '-3');
    await expect
      .poll(() => message(page, 'measured'))
      .toMatch(/^Step time must be from .+ to .+\.$/);
    await type(page, 'measured', '2.5');
    await expect.poll(() => message(page, 'measured')).toBe('');
    expect(await link(page)).toContain('measured=step:2.5');
  });
});

test('a training’s predicted MFU leads to the runs like it', async () => {
  const page = await open('chip=h100-sxm&model=llama-3-8b&chips=64');
  // Each answer offers a target, too.
  await page.locator('.offer:not([data-target]) > .predict').click();
  await page.locator('[data-part="how sure"] > summary').click();
  await expect.poll(() => page.locator('.how-sure').innerText()).toMatch(/\d+ measured runs? /);
});

test('measured kernels stand under the roof', async () => {
  const page = await open('view=operation&chip=h100-sxm');
  await page.locator('[data-shows="roofline"] figcaption').waitFor();
  expect(await page.locator('scaling-roofline .measured').count()).toBe(0);
  await page.locator('[data-chart="kernels"]').check();
  await expect.poll(() => page.locator('scaling-roofline .measured').count()).toBe(40);
  expect(await link(page)).toContain('kernels=shown');
  const setting = page.locator('.setting', { has: page.locator('[data-chart="kernels"]') });
  expect(inOneLine(await setting.innerText())).toMatch(/40 matmuls .* within [\d.]+% .* Source$/);
  await field(page, 'chip').click();
  const none = await open('view=operation&chip=tpu-v5p&kernels=shown');
  await expect
    .poll(() => none.locator('.setting').last().innerText())
    .toContain('None were measured on TPU v5p');
});
