// The planner: one layout's step, and the search for the best.

import { makeQuestionCodec, nameOf } from './asking.ts';
import { begin, suspend } from './plan-search.ts';
import { planReader, readStages, readTimeline } from './plan-rows.ts';
import { searchModule, type RawStart } from './search-module.ts';
import type { PlanAnswers } from './generated.ts';
import type { Description, Outcome, Planner } from './types.ts';

function indexOf<T>(names: readonly T[], name: T): number {
  const index = names.indexOf(name);
  if (index < 0) throw new RangeError(`the planner knows no ${nameOf(name)}`);
  return index;
}

export async function start(description: Description): Promise<Planner> {
  const module = await searchModule.get();
  const { answer, take } = makeQuestionCodec(description);
  const names = module.names();
  const { mapFields, levers } = names;
  const readPlans = planReader(names, description);

  /** Starts a search, once the one in the module is out of the way. */
  const start = <T extends RawStart>(input: unknown, ask: () => T) =>
    take(module, 'plan', input, () => {
      suspend(module);
      return ask();
    });

  return {
    estimate: (input) =>
      answer(module, 'plan', input, () => module.estimatePlan()) as Outcome<PlanAnswers>,
    stages: (input) =>
      take(module, 'plan', input, () => {
        const reply = module.stages();
        return reply.issues ? ({ issues: reply.issues } as never) : readStages(reply, names);
      }),
    timeline: (input) =>
      take(module, 'plan', input, () => {
        const reply = module.timeline();
        return reply.issues ? ({ issues: reply.issues } as never) : readTimeline(reply, names);
      }),
    search: (input, map = { x: 'tensor', y: 'pipeline' }) => {
      const x = indexOf(mapFields, map.x);
      const y = indexOf(mapFields, map.y);
      const started = start(input, () => module.startSearch(x, y));
      return started.ok ? { ok: true, search: begin(module, readPlans) } : started;
    },
    pull: (input, lever) => {
      const index = indexOf(levers, lever);
      const started = start(input, () => module.startPulled(index));
      if (!started.ok) return started;
      return { ok: true, search: started.begun ? begin(module, readPlans) : null };
    },
    scaled: (input, chips, weak = false) => {
      if (!(chips >= 1 && Number.isSafeInteger(chips))) {
        throw new RangeError(`not a number of chips: ${nameOf(chips)}`);
      }
      const started = start(input, () => module.startScaled(chips, weak));
      if (!started.ok) return started;
      const { begun, slices, batchTokens } = started;
      if (!begun) return { ok: true, search: null };
      return { ok: true, search: begin(module, readPlans), run: { chips, slices, batchTokens } };
    },
    levers,
  };
}
