import { html, nothing, type TemplateResult } from 'lit';
import { fieldBeside } from '../question/field-beside.ts';
import type { Reading } from '../../../number/format.ts';
import type { Results } from '../../kit/results.ts';
import type { RenderContext } from '../../kit/render-context.ts';
import { withTerms } from '../term.ts';
import type { Row } from '../view.ts';
import { why } from '../derivation/why.ts';

/** A number and its unit, which stand apart, but for the percent sign. */
const withUnit = ({ number, unit }: Reading): TemplateResult =>
  unit === '%'
    ? html`<span class="number">${number}<span class="unit">%</span></span>`
    : html`<span class="number">${number}</span
        >${unit ? html` <span class="unit">${unit}</span>` : nothing}`;

/** This stands in the place of an answer while there is none. */
export const noAnswer = html`<span class="words">–</span>`;

/** An answer, with how it comes about; its place alone while the present input has none. */
export function answerRow(ctx: RenderContext, results: Results, row: Row): TemplateResult {
  const { key } = row;
  const title = row.title ?? ctx.answer(key).label;
  const { text, format } = ctx;
  if (ctx.hides(key, ...(row.derive ?? []))) {
    return html`<article class="answer" data-answer=${key} aria-labelledby="answer-${key}">
      <h3 id="answer-${key}">${title}</h3>
      <p class="large"><span class="words">${text.examples.guessFirst}</span></p>
    </article>`;
  }
  const { stale } = results;
  const value = stale ? undefined : results.number(key);
  const reading = value === undefined ? undefined : format.read(value, results.spoken(key));
  const part = `why ${key}`;
  const open = ctx.open.has(part);
  const change = results.changes.get(key);
  const book = ctx.features.quiz?.note(ctx, key);
  return html`<article
    class="answer"
    part="answer"
    data-answer=${key}
    aria-labelledby="answer-${key}"
  >
    <h3 id="answer-${key}">${withTerms(ctx, title, 'answers')}</h3>
    <p
      part="value"
      class="large ${(reading?.number.length ?? 0) > 8 ? 'long' : ''}"
      data-value=${stale ? nothing : (value ?? results.say(key))}
      title=${stale ? nothing : results.exactly(key)}
      data-change=${change && !stale ? `${change}-${results.parity}` : nothing}
    >
      ${
        stale
          ? noAnswer
          : (row.large ??
            (reading ? withUnit(reading) : html`<span class="words">${results.say(key)}</span>`))
      }
    </p>
    <p class="under">
      ${
        stale
          ? nothing
          : html`<button
                type="button"
                class="why"
                aria-expanded=${open}
                aria-controls="why-${key}"
                aria-label="${text.ui.why} ${title}"
                @click=${() => ctx.actions.toggle(part)}
              >
                ${text.ui.why}
              </button>
              <span class="exactly" aria-hidden="true">${results.exactly(key)}</span>`
      }
    </p>
    <div class="about">
      ${
        stale
          ? nothing
          : html`${row.figure ?? nothing}
              <p class="means">${withTerms(ctx, row.means, 'answers')}</p>
              ${book ? html`<p class="book">${book}</p>` : nothing}`
      }
      ${row.changes ? fieldBeside(ctx.present, row.changes) : nothing}
      ${row.by && !stale ? html`<p class="by">${withTerms(ctx, row.by, 'answers')}</p>` : nothing}
      ${stale ? nothing : (row.offer ?? nothing)}
    </div>
    <div class="derivation" id="why-${key}" ?hidden=${!open || stale}>
      ${open && !stale ? why(ctx, results, row.derive ?? [key], row.related) : nothing}
    </div>
  </article>`;
}
