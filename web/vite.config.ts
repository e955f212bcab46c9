// Builds the files of dist/, one mode each: the page ('production'), the page in one file
// ('offline'), the engine as a library ('engine') and the element's scripts ('embed', ...).

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin, type UserConfig } from 'vite';
import { viteSingleFile } from 'vite-plugin-singlefile';
import type { Bundle, DerivationScript } from './src/model/views.ts';
import { embedTexts, figuresBesideTraining, sourceTitles } from './tools/embed-texts.ts';
import { hostProof } from './tools/host-proof-plugin.ts';
import { importAgain } from './tools/import-again-plugin.ts';
import { coreLetters, forItsGlue } from './tools/one-glue.ts';
import { offline, version } from './tools/offline-plugin.ts';
import { pack } from './tools/pack.ts';
import { leanFiles, presets } from './tools/presets-plugin.ts';
import { preload } from './tools/preload-plugin.ts';
import { texts } from './tools/texts-plugin.ts';
import {
  bundles,
  derivations,
  isBesideOnly,
  presets as presetScript,
  viewsIn,
} from './tools/views.mjs';
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
 * Templates of elements are indented for who reads them; a browser makes one space of it, and the
 * compressed scripts are smaller without.
 */
function plainTemplates(): Plugin {
  interface Part {
    start: number;
    end: number;
  }
  const tags = new Set(['html', 'svg', 'mathml']);
  return {
    name: 'plain-templates',
    enforce: 'post',
    transform: {
      filter: { id: /\/web\/src\/.*\.ts$/ },
      handler(code) {
        const parts: Part[] = [];
        const find = (node: unknown): void => {
          if (typeof node !== 'object' || node === null) return;
          const { tag, quasi } = node as { tag?: { name?: string }; quasi?: { quasis: Part[] } };
          if (quasi && tags.has(tag?.name ?? '')) parts.push(...quasi.quasis);
          Object.values(node).forEach(find);
        };
        find(this.parse(code));
        let at = 0;
        const kept = parts
          .sort((a, b) => a.start - b.start)
          .map(({ start, end }) => {
            const text = code.slice(at, start) + code.slice(start, end).replace(/\n\s+/g, '\n');
            at = end;
            return text;
          });
        return { code: kept.join('') + code.slice(at), map: null };
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
  plugins: [inlineModule(), leanFiles(), plainTemplates(), version()],
  build: {
    target: 'es2022',
    modulePreload: false,
    emptyOutDir: true,
    reportCompressedSize: false,
  },
};

/** A view as views.json has it: what not all scripts need. */
interface ListedView {
  bundle: string;
  sides?: string;
  engine?: string;
  example?: string;
  budget?: number;
  kernels?: boolean;
  searched?: boolean;
  topics?: object;
  texts?: object;
}

/** Keeps in views.json only what a script of the element needs of the views that it shows: other views
 * have scripts of their own. */
function topicsOf(bundle: Bundle): Plugin {
  return {
    name: 'topics-of-views',
    enforce: 'pre',
    load(id) {
      if (!id.endsWith('/model/views.json')) return null;
      const file = JSON.parse(readFileSync(id, 'utf8')) as { views: Record<string, ListedView> };
      for (const view of Object.values(file.views)) {
        delete view.example;
        delete view.budget;
        if (view.bundle === bundle || view.sides === bundle) continue;
        delete view.topics;
        delete view.texts;
        delete view.engine;
        delete view.kernels;
        delete view.searched;
      }
      return JSON.stringify(file);
    },
  };
}

/** The style of the explorer, for scripts whose views have it. */
function chartStyle(bundle: Bundle): Plugin {
  const shown: { texts?: string[] }[] = viewsIn(bundle);
  const explores = shown.some(({ texts }) => texts?.includes('explorer'));
  return {
    name: 'chart-style',
    enforce: 'pre',
    load: (id) => (!explores && id.endsWith('/kit/style/charts.css?inline') ? '/**/' : null),
  };
}

/** A script of the element: classic, so that it runs from disks and in frames without an origin. */
async function element(
  entry: Bundle | DerivationScript | 'presets',
  file: string,
): Promise<UserConfig> {
  // Posts often bring a script twice.
  const mark = `self[Symbol.for(${JSON.stringify(`scaling-calculator ${file}`)})]`;
  return {
    publicDir: false,
    plugins: [
      presets({
        lean: true,
        inElement: true,
        // Sides wait for all presets.
        sourcesLater: isBesideOnly(entry),
        ...(entry === 'training' && { leftOut: await figuresBesideTraining() }),
      }),
      hostProof(true),
      ...(entry in bundles ? [topicsOf(entry as Bundle), chartStyle(entry as Bundle)] : []),
      sourceTitles(here('../shared/text')),
      texts(
        undefined,
        entry in bundles ? await embedTexts(entry as Bundle) : { parts: [], keep: () => ({}) },
      ),
    ],
    build: {
      outDir: here(`../build/${file}`),
      rolldownOptions: {
        output: { banner: `${mark}||(${mark}=1,(()=>{`, footer: '})());' },
      },
      lib: {
        entry: here(`src/embed/${entry}.ts`),
        formats: ['iife'],
        name: 'scalingCalculator',
        fileName: () => `${file}.js`,
      },
    },
  };
}

const modes: Record<string, UserConfig | (() => Promise<UserConfig>)> = {
  ...Object.fromEntries(
    (Object.keys(bundles) as Bundle[]).map((bundle) => {
      const { script } = bundles[bundle];
      return [script, () => element(bundle, script)];
    }),
  ),
  ...Object.fromEntries(
    (Object.keys(derivations) as DerivationScript[]).map((entry) => {
      const { script } = derivations[entry];
      return [script, () => element(entry, script)];
    }),
  ),
  [presetScript.script]: () => element('presets', presetScript.script),
  production: {
    plugins: [
      hostProof(),
      presets({ lean: true }),
      texts(),
      preload('/src/ui/shell/page.ts'),
      importAgain(),
      offline(),
    ],
    // Preloads also the imports of parts that load on first use.
    build: { outDir: here('../dist'), modulePreload: { polyfill: false } },
  },
  offline: {
    publicDir: false,
    plugins: [
      hostProof(),
      presets({ lean: true }),
      texts(),
      viteSingleFile({ removeViteModuleLoader: true }),
      inlinePolicy(),
    ],
    build: { outDir: here('../build/offline') },
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
    plugins: [presets({ lean: true }), texts()],
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

export default defineConfig(async ({ mode }) => {
  const found = modes[mode] ?? { plugins: [presets({ lean: true }), texts()] };
  const own = typeof found === 'function' ? await found() : found;
  return {
    ...shared,
    ...own,
    plugins: [shared.plugins, own.plugins],
    build: { ...shared.build, ...own.build },
  };
});
