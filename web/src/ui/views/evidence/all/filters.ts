// The controls that filter runs.

import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { Collected } from '../runs/collection.ts';
import { sayChoice } from '../runs/words.ts';
import { choicesOf } from '../runs/filter.ts';
import { runSizes, type RunChoice, type RunFilter } from '../runs/settings.ts';

type Put = (key: keyof RunFilter, value: string | undefined) => void;

/** A choice for each trait, and a button for each size that is filtered by. */
export function renderFilters(collected: Collected, filter: RunFilter, put: Put): TemplateResult {
  const { ctx, words, collection } = collected;
  const selects = collection.choices.filter(
    (key) => key !== 'generation' || filter.generation !== undefined,
  );
  const sizes = runSizes.filter((key) => filter[key] !== undefined);
  return html`<div class="filters" role="group" aria-label=${words.filters}>
    ${selects.map((key) => renderFilter(collected, filter, key, put))}
    ${sizes.map((key) => {
      const value = ctx.fill(words.near, { value: ctx.format.count(filter[key]!) });
      const label = words.labels[key];
      return html`<span class="pick"
        ><span>${label}</span>
        <button
          type="button"
          data-near=${key}
          aria-label=${ctx.fill(words.remove, { label, value })}
          @click=${() => put(key, undefined)}
        >
          ${value} <span aria-hidden="true">×</span>
        </button></span
      >`;
    })}
    ${
      Object.keys(filter).length > 0
        ? html`<button
            type="button"
            data-reset
            @click=${() => ctx.actions.chart({ runs: undefined })}
          >
            ${words.reset}
          </button>`
        : nothing
    }
  </div>`;
}

function renderFilter(
  { ctx, words, collection: { runs } }: Collected,
  filter: RunFilter,
  key: RunChoice,
  put: Put,
): TemplateResult {
  const counts = choicesOf(runs, filter, key);
  const wanted = filter[key];
  const values = [...counts.keys()]
    .map((value) => ({ value, said: sayChoice(ctx, words, key, value) }))
    .sort((a, b) => a.said.localeCompare(b.said, ctx.language, { numeric: true }));
  // A filter of a link that no run matches stays visible.
  if (wanted !== undefined && !counts.has(wanted)) {
    values.unshift({ value: wanted, said: sayChoice(ctx, words, key, wanted) });
  }
  const change = (event: Event): void => {
    const { value } = event.target as HTMLSelectElement;
    put(key, value || undefined);
  };
  return html`<label class="pick"
    ><span>${words.labels[key]}</span>
    <select data-filter=${key} @change=${change}>
      <option value="" .selected=${live(wanted === undefined)}>${words.all}</option>
      ${values.map(
        ({ value, said }) =>
          html`<option value=${value} .selected=${live(value === wanted)}>
            ${ctx.fill(words.counted, { value: said, n: ctx.format.count(counts.get(value) ?? 0) })}
          </option>`,
      )}
    </select></label
  >`;
}
