// Derivations of trainings, operations and collectives.

import start from '@core/derivations.js';
import deflated from '@core/derivations.wasm?deflated';
import { startExplaining } from './explaining.ts';
import type { Derivations, Description } from './types.ts';

export const startDerivations = (description: Description): Promise<Derivations> =>
  startExplaining(start, deflated, description);
