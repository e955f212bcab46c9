import { stepTime } from '../../../../number/unit.ts';
import type { RenderContext } from '../../../kit/render-context.ts';
import type { Collection } from './collection.ts';
import { runs, unpredicted, type TrainingRun, type Trainings } from './data.ts';
import { sayChoice } from './words.ts';
import { stateOf } from './open.ts';

/** The rate that a chip reaches over all matmuls. */
const sayRate = ({ format }: RenderContext, run: TrainingRun, seconds: number): string =>
  format.say(run.flops / seconds, 'FLOPs/s');

/** What collections of trainings have in common. */
export const ofTrainings = ({
  runs,
  unpredicted,
}: Trainings): Pick<
  Collection<TrainingRun>,
  'view' | 'runs' | 'others' | 'counts' | 'stateOf' | 'call' | 'asked'
> => ({
  view: 'plan',
  runs,
  others: unpredicted,
  counts: { all: runs.length + unpredicted.length, predicted: runs.length, shownOneIn: 1 },
  stateOf,
  call: (ctx, words, run) =>
    ctx.fill(words.run, {
      model: run.model,
      chips: ctx.format.count(run.chips),
      chip: sayChoice(ctx, words, 'chip', run.chip),
      format: run.precision,
    }),
  asked: (ctx, words, run) =>
    ctx.fill(words.details.batch, {
      batch: ctx.format.count(run.tokens),
      sequence: ctx.format.count(run.sequence),
    }),
});

/** How steps are told. */
export const inSteps: Pick<Collection<TrainingRun>, 'unit' | 'bounds' | 'say' | 'sayRate'> = {
  unit: stepTime,
  bounds: ['lower', 'upper'],
  say: (ctx, run, seconds) =>
    `${ctx.format.say(seconds, stepTime)} · ${sayRate(ctx, run, seconds)}`,
  sayRate,
};

export const training: Collection<TrainingRun> = {
  ...ofTrainings({ runs, unpredicted }),
  ...inSteps,
  measure: 'stepTime',
  choices: ['chip', 'generation', 'source', 'model', 'format', 'kind', 'stack'],
};
