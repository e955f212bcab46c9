// Tests of modules have all presets from the start, as a page has once its first answers stand there.

import '../web/src/model/more-presets.ts';
