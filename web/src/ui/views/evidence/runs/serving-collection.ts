import type { Collection } from './collection.ts';
import { sayChoice } from './words.ts';
import { isSpeed } from './run.ts';
import {
  counts,
  runsOf,
  unpredicted,
  type ServingMeasure,
  type ServingRun,
} from './serving-data.ts';
import { stateOfServing } from './open.ts';

const unitOf = (measure: ServingMeasure): string => (isSpeed(measure) ? 'tokens/s' : 's');

const sayIn =
  (unit: string): Collection<ServingRun>['say'] =>
  (ctx, _, value) =>
    ctx.format.say(value, unit);

const collections = new Map<ServingMeasure, Collection<ServingRun>>();

/** The measured servers of which this was measured. */
export function servingCollection(measure: ServingMeasure): Collection<ServingRun> {
  const found = collections.get(measure) ?? make(measure);
  collections.set(measure, found);
  return found;
}

const make = (measure: ServingMeasure): Collection<ServingRun> => ({
  measure,
  view: 'serving',
  runs: runsOf(measure),
  others: unpredicted,
  counts,
  unit: unitOf(measure),
  choices: ['chip', 'generation', 'source', 'model', 'format', 'kind', 'load', 'stack'],
  bounds: isSpeed(measure) ? ['upper'] : ['lower'],
  stateOf: stateOfServing,
  call: (ctx, words, run) =>
    ctx.fill(words.server, {
      model: run.model,
      chips: ctx.format.count(run.chips),
      chip: sayChoice(ctx, words, 'chip', run.chip),
      format: run.precision || words.formats[run.format],
      load: words.loads[run.load],
    }),
  asked: (ctx, words, run) => {
    const { serving } = run.groups;
    const count = (key: string): string => ctx.format.count(Number(serving[key]));
    const lengths = { prompt: count('promptTokens'), answer: count('answerTokens') };
    if (run.load === 'inflight') return ctx.fill(words.asked.most, lengths);
    if (serving['load'] === 'open') {
      return ctx.fill(words.asked.rate, { ...lengths, rate: count('requestRate') });
    }
    const users = Number(serving['users']);
    return ctx.fill(words.asked.users, { ...lengths, users: count('users') }, { users });
  },
  say: sayIn(unitOf(measure)),
  sayRate: sayIn(unitOf(measure)),
});
