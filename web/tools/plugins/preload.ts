// Slow networks have long ways: what the page can't start without is one module, and named in the
// document, so that it loads beside what begins, not after it.

import type { Plugin } from 'vite';

/** Modules by the ends of their paths. */
interface Roots {
  /** The document's own script and style. */
  start: string;
  style: string;
  /** The page. */
  page: string;
  /** What elements show in place of the page, by the same modules. */
  beside: string;
  /** The element's own entry, of which the page needs nothing. */
  apart: string;
}

/**
 * Loads a part together with all that it imports. Vite's own way asks for files under the names of this
 * build also where another build has taken them in and named them anew.
 */
const helper = `
  const isOwn = /\\/start-[-\\w]{8}\\.js$/.test(import.meta.url);
  const seen = new Set();
  export function __vitePreload(load, files = [], from) {
    for (const file of isOwn ? files : []) {
      const { href } = new URL(file, from);
      if (seen.has(href)) continue;
      seen.add(href);
      const link = document.createElement('link');
      link.rel = 'modulepreload';
      link.crossOrigin = '';
      link.href = href;
      link.nonce = document.querySelector('meta[property=csp-nonce]')?.nonce ?? '';
      document.head.append(link);
    }
    return load();
  }`;

/**
 * Makes few files of what the page can't start without: what entries import, what the page has
 * together with what elements show, and what the page alone has. The head of the document names them.
 */
export function preload(roots: Roots): Plugin {
  const groups = {
    start: new Set<string>(),
    wasm: new Set<string>(),
    shared: new Set<string>(),
    page: new Set<string>(),
  };
  return {
    name: 'preload',
    enforce: 'pre',
    apply: 'build',
    load: { filter: { id: /^\0vite\/preload-helper\.js$/ }, handler: () => helper },
    outputOptions: (options) => ({
      ...options,
      codeSplitting: {
        groups: Object.entries(groups).map(([name, ids]) => ({
          name,
          test: (id: string) => ids.has(id),
          includeDependenciesRecursively: false,
        })),
      },
    }),
    buildEnd(failure) {
      if (failure) return;
      const ids = [...this.getModuleIds()];
      const rootOf = (path: string): string =>
        ids.find((id) => id.endsWith(path)) ?? this.error(`there is no ${path}`);
      const imported = (from: string, found = new Set<string>()): Set<string> => {
        for (const id of this.getModuleInfo(from)?.importedIds ?? []) {
          if (found.has(id)) continue;
          found.add(id);
          imported(id, found);
        }
        return found;
      };
      for (const group of Object.values(groups)) group.clear();
      const entries = ids.filter((id) => this.getModuleInfo(id)?.isEntry);
      const apart = rootOf(roots.apart);
      for (const entry of entries) {
        if (entry !== apart) for (const id of imported(entry)) groups.start.add(id);
      }
      const needed = imported(rootOf(roots.page));
      // An entry has no need of all that is shared.
      for (const id of imported(apart)) if (needed.has(id)) groups.start.add(id);
      // What begins the page, and its style, are not for elements.
      for (const path of [roots.start, roots.style]) groups.start.delete(rootOf(path));
      const beside = imported(rootOf(roots.beside));
      for (const id of needed) {
        if (groups.start.has(id)) continue;
        // Packed bytes between the lines of code would make these compress worse.
        const group = id.endsWith('?deflated') ? 'wasm' : beside.has(id) ? 'shared' : 'page';
        groups[group].add(id);
      }
    },
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle = {}, chunk: entry }) {
        const needed = new Set<string>();
        const visit = (name: string): void => {
          const file = bundle[name];
          if (file?.type !== 'chunk' || file === entry || needed.has(name)) return;
          needed.add(name);
          file.imports.forEach(visit);
        };
        entry?.imports.forEach(visit);
        for (const file of Object.values(bundle)) {
          if (file.type === 'chunk' && file.moduleIds.some((id) => id.endsWith(roots.page)))
            visit(file.fileName);
        }
        return [...needed].map((name) => ({
          tag: 'link',
          attrs: { rel: 'modulepreload', crossorigin: true, href: `./${name}` },
          injectTo: 'head',
        }));
      },
    },
  };
}
