// Worked questions as answers show them: which answers their quiz hides, and the book's notes.

import { writeAddress } from '../../../link/address.ts';
import type { State } from '../../../model/state.ts';
import type { RenderContext } from '../../kit/render-context.ts';
import { provideQuiz } from '../../parts/answers/quiz.ts';

/** Parts of the page, by which it keeps what is open and what was answered. */
export const openPart = (id: string): string => `example ${id}`;
export const answeredPart = (id: string): string => `answered ${id}`;

const links = new WeakMap<State, string>();

/** The state as a link holds it, whatever the charts show and whatever it is compared with. */
export function linkOf({ description, state }: RenderContext): string {
  let link = links.get(state);
  if (link === undefined) {
    link = writeAddress(description, { ...state, pinned: undefined, charts: {} });
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
export const askWorked = (examples: typeof examplesOf): void => void (examplesOf = examples);

/** The open question without a guess, if the page shows its state. */
function openQuestion(ctx: RenderContext): QuizQuestion | undefined {
  const { open } = ctx;
  const asked = examplesOf?.(ctx).find(
    ({ id }) => open.has(openPart(id)) && !open.has(answeredPart(id)),
  );
  return asked?.link === linkOf(ctx) ? asked : undefined;
}

provideQuiz({
  hides(ctx, answers) {
    const answer = openQuestion(ctx)?.answer;
    return answer !== undefined && answers.includes(answer);
  },
  note(ctx, answer) {
    const notes: Partial<Record<string, Partial<Record<string, string>>>> = ctx.text.examples.notes;
    return notes[linkOf(ctx)]?.[answer];
  },
});
