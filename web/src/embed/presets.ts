// embed-presets.js: the presets beside the first, with their sources.

import { chips, models } from 'virtual:preset-sources';
import { more } from 'virtual:more-presets';
import { registry } from './registry.ts';

registry.presets = { ...more, chipSources: chips, modelSources: models };
