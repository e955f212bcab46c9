// The quiz of worked questions: an answer is hidden until the reader has guessed it.

import { writeAddress } from '../../../link/address.ts';
import type { State } from '../../../model/state.ts';
import type { RenderContext } from '../../kit/render-context.ts';

/** Parts of the page, by which it keeps what is open and what was answered. */
export const openPart = (id: string): string => `example ${id}`;
export const answeredPart = (id: string): string => `answered ${id}`;

const links = new WeakMap<State, string>();

/** The state as a link holds it, whatever the charts show and whatever it is compared with. */
export function linkOf({ description, state }: RenderContext): string {
  let link = links.get(state);
  if (link === undefined) {
    const { pinned: _, ...bare } = state;
    link = writeAddress(description, { ...bare, charts: {} });
    links.set(state, link);
  }
  return link;
}

/** A worked question, as far as it decides what is hidden. */
interface QuizQuestion {
  id: string;
  /** The answer that it asks for. */
  answer: string;
  /** The state that it is about. */
  link: string;
}

let examplesOf: ((ctx: RenderContext) => readonly QuizQuestion[]) | undefined;

/** Registers the worked questions once they have loaded. */
export function provideQuiz(examples: typeof examplesOf): void {
  examplesOf = examples;
}

/** The open question without a guess, if the page shows its state. */
function openQuestion(ctx: RenderContext): QuizQuestion | undefined {
  const { open } = ctx;
  const asked = examplesOf?.(ctx).find(
    ({ id }) => open.has(openPart(id)) && !open.has(answeredPart(id)),
  );
  return asked?.link === linkOf(ctx) ? asked : undefined;
}

/** Whether the quiz hides any of these answers. */
export function isHidden(ctx: RenderContext, ...answers: string[]): boolean {
  const answer = openQuestion(ctx)?.answer;
  return answer !== undefined && answers.includes(answer);
}

/** The book's note on an answer to the page's state, where it differs or needs a word. */
export function bookNote(ctx: RenderContext, answer: string): string | undefined {
  const notes: Partial<Record<string, Partial<Record<string, string>>>> = ctx.text.examples.notes;
  const note = notes[linkOf(ctx)]?.[answer];
  return note !== undefined && !isHidden(ctx, answer) ? note : undefined;
}
