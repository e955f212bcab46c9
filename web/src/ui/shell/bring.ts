// Loads optional parts of a calculator on first use.

import type { Engine } from '../../engine/index.ts';
import { bringDerivations } from '../../model/ask.ts';
import type { Ladder } from '../kit/scope.ts';

/** Derivations, and what draws them. */
export async function loadReasons(engine: Engine): Promise<Ladder> {
  const [{ ladder }] = await Promise.all([
    import('../parts/derivation/ladder.ts'),
    bringDerivations(engine),
  ]);
  return ladder;
}
