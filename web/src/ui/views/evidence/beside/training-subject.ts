import type { Results } from '../../../kit/results.ts';
import type { RenderContext } from '../../../kit/render-context.ts';
import { trainsWeights } from '../../../kit/trained.ts';
import type { FieldId } from '../../../../model/fields.ts';
import { withLayoutFixed } from '../../../../model/state.ts';
import type { Collection } from '../runs/collection.ts';
import { otherChoices, type Predicted, type Subject } from './subject.ts';
import type { TrainingRun } from '../runs/data.ts';
import { training } from '../runs/training-collection.ts';
import { tunings } from '../runs/tuning-collection.ts';
import { traitsOf } from './traits.ts';
import { worths } from './worth.ts';

/** Tokens of a step. */
const tokensOf = (ctx: RenderContext): number => Number(ctx.value('run.batchTokens'));

function predicted(results: Results): Predicted | undefined {
  const [lower, low, expected, high, upper] = [
    'stepLower',
    'stepLow',
    'stepExpected',
    'stepHigh',
    'stepUpper',
  ].map((key) => results.number(key));
  if (!lower || !expected || !upper) return undefined;
  return { lower, low: low ?? lower, expected, high: high ?? upper, upper };
}

/** The measured steps of trainings, or of fine-tunings where adapters are trained. */
export const stepsOf = (ctx: RenderContext): Collection<TrainingRun> =>
  trainsWeights(ctx) ? training : tunings.tuningStep;

/** A plan, of which a step was measured. */
export const trainingSubject: Subject = {
  view: 'plan',
  own: ['step', 'speed'],
  answers: { stepTime: 'stepExpected' },
  collectionOf: (ctx) => stepsOf(ctx) as Collection,
  valueOf: (ctx, { as, value }) => (as === 'step' ? value : tokensOf(ctx) / value),
  otherwise: (ctx, { value }) => tokensOf(ctx) / value,
  predicted,
  /** The MFU of the measured step, counted as the plan's. */
  remark(ctx, words, results, seconds) {
    const mfu = results.number('mfuExact');
    const expected = results.number('stepExpected');
    if (mfu === undefined || expected === undefined) return '';
    return ctx.fill(words.own.mfu, { rate: ctx.format.say((mfu * expected) / seconds, '%') });
  },
  call: (ctx, words) =>
    ctx.fill(words.run, {
      model: ctx.called('model'),
      chips: ctx.format.count(Number(ctx.value('run.chips'))),
      chip: ctx.called('chip'),
      format: ctx.say('run.computeFormat', ctx.value('run.computeFormat')),
    }),
  traitsOf,
  fixed: (ctx) => withLayoutFixed(ctx.description, ctx.state),
  worths: (answers, _, gap) => worths(answers, gap > 0),
  candidates: (ctx) =>
    otherChoices(ctx, withLayoutFixed(ctx.description, ctx.state), [
      ...ctx.description.groups.stack.map(({ key }): FieldId => `stack.${key}`),
      'layout.recompute',
    ]),
};
