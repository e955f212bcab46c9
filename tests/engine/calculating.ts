// The engine with what the page's searches and words need, for tests in Node: frames are timers.

import { afterAll, beforeAll, expect, vi } from 'vitest';
import { createEngine, type Engine } from '../../web/src/engine/index.ts';
import { loadDictionary, type Dictionary } from '../../web/src/i18n/dictionary.ts';
import { readAddress } from '../../web/src/link/address.ts';
import { loadServing } from '../../web/src/model/divide-servers.ts';
import { loadModule, provideFinder } from '../../web/src/model/evaluate.ts';
import type { State } from '../../web/src/model/state.ts';
import { Formatter } from '../../web/src/number/format.ts';
import { RenderContext, type Actions } from '../../web/src/ui/kit/render-context.ts';
import { makeFinder } from '../../web/src/ui/views/plan/finder.ts';

/** Prepares the engine before the tests of a file. `also` loads further modules. */
export function calculating(also?: (engine: Engine) => Promise<unknown>) {
  let engine: Engine;
  let dictionary: Dictionary;

  beforeAll(async () => {
    vi.stubGlobal('requestAnimationFrame', (then: () => void) => setTimeout(then, 0));
    vi.stubGlobal('cancelAnimationFrame', (timer: NodeJS.Timeout) => clearTimeout(timer));
    engine = await createEngine();
    await Promise.all([loadModule(engine, 'planner'), loadServing(engine), also?.(engine)]);
    provideFinder('plan', makeFinder);
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
      new RenderContext(
        'en',
        dictionary,
        new Formatter('en', dictionary.units),
        engine,
        state,
        [],
        [],
        new Map(),
        new Set(),
        {} as Actions,
      ),
  };
}
