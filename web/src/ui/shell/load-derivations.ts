// Loads optional parts of a calculator on first use.

import type { Engine } from '../../engine/index.ts';
import { loadDerivations } from '../../model/evaluate.ts';
import type { DrawDerivation } from '../kit/scope.ts';

/** Derivations, and what draws them. */
export async function loadDerivationDrawing(engine: Engine): Promise<DrawDerivation> {
  const [{ drawDerivation: ladder }] = await Promise.all([
    import('../parts/derivation/derivation.ts'),
    loadDerivations(engine),
  ]);
  return ladder;
}
