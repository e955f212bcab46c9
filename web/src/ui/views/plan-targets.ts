// Targets for the answers of plans. The core searches other chips, batches and formats for their best
// layout; tokens and prices change none.

import type { FieldValue } from '../../engine/index.ts';
import { canEvaluate, inputsOf, loadedPlanner } from '../../model/evaluate.ts';
import type { InputGroup } from '../../model/presets.ts';
import { withLayoutBest } from '../../model/state.ts';
import { Stepping } from '../features/target/stepping.ts';
import { solvers } from '../features/target/turns.ts';

type Groups = Record<'chip' | 'model' | 'run' | 'layout', InputGroup>;

/** Fields with whose values another layout may be the best. */
const searched: readonly string[] = ['run.chips', 'run.batchTokens', 'layout.fp8Matmuls'];

solvers.plan = () =>
  new Stepping((ctx, target) => {
    const { description, engine, state } = ctx;
    if (!canEvaluate(state)) return undefined;
    const input = inputsOf(engine, state) as Groups;
    const begun = loadedPlanner().solve(input, target);
    const now = loadedPlanner().estimate(input);
    const mfu = now.ok ? Number(now.answers.mfu) : NaN;
    const training = trainingOf(input, mfu);
    return {
      begun,
      before: { 'run.mfu': mfu },
      // No plan has its MFU as an input.
      turned: (next, { field }) =>
        field === 'run.mfu'
          ? state
          : searched.includes(field)
            ? withLayoutBest(description, next)
            : next,
      explains: ({ field, value }) =>
        searched.includes(field) ? null : ['training', withValue(training, field, value), target],
    };
  });

/** The training that the plan is: it has its MFU, by the peak of the format that it computes in. */
const trainingOf = ({ chip, model, run, layout }: Groups, mfu: number) => ({
  chip,
  model,
  run: {
    ...run,
    mfu,
    computeFormat: layout['fp8Matmuls'] === true ? 'fp8' : run['computeFormat']!,
  },
});

function withValue<T extends object>(input: T, field: string, value: FieldValue): T {
  const [group, key] = field.split('.') as [keyof T, string];
  return { ...input, [group]: { ...input[group], [key]: value } };
}
