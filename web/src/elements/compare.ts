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

const heavy = {
  comparison: () => import('./compare/comparison.ts'),
  overview: () => import('./compare/overview.ts'),
};
/** What did not come. */
const failed = new Set<keyof typeof heavy>();

/** Brings what draws a part; gives the words for it if it can't be had. */
function bring({ actions, text }: Scope, part: keyof typeof heavy): string {
  if (failed.has(part)) return text.ui.notLoaded;
  heavy[part]().catch(() => {
    failed.add(part);
    actions.refresh();
  });
  return '';
}

/** Keeps the present state, and shows how the answers differ from those of the one that is kept. */
export function comparison(scope: Scope, results: Results): TemplateResult | typeof nothing {
  const { state, text } = scope;
  if (hides(scope, ...results.keys)) return nothing;
  return html`<section class="comparison" aria-labelledby=${state.pinned ? 'comparison' : nothing}>
    ${
      // What has no answers is not worth keeping.
      results.stale
        ? nothing
        : html`<button type="button" class="keep" @click=${() => keep(scope)}>
            ${state.pinned ? text.ui.keepNow : text.ui.keep}
          </button>`
    }
    ${
      state.pinned
        ? html`${bring(scope, 'comparison')}
            <scaling-comparison .scope=${scope}></scaling-comparison>`
        : nothing
    }
  </section>`;
}

async function keep({ actions, state, language }: Scope): Promise<void> {
  actions.go(kept(state));
  const words = await loadPart(language, 'compare').catch(() => undefined);
  if (words) actions.say(words.saidKept);
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
          () =>
            html`${bring(scope, 'overview')}
              <scaling-overview .scope=${scope} .which=${which}></scaling-overview>`,
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
