// Languages are found from the files of shared/text/: one file each, in which everything is said.

import path from 'node:path';
import type { Plugin } from 'vite';
import { parts } from '../../src/i18n/parts.ts';
import { faultsOf, model, readTexts } from '../texts.mjs';
import { inParts } from './word-parts.ts';

const folder = path.resolve(import.meta.dirname, '../../../shared/text');
const list = 'virtual:texts';

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/**
 * `virtual:texts` has what each language says of itself, and loaders of its texts: the first
 * dictionary and each part are files of their own, so that a reader loads what is needed in one
 * language. A text that a language lacks fails the build. `wanted`: the parts that there are.
 */
export function texts(wanted: readonly string[] = parts): Plugin {
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
    resolveId: (id) => (id === list || (id.startsWith(folder) && id.endsWith('.js')) ? id : null),
    async load(id) {
      if (id !== list && !id.startsWith(folder)) return null;
      const languages = await readParts();
      if (id === list) {
        const there = ['first', ...wanted.filter((part) => part in languages[model])];
        const loaders = there.map((part) => {
          const imports = Object.keys(languages).map(
            (name) =>
              `${JSON.stringify(name)}: () => import(${JSON.stringify(fileOf(name, part))})`,
          );
          return `${part}: { ${imports.join(', ')} }`;
        });
        const own = Object.entries(languages).map(([name, { language, shell, ui }]) => {
          const { noScript: _, ...manner } = language;
          return [name, { ...manner, notLoaded: shell.notLoaded, retry: ui.retry }];
        });
        return `export const languages = ${JSON.stringify(Object.fromEntries(own))};
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
    if (part !== 'first') return texts[part]!;
    return Object.fromEntries(
      Object.entries(texts).filter(([key]) => !['language', 'shell', ...parts].includes(key)),
    );
  }
}
