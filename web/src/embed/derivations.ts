// Derivations lie in scripts of their own, for readers who ask why.

import type { Derivations, Description } from '../engine/index.ts';
import type { DerivationScript } from '../model/views.ts';
import { bringScript, registry } from './registry.ts';

/** Brings derivations by the script `embed-<name>.js`. */
export async function bringDerivations(
  name: DerivationScript,
  description: Description,
): Promise<Derivations> {
  if (!registry.derivations[name]) await bringScript(name);
  return registry.derivations[name]!(description);
}
