// Slow networks have long ways: what the page can't start without is one module, and named in the
// document, so that it loads beside what begins, not after it.

import type { Plugin } from 'vite';

/**
 * Puts the module at the end of `path` and all that it imports, but for what the document's own script
 * does, into one file, which the head of the document names.
 */
export function preload(path: string): Plugin {
  /** The modules of the document's own script; others import them from there. */
  const begins = new Set<string>();
  const together = new Set<string>();
  return {
    name: 'preload',
    apply: 'build',
    outputOptions: (options) => ({
      ...options,
      codeSplitting: {
        groups: [
          { name: 'index', test: (id) => begins.has(id), includeDependenciesRecursively: false },
          { name: 'page', test: (id) => together.has(id), includeDependenciesRecursively: false },
        ],
      },
    }),
    buildEnd(failure) {
      if (failure) return;
      const imported = (from: string, found: Set<string>): Set<string> => {
        if (found.has(from)) return found;
        found.add(from);
        for (const id of this.getModuleInfo(from)?.importedIds ?? []) imported(id, found);
        return found;
      };
      const ids = [...this.getModuleIds()];
      const start = ids.filter((id) => this.getModuleInfo(id)?.isEntry);
      const first = ids.find((id) => id.endsWith(path));
      if (!first) this.error(`there is no ${path}`);
      const entry = new Set(start.flatMap((id) => [...imported(id, new Set())]));
      together.clear();
      begins.clear();
      for (const id of entry) begins.add(id);
      for (const id of imported(first, new Set())) if (!entry.has(id)) together.add(id);
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
          if (file.type === 'chunk' && file.moduleIds.some((id) => id.endsWith(path)))
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
