// Tests of modules have all presets from the start, as a page has once its first answers stand there.

import { more } from '../web/src/model/more-presets.ts';
import { addPresets } from '../web/src/model/presets.ts';

addPresets(more);
