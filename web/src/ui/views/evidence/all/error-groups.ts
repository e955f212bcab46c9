// Errors by chip, source, model, format, software.

import { html, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { Collected } from '../runs/collection.ts';
import { sayChoice } from '../runs/words.ts';
import { grouped } from '../runs/filter.ts';
import type { Run } from '../runs/run.ts';
import { runGroups, type RunGroup } from '../runs/settings.ts';
import { errorsOf } from '../runs/statistics.ts';
import { errorTable, tableTools, type GroupErrors } from '../runs/tables.ts';

function rowsOf({ ctx, words }: Collected, runs: readonly Run[], by: RunGroup): GroupErrors[] {
  return grouped(runs, by).map(([value, group]) => ({
    value,
    said: sayChoice(ctx, words, by, value),
    errors: errorsOf(group),
  }));
}

/** The errors of `runs` by a trait of the reader's choice; a row filters by its value. */
export function renderGroups(
  collected: Collected,
  runs: readonly Run[],
  by: RunGroup,
  put: (key: RunGroup, value: string) => void,
): TemplateResult {
  const { ctx, words, collection } = collected;
  const rows = rowsOf(collected, runs, by);
  const { format } = ctx;
  const { columns } = words.errors;
  return html`<div class="errors">
    <h3>
      <label
        >${words.errors.title}
        <select
          data-filter="by"
          @change=${(event: Event) =>
            ctx.actions.chart({ by: (event.target as HTMLSelectElement).value as RunGroup })}
        >
          ${runGroups
            .filter((each) => collection.choices.includes(each))
            .map(
              (each) =>
                html`<option value=${each} .selected=${live(each === by)}>
                  ${words.by[each]}
                </option>`,
            )}
        </select></label
      >
    </h3>
    <table>
      <thead>
        <tr>
          <th scope="col" class="words">${words.labels[by]}</th>
          <th scope="col">${columns.count}</th>
          <th scope="col">${columns.median}</th>
          <th scope="col">${columns.ninth}</th>
          <th scope="col">${columns.covered}</th>
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ({ value, said, errors }) =>
            html`<tr data-group=${value}>
              <th scope="row" class="words">
                <button type="button" class="why" @click=${() => put(by, value)}>${said}</button>
              </th>
              <td>${format.count(errors.count)}</td>
              <td>${format.say(errors.median, '%')}</td>
              <td>${format.say(errors.ninth, '%')}</td>
              <td>${format.say(errors.covered, '%')}</td>
            </tr>`,
        )}
      </tbody>
    </table>
    ${tableTools(words, 'errors', () => errorTable(words, by, rows))}
  </div>`;
}
