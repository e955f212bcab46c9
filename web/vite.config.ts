// Builds the files of dist/, one mode each: the page with the modules that elements import
// ('production'), the page in one file ('offline'), the element's script ('embed'), the engine as a
// library ('engine') and the command line ('cli').

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import zopfli from '@gfx/zopfli';
import { defineConfig, type Plugin, type UserConfig } from 'vite';
import { viteSingleFile } from 'vite-plugin-singlefile';
import { dev, devModules } from './tools/plugins/dev.ts';
import { hostProof } from './tools/plugins/host-proof.ts';
import { offline, version } from './tools/plugins/offline.ts';
import { leanFiles, presets } from './tools/plugins/presets.ts';
import { preload } from './tools/plugins/preload.ts';
import { site } from './tools/plugins/site.ts';
import { texts } from './tools/plugins/texts.ts';
import { words } from './tools/plugins/word-parts.ts';

const here = (place: string) => fileURLToPath(new URL(place, import.meta.url));

/** Later versions of Emscripten name the file in glue that they would fetch if they were not given its
 * bytes; Vite would take that for an asset and ship it too. */
const named = /new URL\("\w+\.wasm",\s*import\.meta\.url\)\.href/;

/**
 * `import bytes from 'file?deflated'` gives a file's bytes, deflated, in base64: a script needs no
 * address, type or policy to bring them along. On the wire it costs nothing more than the file.
 * Zopfli takes a second for what zlib makes 7 % larger; browsers inflate both alike.
 */
function deflated(): Plugin {
  return {
    name: 'deflated',
    async load(id) {
      const [file, query] = id.split('?');
      if (!file || query !== 'deflated') return null;
      this.addWatchFile(file);
      const bytes = await zopfli.deflateAsync(readFileSync(file), { numiterations: 5 });
      return `export default '${Buffer.from(bytes).toString('base64')}';`;
    },
    transform: {
      filter: { id: /build\/wasm\/\w+\.js$/ },
      handler: (code) => code.replace(named, '""'),
    },
  };
}

/** Templates are indented as the code around them, which browsers need not load. */
function lean(): Plugin {
  return {
    name: 'lean-templates',
    transform: {
      filter: { id: /web\/src\/ui\/.*\.ts$/ },
      handler: (code) => code.replace(/\n {2,}/g, '\n '),
    },
  };
}

/**
 * A page of one file has no 'self' to allow: its policy names the digests of the script and the
 * styles that it holds, which are known when it is written.
 */
function inlinePolicy(): Plugin {
  const kinds = ['script', 'style'];
  const digests = (html: string, element: string) =>
    [...html.matchAll(new RegExp(`<${element}\\b[^>]*>([^]*?)</${element}>`, 'g'))]
      .map(([, body = '']) => `'sha256-${createHash('sha256').update(body).digest('base64')}'`)
      .join(' ');
  return {
    name: 'inline-policy',
    enforce: 'post',
    transformIndexHtml: {
      order: 'pre',
      handler: (html) =>
        kinds.reduce(
          (text, kind) => text.replace(new RegExp(`(${kind}-src) 'self'`), `$1 'sha256-${kind}'`),
          html,
        ),
    },
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        for (const file of Object.values(bundle)) {
          if (file.type !== 'asset' || !file.fileName.endsWith('.html')) continue;
          const html = String(file.source);
          file.source = kinds.reduce(
            (text, kind) => text.replace(`'sha256-${kind}'`, digests(html, kind)),
            html,
          );
        }
      },
    },
  };
}

const shared: UserConfig = {
  root: here('.'),
  base: './',
  logLevel: 'warn',
  plugins: [deflated(), leanFiles(), lean(), version()],
  build: {
    target: 'es2022',
    modulePreload: false,
    emptyOutDir: true,
    reportCompressedSize: false,
  },
};

// Posts often bring the script twice.
const mark = "self[Symbol.for('scaling-calculator')]";

const modes: Record<string, UserConfig> = {
  production: {
    plugins: [
      hostProof(),
      presets(),
      texts(),
      preload({
        start: '/src/main.ts',
        style: '/src/page.css',
        page: '/src/ui/shell/page.ts',
        beside: '/src/embed/whole.ts',
        apart: '/src/embed/define.ts',
      }),
      site(),
      offline(),
    ],
    build: {
      outDir: here('../dist'),
      // Preloads also the imports of parts that load on first use.
      modulePreload: { polyfill: false },
      rolldownOptions: {
        input: {
          index: here('index.html'),
          element: here('src/embed/modules.ts'),
          define: here('src/embed/define.ts'),
        },
        preserveEntrySignatures: 'allow-extension',
        output: {
          entryFileNames: ({ name }) =>
            name === 'index' ? 'assets/[name]-[hash].js' : '[name].js',
        },
      },
    },
  },
  offline: {
    plugins: [
      hostProof(),
      presets(),
      texts(),
      viteSingleFile({ removeViteModuleLoader: true }),
      inlinePolicy(),
    ],
    build: { outDir: here('../build/offline'), copyPublicDir: false },
  },
  // Classic, so that it runs from disks and in frames without an origin.
  embed: {
    publicDir: false,
    // Strict hosts let each policy be made once, and the page's modules may come after the script of the
    // element: its templates have the name that hosts allow beside Lit's own.
    plugins: [hostProof('scaling-calculator'), presets(), texts([])],
    build: {
      outDir: here('../build/embed'),
      rolldownOptions: {
        output: { banner: `${mark}||(${mark}=1,(()=>{`, footer: '})());' },
      },
      lib: {
        entry: here('src/embed/embed.ts'),
        formats: ['iife'],
        name: 'scalingCalculator',
        fileName: () => 'embed.js',
      },
    },
  },
  engine: {
    publicDir: false,
    plugins: [presets(), texts([]), words(here('../shared/text'))],
    build: {
      outDir: here('../build/engine'),
      // The planner's module comes with it: one file to import from.
      rolldownOptions: { output: { codeSplitting: false } },
      lib: { entry: here('src/library/index.ts'), formats: ['es'], fileName: () => 'engine.js' },
    },
  },
  cli: {
    publicDir: false,
    plugins: [presets(), texts(), words(here('../shared/text'))],
    // Who serves no agents needs no protocol: it is imported where it is asked for.
    ssr: { noExternal: true, external: ['@modelcontextprotocol/server'] },
    build: {
      outDir: here('../build/cli'),
      ssr: here('src/cli/main.ts'),
      rolldownOptions: {
        output: { codeSplitting: false, entryFileNames: 'cli.js', banner: '#!/usr/bin/env node' },
      },
    },
  },
};

export default defineConfig(({ mode }) => {
  const own = modes[mode] ?? {
    plugins: [presets(), texts(), words(here('../shared/text')), dev()],
  };
  return {
    ...shared,
    ...own,
    resolve: {
      alias: [
        ...(mode === 'development'
          ? [{ find: devModules, replacement: here('../build/dev/') }]
          : []),
        { find: '@core', replacement: here('../build/wasm') },
      ],
    },
    // Site templates are no pages to look for imports in.
    optimizeDeps: { entries: ['index.html'] },
    plugins: [shared.plugins, own.plugins],
    build: { ...shared.build, ...own.build },
  };
});
