// Languages are found from the files of shared/text/: one file each, in which everything is said.

import path from 'node:path';
import type { Plugin } from 'vite';
import { parts } from '../src/text/parts.ts';
import { faultsOf, model, readTexts } from './texts.mjs';

const everywhere = path.resolve(import.meta.dirname, '../../shared/text');
const list = 'virtual:texts';

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** What is built may need few of the texts. */
interface Only {
  parts: readonly string[];
  keep(first: object): object;
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
    resolveId: (id) => (id === list || (id.startsWith(folder) && id.endsWith('.js')) ? id : null),
    load(id) {
      if (id !== list && !id.startsWith(folder)) return null;
      const languages = readTexts(folder);
      if (id === list) {
        const there = wanted.filter((part) => part in languages[model]);
        const loaders = ['first', ...there].map((part) => {
          const imports = Object.keys(languages).map(
            (name) =>
              `${JSON.stringify(name)}: () => import(${JSON.stringify(fileOf(name, part))})`,
          );
          return `${part}: { ${imports.join(', ')} }`;
        });
        const own = Object.entries(languages).map(([name, { language }]) => {
          const { noScript: _, ...manner } = language;
          return [name, manner];
        });
        return `export const languages = ${JSON.stringify(Object.fromEntries(own))};
          export const loaders = { ${loaders.join(', ')} };`;
      }
      for (const [name, texts] of Object.entries(languages)) {
        if (id === fileOf(name, 'first')) {
          const first = Object.entries(texts).filter(
            ([key]) => key !== 'language' && !parts.some((part) => part === key),
          );
          const all = Object.fromEntries(first);
          return module(this, name, only ? only.keep(all) : all);
        }
        const part = parts.find((each) => id === fileOf(name, each));
        if (part) return module(this, name, texts[part]);
      }
      return null;
    },
    // What readers see for whom nothing can be chosen is said in every language.
    transformIndexHtml: (html) =>
      html.replace(/<noscript>\s*<\/noscript>/, () => {
        const said = Object.values(readTexts(folder)).map(
          ({ language: { tag, noScript } }) => `<p lang="${tag}">${escaped(noScript)}</p>`,
        );
        return `<noscript>${said.join('')}</noscript>`;
      }),
  };

  function module(context: { addWatchFile(id: string): void }, name: string, value: object) {
    context.addWatchFile(path.join(folder, `${name}.json`));
    return `export default ${JSON.stringify(value)};`;
  }
}
