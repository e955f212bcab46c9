// The element on other people's pages, for tests.

import { existsSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Engine } from '../../web/src/engine/index.ts';
import { readAddress } from '../../web/src/link/address.ts';
import { evaluate, type Answers } from '../../web/src/model/evaluate.ts';
import { dist, type Visit } from '../site.ts';

const library = path.join(dist, 'engine.js');
const made: Promise<Engine> = existsSync(library)
  ? import(/* @vite-ignore */ pathToFileURL(library).href).then((file) => file.createEngine())
  : Promise.reject(new Error('npm run build makes dist/engine.js'));

/** The answers that dist/engine.js gives to what a link says. */
export async function answersTo(link: string): Promise<Answers> {
  const engine = await made;
  const { state, problems } = readAddress(engine.describe(), link);
  expect(problems).toEqual([]);
  const reply = evaluate(engine, state);
  if (!reply.ok) throw new Error(JSON.stringify(reply.issues));
  return reply.answers;
}

export const calculator = (page: Page, which = 0): Locator =>
  page.locator('scaling-calculator').nth(which);

const inOneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** A large answer as it reads, e.g. `44.3 days`. */
export const answer = async (element: Locator, key: string): Promise<string> =>
  inOneLine(await element.locator(`[data-answer="${key}"] .large`).innerText());

/** Nothing went wrong in sight of the reader's tools, and nobody else was asked for anything. */
export function expectPolite({ errors, requests }: Visit, origin: string): void {
  expect(errors).toEqual([]);
  expect(requests.filter((url) => !url.startsWith(origin))).toEqual([]);
}

/** An answer that stands in a sentence. */
export const word = async (element: Locator): Promise<string> =>
  inOneLine(await element.locator('.one').innerText());

/** The answers that the element gives to its host. */
export async function resultOf(element: Locator): Promise<Answers | undefined> {
  await element.locator('.large, .one').first().waitFor();
  return element.evaluate(
    (at) => (at as Element & { result?: { answers: Answers } }).result?.answers,
  );
}
