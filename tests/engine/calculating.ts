// The engine with what the page's searches and words need, for tests in Node: frames are timers.

import { afterAll, beforeAll, expect, vi } from 'vitest';
import { createEngine, type Engine } from '../../web/src/engine/index.ts';
import { loadDictionary, type Dictionary } from '../../web/src/i18n/dictionary.ts';
import { readAddress } from '../../web/src/link/address.ts';
import { Lazy } from '../../web/src/engine/lazy.ts';
import { pagePresets } from '../../web/src/model/page-presets.ts';
import type { State } from '../../web/src/model/state.ts';
import { Formatter } from '../../web/src/number/format.ts';
import {
  RenderContext,
  type Actions,
  type Features,
  type View,
} from '../../web/src/ui/kit/render-context.ts';
import { makeFinder } from '../../web/src/ui/views/plan/finder.ts';
import { best as bestBudget } from '../../web/src/ui/views/budget/reached.ts';
import { best as bestPlan, sides as sidesOfPlans } from '../../web/src/ui/views/plan/sides.ts';
import { onFewestForLoad } from '../../web/src/ui/views/serving/fewest-chips.ts';
import {
  best as bestServers,
  sides as sidesOfServers,
} from '../../web/src/ui/views/serving/sides.ts';

/** The views' declarations, without what draws them, which takes a page. */
const plan: Partial<View> = {
  finder: makeFinder,
  sides: sidesOfPlans,
  best: bestPlan,
  ways: 'layout',
};
const budget: Partial<View> = { best: bestBudget };
const serving: Partial<View> = {
  onFewestChips: onFewestForLoad,
  best: bestServers,
  sides: sidesOfServers,
  ways: 'serving',
};

export const features: Features = {
  views: new Map([
    ['plan', Lazy.of(plan as View)],
    ['serving', Lazy.of(serving as View)],
    ['budget', Lazy.of(budget as View)],
  ]),
  presets: pagePresets,
};

/** Prepares the engine before the tests of a file. `also` loads further modules. */
export function calculating(also?: (engine: Engine) => Promise<unknown>) {
  let engine: Engine;
  let dictionary: Dictionary;

  beforeAll(async () => {
    vi.stubGlobal('requestAnimationFrame', (then: () => void) => setTimeout(then, 0));
    vi.stubGlobal('cancelAnimationFrame', (timer: NodeJS.Timeout) => clearTimeout(timer));
    engine = await createEngine();
    await Promise.all([engine.planner(), engine.serving(), also?.(engine)]);
    dictionary = await loadDictionary('en');
  });
  afterAll(() => vi.unstubAllGlobals());

  return {
    get engine() {
      return engine;
    },
    /** The state that a link holds, which must be sound. */
    stateOf(link: string): State {
      const { state, problems } = readAddress(engine.describe(), link);
      expect(problems).toEqual([]);
      return state;
    },
    contextOf: (state: State): RenderContext =>
      new RenderContext({
        language: 'en',
        text: dictionary,
        format: new Formatter('en', dictionary.units),
        engine,
        features,
        state,
        open: new Set(),
        actions: {} as Actions,
      }),
  };
}
