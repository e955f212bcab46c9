// Derivations of plans.

import start from '@core/plan_derivations.js';
import deflated from '@core/plan_derivations.wasm?deflated';
import { startExplaining } from './explaining.ts';
import type { Derivations, Description } from './types.ts';

export const startDerivations = (description: Description): Promise<Derivations> =>
  startExplaining(start, deflated, description);
