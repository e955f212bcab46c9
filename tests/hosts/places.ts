// Places where readers meet the calculator: folders that hold pages and what ships beside them.

import { chmodSync, cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { serve as serveFolder } from '../../web/tools/serve.mjs';
import { dist } from '../site.ts';

export const here = import.meta.dirname;

const ends: (() => unknown)[] = [];
/** Leaves `end` for when all tests of a file are done, or have failed; the last comes first. */
export const afterwards = (end: () => unknown): void => void ends.push(end);
/** Ends all that a file left to be ended. */
export async function endAll(): Promise<void> {
  for (const end of ends.splice(0).reverse()) await end();
}

/** A folder for as long as a file's tests take, which other users' servers can read. */
export function temporary(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'host-'));
  chmodSync(folder, 0o755);
  afterwards(() => rmSync(folder, { recursive: true, maxRetries: 5, retryDelay: 200 }));
  return folder;
}

/** The files that the project gives to those who put the calculator on their own sites. */
export const given = path.join(here, '../../web/hosts');

/** The pages of tests/hosts/pages, with dist/ as `calculator/` beside them. */
export function pages(): string {
  const folder = temporary();
  cpSync(path.join(here, 'pages'), folder, { recursive: true });
  cpSync(path.join(given, 'frame.js'), path.join(folder, 'frame.js'));
  cpSync(dist, path.join(folder, 'calculator'), { recursive: true });
  return folder;
}

/** Serves a folder; gives its address. */
export async function host(folder: string, headers: Record<string, string> = {}): Promise<string> {
  const { url, close } = await serveFolder(folder, { headers });
  afterwards(close);
  return url;
}

/** A policy of hosts that trust no script by its address. */
export const noncePolicy = [
  "default-src 'none'",
  "script-src 'nonce-n0nce' 'wasm-unsafe-eval'",
  'img-src data:',
  "connect-src 'none'",
  "base-uri 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types lit-html scaling-calculator',
].join('; ');

/** A policy of hosts that trust their own files only. */
export const strictPolicy = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types lit-html scaling-calculator',
].join('; ');
