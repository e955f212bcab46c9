import { evaluate } from '../../../../model/evaluate.ts';
import type { FieldId } from '../../../../model/fields.ts';
import type { InputGroup } from '../../../../model/presets.ts';
import { inputOf, waysOf, type State } from '../../../../model/state.ts';
import { expertsApart, isSparse } from '../../../kit/model-parts.ts';
import type { RenderContext } from '../../../kit/render-context.ts';
import type { Results } from '../../../kit/results.ts';
import type { Collection } from '../runs/collection.ts';
import { fixedUsers, formatOf, isSpeed, type Load, type Traits } from '../runs/run.ts';
import { servingCollection } from '../runs/serving-collection.ts';
import type { ServingMeasure } from '../runs/serving-data.ts';
import { firstWorths, speedWorths, tokenWorths } from './serving-worth.ts';
import type { Own } from '../runs/settings.ts';
import { otherChoices, type Predicted, type Subject } from './subject.ts';

const measures = { output: 'outputSpeed', token: 'tokenTime', first: 'firstToken' } as const;
const measureOf = (as: Own): ServingMeasure => measures[as as keyof typeof measures];

/** The field with the format of most weights: that of experts, where they have their own. */
const mostWeights = (ctx: RenderContext): FieldId =>
  expertsApart(ctx) ? 'server.expertWeights' : 'server.weights';

/** The traits of the servers that are asked about; undefined where their parameters are not known. */
export function traitsOfServing(ctx: RenderContext): (Traits & { chip: string }) | undefined {
  const { engine, state } = ctx;
  const reply = evaluate(engine, state);
  const bytes = reply.ok ? reply.answers['servingWeights'] : undefined;
  const each = reply.ok ? reply.answers['weightBits'] : undefined;
  if (typeof bytes !== 'number' || typeof each !== 'number') return undefined;
  const moe = isSparse(ctx);
  return {
    chip: state.chip,
    generation: String(ctx.value('chip.generation')),
    kind: moe ? 'moe' : 'dense',
    format: formatOf(String(ctx.value(mostWeights(ctx)))),
    chips: Number(ctx.value('serving.chips')),
    parameters: bytes / each,
    load: loadOf(ctx),
    ...fixedUsers(ctx.value('serving.load'), ctx.value('serving.users')),
  };
}

function predicted(results: Results, as: Own): Predicted | undefined {
  const measure = measureOf(as);
  const expected = results.number(measure);
  const [low, high, bound] = (['low', 'high', isSpeed(measure) ? 'upper' : 'lower'] as const).map(
    (kind) => results.bound(measure, kind),
  );
  if (!expected || !bound) return undefined;
  const from = low ?? expected;
  const to = high ?? expected;
  return isSpeed(measure)
    ? { lower: from, low: from, expected, high: to, upper: bound }
    : { lower: bound, low: from, expected, high: to, upper: to };
}

/** The question with the ways of its servers as they were found. */
function withWaysFixed({ description, state }: RenderContext): State {
  const fixed = (group: 'serving' | 'server'): InputGroup => {
    const ways = waysOf(description, group);
    const found = Object.entries(inputOf(description, state, group)).filter(
      ([key, value]) => ways.includes(key) && value !== null,
    );
    return { ...state.edits[group], ...Object.fromEntries(found) };
  };
  return {
    ...state,
    ways: undefined,
    edits: { ...state.edits, serving: fixed('serving'), server: fixed('server') },
  };
}

function loadOf(ctx: RenderContext): Load {
  if (ctx.value('serving.apart') === true) return 'split';
  const load = ctx.value('serving.load');
  if (load === 'static') return 'static';
  return load === 'most' ? 'inflight' : 'online';
}

/** Inputs that the reader of a measurement knows: formats that ran, and rates of the prediction. */
const known = ['weights', 'attentionWeights', 'expertWeights', 'headWeights', 'rates'];

/** Servers, of which one of three things was measured. */
export const servingSubject: Subject = {
  view: 'serving',
  own: ['output', 'token', 'first'],
  answers: { outputSpeed: 'outputSpeed', tokenTime: 'tokenTime', firstToken: 'firstToken' },
  collectionOf: (_, as) => servingCollection(measureOf(as)) as Collection,
  valueOf: (_, { value }) => value,
  predicted,
  call: (ctx, words) =>
    ctx.fill(words.server, {
      model: ctx.called('model'),
      chips: ctx.format.count(Number(ctx.value('serving.chips'))),
      chip: ctx.called('chip'),
      format: ctx.say(mostWeights(ctx), ctx.value(mostWeights(ctx))),
      load: words.loads[loadOf(ctx)],
    }),
  traitsOf: traitsOfServing,
  fixed: withWaysFixed,
  worths: (answers, as, gap) =>
    as === 'output'
      ? speedWorths(answers, gap > 0)
      : as === 'token'
        ? tokenWorths(answers, gap > 0)
        : firstWorths(answers, gap > 0),
  candidates: (ctx) =>
    otherChoices(
      ctx,
      withWaysFixed(ctx),
      ctx.description.groups.server
        .filter(({ key, kind }) => (kind === 'choice' || kind === 'flag') && !known.includes(key))
        .map(({ key }): FieldId => `server.${key}`)
        .filter((id) => ctx.applies(id)),
    ),
};
