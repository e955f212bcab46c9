import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
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
  symlinkSync(path.join(outside, 'secret.txt'), path.join(folder, 'linked.txt'));
  symlinkSync(outside, path.join(folder, 'around'));
  symlinkSync(path.join(folder, 'main.js'), path.join(folder, 'inside.js'));
  site = await serve(folder, { base: '/sub/path/' });
});

afterAll(async () => {
  await site.close();
  rmSync(outside, { recursive: true });
});

/** Asks for a path as it stands: `fetch` would tidy it first. */
function ask(target: string, method = 'GET', headers: Record<string, string> = {}) {
  return new Promise<{ status: number; type: string; location: string; body: string }>(
    (resolve, reject) => {
      const { port } = new URL(site.url);
      request({ host: '127.0.0.1', port, path: target, method, headers }, (response) => {
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
  '/sub/path/linked.txt',
  '/sub/path/around/secret.txt',
  '/sub/path/around',
])('nothing is served at %s', async (target) => {
  const { status, body } = await ask(target);
  expect(status).toBe(404);
  expect(body).toBe('');
});

test('a link that stays in the folder is followed', async () => {
  expect((await ask('/sub/path/inside.js')).status).toBe(200);
});

test.each(['localhost', '127.0.0.1', '[::1]', 'LOCALHOST', 'calc.localhost'])(
  'a page at %s is this machine’s',
  async (name) => {
    for (const host of [name, `${name}:8080`]) {
      expect((await ask('/sub/path/', 'GET', { host })).status).toBe(200);
    }
  },
);

// A foreign name that is made to lead to this machine would read the page as its own.
test.each(['evil.example', 'evil.example:8080', 'localhost.evil.example', '192.0.2.2', 'a@b'])(
  'a page at “%s” is refused',
  async (host) => {
    const { status, body } = await ask('/sub/path/', 'GET', { host });
    expect(status).toBe(421);
    expect(body).toBe('');
  },
);

test('only reading is allowed', async () => {
  expect((await ask('/sub/path/', 'POST')).status).toBe(405);
});

test('a port that is taken gives way to the next', async () => {
  const taken = Number(new URL(site.url).port);
  const next = await serve(folder, { port: taken });
  expect(Number(new URL(next.url).port)).toBeGreaterThan(taken);
  await next.close();
});
