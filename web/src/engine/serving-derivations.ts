// Derivations of serving.

import start from '@core/serving_derivations.js';
import packed from '@core/serving_derivations.wasm?packed';
import { startExplaining } from './explaining.ts';
import type { Derivations, Description } from './types.ts';

export const startDerivations = (description: Description): Promise<Derivations> =>
  startExplaining(start, packed, description);
