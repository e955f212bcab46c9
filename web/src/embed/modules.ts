// element.js, beside embed.js: the page's own modules, as the element imports them.

import { define } from '../dom/define.ts';
import type { Question } from '../model/views.ts';
import { partOf } from '../i18n/dictionary.ts';
import type { Language } from '../i18n/language.ts';
import { preload } from '../ui/views/preload.ts';

export { presetModules } from '../model/preset-parts.ts';

/** Defines the calculator that has all views; what this one needs loads beside it. */
export async function defineWhole(view: Question, language: Language): Promise<void> {
  preload(language, view);
  define('scaling-calculator-whole', (await import('./whole.ts')).Whole);
}

/** Derivations, and what draws them. */
export async function derivations() {
  const [{ createEngine }, { drawDerivation }] = await Promise.all([
    import('../engine/index.ts'),
    import('../ui/parts/derivation/derivation.ts'),
  ]);
  const engine = await createEngine();
  return { derivations: await engine.derivations(), drawDerivation };
}

/** Titles of the sources that derivations name. */
export const sourceTitles = (language: Language) => partOf(language, 'sources');
