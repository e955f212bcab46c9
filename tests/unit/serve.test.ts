import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serve } from '../../web/tools/serve.mjs';

const outside = mkdtempSync(path.join(tmpdir(), 'serve-'));
const folder = path.join(outside, 'site');
let site: { url: string; close: () => Promise<unknown> };

beforeAll(async () => {
  mkdirSync(path.join(folder, 'part'), { recursive: true });
  writeFileSync(path.join(outside, 'secret.txt'), 'secret');
  writeFileSync(path.join(folder, '.hidden'), 'hidden');
  writeFileSync(path.join(folder, 'index.html'), '<!doctype html>');
  writeFileSync(path.join(folder, 'part', 'index.html'), 'part');
  writeFileSync(path.join(folder, 'core.wasm'), '');
  writeFileSync(path.join(folder, 'main.js'), '');
  site = await serve(folder, { base: '/sub/path/' });
});

afterAll(async () => {
  await site.close();
  rmSync(outside, { recursive: true });
});

/** Asks for a path as it stands: `fetch` would tidy it first. */
function ask(target: string, method = 'GET') {
  return new Promise<{ status: number; type: string; location: string; body: string }>(
    (resolve, reject) => {
      const { port } = new URL(site.url);
      request({ host: '127.0.0.1', port, path: target, method }, (response) => {
        let body = '';
        response.on('data', (chunk) => (body += chunk));
        response.on('end', () => {
          const { 'content-type': type = '', location = '' } = response.headers;
          resolve({ status: response.statusCode ?? 0, type, location, body });
        });
      })
        .on('error', reject)
        .end();
    },
  );
}

test.each([
  ['', 'text/html; charset=utf-8'],
  ['index.html?query#hash', 'text/html; charset=utf-8'],
  ['main.js', 'text/javascript; charset=utf-8'],
  ['core.wasm', 'application/wasm'],
])('%s is served as %s', async (name, type) => {
  expect(await ask(`/sub/path/${name}`)).toMatchObject({ status: 200, type });
});

test('a folder leads to its index', async () => {
  expect(await ask('/sub/path/part')).toMatchObject({ status: 301, location: '/sub/path/part/' });
  expect(await ask('/sub/path/part/')).toMatchObject({ status: 200, body: 'part' });
});

test.each([
  '/',
  '/index.html',
  '/sub/path/missing',
  '/sub/path/.hidden',
  '/sub/path/../../secret.txt',
  '/sub/path/../secret.txt',
  '/sub/path/%2e%2e/secret.txt',
  '/sub/path/..%2fsecret.txt',
  '/sub/path/..%5csecret.txt',
  '/sub/path/%00',
  '/sub/path/%',
  '//sub/path/index.html',
])('nothing is served at %s', async (target) => {
  const { status, body } = await ask(target);
  expect(status).toBe(404);
  expect(body).toBe('');
});

test('only reading is allowed', async () => {
  expect((await ask('/sub/path/', 'POST')).status).toBe(405);
});

test('a port that is taken gives way to the next', async () => {
  const taken = Number(new URL(site.url).port);
  const next = await serve(folder, { port: taken });
  expect(Number(new URL(next.url).port)).toBeGreaterThan(taken);
  await next.close();
});
