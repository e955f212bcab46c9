// Derivations of plans.

import start from '@core/plan_derivations.js';
import packed from '@core/plan_derivations.wasm?packed';
import { startExplaining } from './explaining.ts';
import type { Derivations, Description } from './types.ts';

export const startDerivations = (description: Description): Promise<Derivations> =>
  startExplaining(start, packed, description);
