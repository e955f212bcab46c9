// Derivations of trainings, operations and collectives.

import start from '@core/derivations.js';
import packed from '@core/derivations.wasm?packed';
import { startExplaining } from './explaining.ts';
import type { Derivations, Description } from './types.ts';

export const startDerivations = (description: Description): Promise<Derivations> =>
  startExplaining(start, packed, description);
