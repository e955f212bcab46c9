// The facts of each side, and the reasons why it differs from the first.

import { splitId } from '../../../model/fields.ts';
import type { PartTexts } from '../../../i18n/dictionary.ts';
import type {
  AnswerInfo,
  Derivation,
  Expression,
  QuestionInfo,
  Step,
} from '../../../engine/index.ts';
import { reasonOf } from '../../../compare/causes.ts';
import type { Cause } from '../../../compare/reason.ts';
import { boundOf, rangeOf } from '../../../model/bounds.ts';
import type { Answers } from '../../../model/evaluate.ts';
import { holdsLoadOf } from '../../../model/fewest-chips.ts';
import { inputOf, type State } from '../../../model/state.ts';
import type { Asked } from './asking.ts';
import { limitsOf, type Most } from './sides-limits.ts';
import type { RenderContext } from '../../kit/render-context.ts';
import { chipsOf } from '../../kit/title.ts';

export const numberOf = (answers: Answers, key: string): number | undefined => {
  const answer = answers[key];
  return typeof answer === 'number' ? answer : undefined;
};

/** The band in which an answer of a question is likely to lie. */
type Band = (
  answers: Answers,
  question: QuestionInfo,
) => readonly [low: number, high: number] | undefined;

/** An answer of a side. */
interface Fact {
  key: string;
  /** Its band, if it is not bounded itself. */
  band?: Band;
}

/** The band of what is in proportion to a step's time. */
export const scaled =
  (key: string): Band =>
  (answers, question) => {
    const band = rangeOf(question, answers, 'stepExpected');
    const value = numberOf(answers, key);
    const step = numberOf(answers, 'stepExpected');
    if (!band || value === undefined || !step) return undefined;
    return [(value * band[0]) / step, (value * band[1]) / step];
  };

/** The band of a price, which is inverse to how fast answers come. */
const perAnswer: Band = (answers, question) => {
  const band = rangeOf(question, answers, 'outputSpeed');
  const [value, speed] = ['costOutput', 'outputSpeed'].map((key) => numberOf(answers, key));
  if (!band || value === undefined || !speed || band[0] <= 0) return undefined;
  return [(value * speed) / band[1], (value * speed) / band[0]];
};

const facts: Readonly<Record<string, readonly Fact[]>> = {
  plan: [
    { key: 'wallTime', band: scaled('wallTime') },
    { key: 'wallCost', band: scaled('wallCost') },
    { key: 'stepExpected' },
    { key: 'mfu' },
    { key: 'memoryUsed' },
    { key: 'planBound' },
    { key: 'energy' },
  ],
  training: ['trainingTime', 'cost', 'stepTime', 'memoryPerChip', 'bound', 'energy'].map((key) => ({
    key,
  })),
  serving: [
    { key: 'tokenTime' },
    { key: 'costOutput', band: perAnswer },
    { key: 'firstToken' },
    { key: 'outputSpeed' },
    { key: 'outputSpeedPerChip' },
    { key: 'memoryOfLoad' },
    { key: 'decodeBound' },
    { key: 'tokensPerJoule' },
  ],
};

/** The facts of a question in their order; those that readers picked in place of them. */
export function factsOf(
  ctx: RenderContext,
): { key: string; info: AnswerInfo; hasBand: boolean; band(answers: Answers): ReturnType<Band> }[] {
  const { view, charts } = ctx.state;
  const question = ctx.description.questions[view];
  const infos = new Map(question.answers.map((info) => [info.key, info]));
  const usual = facts[view] ?? [];
  const picked = charts.columns?.split(',');
  const keys = picked ? [...infos.keys()].filter((key) => picked.includes(key)) : undefined;
  const wanted = keys?.map((key) => usual.find((each) => each.key === key) ?? { key }) ?? usual;
  return wanted.flatMap((fact) => {
    const info = infos.get(fact.key);
    if (!info) return [];
    const hasBand = fact.band !== undefined || boundOf(question, fact.key, 'low') !== undefined;
    return [{ key: fact.key, info, hasBand, band: (answers) => bandOf(ctx, fact.key, answers) }];
  });
}

/** The answers that tell which side is best: the less, the better. */
export const timeAndCost = ({ view }: State): readonly [time: string, cost: string] =>
  view === 'serving'
    ? ['tokenTime', 'costOutput']
    : view === 'plan'
      ? ['wallTime', 'wallCost']
      : ['trainingTime', 'cost'];

/** Whether the side holds its model. */
export const fits = ({ view }: State, answers: Answers): boolean =>
  (view === 'serving' ? answers['servingFits'] : (answers['fits'] ?? 'yes')) === 'yes';

export const chipsIn = (ctx: RenderContext, state: State): number => {
  const [group, key] = splitId(chipsOf(state));
  return Number(inputOf(ctx.description, state, group)[key]);
};

/** Whether the side holds its model, and servers their load and targets. */
export const holds = ({ description }: RenderContext, { state, reply }: Asked): boolean =>
  reply?.ok === true &&
  fits(state, reply.answers) &&
  (state.view !== 'serving' || holdsLoadOf(description, state)(reply));

/** Whether a plan keeps the limits that readers have set; those of servers only mark the chart. */
export function keepsLimits({ state, reply }: Asked, { time, cost }: Most): boolean {
  if (!reply?.ok || state.view !== 'plan') return true;
  const [times, costs] = timeAndCost(state).map((key) => numberOf(reply.answers, key));
  const keeps = (value: number | undefined, most: number | undefined): boolean =>
    most === undefined || (value !== undefined && value <= most);
  return keeps(times, time) && keeps(costs, cost);
}

/** Whether the side does what is asked of it. */
export const qualifies = (ctx: RenderContext, asked: Asked): boolean =>
  holds(ctx, asked) && keepsLimits(asked, limitsOf(ctx.state));

/** Says what a side fails to do of what is asked of it. */
export function fallsShort(words: PartTexts<'sides'>, { state, reply }: Asked): string {
  const answers = reply?.ok ? reply.answers : {};
  if (!fits(state, answers)) return words.tooLarge;
  const overloaded = state.view === 'serving' && answers['meetsTargets'] !== 'no';
  return overloaded ? words.overloaded : words.missesTargets;
}

/** Whether a reader has said how fast answers have to come. */
export function hasTargets({ description, state }: RenderContext): boolean {
  if (state.view !== 'serving') return false;
  const { firstTarget, tokenTarget } = inputOf(description, state, 'serving');
  return (firstTarget ?? tokenTarget ?? null) !== null;
}

/** The band of an answer by its key. */
export function bandOf(
  { description, state }: RenderContext,
  key: string,
  answers: Answers,
): ReturnType<Band> {
  const question = description.questions[state.view];
  const band = facts[state.view]?.find((fact) => fact.key === key)?.band;
  return band ? band(answers, question) : rangeOf(question, answers, key);
}

// ---- why a side differs

/** The parts of a plan's step, by the answers that they are made of. */
const stepParts: Readonly<Record<string, readonly string[]>> = {
  computing: ['timeForward', 'timeBackward'],
  recompute: ['timeRecompute'],
  tensor: ['exposedTensor'],
  context: ['exposedContext'],
  expert: ['exposedExpert'],
  data: ['exposedData'],
  pipeline: ['exposedPipeline'],
  bubble: ['timeBubble'],
  optimizer: ['timeOptimizer'],
  host: ['exposedHost'],
  launch: ['timeLaunch'],
  overhead: ['timeOverhead'],
};

const decodeParts = [
  'decodeMatmuls',
  'decodeExperts',
  'decodeAttention',
  'decodeNetwork',
  'decodeElementwise',
  'decodeHead',
  'decodeLaunches',
];

const plain = (value: number): Expression => ({ op: 'number', value, unit: '' });
const named = (key: string, value: number): Expression => ({ op: 'step', key, value, unit: '' });
const step = (key: string, expression: Expression): Step => ({
  key,
  symbol: '',
  unit: expression.unit,
  value: expression.value,
  source: '',
  expression,
});
const product = (args: Expression[], value: number): Expression => {
  const rest = value / args.reduce((total, each) => total * each.value, 1);
  return { op: 'multiply', value, unit: '', args: [...args, plain(rest)] };
};

/**
 * The parts of an answer of a plan or of servers, as readers know them: a training's time
 * of its steps and what one waits for, its cost of time, chips and price.
 */
export function madeOf(
  ctx: RenderContext,
  { state, reply }: Asked,
  key: string,
): Derivation | undefined {
  if (!reply?.ok) return undefined;
  const { answers } = reply;
  const value = numberOf(answers, key);
  if (value === undefined) return undefined;
  const number = (each: string): number => numberOf(answers, each) ?? 0;
  const steps: Step[] = [];
  const define = (name: string, expression: Expression): Expression => {
    steps.push(step(name, expression));
    return named(name, expression.value);
  };
  /** Parts that don't add up to the whole leave a rest, which is a part of its own. */
  const sum = (all: Readonly<Record<string, readonly string[]>>, whole: number): Expression => {
    const parts = Object.entries(all).map(([name, keys]) => {
      const seconds = keys.reduce((total, each) => total + number(each), 0);
      return define(name, plain(seconds));
    });
    const rest = whole - parts.reduce((total, part) => total + part.value, 0);
    const told = Math.abs(rest) > 1e-9 * Math.abs(whole) ? rest : 0;
    return { op: 'add', value: whole, unit: '', args: [...parts, define('rest', plain(told))] };
  };
  const time = (): Expression => {
    if (state.view === 'serving') {
      const all = Object.fromEntries(decodeParts.map((each) => [each, [each]]));
      return sum(all, number('tokenTime'));
    }
    const one = define('stepExpected', sum(stepParts, number('stepExpected')));
    const steps = define('steps', plain(number('steps')));
    // Failures lengthen each step by as much.
    const failures = define('goodput', plain(1 / number('goodput')));
    return product([steps, one, failures], number('wallTime'));
  };
  const [times, costs] = timeAndCost(state);
  if (key === times) {
    const top = step(key, time());
    return { key, steps: [top, ...steps] };
  }
  if (key !== costs) return undefined;
  const { price } = inputOf(ctx.description, state, 'chip');
  const hour = numberOf(answers, 'chipHourPrice') ?? Number(price ?? 0);
  const factors = [
    define('price', plain(hour)),
    define('chips', plain(chipsIn(ctx, state))),
    state.view === 'serving'
      ? define('outputSpeed', plain(number('outputSpeed') ** -1))
      : define(times, time()),
  ];
  return { key, steps: [step(key, product(factors, value)), ...steps] };
}

/** The parts by which an answer differs from that of the first side, the largest first. */
export function whyOther(
  ctx: RenderContext,
  first: Asked,
  other: Asked,
  key: string,
): { difference: number; causes: readonly Cause[] } | undefined {
  const [before, after] = [madeOf(ctx, first, key), madeOf(ctx, other, key)];
  const reason = before && after && reasonOf(before, after);
  if (!reason) return undefined;
  return { difference: reason.to - reason.from, causes: reason.causes };
}
