import { stepTime } from '../../../../number/unit.ts';
import type { RenderContext } from '../../../kit/render-context.ts';
import type { Collection } from './collection.ts';
import { runs, unpredicted, type TrainingRun } from './data.ts';
import { sayChoice } from './words.ts';
import { stateOf } from './open.ts';

/** The rate that a chip reaches over all matmuls. */
const sayRate = ({ format }: RenderContext, run: TrainingRun, seconds: number): string =>
  format.say(run.flops / seconds, 'FLOPs/s');

export const training: Collection<TrainingRun> = {
  measure: 'stepTime',
  view: 'plan',
  runs,
  others: unpredicted,
  counts: { all: runs.length + unpredicted.length, predicted: runs.length, shownOneIn: 1 },
  unit: stepTime,
  choices: ['chip', 'generation', 'source', 'model', 'format', 'kind', 'stack'],
  bounds: ['lower', 'upper'],
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
  say: (ctx, run, seconds) =>
    `${ctx.format.say(seconds, stepTime)} · ${sayRate(ctx, run, seconds)}`,
  sayRate,
};
