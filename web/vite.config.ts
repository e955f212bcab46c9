// How the files of dist/ are made, one mode each: the page ('production'), the page in one file
// ('offline'), the engine as a library ('engine') and the element's scripts ('embed', ...).

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { zlibAsync } from '@gfx/zopfli';
import { defineConfig, type Plugin, type UserConfig } from 'vite';
import { viteSingleFile } from 'vite-plugin-singlefile';
import type { Bundle, DerivationScript } from './src/model/views.ts';
import { embedTexts, figuresBesideTraining, sourceTitles } from './tools/embed-texts.ts';
import { offline, version } from './tools/offline-plugin.ts';
import { preload } from './tools/preload-plugin.ts';
import { texts } from './tools/texts-plugin.ts';
import { bundles, derivations, modules } from './tools/views.mjs';

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

/** The commit at which a source was read. */
const commit = / \(\S+@[0-9a-f]{7,}\)|@[0-9a-f]{7,}\b/g;

/** In a build, the sources of presets have short ids: each figure names one. */
const shortIds = (sources: object): ReadonlyMap<string, string> =>
  new Map(Object.keys(sources).map((id, index) => [id, index.toString(36)]));

/** `virtual:preset-sources`: the sources of the presets' figures, which load apart. */
function presetSources(): Plugin {
  const id = 'virtual:preset-sources';
  let builds = false;
  return {
    name: 'preset-sources',
    config(_, { command }) {
      builds = command === 'build';
    },
    resolveId: (asked) => (asked === id ? id : null),
    load(asked) {
      if (asked !== id) return null;
      return ['chips', 'models']
        .map((kind) => {
          const file = here(`../shared/${kind}.json`);
          this.addWatchFile(file);
          const parsed = JSON.parse(readFileSync(file, 'utf8'));
          const named = JSON.stringify(parsed[kind]);
          const sources = Object.entries(parsed.sources as Record<string, { title: string }>)
            .filter(([source]) => named.includes(source))
            .map(([source, { title, ...more }]) => [
              builds ? shortIds(parsed.sources).get(source) : source,
              { title: title.replace(commit, ''), ...more },
            ]);
          return `export const ${kind} = ${JSON.stringify(Object.fromEntries(sources))};`;
        })
        .join('\n');
    },
  };
}

/**
 * The preset files also hold what only their keepers read: notes, published totals, the commit at
 * which a source was read. That, and the sources named nowhere else, stays out of the page.
 * `leftOut`: figures of chips that stay out too; then no sources are named at all.
 */
function leanPresets(leftOut?: ReadonlySet<string>): Plugin {
  const forKeepers = new Set(['$schema', 'note', 'notes', 'published', 'training']);
  return {
    name: 'lean-presets',
    apply: 'build', // tests read the whole files
    enforce: 'pre',
    load(id) {
      if (leftOut && id === 'virtual:preset-sources') {
        return 'export const chips = {}, models = {};';
      }
      const kind = /\/shared\/(chips|models|optimizers|sources|stacks)\.json$/.exec(id)?.[1];
      if (!kind) return null;
      this.addWatchFile(id);
      const file = JSON.parse(readFileSync(id, 'utf8'), (key, value: unknown) =>
        forKeepers.has(key) || (kind === 'chips' && key === 'year') ? undefined : value,
      );
      if (kind === 'optimizers' || kind === 'stacks') {
        for (const each of file[kind]) delete each[kind === 'stacks' ? 'sources' : 'source'];
        return JSON.stringify(file);
      }
      if (leftOut) leaveTrainings(file, leftOut);
      else for (const chip of file.chips ?? []) nameMainSource(chip);
      for (const { sources = {} } of file.models ?? []) {
        for (const key of Object.keys(sources)) if (key !== 'architecture') delete sources[key];
      }
      const ids = shortIds(file.sources);
      // The core names the sources of its rules, the presets those of their figures.
      const named =
        kind === 'sources'
          ? modules
              .map((name) => readFileSync(here(`../build/wasm/${name}.wasm`), 'latin1'))
              .join('')
          : JSON.stringify(file[kind]);
      for (const source of Object.keys(file.sources)) {
        const { title } = file.sources[source];
        if (!named.includes(source)) delete file.sources[source];
        else if (typeof title === 'string') file.sources[source].title = title.replace(commit, '');
      }
      if (kind === 'sources') return JSON.stringify(file);
      file.sources = kind === 'chips' ? ofPrices(file) : {};
      return JSON.stringify(withShortIds(file, ids));
    },
  };
}

function withShortIds(
  file: { sources: Record<string, unknown> },
  ids: ReadonlyMap<string, string>,
): object {
  const renamed = JSON.parse(JSON.stringify(file), (key, value: unknown) =>
    (key === 'source' || key === 'architecture') && typeof value === 'string'
      ? (ids.get(value) ?? value)
      : value,
  ) as typeof file;
  renamed.sources = Object.fromEntries(
    Object.entries(file.sources).map(([id, source]) => [ids.get(id)!, source]),
  );
  return renamed;
}

/** The sources that stand beside answers; those of other figures load when a reader asks. */
function ofPrices({ chips, sources }: ChipsFile): object {
  const named = new Set(
    chips.flatMap(({ source, figures, otherPrices = [] }) =>
      // The main source of a chip is that of the figures that name none.
      [figures.price, figures.power, ...otherPrices].flatMap((figure) =>
        figure ? [figure.source ?? source, figure.book?.source] : [],
      ),
    ),
  );
  return Object.fromEntries(Object.entries(sources).filter(([id]) => named.has(id)));
}

interface Cited {
  source?: string;
  book?: Cited;
}

interface ChipsFile {
  sources: object;
  chips: { source?: string; figures: Record<string, Cited>; otherPrices?: Cited[] }[];
}

/** Names the source of most of a chip's figures once, and those of others beside them. */
function nameMainSource(chip: { source?: string; figures: Record<string, { source?: string }> }) {
  const figures = Object.values(chip.figures);
  const count = (source?: string): number =>
    figures.filter((figure) => figure.source === source).length;
  chip.source = figures.map(({ source }) => source!).sort((a, b) => count(b) - count(a))[0]!;
  for (const figure of figures) if (figure.source === chip.source) delete figure.source;
}

interface Presets {
  sources: object;
  chips?: {
    figures: Record<string, { source?: string; book?: { source?: string } }>;
    otherPrices?: unknown;
  }[];
  models?: { sources?: object; book?: Record<string, { source?: string }> }[];
}

/** Keeps what trainings rest on, without its sources. */
function leaveTrainings(file: Presets, leftOut: ReadonlySet<string>): void {
  file.sources = {};
  for (const chip of file.chips ?? []) {
    delete chip.otherPrices;
    const { figures } = chip;
    for (const [key, figure] of Object.entries(figures)) {
      delete figure.source;
      delete figure.book?.source;
      if (leftOut.has(key)) delete figures[key];
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
  plugins: [inlineModule(), presetSources(), version()],
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
        const shared =
          'globalThis[Symbol.for("scaling-calculator")]??={scripts:new Map(),derivations:{}}';
        return code.replace(made, `((${shared}).templates??=$1$2)`);
      },
    },
  };
}

/** A script of the element: classic, so that it runs from disks and in frames without an origin. */
async function element(entry: Bundle | DerivationScript, file: string): Promise<UserConfig> {
  // Posts often bring a script twice.
  const mark = `self[Symbol.for(${JSON.stringify(`scaling-calculator ${file}`)})]`;
  return {
    publicDir: false,
    plugins: [
      leanPresets(entry === 'training' ? await figuresBesideTraining() : undefined),
      onePolicy(),
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
