import { rangeOf, type Band } from '../../model/bounds.ts';
import type { Answers } from '../../model/evaluate.ts';
import type { RenderContext } from '../kit/render-context.ts';
import { viewOf } from './view.ts';

/** The range in which an answer of the present question likely lies, where it is known. */
export function bandOf(ctx: RenderContext, key: string, answers: Answers): ReturnType<Band> {
  const question = ctx.description.questions[ctx.state.view];
  const band = viewOf(ctx).sides?.facts.find((fact) => fact.key === key)?.band;
  return band ? band(answers, question) : rangeOf(question, answers, key);
}
