// How answers are counted: predicted, or as the book counts.

import { html, type TemplateResult } from 'lit';
import { countingOf, countings, countingsOf } from '../../../model/state.ts';
import type { RenderContext } from '../../kit/render-context.ts';

export const isCounted = ({ state }: RenderContext): boolean => countingsOf(state) !== undefined;

export const sayCounting = ({ state, text: { ui } }: RenderContext): string =>
  ui.counting[countingOf(state)];

/** The switch between the ways of counting; what was entered stays. */
export function countingSwitch({ state, text, actions }: RenderContext): TemplateResult | string {
  const there = countingsOf(state);
  if (!there) return '';
  const { counting: words } = text.ui;
  const choices = countings.map(
    (counting) =>
      html`<button
        type="button"
        data-counting=${counting}
        aria-pressed=${counting === countingOf(state)}
        @click=${() => actions.go(there[counting])}
      >
        ${words[counting]}
      </button>`,
  );
  return html`<span class="counting" role="group" aria-label=${words.label}
    >${choices[0]} <span aria-hidden="true">|</span> ${choices[1]}</span
  >`;
}
