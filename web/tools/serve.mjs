// A static file server, for `npm start` and the tests that need one.

import { createReadStream } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';
import { Failure } from './run.mjs';

const types = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.ts': 'text/plain; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
};

/** The file a request means, or undefined: nothing outside the folder, no dot-files. */
function fileOf(folder, base, url) {
  let name;
  try {
    name = decodeURIComponent(new URL(url, 'http://localhost').pathname);
  } catch {
    return undefined;
  }
  if (!name.startsWith(base) || name.includes('\0')) return undefined;
  const parts = name.slice(base.length).split(/[/\\]/);
  if (parts.some((part) => part.startsWith('.'))) return undefined;
  if (parts.at(-1) === '') parts[parts.length - 1] = 'index.html';
  return path.join(folder, ...parts);
}

/** The names of this machine: a foreign one that leads here would make the page its own. */
const ownNames = /^(([\w-]+\.)*localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i;

/** The status of a file; undefined where a link leads out of the folder to it. */
async function statusIn(folder, file) {
  try {
    const [home, there] = await Promise.all([realpath(folder), realpath(file)]);
    if (there !== home && !there.startsWith(home + path.sep)) return undefined;
    return await stat(there);
  } catch {
    return undefined;
  }
}

async function answer(request, response, { folder, base, headers }) {
  const end = (status, more = {}) => response.writeHead(status, { ...headers, ...more }).end();
  if (!ownNames.test(request.headers.host ?? '')) return end(421);
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return end(405, { Allow: 'GET, HEAD' });
  const file = fileOf(folder, base, request.url);
  const found = file && (await statusIn(folder, file));
  if (found?.isDirectory()) {
    const { pathname } = new URL(request.url, 'http://localhost');
    return end(301, { Location: `${pathname}/` });
  }
  if (!found?.isFile()) return end(404);
  response.writeHead(200, {
    'Content-Type': types[path.extname(file)] ?? 'application/octet-stream',
    'Content-Length': found.size,
    'Cache-Control': 'no-cache',
    'X-Content-Type-Options': 'nosniff',
    ...headers,
  });
  if (request.method === 'HEAD') return response.end();
  createReadStream(file)
    .on('error', () => response.destroy())
    .pipe(response);
}

/** The port that PORT names, or `usual`. */
export function portOr(usual) {
  const port = Number(process.env.PORT ?? usual);
  if (!Number.isInteger(port) || port < 0 || port > 65535) {
    throw new Failure(`PORT: ${process.env.PORT} is not a port`);
  }
  return port;
}

/**
 * Serves a folder on this machine only, under a path (`base`) and with further headers if given.
 * Takes the port, or the next one that is free; port 0 means any.
 */
export function serve(folder, { port = 0, base = '/', headers = {} } = {}) {
  const server = createServer((request, response) => {
    answer(request, response, { folder, base, headers }).catch(() => response.destroy());
  });
  return new Promise((resolve, reject) => {
    server.on('error', (error) => {
      if (error.code !== 'EADDRINUSE' || port >= 65535) return reject(error);
      port += 1;
      server.listen(port, '127.0.0.1');
    });
    server.on('listening', () => {
      resolve({
        url: `http://localhost:${server.address().port}${base}`,
        close: () =>
          new Promise((closed) => {
            server.close(() => closed());
            server.closeAllConnections();
          }),
      });
    });
    server.listen(port, '127.0.0.1');
  });
}
