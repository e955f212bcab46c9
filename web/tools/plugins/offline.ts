// Makes the page an app that works without a network, and states its version.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Plugin } from 'vite';
import { digest, filesUnder, root } from '../run.mjs';

const read = (file: string): Buffer => readFileSync(path.join(root, file));

const name = 'Scaling Calculator';
/** The background of the page, as page.css has it. */
const background = '#fcfbf9';
const icons = [
  { src: 'icon.svg', sizes: 'any', type: 'image/svg+xml', purpose: 'any' },
  { src: 'icon-192.png', sizes: '192x192', type: 'image/png', purpose: 'any maskable' },
  { src: 'icon-512.png', sizes: '512x512', type: 'image/png', purpose: 'any maskable' },
];
const manifest = {
  name,
  short_name: 'Scaling',
  start_url: './',
  scope: './',
  display: 'standalone',
  background_color: background,
  theme_color: background,
  icons,
};

/** The media types that browsers require of a page, a style sheet and a script. */
const types: Record<string, string[]> = {
  '': ['text/html'],
  '.css': ['text/css'],
  '.js': ['text/javascript', 'application/javascript', 'application/x-javascript'],
};

/** A file as the worker knows it: its address, its types, and its digest as fetch takes it. */
const listed = (file: string, content: string | Uint8Array): [string, string[], string] => [
  file,
  types[path.extname(file)] ?? [],
  `sha256-${createHash('sha256').update(content).digest('base64')}`,
];

const virtual = 'virtual:version';

/** `virtual:version` tells the version of the program: a digest of all it is made of; and of its
 * data: of when the latest figures are, and a digest. */
export function version(): Plugin {
  return {
    name: 'version',
    resolveId: (id) => (id === virtual ? id : null),
    load(id) {
      if (id !== virtual) return null;
      const presets = ['chips', 'models', 'optimizers', 'prices'].map(
        (file) => `shared/${file}.json`,
      );
      const dates = presets.flatMap((file) =>
        [
          ...read(file)
            .toString()
            .matchAll(/"date": "(\d{4}-\d\d)"/g),
        ].map(([, date]) => date!),
      );
      const modules = filesUnder('build/wasm').filter((file) => file.endsWith('.wasm'));
      const sources = filesUnder('web', 'shared').filter(
        (file) => !/^web\/tools\/(bench|manuals|picture)|\.md$/.test(file),
      );
      const program = digest([...sources, ...modules, 'package-lock.json']);
      const data = `${dates.sort().at(-1)} (${digest(presets).slice(0, 4)})`;
      return `export const version = ${JSON.stringify(program.slice(0, 8))};
        export const data = ${JSON.stringify(data)};`;
    },
  };
}

/** Adds the service worker with a list of all files, the manifest with its icons, and what hosts
 * copy from hosts/. */
export function offline(): Plugin {
  return {
    name: 'offline',
    enforce: 'post',
    apply: 'build',
    transformIndexHtml: () => [
      { tag: 'link', attrs: { rel: 'manifest', href: './manifest.webmanifest' }, injectTo: 'head' },
      {
        tag: 'link',
        attrs: { rel: 'apple-touch-icon', href: './icon-192.png' },
        injectTo: 'head',
      },
      { tag: 'meta', attrs: { name: 'theme-color', content: background }, injectTo: 'head' },
    ],
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const app: [string, string | Buffer][] = [
          ['manifest.webmanifest', JSON.stringify(manifest)],
          ...icons.map(({ src }): [string, Buffer] => [src, read(`web/src/pwa/${src}`)]),
        ];
        const page = Object.values(bundle).map((file): [string, string | Uint8Array] => [
          // A folder's page has one address: the folder's.
          file.fileName.replace(/^index\.html$/, './'),
          file.type === 'chunk' ? file.code : file.source,
        ]);
        const kept = [...page, ...app].sort(([a], [b]) => (a < b ? -1 : 1));
        const hash = createHash('sha256');
        for (const [file, content] of kept) hash.update(`${file}\0`).update(content);
        const worker = read('web/src/pwa/worker.js')
          .toString()
          .replace('__VERSION__', hash.digest('hex').slice(0, 12))
          .replace(
            '__FILES__',
            JSON.stringify(kept.map(([file, content]) => listed(file, content))),
          );
        const add = (fileName: string, source: string | Buffer): void => {
          this.emitFile({ type: 'asset', fileName, source });
        };
        for (const [file, content] of app) add(file, content);
        add('worker.js', worker);
        for (const file of filesUnder('web/hosts')) {
          if (!file.endsWith('.md')) add(file.replace(/^web\//, ''), read(file));
        }
      },
    },
  };
}
