// How the files of dist/ are made, one mode each: the page ('production'), the page in one file
// ('offline'), the engine as a library ('engine') and the element's scripts ('embed', ...).

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { zlibAsync } from '@gfx/zopfli';
import { defineConfig, type Plugin, type UserConfig } from 'vite';
import { viteSingleFile } from 'vite-plugin-singlefile';
import type { Bundle } from './src/model/views.ts';
import { embedTexts, sourceTitles } from './tools/embed-texts.ts';
import { offline, version } from './tools/offline-plugin.ts';
import { preload } from './tools/preload-plugin.ts';
import { texts } from './tools/texts-plugin.ts';
import { bundles } from './tools/views.mjs';

const here = (place: string) => fileURLToPath(new URL(place, import.meta.url));

/**
 * Deflates a module by Zopfli, which finds what zlib misses and takes seconds. The result is kept in
 * build/: the page, the engine, the element's scripts and the tests share the same few modules.
 */
async function deflate(file: string): Promise<string> {
  const bytes = readFileSync(file);
  const options = { numiterations: 15 };
  const key = createHash('sha256').update(JSON.stringify(options)).update(bytes).digest('hex');
  const kept = here(`../build/deflated/${key}`);
  if (!existsSync(kept)) {
    const deflated = Buffer.from(await zlibAsync(bytes, options)).toString('base64');
    mkdirSync(here('../build/deflated'), { recursive: true });
    // A reader beside this one sees the whole file, or none.
    const unfinished = `${kept}.${process.pid}`;
    writeFileSync(unfinished, deflated);
    renameSync(unfinished, kept);
  }
  return readFileSync(kept, 'utf8');
}

/** `import bytes from 'file?deflated'` gives a file's bytes, deflated, as a base64 string: on the
 * wire, base64 of what is compressed already costs nothing more, of bare wasm a third. */
function inlineModule(): Plugin {
  return {
    name: 'inline-module',
    enforce: 'pre',
    async load(id) {
      const [file, query] = id.split('?');
      if (query !== 'deflated' || !file) return null;
      this.addWatchFile(file);
      return `export default '${await deflate(file)}';`;
    },
    // Emscripten's glue names the file it would fetch if it were not given its bytes; Vite would
    // take that for an asset and ship it too.
    transform: {
      filter: { id: /build\/wasm\/\w+\.js$/ },
      handler: (code) => code.replace(/new URL\("\w+\.wasm",\s*import\.meta\.url\)\.href/, '""'),
    },
  };
}

/**
 * The preset files also hold what only their keepers read: notes, published totals, the commit at
 * which a source was read. That, and the sources named nowhere else, stays out of the page. The
 * fewest: what trainings rest on, without its sources.
 */
function leanPresets(fewest = false): Plugin {
  const commit = / \(\S+@[0-9a-f]{7,}\)/;
  const forKeepers = new Set(['$schema', 'note', 'notes', 'published', 'training']);
  return {
    name: 'lean-presets',
    apply: 'build', // tests read the whole files
    enforce: 'pre',
    load(id) {
      const kind = /\/shared\/(chips|models|sources)\.json$/.exec(id)?.[1];
      if (!kind) return null;
      this.addWatchFile(id);
      const file = JSON.parse(readFileSync(id, 'utf8'), (key, value: unknown) =>
        forKeepers.has(key) ? undefined : value,
      );
      if (fewest) leaveTrainings(file);
      for (const { sources = {} } of file.models ?? []) {
        for (const key of Object.keys(sources)) if (key !== 'architecture') delete sources[key];
      }
      // The core names the sources of its rules, the presets those of their figures.
      const named =
        kind === 'sources'
          ? readFileSync(here('../build/wasm/derivations.wasm'), 'latin1') +
            readFileSync(here('../build/wasm/core.wasm'), 'latin1')
          : JSON.stringify(file[kind]);
      for (const source of Object.keys(file.sources)) {
        const { title } = file.sources[source];
        if (!named.includes(source)) delete file.sources[source];
        else if (typeof title === 'string') file.sources[source].title = title.replace(commit, '');
      }
      return JSON.stringify(file);
    },
  };
}

/** Fields of a chip that an estimate of training does not know. */
const notTraining =
  /^(onChip|tile|host|peakVector|leafDomains|oversubscription|hopLatency|scaleOutLatency)/;

function leaveTrainings(file: {
  sources: object;
  chips?: {
    figures: Record<string, { source?: string; book?: { source?: string } }>;
    otherPrices?: unknown;
  }[];
  models?: { sources?: object; book?: Record<string, { source?: string }> }[];
}): void {
  file.sources = {};
  for (const chip of file.chips ?? []) {
    delete chip.otherPrices;
    const { figures } = chip;
    for (const [key, figure] of Object.entries(figures)) {
      delete figure.source;
      delete figure.book?.source;
      if (notTraining.test(key)) delete figures[key];
    }
  }
  for (const model of file.models ?? []) {
    delete model.sources;
    for (const figure of Object.values(model.book ?? {})) delete figure.source;
  }
}

/**
 * In a page of one file there is no 'self' to allow: its policy names the digests of the script and
 * the styles that it holds, which are known when it is written.
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
  plugins: [inlineModule(), version()],
  build: {
    target: 'es2022',
    modulePreload: false,
    emptyOutDir: true,
    reportCompressedSize: false,
  },
};

/** Scripts of the element share Lit's policy: a strict host lets each be made once. */
function onePolicy(): Plugin {
  const made = /\b(\w+)(\.createPolicy\("lit-html",\{.*?\}\))/;
  return {
    name: 'one-policy',
    transform: {
      filter: { id: /\/lit-html\.js$/ },
      handler(code) {
        if (!made.test(code)) this.error('Lit makes its policy otherwise now');
        const shared = 'globalThis[Symbol.for("scaling-calculator")]??={scripts:new Map()}';
        return code.replace(made, `((${shared}).templates??=$1$2)`);
      },
    },
  };
}

/** A script of the element: classic, so that it runs from disks and in frames without an origin. */
async function element(entry: Bundle | 'why', file: string): Promise<UserConfig> {
  // Posts often bring a script twice.
  const mark = `self[Symbol.for(${JSON.stringify(`scaling-calculator ${file}`)})]`;
  return {
    publicDir: false,
    plugins: [
      leanPresets(entry === 'training'),
      onePolicy(),
      sourceTitles(here('../shared/text')),
      texts(undefined, entry === 'why' ? { parts: [], keep: () => ({}) } : await embedTexts(entry)),
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
  'embed-why': () => element('why', 'embed-why'),
  production: {
    plugins: [leanPresets(), texts(), preload('/src/ui/shell/page.ts'), offline()],
    // Also what parts that load on first use import.
    build: { outDir: here('../dist'), modulePreload: { polyfill: false } },
  },
  offline: {
    publicDir: false,
    plugins: [
      leanPresets(),
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
};

export default defineConfig(async ({ mode }) => {
  const found = modes[mode] ?? { plugins: [leanPresets(), texts()] };
  const own = typeof found === 'function' ? await found() : found;
  return {
    ...shared,
    ...own,
    plugins: [shared.plugins, own.plugins],
    build: { ...shared.build, ...own.build },
  };
});
