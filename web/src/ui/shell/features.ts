// What every calculator of the page's own modules has, also one in a frame or a post.

import { ownOnly } from '../../engine/bare.ts';
import { createEngine } from '../../engine/index.ts';
import { partOf } from '../../i18n/dictionary.ts';
import { pagePresets } from '../../model/page-presets.ts';
import { prices } from '../features/compare/compare.ts';
import { fixesAt } from '../parts/question/suggested-fixes.ts';
import { kernels, pageViews } from '../views/registry.ts';
import type { CalculatorFeatures } from './calculator.ts';

export const sharedFeatures: CalculatorFeatures = ownOnly({
  engine: createEngine,
  views: pageViews,
  presets: pagePresets,
  derivations: async (engine, language) => {
    const [{ drawDerivation }] = await Promise.all([
      import('../parts/derivation/derivation.ts'),
      engine.derivations(),
      partOf(language, 'sources').get(),
    ]);
    return drawDerivation;
  },
  sourceTitles: (language) => partOf(language, 'sources'),
  kernels,
  prices,
  fixesAt,
});
