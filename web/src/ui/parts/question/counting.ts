// How answers are counted: predicted, or as the book counts. Each is a view of the same question.

import { html, type TemplateResult } from 'lit';
import { withView } from '../../../model/state.ts';
import { predictedOf, views, type Question } from '../../../model/views.ts';
import type { RenderContext } from '../../kit/render-context.ts';

type Counting = 'predicted' | 'book';

/** The ways of counting, each with its view; none where there is but one. */
function countingsOf(view: Question): Readonly<Record<Counting, Question>> | undefined {
  const predicted = predictedOf(view) ?? view;
  const { book } = views[predicted];
  return book && { predicted, book };
}

/** Whether the view counts as the book does, and another predicts the same. */
export const countsAsBook = (view: Question): boolean => predictedOf(view) !== undefined;

export const isCounted = ({ state: { view } }: RenderContext): boolean =>
  countingsOf(view) !== undefined;

export const sayCounting = ({ state: { view }, text: { ui } }: RenderContext): string =>
  ui.counting[countsAsBook(view) ? 'book' : 'predicted'];

/** The switch between the ways of counting; what was entered stays. */
export function countingSwitch({ state, text, actions }: RenderContext): TemplateResult | string {
  const countings = countingsOf(state.view);
  if (!countings) return '';
  const { counting: words } = text.ui;
  const choices = Object.entries(countings).map(
    ([counting, view]) =>
      html`<button
        type="button"
        data-counting=${counting}
        aria-pressed=${view === state.view}
        @click=${() => actions.go(withView(state, view))}
      >
        ${words[counting as Counting]}
      </button>`,
  );
  return html`<span class="counting" role="group" aria-label=${words.label}
    >${choices[0]} <span aria-hidden="true">|</span> ${choices[1]}</span
  >`;
}
