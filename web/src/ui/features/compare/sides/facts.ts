// The facts of each side, and the reasons why it differs from the first.

import { splitId } from '../../../../model/fields.ts';
import type { PartTexts } from '../../../../i18n/dictionary.ts';
import type { AnswerInfo, Derivation, Expression, Step } from '../../../../engine/index.ts';
import { reasonOf } from '../../../../compare/causes.ts';
import type { Cause } from '../../../../compare/reason.ts';
import { hasRange } from '../../../../model/bounds.ts';
import type { Answers } from '../../../../model/evaluate.ts';
import { inputOf, type State } from '../../../../model/state.ts';
import type { Asked } from '../asking.ts';
import { limitsOf, type Most } from './limits.ts';
import type { Question } from '../../../../model/views.ts';
import type { RenderContext, View } from '../../../kit/render-context.ts';
import { chipsOf } from '../../../kit/title.ts';

export const numberOf = (answers: Answers, key: string): number | undefined => {
  const answer = answers[key];
  return typeof answer === 'number' ? answer : undefined;
};

/** What the view of a question tells of its sides. */
type SidesOf = Required<View>['sides'];

/** The sides of a view; a state that is kept beside others may have one without. */
export const sidesOfView = (
  { features }: RenderContext,
  { view }: { view: Question },
): SidesOf | undefined => features.views.get(view)?.value?.sides;

/** Those of the question itself, whose sides stand beside each other. */
export const ownSides = (ctx: RenderContext): SidesOf => sidesOfView(ctx, ctx.state)!;

/** The facts of a question in their order; those that readers picked in place of them. */
export function factsOf(ctx: RenderContext): { key: string; info: AnswerInfo; hasBand: boolean }[] {
  const { view, charts } = ctx.state;
  const question = ctx.description.questions[view];
  const infos = new Map(question.answers.map((info) => [info.key, info]));
  const usual = ownSides(ctx).facts;
  const picked = charts.columns?.split(',');
  const keys = picked ? [...infos.keys()].filter((key) => picked.includes(key)) : undefined;
  return (keys ?? usual).flatMap((key) => {
    const info = infos.get(key);
    return info ? [{ key, info, hasBand: hasRange(question, key) }] : [];
  });
}

/** The answers that tell which side is best: the less, the better. */
export function timeAndCost(ctx: RenderContext): readonly [time: string, cost: string] {
  const { time, cost } = ownSides(ctx);
  return [time, cost];
}

/** Whether the side holds its model. */
export const fits = (ctx: RenderContext, state: State, answers: Answers): boolean =>
  sidesOfView(ctx, state)?.fits(answers) ?? true;

export const chipsIn = (ctx: RenderContext, state: State): number => {
  const [group, key] = splitId(chipsOf(state));
  return Number(inputOf(ctx.description, state, group)[key]);
};

/** Whether the side holds its model, and keeps up with what is asked of it. */
export const holds = (ctx: RenderContext, { state, reply }: Asked): boolean =>
  reply?.ok === true &&
  fits(ctx, state, reply.answers) &&
  (sidesOfView(ctx, state)?.holds?.(ctx.description, state)(reply) ?? true);

/** Whether a side keeps the limits that readers have set, unless these only mark the chart. */
export function keepsLimits(
  ctx: RenderContext,
  { state, reply }: Asked,
  { time, cost }: Most,
): boolean {
  const sides = sidesOfView(ctx, state);
  if (!reply?.ok || !sides?.keepsLimits) return true;
  const keeps = (key: string, most: number | undefined): boolean => {
    const value = numberOf(reply.answers, key);
    return most === undefined || (value !== undefined && value <= most);
  };
  return keeps(sides.time, time) && keeps(sides.cost, cost);
}

/** Whether the side does what is asked of it. */
export const qualifies = (ctx: RenderContext, asked: Asked): boolean =>
  holds(ctx, asked) && keepsLimits(ctx, asked, limitsOf(ctx));

/** Says what a side fails to do of what is asked of it. */
export function fallsShort(
  ctx: RenderContext,
  words: PartTexts<'sides'>,
  { state, reply }: Asked,
): string {
  const answers = reply?.ok ? reply.answers : {};
  if (!fits(ctx, state, answers)) return words.tooLarge;
  return sidesOfView(ctx, state)?.isOverloaded?.(answers) ? words.overloaded : words.missesTargets;
}

// ---- why a side differs

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
 * The parts of an answer, as readers know them: a training's time of its steps and what one waits for,
 * its cost of time, chips and price.
 */
export function madeOf(
  ctx: RenderContext,
  { state, reply }: Asked,
  key: string,
): Derivation | undefined {
  const sides = sidesOfView(ctx, state);
  if (!reply?.ok || !sides) return undefined;
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
  const { parts, rate, repeated } = sides;
  const time = (): Expression => {
    if (!repeated) return sum(parts, number(sides.time));
    const { step: one, count, share } = repeated;
    const each = define(one, sum(parts, number(one)));
    const times = define(count, plain(number(count)));
    const longer = define(share, plain(1 / number(share)));
    return product([times, each, longer], number(sides.time));
  };
  if (key === sides.time) {
    const top = step(key, time());
    return { key, steps: [top, ...steps] };
  }
  if (key !== sides.cost) return undefined;
  const { price } = inputOf(ctx.description, state, 'chip');
  const hour = numberOf(answers, 'chipHourPrice') ?? Number(price ?? 0);
  const factors = [
    define('price', plain(hour)),
    define('chips', plain(chipsIn(ctx, state))),
    rate ? define(rate, plain(number(rate) ** -1)) : define(sides.time, time()),
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
