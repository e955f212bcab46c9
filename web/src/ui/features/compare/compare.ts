// Comparison with a pinned state, and the overview of all chips or models. Both load on first use.

import { html, nothing, type TemplateResult } from 'lit';
import { kept } from '../../../compare/pinned.ts';
import { partOf } from '../../../i18n/dictionary.ts';
import { disclosure } from '../../kit/disclosure.ts';
import { isHidden } from '../../parts/answers/quiz.ts';
import { Feature } from '../../kit/lazily.ts';
import type { Results } from '../../parts/answers/results.ts';
import type { RenderContext } from '../../kit/render-context.ts';

const withKept = new Feature(() => import('./comparison.ts'), 'compare');
const overAll = new Feature(() => import('./overview.ts'), 'compare');

/** Keeps the present state, and shows how the answers differ from those of the one that is kept. */
export function comparison(
  ctx: RenderContext,
  results: Results | undefined,
): TemplateResult | typeof nothing {
  const { state, text } = ctx;
  if (results ? isHidden(ctx, ...results.keys) : !state.pinned) return nothing;
  return html`<section class="comparison" aria-labelledby=${state.pinned ? 'comparison' : nothing}>
    ${
      // A state without answers is not worth keeping.
      !results || results.stale
        ? nothing
        : html`<button type="button" class="keep" @click=${() => keep(ctx)}>
            ${state.pinned ? text.ui.keepNow : text.ui.keep}
          </button>`
    }
    ${
      state.pinned
        ? withKept.show(
            ctx,
            (words) => html`<scaling-comparison .ctx=${ctx} .words=${words}></scaling-comparison>`,
          )
        : nothing
    }
  </section>`;
}

async function keep({ actions, state, language }: RenderContext): Promise<void> {
  actions.go(kept(state));
  const words = await partOf(language, 'compare')
    .get()
    .catch(() => undefined);
  if (words) actions.say(words.saidKept);
}

/** The same question for every chip, and for every model that it asks about. */
export function overviews(ctx: RenderContext): TemplateResult {
  const { all } = ctx.text.ui;
  return html`<section class="overviews" aria-labelledby="overviews">
    <h2 id="overviews">${all.title}</h2>
    ${(['chip', 'model'] as const)
      .filter((which) => ctx.asksFor(which))
      .map((which) =>
        disclosure(
          ctx,
          {
            part: `panel all-${which}`,
            kind: 'panel',
            summary: html`<span class="title">${all[which]}</span>
              <span class="gist">${all[`${which}Gist`]}</span>`,
          },
          () =>
            overAll.show(
              ctx,
              (words) =>
                html`<scaling-overview
                  .ctx=${ctx}
                  .which=${which}
                  .words=${words}
                ></scaling-overview>`,
            ),
        ),
      )}
  </section>`;
}
