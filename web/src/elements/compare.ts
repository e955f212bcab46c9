// What compares: with a state that the reader kept, and over all chips or models. Most readers ask
// for neither: what is behind comes when it is asked for.

import { html, nothing, type TemplateResult } from 'lit';
import { kept } from '../state/compare.ts';
import { isModelKind } from '../state/presentation.ts';
import { loadPart } from '../text/dictionary.ts';
import { disclosure } from './disclosure.ts';
import { hides } from './guess.ts';
import type { Results } from './results.ts';
import type { Scope } from './scope.ts';

/** Keeps the present state, and shows how the answers differ from those of the one that is kept. */
export function comparison(scope: Scope, results: Results): TemplateResult | typeof nothing {
  const { state, text } = scope;
  if (hides(scope, ...results.keys)) return nothing;
  if (state.pinned) void import('./compare/comparison.ts');
  return html`<section class="comparison" aria-labelledby=${state.pinned ? 'comparison' : nothing}>
    ${
      // What has no answers is not worth keeping.
      results.stale
        ? nothing
        : html`<button type="button" class="keep" @click=${() => keep(scope)}>
            ${state.pinned ? text.ui.keepNow : text.ui.keep}
          </button>`
    }
    ${state.pinned ? html`<scaling-comparison .scope=${scope}></scaling-comparison>` : nothing}
  </section>`;
}

async function keep({ actions, state, language }: Scope): Promise<void> {
  actions.go(kept(state));
  const { saidKept } = await loadPart(language, 'compare');
  actions.say(saidKept);
}

/** The same question for every chip, and for every model that it asks about. */
export function overviews(scope: Scope): TemplateResult {
  const { all } = scope.text.ui;
  return html`<section class="overviews" aria-labelledby="overviews">
    <h2 id="overviews">${all.title}</h2>
    ${(['chip', 'model'] as const)
      .filter((which) => asksAbout(scope, which))
      .map((which) =>
        disclosure(
          scope,
          {
            part: `panel all-${which}`,
            kind: 'panel',
            summary: html`<span class="title">${all[which]}</span>
              <span class="gist">${all[`${which}Gist`]}</span>`,
          },
          () => {
            void import('./compare/overview.ts');
            return html`<scaling-overview .scope=${scope} .which=${which}></scaling-overview>`;
          },
        ),
      )}
  </section>`;
}

/** Operations with sizes of their own have no model. */
function asksAbout(scope: Scope, which: 'chip' | 'model'): boolean {
  const { view } = scope.state;
  if (which === 'model' && view === 'operation') {
    return isModelKind(String(scope.value('operation.kind')));
  }
  return scope.description.questions[view].groups.includes(which);
}
