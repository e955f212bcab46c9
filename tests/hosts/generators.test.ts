import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Browser, leave, newVisit, openBrowser } from '../site.ts';
import { answer, answersTo, calculator, expectPolite, resultOf, word } from './element.ts';
import { buildHugo, buildJekyll } from './generators.ts';
import { openNginx } from './nginx.ts';
import { strictPolicy, temporary } from './places.ts';
import { sanitised } from './reader.ts';

const generators = [
  { name: 'Hugo', folder: 'hugo', build: buildHugo, posts: 'posts/', feed: 'index.xml' },
  { name: 'Jekyll', folder: 'jekyll', build: buildJekyll, posts: '', feed: 'feed.xml' },
];

const link = 'chip=h100-sxm&model=llama-3.1-405b&chips=16384&tokens=15.6T';
const folder = temporary();
let browser: Browser;
let site: string;
beforeAll(async () => {
  [browser, site] = await Promise.all([
    openBrowser(),
    openNginx(folder, '/some/blogs/', {
      'Content-Security-Policy': strictPolicy,
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'no-referrer',
    }),
  ]);
  for (const { folder: own, build } of generators) {
    const address = `${site}${own}/`;
    build(path.join(folder, own), address);
    // The snippet that the page gives out goes into a post.
    const visit = await newVisit(browser);
    const { page } = visit;
    await page.goto(`${address}scaling-calculator/#${link}`);
    await page.locator('[data-share]').click();
    await page.locator(`dialog.share [value="${own}"]`).check();
    const snippet = page.locator(`dialog.share [data-format="${own}"] textarea`);
    build(path.join(folder, own), address, await snippet.inputValue());
    await leave(browser, visit);
  }
});
afterAll(() => browser.close());

describe.each(generators)(
  'a site made by $name, below a path of nginx',
  ({ folder: own, posts }) => {
    const addressOf = (post: string) => `${site}${own}/${posts}${post}/`;

    test('has the element in its post, with the answers of the engine', async () => {
      const visit = await newVisit(browser);
      await visit.page.goto(addressOf('training'));
      const element = calculator(visit.page);
      const kept = await element.locator('td').allTextContents();
      expect(await answer(element, 'trainingTime')).toBe(kept[0]);
      expect(await answer(element, 'memoryPerChip')).toBe(kept[1]);
      expect(await resultOf(element)).toEqual(await answersTo(link));
      expect(await element.locator('> table').isVisible()).toBe(false);
      expect(await visit.page.getByText('As the paper says').innerText()).toBe(
        'As the paper says, it took 54 days.',
      );
      expectPolite(visit, `${site}${own}/`);
      await leave(browser, visit);
    });

    test('has answers as words of a sentence, and one beside it', async () => {
      const visit = await newVisit(browser);
      const { page } = visit;
      await page.goto(addressOf('short'));
      const [operation, training, memory] = [0, 1, 2].map((which) => calculator(page, which));
      expect(await resultOf(operation!)).toEqual(await answersTo('view=operation&op.batch=16'));
      const gpt = await answersTo('chip=tpu-v5e&model=gpt2-xl&chips=256');
      expect(await resultOf(training!)).toEqual(gpt);
      expect(await word(operation!)).toBe('memory-bound');
      expect(await word(training!)).toMatch(/^[\d.,]+ (days|years)$/);
      // The text around them is as it was written.
      const sentence = page.locator('p').first();
      expect(await sentence.evaluate((at) => at.textContent)).toBe(
        'With 16 rows, a matmul is memory-bound, and GPT-2 XL takes some time to train.',
      );
      expect(await resultOf(memory!)).toEqual(gpt);
      expect(await memory!.locator('[data-answer]').count()).toBe(1);
      expect(await memory!.locator('[data-field]').count()).toBe(0);
      expectPolite(visit, `${site}${own}/`);
      await leave(browser, visit);
    });

    test('shows the numbers, and the link to the calculator, where scripts do not run', async () => {
      const visit = await newVisit(browser, { javaScriptEnabled: false });
      await visit.page.goto(addressOf('training'));
      expect(await visit.page.locator('td').allInnerTexts()).toEqual(['67.7 days', '4.28 GB']);
      await visit.page.goto(addressOf('short'));
      expect(await visit.page.locator('p').first().innerText()).toBe(
        'With 16 rows, a matmul is memory-bound, and GPT-2 XL takes some time to train.',
      );
      expect(await visit.page.locator('scaling-calculator a').isVisible()).toBe(true);
      expectPolite(visit, `${site}${own}/`);
      await leave(browser, visit);
    });

    test('takes what the page gives out for it', async () => {
      const visit = await newVisit(browser);
      const { page } = visit;
      await page.goto(addressOf('pasted'));
      const element = calculator(page);
      expect(await answer(element, 'trainingTime')).toBe('67.7 days');
      expect(await resultOf(element)).toEqual(await answersTo(link));
      const paragraphs = await page.evaluate(() =>
        Array.from(document.querySelectorAll('article > p'), (at) => at.textContent),
      );
      expect(paragraphs).toEqual(['Before.', 'After.']);
      expectPolite(visit, `${site}${own}/`);
      await leave(browser, visit);
    });

    test('its link leads to the same answers on the page', async () => {
      const visit = await newVisit(browser);
      const { page } = visit;
      await page.goto(addressOf('short'));
      const link = await page.locator('scaling-calculator > a').getAttribute('href');
      expect(link).toMatch(`${site}${own}/scaling-calculator/#`);
      const memory = await answer(calculator(page, 2), 'memoryPerChip');
      await page.goto(link!);
      expect(await answer(page.locator('scaling-page'), 'memoryPerChip')).toBe(memory);
      expect(await page.locator('.problems').count()).toBe(0);
      expectPolite(visit, `${site}${own}/`);
      await leave(browser, visit);
    });
  },
);

test.each(generators)(
  'of the feed of $name, readers keep tables and links',
  async ({ folder: own, feed }) => {
    const visit = await newVisit(browser);
    const { page } = visit;
    const left = await page.evaluate(
      ({ feed, sanitise }) => {
        const items = new DOMParser().parseFromString(feed, 'text/xml').querySelectorAll('item');
        const clean = new Function(`return ${sanitise}`)() as typeof sanitised;
        return Array.from(items, (item) => clean(item.querySelector('description')!.textContent!));
      },
      {
        feed: readFileSync(path.join(folder, own, feed), 'utf8'),
        sanitise: String(sanitised),
      },
    );
    await page.setContent(left.join('<hr>'));
    const text = (await page.locator('body').innerText()).replace(/[^\S\n\t]/g, ' ');
    expect(text.split(/\s*\n\s*/)).toEqual([
      'Llama 3.1 405B was trained on 16,384 H100s, on 15.6T tokens:',
      'Training time\t67.7 days',
      'Memory per chip\t4.28 GB',
      'Open in the Scaling Calculator',
      'As the paper says, it took 54 days.',
      'With 16 rows, a matmul is memory-bound, and GPT-2 XL takes some time to train.',
      'What it keeps in memory meanwhile:',
      'Scaling Calculator',
      'And so on.',
      'Before.',
      'Train Llama 3.1 405B on 16,384 × H100 SXM5 80GB with 15.6T tokens, in batches of 4M tokens and sequences of 4,096, at 40% MFU. Prices: latest list prices (Lambda, September 2026). Counted: as the book counts.',
      'Training time\t67.7 days',
      'Bottleneck\tNetwork-bound',
      'Memory per chip\t4.28 GB',
      'Cost\t$106M',
      'Network limit\t244 tokens per chip',
      'Fewest chips that hold it\t877 chips',
      'Parameters\t406B parameters',
      'Open in the Scaling Calculator',
      'After.',
    ]);
    const links = page.getByRole('link');
    expect(await links.evaluateAll((all) => all.map((at) => at.getAttribute('href')))).toEqual([
      'https://calculator.example/#chip=h100-sxm&model=llama-3.1-405b&chips=16384&tokens=15.6T',
      `${site}${own}/scaling-calculator/#chip=tpu-v5e&model=gpt2-xl&chips=256`,
      `${site}${own}/scaling-calculator/#${link}`,
    ]);
    expectPolite(visit, 'about:');
    await leave(browser, visit);
  },
);
