// nginx as it stands before blogs: a folder below a path, headers on everything.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { nginx as installedNginx } from '../../web/tools/setup.mjs';
import { afterwards, temporary } from './places.ts';

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

const configuration = (
  own: string,
  port: number,
  prefix: string,
  folder: string,
  headers: Record<string, string>,
) => `
daemon off;
pid ${own}/pid;
error_log stderr warn;
events {}
http {
  access_log off;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((kind) => `${kind}_temp_path ${own}/${kind};`)
    .join('\n  ')}
  types {
    text/html html;
    text/css css;
    text/javascript js;
    application/rss+xml xml;
  }
  charset utf-8;
  gzip on;
  gzip_types text/css text/javascript;
  server {
    listen 127.0.0.1:${port};
    location ${prefix} {
      alias ${folder}/;
      ${Object.entries(headers)
        .map(([name, value]) => `add_header ${name} "${value}" always;`)
        .join('\n      ')}
    }
  }
}
`;

/** Serves a folder below `prefix`, such as `/some/blog/`; gives its address. */
export async function openNginx(
  folder: string,
  prefix: string,
  headers: Record<string, string>,
): Promise<string> {
  const own = path.join(temporary(), 'nginx');
  mkdirSync(own);
  const port = await freePort();
  const file = path.join(own, 'nginx.conf');
  writeFileSync(file, configuration(own, port, prefix, folder, headers));
  const server = spawn(installedNginx()!, ['-p', own, '-e', 'stderr', '-c', file], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  server.stderr.setEncoding('utf8').on('data', (text) => (said += text));
  const ended = once(server, 'exit');
  afterwards(async () => {
    server.kill();
    await ended;
  });

  // A bare system may have no name for its own address, or one for IPv6 alone.
  const address = `http://127.0.0.1:${port}${prefix}`;
  for (let tries = 0; tries < 100 && server.exitCode === null; tries += 1) {
    if (await fetch(address).catch(() => undefined)) return address;
    await pause(50);
  }
  throw new Error(`nginx did not start: ${said}`);
}
