// The presets as the page's own modules load them. Entries import the modules alone.

import { presetModules } from './preset-parts.ts';
import { laterPresets } from './presets.ts';

export const pagePresets = laterPresets(presetModules);
