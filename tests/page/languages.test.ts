// A language is one file in shared/text/: put there, it is in the page, with nothing else changed;
// and a text that it lacks fails the build.

import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { root } from '../../web/tools/run.mjs';
import { serve } from '../../web/tools/serve.mjs';
import { faultsOf, readTexts } from '../../web/tools/texts.mjs';
import { type Browser, newVisit, openBrowser } from '../site.ts';
import { allText, answer, field, message, openPanel, summary, type } from './calculator.ts';

/** A text is one, or those of one thing from the longest on. */
type Texts = { [key: string]: Texts | string | string[] };

const english = readTexts(path.join(root, 'shared/text')).en as Texts;

/** A language that says what English does, in marks. */
function marked(texts: Texts): Texts {
  const mark = (text: string): string => (text.trim() === '' ? text : `«${text}»`);
  const markedOf = (value: Texts[string]): Texts[string] => {
    if (typeof value === 'string') return mark(value);
    return Array.isArray(value) ? value.map(mark) : marked(value);
  };
  return Object.fromEntries(Object.entries(texts).map(([key, value]) => [key, markedOf(value)]));
}

const slovene: Texts = {
  ...marked(english),
  language: {
    name: 'Slovenščina',
    tag: 'sl',
    scales: 'bil12 mrd9 mio6 tis3',
    percent: ' %',
    numerals: '',
    typed: (english.language as Texts).typed!,
    noScript: 'Za to je potreben JavaScript & nič drugega.',
  },
};
// The forms are for one, for two, for three or four, and for others.
const units = slovene.units as Texts;
(units.names as Texts).chips = 'čip|čipa|čipi|čipov';

/** A copy of what the page is made of, to add a language to. */
let folder: string;
const fileOf = (name: string): string => path.join(folder, 'shared/text', `${name}.json`);
const add = (name: string, texts: Texts): void =>
  writeFileSync(fileOf(name), JSON.stringify(texts));
const buildPage = (): Promise<unknown> =>
  build({
    mode: 'production',
    configFile: path.join(folder, 'web/vite.config.ts'),
    // Tests run in a mode in which Vite would choose Lit's development build.
    resolve: { conditions: ['production', 'module', 'browser'] },
  });

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'languages-'));
  const script = 'tests/evidence/measure'; // the page serves it
  for (const part of ['web', 'shared', script, 'package.json', 'package-lock.json']) {
    cpSync(path.join(root, part), path.join(folder, part), { recursive: true });
  }
  for (const part of ['node_modules', 'build']) {
    symlinkSync(path.join(root, part), path.join(folder, part));
  }
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('a new file', () => {
  let site: Awaited<ReturnType<typeof serve>>;
  let browser: Browser;
  beforeAll(async () => {
    add('sl', slovene);
    await buildPage();
    [site, browser] = await Promise.all([serve(path.join(folder, 'dist')), openBrowser()]);
  }, 180_000);
  afterAll(async () => {
    await browser.close();
    await site.close();
  });

  test('is a language to choose, by its own name', async () => {
    const { page, errors } = await newVisit(browser);
    await page.goto(site.url);
    const languages = page.locator('[data-languages]');
    await languages.waitFor();
    const names = await languages.locator('option').allInnerTexts();
    expect(names.map((name) => name.trim())).toEqual(['English', 'Slovenščina', '中文']);
    expect(await languages.inputValue()).toBe('en');
    await languages.selectOption('sl');
    await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('sl');
    expect(await page.locator('h1').innerText()).toBe('«Scaling Calculator»');
    expect(await languages.inputValue()).toBe('sl');
    // It is kept for the next visit.
    await page.reload();
    await expect.poll(() => page.title()).toMatch(/ · «Scaling Calculator»$/);
    expect(errors).toEqual([]);
  });

  test('speaks wherever the page does, and writes numbers in its own way', async () => {
    const { page, errors } = await newVisit(browser, { locale: 'sl-SI' });
    await page.goto(`${site.url}#view=training`);
    expect(await summary(page)).toMatch(/^«44,3 days»/);
    expect(await answer(page, 'minimumChips')).toBe('237 čipov');
    expect(await field(page, 'run.tokens').inputValue()).toBe('15bil');
    await type(page, 'run.tokens', '30 bil');
    await expect.poll(() => summary(page)).toMatch(/^«88,6 days»/);
    await type(page, 'run.batchTokens', '2,5mio');
    await expect.poll(() => message(page, 'run.batchTokens')).toMatch(/^«.*2,5mio/);
    await type(page, 'run.batchTokens', '4mio');
    await expect.poll(() => message(page, 'run.batchTokens')).toBe('');
    await openPanel(page, 'memory');
    await openPanel(page, 'examples');
    await page.locator('[data-part="examples roofline"] > summary').click();
    await expect.poll(() => allText(page)).toContain('«1. Rooflines»');
    expect(await allText(page)).toContain('«Adam, as the book counts it»');
    await page.locator('[data-counting="predicted"]').click();
    await page.locator('[data-answer="stepExpected"]').waitFor();
    expect(await allText(page)).toContain('«At measured rates');
    expect(errors).toEqual([]);
  });

  test('is said to those who have no scripts, like the others', async () => {
    const { page } = await newVisit(browser, { javaScriptEnabled: false });
    await page.goto(site.url);
    const said = page.locator('noscript p');
    expect(await said.count()).toBe(3);
    expect(await said.nth(1).getAttribute('lang')).toBe('sl');
    expect(await said.nth(2).getAttribute('lang')).toBe('zh-Hans');
    expect(await said.nth(1).innerText()).toBe('Za to je potreben JavaScript & nič drugega.');
  });

  test('loads its own texts, and those alone', async () => {
    const { page, requests } = await newVisit(browser, { locale: 'sl-SI' });
    await page.goto(`${site.url}#view=training`);
    await answer(page, 'trainingTime');
    const asked = requests.map((url) => path.basename(url));
    const texts = asked.filter((name) => /^(en|zh|sl)[.-]/.test(name));
    expect(texts[0]).toMatch(/^sl-/);
    expect(texts.filter((name) => !/^sl[.-]/.test(name))).toEqual([]);
  });
});

describe('a file with a mistake fails the build:', () => {
  const changed = (change: (texts: Texts) => void): Texts => {
    const texts = JSON.parse(JSON.stringify(slovene)) as Texts;
    change(texts);
    return texts;
  };
  const ui = (texts: Texts): Texts => texts.ui as Texts;
  const lengths = (texts: Texts): Texts =>
    ((texts.serving as Texts).served as Texts).drawn as Texts;
  const faulty: [string, Texts, RegExp][] = [
    ['a missing text', changed((texts) => delete ui(texts).title), /sl\.json lacks ui\.title/],
    [
      'a missing text of a part',
      changed((texts) => delete (texts.workedExamples as Texts).chapters),
      /sl\.json lacks workedExamples\.chapters\.roofline/,
    ],
    [
      'a text that English has not',
      changed((texts) => (ui(texts).titel = 'Naslov')),
      /sl\.json has ui\.titel, which en\.json lacks/,
    ],
    [
      'a missing place',
      changed((texts) => (ui(texts).reset = 'nazaj')),
      /sl\.json: ui\.reset should have \{value\}/,
    ],
    ['an empty text', changed((texts) => (ui(texts).title = '')), /sl\.json: ui\.title is empty/],
    [
      'a group in place of a text',
      changed((texts) => (ui(texts).title = {})),
      /sl\.json lacks ui\.title/,
    ],
    [
      'a group in place of a list',
      changed((texts) => (lengths(texts).waiting = { ...(lengths(texts).waiting as string[]) })),
      /sl\.json lacks serving\.served\.drawn\.waiting\[\]\.0/,
    ],
    [
      'no powers of ten',
      changed((texts) => ((texts.language as Texts).scales = 'bil mrd')),
      /sl\.json: language\.scales/,
    ],
  ];

  test.each(faulty)('%s', async (_, texts, says) => {
    add('sl', texts);
    await expect(buildPage()).rejects.toThrow(says);
  });
});

test('the files as they are have no fault', () => {
  expect(faultsOf(readTexts(path.join(root, 'shared/text')))).toEqual([]);
  expect(JSON.parse(readFileSync(path.join(root, 'shared/text/en.json'), 'utf8'))).toEqual(english);
});
