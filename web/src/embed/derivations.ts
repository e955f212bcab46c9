// Derivations lie in a script of their own, for readers who ask why.

import type { Derivations, Description } from '../engine/index.ts';
import { bringScript, registry } from './registry.ts';

export async function bringDerivations(description: Description): Promise<Derivations> {
  if (!registry.derivations) await bringScript('why');
  return registry.derivations!(description);
}
