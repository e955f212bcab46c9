// Shared by the scripts of derivations: how derivations are drawn, and their sources.

import sources from 'virtual:source-titles';
import type { DerivationScript } from '../model/views.ts';
import { drawDerivation } from '../ui/parts/derivation/derivation.ts';
import { registry } from './registry.ts';

/** Offers derivations under the name of the script that brings them. */
export function offerDerivations(
  script: DerivationScript,
  start: NonNullable<(typeof registry.derivations)[string]>,
): void {
  registry.derivations[script] = start;
  registry.draw = drawDerivation;
  registry.sources = sources;
}
