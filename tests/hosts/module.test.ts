// The element as a module: as it was built, and taken into somebody's own build.

import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'vite';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { dist, type Browser, leave, newVisit, openBrowser, type Visit } from '../site.ts';
import { answer, answersTo, calculator, expectPolite, resultOf } from './element.ts';
import { host, pages } from './places.ts';

const folder = pages();
let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

let visit: Visit;
let origin: string;
afterEach(async () => {
  expectPolite(visit, origin);
  await leave(browser, visit);
});

const training = 'chip=h100-sxm&model=llama-3.1-405b&chips=16384&tokens=15.6T';
const plan = 'view=plan&chip=h100-sxm&model=llama-3-8b&chips=64';

/** A page with a training and a plan, whose script is `source`. */
const content = (source: string): string => `<!doctype html>
  <html lang="en">
    <meta charset="utf-8" />
    <title>A post</title>
    <link rel="icon" href="data:," />
    <scaling-calculator state="${training.replaceAll('&', '&amp;')}"></scaling-calculator>
    <scaling-calculator state="${plan.replaceAll('&', '&amp;')}"></scaling-calculator>
    <script type="module" src="${source}"></script>
  </html>`;

/** Opens a folder's page, on which both answer to the last layout. */
async function answers(at: string): Promise<void> {
  origin = await host(at);
  visit = await newVisit(browser);
  await visit.page.goto(`${origin}index.html`);
  const [trained, planned] = [calculator(visit.page, 0), calculator(visit.page, 1)];
  expect(await answer(trained, 'trainingTime')).toBe('67.7 days');
  expect(await resultOf(trained)).toEqual(await answersTo(training));
  await planned.scrollIntoViewIfNeeded();
  await planned.locator('[data-progress="done"]').waitFor();
  expect(await planned.locator('.best tbody tr').count()).toBeGreaterThan(1);
}

/** Where the whole calculator is said to be. */
const home = () => calculator(visit.page, 0).locator('.home a');

test('from a folder of files it answers, and knows the page beside it', async () => {
  writeFileSync(path.join(folder, 'index.html'), content('calculator/define.js'));
  await answers(folder);
  expect(await home().getAttribute('href')).toContain(`${origin}calculator/index.html#`);
});

test('in a build of somebody’s own it answers, asks for no file by another name', async () => {
  const root = path.join(folder, 'own');
  mkdirSync(root);
  writeFileSync(path.join(root, 'index.html'), content('./main.js'));
  const element = path.join(dist, 'define.js');
  writeFileSync(path.join(root, 'main.js'), `import ${JSON.stringify(element)};`);
  await build({ root, configFile: false, base: './', logLevel: 'error' });
  await answers(path.join(root, 'dist'));
  // The page beside the script is the host's.
  expect(await home().count()).toBe(0);
});
