// Derivations of serving.

import start from '@core/serving_derivations.js';
import deflated from '@core/serving_derivations.wasm?deflated';
import { startExplaining } from './explaining.ts';
import type { Derivations, Description } from './types.ts';

export const startDerivations = (description: Description): Promise<Derivations> =>
  startExplaining(start, deflated, description);
