// embed-serving-why.js

import { startDerivations } from '../engine/serving-derivations.ts';
import { offerDerivations } from './explain.ts';

offerDerivations('serving-why', startDerivations);
