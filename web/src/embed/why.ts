// embed-why.js

import sources from 'virtual:source-titles';
import { startDerivations } from '../engine/derivations.ts';
import { ladder } from '../ui/parts/derivation/ladder.ts';
import { registry } from './registry.ts';

registry.derivations = startDerivations;
registry.draw = ladder;
registry.sources = sources;
