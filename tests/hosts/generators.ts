// Sites made of Markdown: what Hugo and Jekyll make of the posts here, with the files that the
// project gives to each of them.

import { execFileSync } from 'node:child_process';
import { cpSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { dist } from '../site.ts';
import { given, here, temporary } from './places.ts';

function run(command: string, ...words: string[]): void {
  // Jekyll reads files by the locale's encoding.
  const env = { ...process.env, LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8' };
  execFileSync(command, words, { env, stdio: ['ignore', 'pipe', 'pipe'], timeout: 240_000 });
}

/** A copy of a site, with the project's files in it and the calculator among what it publishes. */
function prepared(generator: 'hugo' | 'jekyll', published: string): string {
  const source = temporary();
  cpSync(path.join(here, generator), source, { recursive: true });
  cpSync(path.join(given, generator), source, { recursive: true });
  cpSync(dist, path.join(source, published, 'scaling-calculator'), { recursive: true });
  return source;
}

/**
 * Builds the site into `folder`, to be found at `address`. `pasted` is what one more post, of this
 * name, holds.
 */
export function buildHugo(folder: string, address: string, pasted?: string): void {
  const source = prepared('hugo', 'static');
  if (pasted) {
    const post = `---\ntitle: Pasted\ndate: 2026-09-01\n---\n\nBefore.\n\n${pasted}\nAfter.\n`;
    writeFileSync(path.join(source, 'content/posts/pasted.md'), post);
  }
  run('hugo', '--source', source, '--destination', folder, '--baseURL', address);
}

/** Builds a site as `buildHugo` does. */
export function buildJekyll(folder: string, address: string, pasted?: string): void {
  const source = prepared('jekyll', '.');
  if (pasted) {
    const post = `---\nlayout: post\ntitle: Pasted\n---\n\nBefore.\n\n${pasted}\nAfter.\n`;
    writeFileSync(path.join(source, '_posts/2026-09-01-pasted.md'), post);
  }
  const { origin, pathname } = new URL(address);
  const place = path.join(source, '_place.yml');
  writeFileSync(place, `url: ${origin}\nbaseurl: ${pathname.replace(/\/$/, '')}\n`);
  run(
    ...(['jekyll', 'build', '--disable-disk-cache', '--source', source] as const),
    ...['--destination', folder, '--config', `${path.join(source, '_config.yml')},${place}`],
  );
}
