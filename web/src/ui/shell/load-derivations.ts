import type { Engine } from '../../engine/index.ts';
import { loadDerivations } from '../../model/evaluate.ts';
import type { DrawDerivation } from '../kit/render-context.ts';

/** Loads what explains answers and what draws that, when a reader first asks why. */
export async function loadDerivationDrawing(engine: Engine): Promise<DrawDerivation> {
  const [{ drawDerivation }] = await Promise.all([
    import('../parts/derivation/derivation.ts'),
    loadDerivations(engine),
  ]);
  return drawDerivation;
}
