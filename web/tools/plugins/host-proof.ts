// Keeps scripts running on pages that have changed what bundler and libraries take for granted: pages
// that let no policy be made, and pages that have given all objects more properties.

import type { Plugin } from 'vite';

const policy = /(\b\w+\.createPolicy\()"lit-html"(,\{.*?\}\))/;

/** The bundler's way to list what a module exports: it takes all that an object has, not its own. */
const listed = /for ?\((?:var|let|const) (\w+) in (\w+)\)(?= ?\w+\(\w+, ?\1, ?\{)/g;

/**
 * `name`: of the policy by which Lit makes templates. A host may forbid it, or have given its name away;
 * where it asks for none, Lit does without.
 */
export function hostProof(name = 'lit-html'): Plugin {
  return {
    name: 'host-proof',
    transform: {
      filter: { id: /\/lit-html\.js$/ },
      handler(code) {
        if (!policy.test(code)) this.error('Lit makes its policy otherwise now');
        return code.replace(policy, `(()=>{try{return $1"${name}"$2}catch{}})()`);
      },
    },
    generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk') continue;
        chunk.code = chunk.code.replace(listed, 'for(const $1 of Object.keys($2))');
      }
    },
  };
}
