// The calculator in the reader's terms, for tests of the page.

import type { Locator, Page } from 'playwright-core';

/** The control of a field, e.g. `run.chips`, or of a preset: `chip`, `model`, `optimizer`. */
export const field = (page: Page, id: string): Locator => page.locator(`[data-field="${id}"]`);

/** A text without its line breaks. */
export const inOneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** The answers in a sentence. */
export const summary = async (page: Page): Promise<string> =>
  inOneLine(await page.locator('.summary').first().innerText());

/** A large answer as it reads, e.g. `44.3 days`. */
export async function answer(page: Page, key: string): Promise<string> {
  return inOneLine(await page.locator(`[data-answer="${key}"] .large`).innerText());
}

/** The note beside it. */
export const says = async (page: Page, key: string): Promise<string> =>
  inOneLine(await page.locator(`[data-answer="${key}"] .about`).innerText());

/** All that the answers show, with their drawings. */
export const shownAnswers = (page: Page): Promise<string> =>
  page
    .locator('.found')
    .evaluate((found) =>
      [...found.querySelectorAll<HTMLElement>('.large, .means, .by, .book, .exactly, figcaption')]
        .map((element) => element.innerText)
        .join(' '),
    );

/** All that can be read on the page. */
export const allText = (page: Page): Promise<string> =>
  page.locator('scaling-page').evaluate((element) => element.shadowRoot?.textContent ?? '');

export async function type(page: Page, id: string, text: string): Promise<void> {
  await field(page, id).fill(text);
}

/** The message at a field; empty if there is none. */
export async function message(page: Page, id: string): Promise<string> {
  const at = page.locator(`[data-message="${id}"]`);
  return (await at.count()) > 0 ? (await at.innerText()).trim() : '';
}

/**
 * Notes from now on what an element says in turn: a text that stands for a moment is not missed by
 * a slow machine. Gives what tells them.
 */
export async function heard(said: Locator): Promise<() => Promise<string[]>> {
  const noted = await said.evaluateHandle((element) => {
    const texts: string[] = [];
    new MutationObserver(() => {
      const text = element.textContent ?? '';
      if (text) texts.push(text);
    }).observe(element, { childList: true, characterData: true, subtree: true });
    return texts;
  });
  return () => noted.jsonValue();
}

/** Clicks all that match a selector at once: a round trip for each takes longer than all of them. */
export const clickAll = (page: Page, selector: string): Promise<void> =>
  page.locator(selector).evaluateAll((all) => all.forEach((each) => (each as HTMLElement).click()));

/**
 * Leaves the page without layout, which takes longest where very much is open, or brings it back. It
 * is for tests that only read what the page says: by `textContent`, as `innerText` is empty there.
 */
export const skipLayout = (page: Page, isSkipped = true): Promise<void> =>
  page.locator('scaling-page').evaluate((element, isSkipped) => {
    (element as HTMLElement).style.contentVisibility = isSkipped ? 'hidden' : '';
  }, isSkipped);

/** A state of the page as it can be looked at from outside. */
export interface Seen {
  hash: string;
  text: string;
  model: string;
  /** Answers, and ways out where there are none. */
  answers: number;
  messages: number;
  stale: boolean;
  /** Pixels by which the page is wider than its window. */
  overflow: number;
}

/** Goes through states inside the page, each once it is drawn. */
export const visitAll = (page: Page, hashes: readonly string[]): Promise<Seen[]> =>
  page.evaluate(async (hashes) => {
    const root = document.querySelector('scaling-page')!.shadowRoot!;
    const drawn = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    const seen: Seen[] = [];
    for (const hash of hashes) {
      location.hash = hash;
      const view = new URLSearchParams(hash).get('view') ?? 'training';
      do await drawn();
      while (!root.querySelector(`.question[data-question="${view}"]`));
      await drawn();
      const { scrollWidth, clientWidth } = document.documentElement;
      seen.push({
        hash,
        text: root.textContent ?? '',
        model: root.querySelector<HTMLInputElement>('[data-field="model"]')?.value ?? '',
        answers: root.querySelectorAll('.answer, .offers button').length,
        messages: root.querySelectorAll('.message:not([data-notice])').length,
        stale: root.querySelector('.stale') !== null,
        overflow: scrollWidth - clientWidth,
      });
    }
    return seen;
  }, hashes);

/** Opens a fold of the page. */
export async function unfold(page: Page, fold: 'why' | 'assumptions' | 'compare'): Promise<void> {
  const part = page.locator(`[data-part="fold ${fold}"]`);
  await part.locator('> summary').click();
  await part.locator('> :not(summary)').first().waitFor();
}

/** Opens the assumptions that hold a field. */
export async function openPanel(page: Page, panel: string): Promise<void> {
  const part = page.locator(`[data-part="panel ${panel}"]`);
  // A panel moves, even from under the pointer, when content comes above it.
  const isOpen = (): Promise<boolean> =>
    part.evaluate((details: HTMLDetailsElement) => details.open);
  do await part.locator('> summary').click();
  while (!(await isOpen()));
  await part.locator('> :not(summary)').first().waitFor(); // made once it is open
}

/** The address as the page itself sees it: the browser's own account of it may lag behind. */
export const link = (page: Page): Promise<string> => page.evaluate(() => location.href);

/** The finding of the open chart. */
export const finding = async (page: Page): Promise<string> =>
  inOneLine(await page.locator('[role="tabpanel"] figcaption').innerText());

/** Opens one of the charts. */
export async function showChart(
  page: Page,
  chart: 'roofline' | 'sweep' | 'heatMap',
): Promise<void> {
  await page.locator(`[data-tab="${chart}"]`).click();
  await page.locator(`[data-shows="${chart}"] figcaption`).waitFor();
}

/** A control of the charts. */
export const chartControl = (page: Page, name: string): Locator =>
  page.locator(`[data-chart="${name}"], [data-field="${name}"]`);

/** Holds back files whose addresses match; gives what lets them load. */
export async function hold(page: Page, files: RegExp): Promise<() => void> {
  let give = (): void => undefined;
  const given = new Promise<void>((done) => (give = done));
  await page.route(files, async (route) => {
    await given;
    await route.continue();
  });
  return give;
}
