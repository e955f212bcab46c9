// Comparison with a pinned state, and the overview of all chips or models. Both load on first use.

import { bare } from '../../../engine/bare.ts';
import { Lazy } from '../../../engine/lazy.ts';
import { html, nothing, type TemplateResult } from 'lit';
import { kept } from '../../../compare/pinned.ts';
import { views } from '../../../model/views.ts';
import { isOwned, withView } from '../../../model/state.ts';
import { partOf } from '../../../i18n/dictionary.ts';
import { disclosure } from '../../kit/disclosure.ts';
import { chipsBeside } from './usual-chips.ts';
import { afterPresets, Feature } from '../../kit/lazily.ts';
import type { Results } from '../../kit/results.ts';
import type { Features, RenderContext } from '../../kit/render-context.ts';
import { viewOf } from '../../parts/view.ts';
import { isBeside } from '../../kit/title.ts';

const withKept = new Feature(
  (ctx) => afterPresets(ctx, () => import('./kept/comparison.ts')),
  'compare',
);
const basis = new Feature((ctx) => afterPresets(ctx, () => import('./price-choice.ts')), 'compare');
const beside = new Feature(
  (ctx) => afterPresets(ctx, () => import('./sides/side-by-side.ts')),
  'sides',
);
const overAll = new Feature(
  (ctx) => afterPresets(ctx, () => import('./table/overview.ts')),
  'compare',
);

/** Keeps the present state, and shows how the answers differ from those of the one that is kept. */
export function comparison(
  ctx: RenderContext,
  results: Results | undefined,
): TemplateResult | typeof nothing {
  const { state, text } = ctx;
  if (results ? ctx.hides(...results.keys) : !state.pinned) return nothing;
  return html`<section class="comparison" aria-labelledby=${state.pinned ? 'comparison' : nothing}>
    ${
      // A state without answers is not worth keeping.
      !results || results.stale
        ? nothing
        : html`${besideButton(ctx, results)}
            <button type="button" class="keep" @click=${() => keep(ctx)}>
              ${state.pinned ? text.ui.keepNow : text.ui.keep}
            </button>`
    }
    ${
      state.pinned ? withKept.show(ctx, (words, { besideKept }) => besideKept(ctx, words)) : nothing
    }
  </section>`;
}

const part = 'prices';

const isOpen = ({ open, state }: RenderContext): boolean =>
  open.has(part) || state.prices !== undefined;

/** Beside a cost: whose prices all chips have. It loads when the reader asks for it. */
export const prices: Required<Features>['prices'] = {
  offer: (ctx) =>
    html`<div class="offer">
      ${
        isOpen(ctx)
          ? basis.show(ctx, (words, { basisChoice }) => basisChoice(ctx, words, true))
          : html`<button type="button" class="why" @click=${() => ctx.actions.toggle(part)}>
              ${ctx.text.ui.prices}
            </button>`
      }
    </div>`,
  fields: (ctx) => (isOpen(ctx) && isOwned(ctx.state) ? (basis.value?.owners(ctx) ?? []) : []),
};

/** Several questions in place of one, each with its own best layout; nothing unless it is asked for. */
export const sideBySide = (ctx: RenderContext): unknown =>
  isBeside(ctx) ? beside.show(ctx, (words, { sides }) => sides(ctx, words)) : undefined;

/** What draws them where they stand still. */
export const besideStills = new Lazy(async () => (await import('./sides/stills.ts')).stills);

/** Puts the present question to several chips. Trainings are then divided the best way. */
function besideButton(ctx: RenderContext, results: Results): TemplateResult | typeof nothing {
  const { actions, text } = ctx;
  const there = views[ctx.state.view].sides;
  if (!there) return nothing;
  const state = viewOf(ctx).asSides?.(ctx, results) ?? ctx.state;
  const sides = `chip:${chipsBeside(state).join(',')}`;
  const asked = { ...state, charts: bare({ ...state.charts, sides }) };
  return html`<button
    type="button"
    class="side-by-side"
    @click=${() => actions.go(withView(asked, there))}
  >
    ${text.ui.sides}
  </button>`;
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
          () => overAll.show(ctx, (words, { overview }) => overview(ctx, which, words)),
        ),
      )}
  </section>`;
}
