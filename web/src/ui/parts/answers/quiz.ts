// The quiz of worked questions: an answer is hidden until the reader has guessed it. Only the page
// has it.

import type { RenderContext } from '../../kit/render-context.ts';

interface Quiz {
  /** Whether it hides any of these answers. */
  hides(ctx: RenderContext, answers: readonly string[]): boolean;
  /** The book's note on an answer to the page's state, where it differs or needs a word. */
  note(ctx: RenderContext, answer: string): string | undefined;
}

let quiz: Quiz | undefined;
export const provideQuiz = (given: Quiz): void => void (quiz = given);

export const isHidden = (ctx: RenderContext, ...answers: string[]): boolean =>
  quiz?.hides(ctx, answers) ?? false;

export const bookNote = (ctx: RenderContext, answer: string): string | undefined =>
  isHidden(ctx, answer) ? undefined : quiz?.note(ctx, answer);
