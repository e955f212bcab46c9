// Languages are found from the files of shared/text/: one file each, in which everything is said.

import path from 'node:path';
import type { Plugin } from 'vite';
import { parts } from '../src/i18n/parts.ts';
import { faultsOf, model, readTexts } from './texts.mjs';
import { inParts } from './word-parts.ts';

const everywhere = path.resolve(import.meta.dirname, '../../shared/text');
const list = 'virtual:texts';
const packedList = 'virtual:packed-texts';
const packedTexts = path.resolve(import.meta.dirname, '../src/i18n/packed-texts.ts');

/** The strings in a tree, in the order of the keys of another that has the same. */
const wordsOf = (tree: object, like: object): string[] =>
  Object.entries(like).flatMap(([key, part]) => {
    const own = (tree as Record<string, string | object>)[key]!;
    return typeof own === 'string' ? [own] : wordsOf(own, part);
  });

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** Keeps only the texts that the built script needs. */
interface Only {
  parts: readonly string[];
  keep(first: object): object;
  keepOf?(part: string, texts: object): object;
}

/**
 * `virtual:texts` has what each language says of itself, and loaders of its texts: the first
 * dictionary and each part are files of their own, so that a reader loads what is needed in one
 * language. A text that a language lacks fails the build.
 */
export function texts(folder = everywhere, only?: Only): Plugin {
  const wanted = parts.filter((part) => !only || only.parts.includes(part));
  const fileOf = (language: string, part: string): string =>
    path.join(folder, part === 'first' ? `${language}.js` : `${language}.${part}.js`);
  return {
    name: 'texts',
    enforce: 'pre',
    buildStart() {
      if (this.meta.watchMode) return;
      const faults = faultsOf(readTexts(folder));
      if (faults.length > 0) this.error(faults.join('\n'));
    },
    resolveId: (id) =>
      id === list || id === packedList || (id.startsWith(folder) && id.endsWith('.js')) ? id : null,
    async load(id) {
      if (id !== list && id !== packedList && !id.startsWith(folder)) return null;
      const languages = await readParts();
      const there = ['first', ...wanted.filter((part) => part in languages[model])];
      if (id === packedList) return `export default ${packedParts(this, languages, there)};`;
      if (id === list) {
        const loaders = there.map((part) => {
          const imports = Object.keys(languages).map((name) => {
            const file = JSON.stringify(fileOf(name, part));
            const load = only ? `said('${name}', '${part}')` : `import(${file})`;
            return `${JSON.stringify(name)}: () => ${load}`;
          });
          return `${part}: { ${imports.join(', ')} }`;
        });
        const own = Object.entries(languages).map(([name, { language, shell, ui }]) => {
          const { noScript: _, ...manner } = language;
          // An element has its texts in its script.
          const said = only ? {} : { notLoaded: shell.notLoaded, retry: ui.retry };
          return [name, { ...manner, ...said }];
        });
        // A script of the element has no files beside it.
        const importing = only ? `import { said } from ${JSON.stringify(packedTexts)};` : '';
        return `${importing}
          export const languages = ${JSON.stringify(Object.fromEntries(own))};
          export const loaders = { ${loaders.join(', ')} };`;
      }
      for (const [name, texts] of Object.entries(languages)) {
        const part = ['first', ...parts].find((each) => id === fileOf(name, each));
        if (!part) continue;
        this.addWatchFile(path.join(folder, `${name}.json`));
        return `export default ${JSON.stringify(textsOf(texts, part))};`;
      }
      return null;
    },
    // The shell shows before a language is chosen, so it has every language.
    transformIndexHtml: (html) => {
      const languages = Object.values(readTexts(folder));
      const saying = (said: (texts: (typeof languages)[number]) => string): string =>
        languages
          .map((texts) => `<p lang="${texts.language.tag}">${escaped(said(texts))}</p>`)
          .join('');
      return html
        .replace('<!-- loading -->', () => saying(({ shell }) => shell.loading))
        .replace('<!-- fromDisk -->', () =>
          saying(({ shell }) => shell.fromDisk).replaceAll(
            '{file}',
            '<a href="./offline.html">offline.html</a>',
          ),
        )
        .replace('<!-- noScript -->', () => saying(({ language }) => language.noScript));
    },
  };

  /** The texts of each language, in the parts that load. */
  async function readParts(): Promise<ReturnType<typeof readTexts>> {
    const parted = Object.entries(readTexts(folder)).map(
      async ([name, texts]) => [name, await inParts(texts)] as const,
    );
    return Object.fromEntries(await Promise.all(parted));
  }

  /** The first dictionary of a language, or a part that is loaded when it is needed. */
  function textsOf(texts: Record<string, object>, part: string): object {
    if (part !== 'first') return only?.keepOf?.(part, texts[part]!) ?? texts[part]!;
    const first = Object.fromEntries(
      Object.entries(texts).filter(([key]) => !['language', 'shell', ...parts].includes(key)),
    );
    return only ? only.keep(first) : first;
  }

  /** See packed-texts.ts. */
  function packedParts(
    context: { addWatchFile(id: string): void },
    languages: Record<string, Record<string, object>>,
    wanted: readonly string[],
  ): string {
    for (const name of Object.keys(languages)) {
      context.addWatchFile(path.join(folder, `${name}.json`));
    }
    const of = <T>(value: (part: string) => T) =>
      Object.fromEntries(wanted.map((part) => [part, value(part)]));
    const tree = of((part) => textsOf(languages[model]!, part));
    const others = Object.entries(languages).filter(([name]) => name !== model);
    const words = of((part) =>
      Object.fromEntries(
        others.map(([name, texts]) => [name, wordsOf(textsOf(texts, part), tree[part]!)]),
      ),
    );
    return JSON.stringify({ tree, words });
  }
}
