// embed-why.js

import { startDerivations } from '../engine/derivations.ts';
import { offerDerivations } from './explain.ts';

offerDerivations('why', startDerivations);
