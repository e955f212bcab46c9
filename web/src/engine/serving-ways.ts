// The best way to divide the chips of servers: all ways are asked for, and the best is kept.

import type { ServingAnswers } from './generated.ts';
import type { Inputs, Outcome, ServingWays } from './types.ts';

type Input = Inputs['serving'];
type Key = keyof ServingWays;

/** Powers of two up to `most`, and `most` itself: what chips and heads are usually divided by. */
function upTo(most: number): number[] {
  const ways: number[] = [];
  for (let each = 1; each <= most; each *= 2) ways.push(each);
  if (most >= 1 && ways.at(-1) !== most) ways.push(most);
  return ways;
}

/** Servers larger than this gain nothing that more servers would not give. */
const mostServerChips = 256;
const mostStages = 16;

/** How good a division is: whether it holds the load, how fast it answers, how soon it begins. */
interface Score {
  fits: boolean;
  keepsUp: boolean;
  speed: number;
  first: number;
  weights: number;
}

/** What differs by less is as good. */
const asGood = 1e-9;

const numberOf = (value: unknown, otherwise: number): number =>
  typeof value === 'number' && Number.isFinite(value) ? value : otherwise;

const scoreOf = (answers: ServingAnswers): Score => ({
  fits: answers.servingFits === 'yes',
  keepsUp: answers.saturated !== 'yes',
  speed: numberOf(answers.outputSpeed, 0),
  first: numberOf(answers.answerTime, Infinity),
  weights: numberOf(answers.weightsOnChip, Infinity),
});

function isBetter(one: Score, other: Score): boolean {
  if (one.fits !== other.fits) return one.fits;
  if (!one.fits) return one.weights < other.weights * (1 - asGood);
  if (one.keepsUp !== other.keepsUp) return one.keepsUp;
  if (Math.abs(one.speed - other.speed) > asGood * other.speed) return one.speed > other.speed;
  return one.first < other.first * (1 - asGood);
}

/** The ways that the input leaves out, chosen; the others as they are given. */
export function bestWays(
  input: Input,
  estimate: (input: Input) => Outcome<ServingAnswers>,
): ServingWays {
  const given = { ...input.serving };
  const { model = {} } = input;
  const fixed = (key: Key): number[] | undefined => {
    const value = given[key];
    return typeof value === 'number' ? [value] : undefined;
  };
  const all = Math.floor(numberOf(given.chips, 8));
  const first = given.apart === true ? numberOf(given.prefillChips, 1) : 0;
  const chips = Math.max(1, Math.min(mostServerChips, all - first));
  const sparse = numberOf(model.experts, 0) > 0;
  const heads = numberOf(model.heads, 1);
  const layers = numberOf(model.layers, 1);

  const waysWith = (pipelines: readonly number[]): ServingWays[] => {
    const found: ServingWays[] = [];
    for (const pipeline of pipelines) {
      for (const tensor of fixed('tensor') ?? upTo(Math.min(heads, chips))) {
        for (const attentionData of fixed('attentionData') ?? (sparse ? upTo(chips) : [1])) {
          if (tensor * attentionData * pipeline > chips) continue;
          const beside = tensor * attentionData;
          const experts = sparse && beside <= numberOf(model.experts, 0) ? [1, beside] : [1];
          for (const expert of fixed('expert') ?? new Set(experts)) {
            found.push({ tensor, attentionData, expert, pipeline });
          }
        }
      }
    }
    return found;
  };

  let best: { ways: ServingWays; score: Score } | undefined;
  const ask = (candidates: ServingWays[]): void => {
    for (const ways of candidates) {
      const outcome = estimate({ ...input, serving: { ...given, ...ways } });
      if (!outcome.ok) continue;
      const score = scoreOf(outcome.answers);
      if (!best || isBetter(score, best.score)) best = { ways, score };
    }
  };
  ask(waysWith(fixed('pipeline') ?? [1]));
  // Stages take turns: they are worth it where the weights fit no other way.
  if (!best?.score.fits && !fixed('pipeline')) {
    ask(waysWith(upTo(Math.min(mostStages, layers, chips)).filter((stages) => stages > 1)));
  }
  return (
    best?.ways ?? {
      tensor: fixed('tensor')?.[0] ?? 1,
      attentionData: fixed('attentionData')?.[0] ?? 1,
      expert: fixed('expert')?.[0] ?? 1,
      pipeline: fixed('pipeline')?.[0] ?? 1,
    }
  );
}
