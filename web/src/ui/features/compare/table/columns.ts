// The columns of an overview: what stands large on the page, or what the reader picked, which the
// link holds.

import type { AnswerInfo } from '../../../../engine/index.ts';
import { evaluate, type Answer, type Answers } from '../../../../model/evaluate.ts';
import { spokenUnit } from '../../../../model/presentation.ts';
import { Results } from '../../../kit/results.ts';
import { viewOf } from '../../../parts/view.ts';
import type { RenderContext } from '../../../kit/render-context.ts';

export interface Columns {
  /** The answers that can be a column. */
  infos: ReadonlyMap<string, AnswerInfo>;
  shown: AnswerInfo[];
  /** The usual ones that are the same in every row. */
  common: ReadonlyMap<string, Answer>;
}

export const infosOf = ({ description, state }: RenderContext): ReadonlyMap<string, AnswerInfo> =>
  new Map(description.questions[state.view].answers.map((info) => [info.key, info]));

/** The answers that stand large on the page; where the present state has none, as for `any`. */
function usualOf(ctx: RenderContext, any: Answers | undefined): string[] {
  const reply = evaluate(ctx.engine, ctx.state);
  const answers = reply.ok ? reply.answers : any;
  if (!answers) return [];
  const results = new Results(ctx, answers, new Map(), false, false);
  return viewOf(ctx)
    .rows(ctx, results)
    .map(({ key }) => key)
    .filter((key) => results.absence(key) !== 'notApplicable' && !ctx.hides(key));
}

/** The answers that are the same in all rows. */
function commonOf(
  [first, ...others]: readonly Answers[],
  keys: readonly string[],
): ReadonlyMap<string, Answer> {
  if (!first || others.length === 0) return new Map();
  const said = (answer: Answer | undefined): unknown =>
    typeof answer === 'object' ? answer.absent : answer;
  return new Map(
    keys.flatMap((key) => {
      const same = others.every((answers) => said(answers[key]) === said(first[key]));
      return same ? [[key, first[key]!] as const] : [];
    }),
  );
}

/** `answers`: those of the rows; `whole`: there are no more to come. */
export function columnsOf(
  ctx: RenderContext,
  answers: readonly Answers[],
  whole: boolean,
): Columns {
  const infos = infosOf(ctx);
  const usual = usualOf(ctx, answers[0]);
  const picked = ctx.state.charts.columns?.split(',');
  const common = picked || !whole ? new Map<string, Answer>() : commonOf(answers, usual);
  const keys = picked
    ? [...usual, ...infos.keys()].filter((key) => picked.includes(key) && !ctx.hides(key))
    : usual.filter((key) => !common.has(key));
  return { infos, shown: [...new Set(keys)].map((key) => infos.get(key)!), common };
}

/** An answer in words. */
export function sayAnswer(
  ctx: RenderContext,
  info: AnswerInfo,
  answer: Answer | undefined,
): string {
  const { format, text } = ctx;
  if (answer === undefined) return '';
  if (typeof answer === 'number') return format.say(answer, spokenUnit(info));
  if (typeof answer === 'string') return ctx.choiceOfAnswer(info.key, answer);
  const absences: Record<string, string> = text.absences;
  return absences[answer.absent] ?? text.absences.notApplicable;
}
