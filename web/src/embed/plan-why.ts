// embed-plan-why.js

import { startDerivations } from '../engine/plan-derivations.ts';
import { offerDerivations } from './explain.ts';

offerDerivations('plan-why', startDerivations);
