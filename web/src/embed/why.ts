// embed-why.js

import sources from 'virtual:source-titles';
import { startDerivations } from '../engine/derivations.ts';
import { drawDerivation } from '../ui/parts/derivation/derivation.ts';
import { registry } from './registry.ts';

registry.derivations = startDerivations;
registry.draw = drawDerivation;
registry.sources = sources;
