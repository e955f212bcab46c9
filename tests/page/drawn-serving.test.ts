// The verdict on servers and their drawing, which stand below the question.

import { describe, expect, test } from 'vitest';
import { answer, openPanel, type } from './calculator.ts';
import { drawing, drawings, parts, rows, testPlace, testRules, verdict, walk } from './drawing.ts';

const openAt = drawings();

const servers = 'view=serving&chip=h100-sxm&model=llama-3.1-70b';
const fits = `${servers}&serve.chips=64&serve.users=256`;
const asked = `${fits}&serve.firstTarget=2&serve.tokenTarget=0.05`;
const waits = `${servers}&serve.chips=8&serve.users=1000`;
const over = 'view=serving&chip=h100-sxm&model=llama-3.1-405b&serve.chips=4';
const apart =
  'view=serving&chip=h200-sxm&model=deepseek-v3&serve.chips=64&serve.users=1024&serve.apart=true';

describe('the verdict', () => {
  test('says in a row what the answers below say, with their ranges', async () => {
    const page = await openAt(fits);
    expect(await verdict(page, 'servingFits')).toMatch(/^✓ 256 users fit max\. [\d,]+$/);
    expect(await verdict(page, 'firstToken')).toMatch(
      /^\d+ ms TTFT 90% interval \S+( ms)?–\S+ s TPOT [\d.]+ ms, [\d.]+–[\d.]+ ms$/,
    );
    expect(await verdict(page, 'firstToken')).toContain(await answer(page, 'firstToken'));
    expect(await verdict(page, 'costAll')).toMatch(
      /^\$[\d.]+ per million output tokens, prompts included \$[\d.]+–\$[\d.]+$/,
    );
    expect(await verdict(page, 'decodeBound')).toBe(
      '■ Memory-bound decode prefill: ● Compute-bound',
    );
  });

  test('says that a target beside an answer is missed, before anything is opened', async () => {
    const page = await openAt(`${fits}&target=tokenTime:atMost:0.0001`);
    expect(await verdict(page, 'tokenTime')).toMatch(
      /^✕ [\d.]+ ms over 100 µs · Misses TPOT TPOT 90% interval .* TTFT [\d.]+ m?s, /,
    );
    expect(await drawing(page).locator('.flag.no').count()).toBeGreaterThan(0);
    const dear = await openAt(`${fits}&target=costAll:atMost:0.01`);
    expect(await verdict(dear, 'costAll')).toMatch(/^✕ \$[\d.]+ over \$0\.01 · per million/);
    const cheap = await openAt(`${fits}&target=costAll:atMost:1000`);
    expect(await verdict(cheap, 'costAll')).toMatch(/^\$[\d.]+ per million/);
  });

  test('meets a target only if the whole range does', async () => {
    const page = await openAt(asked);
    // The expected time keeps to the target, the high end of its range does not.
    expect(await verdict(page, 'meetsTargets')).toMatch(/^◐ [\d.]+ m?s Likely on target TTFT /);
    expect((await rows(page))['Time to first token (TTFT)']).toContain(
      await answer(page, 'firstToken'),
    );
    await openPanel(page, 'targets');
    await type(page, 'serving.firstTarget', '60 s');
    await expect.poll(() => verdict(page, 'meetsTargets')).toMatch(/^✓ [\d.]+ m?s On target /);
    await type(page, 'serving.firstTarget', '0.5 s');
    await expect
      .poll(() => verdict(page, 'meetsTargets'))
      .toMatch(/^◐ [\d.]+ m?s Likely misses TTFT /);
    await type(page, 'serving.firstTarget', '0.1 s');
    await expect.poll(() => verdict(page, 'meetsTargets')).toMatch(/^✕ [\d.]+ m?s Misses TTFT /);
    expect(await drawing(page).locator('.flag.no').count()).toBeGreaterThan(0);
  });

  test('says first of all how many fit, or that nothing does', async () => {
    const page = await openAt(waits);
    expect(await verdict(page, 'servingFits')).toMatch(/^✕ \d+ of 1,000 fit others wait /);
    const none = await openAt(over);
    expect(await verdict(none, 'servingFits')).toMatch(/^✕ Doesn’t fit at least \d+ chips$/);
    expect(await verdict(none, 'costAll')).toBe('–');
    expect(await drawing(none).locator('rect.over').count()).toBeGreaterThan(0);
  });
});

describe('the drawing', () => {
  test('has a dot for each user, in a place or waiting', async () => {
    const page = await openAt(waits);
    const dots = (look: string): Promise<number> =>
      drawing(page)
        .locator(`path.${look}`)
        .evaluate((path) => path.getAttribute('d')!.split('M').length - 1);
    const [placed, waiting] = [await dots('user'), await dots('waits')];
    expect(placed + waiting).toBe(1000);
    expect(await verdict(page, 'servingFits')).toContain(`${placed} of 1,000 fit`);
  });

  test('is gone through by one tab stop and arrows, and says why', async () => {
    await walk(await openAt(waits));
  });

  test('shows both roles where prefill is apart', async () => {
    const page = await openAt(apart);
    const keys = await parts(page).evaluateAll((all) =>
      all.map((each) => each.getAttribute('data-key')),
    );
    expect(keys).toEqual(expect.arrayContaining(['servers', 'prefillServers', 'transferTime']));
    const { textContent } = await drawing(page).evaluate(({ shadowRoot }) => ({
      textContent: [...shadowRoot!.querySelectorAll('text')].map((each) => each.textContent),
    }));
    expect(textContent.some((text) => /^prefill: \d+ × \d+ chips$/.test(text))).toBe(true);
    expect(textContent.some((text) => /^decode: \d+ × \d+ chips$/.test(text))).toBe(true);
  });

  test('gets the frontier once that is found, with the reader’s own point', async () => {
    const page = await openAt(fits);
    await drawing(page).locator('path.own').waitFor();
    const points = await drawing(page)
      .locator('path.point')
      .evaluate((path) => path.getAttribute('d')!.split('M').length - 1);
    expect(points).toBeGreaterThan(3);
  });

  testPlace(openAt, [fits, over]);

  testRules(openAt, [asked]);
});
