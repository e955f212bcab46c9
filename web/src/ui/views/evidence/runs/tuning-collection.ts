// The measured fine-tunings, by their steps and by their memory.

import type { RenderContext } from '../../../kit/render-context.ts';
import type { Collection } from './collection.ts';
import { trainingsOf, type TrainingRun } from './data.ts';
import type { RunChoice } from './settings.ts';
import type { TuningMeasure } from './run.ts';
import { inSteps, ofTrainings } from './training-collection.ts';
import { sayChoice } from './words.ts';
import memory from '../../../../../../shared/tuning-memory.json';
import steps from '../../../../../../shared/tuning-predictions.json';

const choices: readonly RunChoice[] = ['trained', 'chip', 'source', 'model', 'kind', 'stack'];

const sayBytes = ({ format }: RenderContext, _: TrainingRun, bytes: number): string =>
  format.say(bytes, 'B');

const call: Collection<TrainingRun>['call'] = (ctx, words, run) =>
  ctx.fill(words.tuned, {
    model: run.model,
    trained: sayChoice(ctx, words, 'trained', run.trained!),
    chips: ctx.format.count(run.chips),
    chip: sayChoice(ctx, words, 'chip', run.chip),
  });

export const tunings: Readonly<Record<TuningMeasure, Collection<TrainingRun>>> = {
  tuningStep: {
    ...ofTrainings(trainingsOf(steps)),
    ...inSteps,
    measure: 'tuningStep',
    choices,
    call,
  },
  tuningMemory: {
    ...ofTrainings(trainingsOf(memory)),
    measure: 'tuningMemory',
    unit: 'B',
    choices,
    bounds: [],
    call,
    say: sayBytes,
    sayRate: sayBytes,
  },
};
