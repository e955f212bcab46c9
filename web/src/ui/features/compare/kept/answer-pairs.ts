// The answers to two states, each with its counterpart.

import { toldOf } from '../../../../engine/told.ts';
import type { AnswerInfo } from '../../../../engine/index.ts';
import type { Cause } from '../../../../compare/reason.ts';
import type { Answer, Answers } from '../../../../model/evaluate.ts';
import { Results } from '../../../kit/results.ts';
import type { RenderContext } from '../../../kit/render-context.ts';
import { viewOf } from '../../../parts/view.ts';

/** An answer to both states. */
export interface Pair {
  info: AnswerInfo;
  before: Answer;
  now: Answer;
}

/** Answers by the keys of their infos, before and now. */
export interface BothAnswers {
  readonly before: Answers;
  readonly now: Answers;
}

export interface Pairs {
  /** Pairs that the page shows in large, in its order. */
  readonly large: Pair[];
  readonly others: Pair[];
  /** The keys of the parts of each large answer. */
  readonly parts: ReadonlyMap<string, readonly string[]>;
}

/** Parts whose sum differs from the whole by no more are all there are. */
const addsUp = 1e-6;

const isIdle = (answer: Answer): boolean =>
  typeof answer === 'object' && answer.absent === 'notApplicable';

/** Whether the two differ. */
export function isOther({ before, now }: Pair): boolean {
  if (typeof before === 'object' && typeof now === 'object') return before.absent !== now.absent;
  return before !== now;
}

/** Answers that neither state has are left out. */
export function pairsOf(ctx: RenderContext, { before, now }: BothAnswers): Pairs {
  const { answers } = ctx.description.questions[ctx.state.view];
  const results = new Results(ctx, now, new Map(), false, false);
  const rows = viewOf(ctx).rows(ctx, results);
  const large = rows.map(({ key }) => key);
  const pair = (info: AnswerInfo): Pair => ({
    info,
    before: before[info.key]!,
    now: now[info.key]!,
  });
  const asked = answers.map(pair).filter((each) => !(isIdle(each.before) && isIdle(each.now)));
  const place = ({ info }: Pair): number => large.indexOf(info.key);
  return {
    parts: new Map(rows.map(({ key, parts = [] }) => [key, parts])),
    large: asked.filter((each) => place(each) >= 0).sort((a, b) => place(a) - place(b)),
    others: asked.filter((each) => place(each) < 0),
  };
}

/** `keys` as parts of an answer if they add up to it, the part that changed most first. */
export function partsOf(
  { before, now }: BothAnswers,
  { info }: Pair,
  keys: readonly string[] = [],
): Cause[] {
  const value = (answers: Answers, key: string): number => {
    const answer = answers[key];
    return typeof answer === 'number' ? answer : 0;
  };
  const adds = [before, now].every((answers) => {
    const sum = keys.reduce((total, key) => total + value(answers, key), 0);
    return Math.abs(sum / value(answers, info.key) - 1) < addsUp;
  });
  if (!adds) return [];
  return keys
    .map((key): Cause => {
      const [from, to] = [value(before, key), value(now, key)];
      // A part of nothing is no part.
      const ends = { ...(from !== 0 && { from }), ...(to !== 0 && { to }) };
      return { kind: 'step', key, ...ends, ...toldOf(info), difference: to - from };
    })
    .filter(({ difference }) => difference !== 0)
    .sort((a, b) => Math.abs(b.difference) - Math.abs(a.difference));
}
