// Targets for the answers of plans: other chips, batches and formats are searched for their best
// layout; tokens and prices change none.

import type {
  Engine,
  FieldValue,
  Inputs,
  PlanSearch,
  Target,
  Turn,
} from '../../../engine/index.ts';
import { canEvaluate, inputsOf, runAt } from '../../../model/evaluate.ts';
import type { InputGroup } from '../../../model/presets.ts';
import { withLayoutBest } from '../../../model/state.ts';
import type { Forward } from '../../kit/forward.ts';
import type { RenderContext } from '../../kit/render-context.ts';
import { searchedInput } from './input.ts';
import { SearchPace } from './search-pace.ts';

type Groups = Record<'chip' | 'model' | 'run' | 'layout', InputGroup>;
type Outcome = Forward['now'];

const pace = new SearchPace();

/** Works on a search until its best is known, and ends it; yields after each call. */
function* searchedBest(search: PlanSearch): Generator<undefined, ReturnType<PlanSearch['chosen']>> {
  for (;;) {
    const { bestKnown, done } = pace.advance(search);
    if (bestKnown || done) {
      const chosen = search.chosen();
      search.end();
      return chosen;
    }
    yield;
  }
}

function withValue<T extends object>(input: T, field: string, value: FieldValue): T {
  const [group, key] = field.split('.') as [keyof T, string];
  return { ...input, [group]: { ...input[group], [key]: value } };
}

/** Asks a plan forward. */
export function planForward(ctx: RenderContext, target: Target): Forward | undefined {
  const { description, engine, state } = ctx;
  if (!canEvaluate(engine, state)) return undefined;
  const planner = engine.loaded('planner')!;
  const input = inputsOf(engine, state) as Groups;
  const open = searchedInput(engine, withLayoutBest(description, state)) as Inputs['plan'];
  const answer = (asked: object): Outcome => {
    const outcome = planner.estimate(asked as Inputs['plan']);
    return outcome.ok ? outcome.answers[target.answer as 'cost'] : undefined;
  };
  const own = planner.estimate(input as Inputs['plan']);
  const mfu = own.ok ? Number(own.answers.mfu) : NaN;
  const goodput = own.ok ? Number(own.answers.goodput) : NaN;
  // The training that the plan is: it has its MFU, by the peak of the format that it computes in.
  const training = { ...input, run: runAt(input, mfu) };
  return {
    now: answer(input),
    turns: mfuTurns(engine, training, target, goodput),
    *ask({ field, value, slices, divides }) {
      if (!divides) return answer(withValue(input, field, value));
      const there = withValue(open, field, value);
      const asked = slices === undefined ? there : withValue(there, 'run.slices', slices);
      const started = planner.search(asked);
      if (!started.ok) return undefined;
      const plan = yield* searchedBest(started.search);
      if (!plan) return undefined;
      return answer({ ...asked, layout: { ...asked.layout, ...plan.layout } });
    },
    found: {
      before: { 'run.mfu': mfu },
      // No plan has its MFU as an input.
      turned: (next, { field, divides }) =>
        field === 'run.mfu' ? state : divides ? withLayoutBest(description, next) : next,
      explains: ({ field, value, divides }) => {
        const alike = withoutFailures(target, goodput);
        return divides || !alike ? null : ['training', withValue(training, field, value), alike];
      },
    },
  };
}

/** Answers that are those of a training at the plan's MFU; of those with failures, which are in
 * proportion to those without, the answer without. */
const asTraining: Readonly<Record<string, string>> = {
  trainingTime: 'trainingTime',
  cost: 'cost',
  energy: 'energy',
  chipHours: 'chipHours',
  wallTime: 'trainingTime',
  wallCost: 'cost',
  wallChipHours: 'chipHours',
};

/** The target of a training without failures that comes to the same. */
function withoutFailures(target: Target, goodput: number): Target | undefined {
  const answer = asTraining[target.answer];
  if (answer === undefined) return undefined;
  if (answer === target.answer || target.wanted === 'is') return target;
  return { ...target, answer, value: target.value * goodput };
}

/** The MFU that would do, of what follows from it. */
function mfuTurns(engine: Engine, training: object, target: Target, goodput: number): Turn[] {
  const alike = withoutFailures(target, goodput);
  if (!alike) return [];
  const told = engine.loaded('targets')!.solve('training', training as never, alike);
  if (!told.ok) return [];
  const times = alike === target ? 1 : 1 / goodput;
  return told.turns
    .filter(({ field }) => field === 'run.mfu')
    .map((turn) =>
      typeof turn.reached === 'number' ? { ...turn, reached: turn.reached * times } : turn,
    );
}
