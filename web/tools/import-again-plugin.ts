// Lets parts that failed to load come when they are asked for again, in every browser.

import type { Plugin } from 'vite';

const dynamicImport = /\bimport\((`\.\/[\w.-]+\.js`)\)/g;

/** Puts `importAgain` in place of `import()` of the page's own modules, which lie in one folder. */
export function importAgain(): Plugin {
  return {
    name: 'import-again',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        let count = 0;
        for (const file of Object.values(bundle)) {
          if (file.type !== 'chunk') continue;
          file.code = file.code.replace(dynamicImport, (_, address: string) => {
            count += 1;
            return `importAgain(${address})`;
          });
        }
        if (count === 0) this.error('the bundler writes imports otherwise now');
      },
    },
  };
}
