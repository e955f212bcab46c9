// Loads optional parts of a calculator on first use.

import type { Engine } from '../../engine/index.ts';
import { loadDerivations } from '../../model/evaluate.ts';
import type { Ladder } from '../kit/scope.ts';

/** Derivations, and what draws them. */
export async function loadReasons(engine: Engine): Promise<Ladder> {
  const [{ ladder }] = await Promise.all([
    import('../parts/derivation/ladder.ts'),
    loadDerivations(engine),
  ]);
  return ladder;
}
