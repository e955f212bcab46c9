// The verdict on a plan and below it the drawing, with the reason of what the reader chose there.

import { html, nothing, type TemplateResult } from 'lit';
import { Lazy } from '../../../engine/lazy.ts';
import { lazily } from '../../kit/lazily.ts';
import type { Results } from '../../kit/results.ts';
import type { RenderContext } from '../../kit/render-context.ts';
import { noAnswer } from '../../parts/answers/row.ts';
import { relatedDerivations, why } from '../../parts/derivation/why.ts';
import { verdictOf, type Slot } from './slots.ts';

const drawing = new Lazy(() => import('./drawn.ts'));

const keys = ['wallTime', 'wallCost', 'memoryUsed', 'planBound'];

const part = (key: string): string => `drawn ${key}`;

/** One chip has no cluster and no replica to be drawn. */
const isAlone = (ctx: RenderContext): boolean => ctx.value('run.chips') === 1;

/** The part of the drawing whose reason is open. */
const openedOf = ({ open }: RenderContext): string | undefined =>
  [...open].find((each) => each.startsWith('drawn '))?.slice('drawn '.length);

/** Opens the reason of a part, and closes the one that was open. */
function ask(ctx: RenderContext, key: string): void {
  const opened = openedOf(ctx);
  if (opened && opened !== key) ctx.actions.toggle(part(opened));
  ctx.actions.toggle(part(key));
}

/** The verdict and the drawing. */
export function picture(ctx: RenderContext, found: Results | undefined): TemplateResult {
  // A quiz hides what the reader is to guess.
  if (found && ctx.hides(...found.keys)) return html`<section class="picture" hidden></section>`;
  const { drawn: words } = ctx.text.planner;
  const opened = openedOf(ctx);
  const results = found?.stale ? undefined : found;
  return html`<section class="picture" aria-label=${words.verdict.label}>
    <div class="verdict">
      ${
        results
          ? verdictOf(ctx, results).map((slot) => renderSlot(ctx, slot, opened))
          : keys.map((key) => renderPlace(key, noSaid))
      }
    </div>
    <div class="drawing ${isAlone(ctx) ? 'alone' : ''}">
      ${
        // Its module loads beside the answers.
        lazily(ctx, drawing, ({ drawn }) =>
          results ? drawn(ctx, results, opened, (key) => ask(ctx, key)) : nothing,
        )
      }
    </div>
    <div class="derivation" ?hidden=${!opened}>
      ${opened && results ? reason(ctx, results, opened) : nothing}
    </div>
  </section>`;
}

/** Stands where there is no answer yet. */
const noSaid = html`<p class="said">${noAnswer}</p>`;

const renderPlace = (
  key: string,
  said: TemplateResult,
  notes: readonly (string | undefined)[] = [],
  look = '',
): TemplateResult =>
  html`<div class="slot ${look}" data-verdict=${key}>
    ${said}
    <p class="note">${notes.filter(Boolean).map((each) => html`<span>${each}</span> `)}</p>
  </div>`;

function renderSlot(
  ctx: RenderContext,
  { key, large, sign, bound, note, range, isGhost }: Slot,
  opened: string | undefined,
): TemplateResult {
  const { verdict } = ctx.text.planner.drawn;
  const said = html`<button
    type="button"
    class="said"
    aria-expanded=${opened === key}
    title=${ctx.fill(verdict.why, { answer: ctx.answer(key).label })}
    @click=${() => ask(ctx, key)}
  >
    ${
      sign
        ? html`<span class=${bound ? `bound ${bound}` : ''}
            ><span class="shape" aria-hidden="true">${sign}</span> ${large}</span
          >`
        : large
    }
  </button>`;
  return renderPlace(key, said, [note, range], isGhost ? 'ghost' : '');
}

/** How a part of the drawing comes about. */
function reason(ctx: RenderContext, results: Results, key: string): unknown {
  const keys = (drawing.value?.reasons[key] ?? [key]).filter(
    (each) => results.absence(each) === undefined,
  );
  const [first, ...others] = keys;
  if (!first) return nothing;
  return html`<h3>${ctx.answer(first).label}: ${results.say(first)}</h3>
    ${why(ctx, results, [first], [])} ${relatedDerivations(ctx, results, others)}`;
}
