// Builds the files of dist/, one mode each: the page with the modules that elements import
// ('production'), the page in one file ('offline'), the element's script ('embed'), the engine as a
// library ('engine') and the command line ('cli').

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin, type UserConfig } from 'vite';
import { viteSingleFile } from 'vite-plugin-singlefile';
import { coreLetters, forItsGlue } from './tools/one-glue.ts';
import { offline, version } from './tools/offline-plugin.ts';
import { pack } from './tools/pack.ts';
import { leanFiles, presets } from './tools/presets-plugin.ts';
import { preload } from './tools/preload-plugin.ts';
import { texts } from './tools/texts-plugin.ts';
import { withDataJoined, withExports } from './tools/wasm-parts.ts';

const here = (place: string) => fileURLToPath(new URL(place, import.meta.url));

/** Emscripten's glue names the file it would fetch if it were not given its bytes; Vite would take
 * that for an asset and ship it too. */
const named = /new URL\("\w+\.wasm",\s*import\.meta\.url\)\.href/;

/** The end of glue with the minimal runtime, which would wait for ever for a module that can't be
 * started. */
const unheard = /(;ready\(\)\}\))(;?\s*return Module\.ready\b)/;

/** The glue of a module beside the core. */
const isGlue = /build\/wasm\/(?!core\.js)\w+\.js$/;

/**
 * `import packed from 'file?packed'` gives a module's bytes, packed, as a base64 string with their
 * size; `?bare` gives those of the module that unpacks them. On the wire, base64 of what is
 * compressed already costs nothing more, of bare wasm a third.
 */
function inlineModule(): Plugin {
  return {
    name: 'inline-module',
    enforce: 'pre',
    load(id) {
      const [file, query] = id.split('?');
      if (file && isGlue.test(file) && coreLetters(file))
        return `export { default } from './core.js';`;
      if (!file || (query !== 'packed' && query !== 'bare')) return null;
      this.addWatchFile(file);
      if (query === 'packed') return `export default ${pack(withDataJoined(forItsGlue(file)))};`;
      const bare = withExports(readFileSync(file), ['memory', 'unpack']);
      return `export default '${bare.toString('base64')}';`;
    },
    transform: {
      filter: { id: /build\/wasm\/\w+\.js$/ },
      handler(code) {
        if (code.includes('Module["wasm"]') && !unheard.test(code)) {
          this.error('the minimal runtime starts otherwise now');
        }
        return code.replace(unheard, '$1.catch(readyPromiseReject)$2').replace(named, '""');
      },
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
  resolve: { alias: { '@core': here('../build/wasm') } },
  plugins: [inlineModule(), leanFiles(), version()],
  build: {
    target: 'es2022',
    modulePreload: false,
    emptyOutDir: true,
    reportCompressedSize: false,
  },
};

/** Strict hosts let each policy be made once, and the page's modules may come after the script of the
 * element: its templates have the name that hosts allow beside Lit's own. */
function ownPolicy(): Plugin {
  return {
    name: 'own-policy',
    transform: {
      filter: { id: /\/lit-html\.js$/ },
      handler(code) {
        const own = code.replace('createPolicy("lit-html"', 'createPolicy("scaling-calculator"');
        if (own === code) this.error('Lit makes its policy otherwise now');
        return own;
      },
    },
  };
}

// Posts often bring the script twice.
const mark = "self[Symbol.for('scaling-calculator')]";

const modes: Record<string, UserConfig> = {
  production: {
    plugins: [
      presets(),
      texts(),
      preload({
        start: '/src/main.ts',
        style: '/src/page.css',
        page: '/src/ui/shell/page.ts',
        beside: '/src/embed/whole.ts',
      }),
      offline(),
    ],
    build: {
      outDir: here('../dist'),
      // Preloads also the imports of parts that load on first use.
      modulePreload: { polyfill: false },
      rolldownOptions: {
        input: { index: here('index.html'), element: here('src/embed/modules.ts') },
        preserveEntrySignatures: 'allow-extension',
        output: {
          entryFileNames: ({ name }) =>
            name === 'element' ? 'element.js' : 'assets/[name]-[hash].js',
        },
      },
    },
  },
  offline: {
    publicDir: false,
    plugins: [presets(), texts(), viteSingleFile({ removeViteModuleLoader: true }), inlinePolicy()],
    build: { outDir: here('../build/offline') },
  },
  // Classic, so that it runs from disks and in frames without an origin.
  embed: {
    publicDir: false,
    plugins: [presets(), texts([]), ownPolicy()],
    build: {
      outDir: here('../build/embed'),
      rolldownOptions: {
        output: { banner: `${mark}||(${mark}=1,(()=>{`, footer: '})());' },
      },
      lib: {
        entry: here('src/embed/element.ts'),
        formats: ['iife'],
        name: 'scalingCalculator',
        fileName: () => 'embed.js',
      },
    },
  },
  engine: {
    publicDir: false,
    build: {
      outDir: here('../build/engine'),
      // The planner's module comes with it: one file to import from.
      rolldownOptions: { output: { codeSplitting: false } },
      lib: { entry: here('src/engine/index.ts'), formats: ['es'], fileName: () => 'engine.js' },
    },
  },
  cli: {
    publicDir: false,
    plugins: [presets(), texts()],
    ssr: { noExternal: true },
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
  const own = modes[mode] ?? { plugins: [presets(), texts()] };
  return {
    ...shared,
    ...own,
    plugins: [shared.plugins, own.plugins],
    build: { ...shared.build, ...own.build },
  };
});
