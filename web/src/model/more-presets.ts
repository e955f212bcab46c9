// The presets that few first views need. Modules that go through all presets import this one, and
// then load after it.

import { more } from 'virtual:more-presets';
import { addPresets } from './presets.ts';

addPresets(more);
