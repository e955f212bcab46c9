// State shared by the element's scripts. Each may be alone on a page, beside others, or twice.

import type { Derivations, Description } from '../engine/index.ts';
import { makePolicy, type Policy } from '../dom/script-policy.ts';
import type { MorePresets } from '../model/presets.ts';
import type { DrawDerivation } from '../ui/kit/render-context.ts';

/** Sources by language. */
export type Sources = Readonly<Record<string, Readonly<Record<string, string>>>>;

interface Registry {
  /** Scripts that were asked for, by name. */
  scripts: Map<string, Promise<void>>;
  /** Brought by the scripts of derivations, by their name: how to start and draw them, and their
   *  sources' titles. */
  derivations: Record<string, (description: Description) => Promise<Derivations>>;
  /** Brought by the script of the presets beside the first. */
  presets?: MorePresets;
  draw?: DrawDerivation;
  sources?: Sources;
  /** Strict hosts let each policy be made once: of addresses, and Lit's of templates. */
  addresses?: Policy | undefined;
  templates?: unknown;
}

const name = Symbol.for('scaling-calculator');
const place = globalThis as unknown as Record<symbol, Registry | undefined>;
export const registry: Registry = (place[name] ??= { scripts: new Map(), derivations: {} });

/** The script that is being run: others lie beside it, and are let in by the same nonce. */
const own = document.currentScript as HTMLScriptElement | null;
const nonce = own?.nonce;

/** The folder of the script, unless it was written into the page. */
export const home: URL | undefined = own?.src ? new URL('.', own.src) : undefined;

/** Strict hosts take addresses of scripts from known hands only. */
function trusted(url: string): string {
  registry.addresses ??= makePolicy((each) => each);
  return registry.addresses?.createScriptURL(url) ?? url;
}

/** Runs `embed-<name>.js`, which lies beside this script, unless the page already has. */
export function bringScript(name: string): Promise<void> {
  let bringing = registry.scripts.get(name);
  if (!bringing) {
    bringing = new Promise((resolve, reject) => {
      const file = `embed-${name}.js`;
      if (!home) {
        reject(new Error(`${file} is not on the page`));
        return;
      }
      const script = document.createElement('script');
      script.src = trusted(new URL(file, home).href);
      if (nonce) script.nonce = nonce;
      script.addEventListener('load', () => resolve());
      script.addEventListener('error', () => reject(new Error(`${file} was not loaded`)));
      document.head.append(script);
    });
    registry.scripts.set(name, bringing);
    // Another element may have more luck.
    bringing.catch(() => registry.scripts.delete(name));
  }
  return bringing;
}
