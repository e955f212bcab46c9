import type { Engine } from '../../engine/index.ts';
import { partOf } from '../../i18n/dictionary.ts';
import type { Language } from '../../i18n/language.ts';
import { loadDerivations } from '../../model/evaluate.ts';
import type { DrawDerivation } from '../kit/render-context.ts';

/** Loads what explains answers and what draws and names that, when a reader first asks why. */
export async function loadDerivationDrawing(
  engine: Engine,
  language: Language,
): Promise<DrawDerivation> {
  const [{ drawDerivation }] = await Promise.all([
    import('../parts/derivation/derivation.ts'),
    loadDerivations(engine),
    partOf(language, 'sources').get(),
  ]);
  return drawDerivation;
}
