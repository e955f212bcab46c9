// The best ways to divide servers, where a state leaves them open.

import type { Engine } from '../../../engine/index.ts';
import { groupsOf, loadedServing, provideCompletion } from '../../../model/evaluate.ts';
import type { State } from '../../../model/state.ts';

type Input = Parameters<ReturnType<typeof loadedServing>['divide']>[0];

/** The state with the best ways of its servers. */
function withWays(engine: Engine, state: State): State {
  const { ways: known, ...open } = state;
  const inputs = groupsOf(engine, open);
  const of = JSON.stringify(inputs);
  if (known?.of === of) return state;
  const given = Object.entries(inputs.serving ?? {}).filter(([, value]) => value !== null);
  const fields = loadedServing().divide({ ...inputs, serving: Object.fromEntries(given) } as Input);
  return { ...state, ways: { of, fields: { ...fields } } };
}

provideCompletion('serving', withWays);
