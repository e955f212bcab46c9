// A field beside what depends on it, with the way back to its preset.

import { html, nothing, type TemplateResult } from 'lit';
import { splitId, type FieldId } from '../../../model/fields.ts';
import { chipOf, chipSources, chosen, citedOf } from '../../../model/presets.ts';
import { isMoney } from '../../../number/unit.ts';
import type { RenderContext } from '../../kit/render-context.ts';
import type { Row } from '../../kit/view.ts';
import { control, messages } from './field.ts';

/** Whether a field may be shown beside what depends on it. */
export const mayStandBeside = (ctx: RenderContext, id: FieldId): boolean =>
  ctx.besides && !ctx.fixed(splitId(id)[1]);

/** The fields beside answers, which panels leave out. */
export const besideAnswers = (
  found: { answered: RenderContext; results: { stale: boolean } } | undefined,
  rows: readonly Row[],
): FieldId[] => {
  if (!found) return [];
  const { answered, results } = found;
  return rows
    .filter(({ key, derive = [] }) => !answered.hides(key, ...derive))
    .flatMap(({ changes, offered = [] }) => [
      ...(changes ? [changes] : []),
      ...(results.stale ? [] : offered),
    ])
    .filter((id) => mayStandBeside(answered, id));
};

/** Shows a field beside the answer that depends on it most; `ctx` is the present state's. */
export function fieldBeside(ctx: RenderContext, id: FieldId): TemplateResult | typeof nothing {
  if (!mayStandBeside(ctx, id)) return nothing;
  const edited = ctx.differs(id);
  const { title, url } = chipSources[usedFigure(ctx, id)?.source ?? ''] ?? {};
  return html`<div class="field beside" ?data-edited=${edited}>
    <span class="name">${ctx.label(id)}</span>
    <span class="set">
      ${isMoney(ctx.info(id).unit) && ctx.value(id) !== null ? '$' : nothing}${control(ctx, id)}
      ${
        edited
          ? resetButton(ctx, id)
          : url
            ? html`<a class="note" href=${url} rel="noreferrer" target="_blank">${title}</a>`
            : nothing
      }
    </span>
    ${messages(ctx, id)}
  </div>`;
}

export function resetButton(ctx: RenderContext, id: FieldId): TemplateResult {
  const base = ctx.say(id, ctx.base(id));
  return html`<button
    type="button"
    class="reset"
    data-reset=${id}
    aria-label=${ctx.fill(ctx.text.ui.resetLabel, { field: ctx.label(id), value: base })}
    @click=${() => ctx.actions.reset(id)}
  >
    ${ctx.fill(ctx.text.ui.reset, { value: base })}
  </button>`;
}

/** The figure of a chip's field that counts, and the other one where book and vendor differ. */
export function usedFigure(ctx: RenderContext, id: FieldId) {
  const [group, key] = splitId(id);
  const figure = group === 'chip' ? chipOf(ctx.state.chip).figures[key] : undefined;
  if (!figure) return undefined;
  const byBook = ctx.state.figures === 'book' && figure.book;
  const other = figure.book && (byBook ? figure.value : figure.book.value);
  return {
    source: citedOf(figure, ctx.state.figures).source,
    other: other === chosen(figure, ctx.state.figures) ? undefined : other,
    says: byBook ? ctx.text.ui.vendorSays : ctx.text.ui.bookSays,
  };
}
