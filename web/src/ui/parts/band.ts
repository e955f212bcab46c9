import { rangeOf, type Range } from '../../model/bounds.ts';
import type { Answers } from '../../model/evaluate.ts';
import type { RenderContext } from '../kit/render-context.ts';

/** The range in which an answer of the present question likely lies, where it is known. */
export const bandOf = (
  { description, state }: RenderContext,
  key: string,
  answers: Answers,
): Range | undefined => rangeOf(description.questions[state.view], answers, key);
