// How the files of dist/ are made, one mode each: the page ('production'), the page in one file
// ('offline') and the engine as a library ('engine').

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { zlibAsync } from '@gfx/zopfli';
import { defineConfig, type Plugin, type UserConfig } from 'vite';
import { viteSingleFile } from 'vite-plugin-singlefile';

const here = (place: string) => fileURLToPath(new URL(place, import.meta.url));

/** `import bytes from 'file?deflated'` gives a file's bytes, deflated, as a base64 string: on the
 * wire, base64 of what is compressed already costs nothing more, of bare wasm a third. Zopfli finds
 * what zlib misses. */
function inlineModule(): Plugin {
  return {
    name: 'inline-module',
    enforce: 'pre',
    async load(id) {
      const [file, query] = id.split('?');
      if (query !== 'deflated' || !file) return null;
      this.addWatchFile(file);
      const bytes = await zlibAsync(readFileSync(file), { numiterations: 15 });
      return `export default '${Buffer.from(bytes).toString('base64')}';`;
    },
    // Emscripten's glue names the file it would fetch if it were not given its bytes; Vite would
    // take that for an asset and ship it too.
    transform: {
      filter: { id: /\/(core|planner)\.js$/ },
      handler: (code) => code.replace(/new URL\("\w+\.wasm",\s*import\.meta\.url\)\.href/, '""'),
    },
  };
}

/**
 * The preset files also hold what only their keepers read: notes, further prices, published totals,
 * the commit at which a source was read. That, and the sources named nowhere else, stays out of the
 * page.
 */
function leanPresets(): Plugin {
  const commit = / \(\S+@[0-9a-f]{7,}\)/;
  const forKeepers = new Set(['$schema', 'note', 'notes', 'otherPrices', 'published', 'training']);
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
      for (const { sources } of file.models ?? []) {
        for (const key of Object.keys(sources)) if (key !== 'architecture') delete sources[key];
      }
      // The core names the sources of its rules, the presets those of their figures.
      const named =
        kind === 'sources'
          ? ['core', 'planner']
              .map((name) => readFileSync(here(`../build/wasm/${name}.wasm`), 'latin1'))
              .join()
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

/** `import … from 'examples.json?questions'` gives the worked questions without their words, and
 * `?en` the words of one language: a reader loads one. */
function examplesByLanguage(): Plugin {
  type Words = Record<string, string>;
  interface Worded {
    id: string;
    [part: string]: unknown;
  }
  const isWords = (value: unknown): value is Words =>
    typeof value === 'object' && value !== null && 'en' in value;
  const withoutWords = (_key: string, value: unknown): unknown => {
    if (!isWords(value)) return value;
    const rest = Object.entries(value).filter(([, part]) => typeof part !== 'string');
    return rest.length > 0 ? Object.fromEntries(rest) : undefined;
  };
  return {
    name: 'examples-by-language',
    enforce: 'pre',
    load(id) {
      const [file, part] = id.split('?');
      if (!part || !file?.endsWith('/shared/examples.json')) return null;
      this.addWatchFile(file);
      const { chapters, examples }: Record<string, Worded[]> = JSON.parse(
        readFileSync(file, 'utf8'),
      );
      const json = (value: unknown): string => `export default ${JSON.stringify(value)};`;
      if (part === 'questions') {
        return json(JSON.parse(JSON.stringify({ chapters, examples }), withoutWords));
      }
      const wordsOf = (list: Worded[] = []): unknown =>
        Object.fromEntries(
          list.map(({ id: name, ...parts }) => [
            name,
            Object.fromEntries(
              Object.entries(parts).flatMap(([key, value]) =>
                isWords(value) ? [[key, value[part]]] : [],
              ),
            ),
          ]),
        );
      return json({ chapters: wordsOf(chapters), examples: wordsOf(examples) });
    },
  };
}

/** `import … from 'en.json'` gives a language's texts but for those that only plans need, and
 * `?plan` these. */
function textsByView(): Plugin {
  return {
    name: 'texts-by-view',
    enforce: 'pre',
    load(id) {
      const [file, part] = id.split('?');
      if (!/\/shared\/text\/\w+\.json$/.test(file ?? '')) return null;
      this.addWatchFile(file!);
      const { plan, ...first } = JSON.parse(readFileSync(file!, 'utf8'));
      return part === 'plan' ? `export default ${JSON.stringify(plan)};` : JSON.stringify(first);
    },
  };
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
  plugins: [inlineModule(), leanPresets(), examplesByLanguage(), textsByView()],
  build: {
    target: 'es2022',
    modulePreload: false,
    emptyOutDir: true,
    reportCompressedSize: false,
  },
};

const modes: Record<string, UserConfig> = {
  production: { build: { outDir: here('../dist') } },
  offline: {
    publicDir: false,
    plugins: [viteSingleFile({ removeViteModuleLoader: true }), inlinePolicy()],
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

export default defineConfig(({ mode }) => {
  const own = modes[mode] ?? {};
  return {
    ...shared,
    ...own,
    plugins: [shared.plugins, own.plugins],
    build: { ...shared.build, ...own.build },
  };
});
