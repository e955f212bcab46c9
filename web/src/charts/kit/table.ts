import { html, type TemplateResult } from 'lit';
import type { Formatter } from '../../number/format.ts';
import type { Table } from '../../export/csv.ts';
import type { Words } from './words.ts';

/** The text of a cell; values that are no numbers are written in words. */
export const sayNumber = (
  value: number,
  unit: string,
  format: Formatter,
  { none }: Pick<Words, 'none'>,
): string => (Number.isFinite(value) ? format.say(value, unit) : none);

export function tableOf(
  { columns, rows }: Table,
  label: string,
  format: Formatter,
  words: Words,
): TemplateResult {
  return html`<div class="scroll" role="region" tabindex="0" aria-label=${label}>
    <table>
      <thead>
        <tr>
          ${columns.map(({ label, unit }) =>
            label
              ? html`<th scope="col" class=${unit === undefined ? '' : 'number'}>${label}</th>`
              : html`<td></td>`,
          )}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr>
              ${row.map((cell, index) =>
                typeof cell === 'number'
                  ? html`<td class="number">
                      ${sayNumber(cell, columns[index]?.unit ?? '', format, words)}
                    </td>`
                  : html`<td>${cell}</td>`,
              )}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}
