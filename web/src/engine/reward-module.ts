// The wasm module of training by reward, as the binding exports it. Started once.

import start from '@core/reward.js';
import deflated from '@core/reward.wasm?deflated';
import type { Asked, RawOutcome } from './core.ts';
import type { Sweep } from './sampling.ts';
import type { Split } from './types.ts';
import { Lazy } from './lazy.ts';
import { started } from './start.ts';

interface RawReward extends Asked {
  estimateReward(): RawOutcome;
  axis(): Float64Array;
  sweepReward: Sweep;
  splitColumns(): readonly (keyof Split)[];
  splits(): { issues?: RawOutcome['issues']; splits: Float64Array };
}

export const rewardModule = new Lazy(async () => (await started(start, deflated)) as RawReward);
