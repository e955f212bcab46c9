// What the drawing shows of the part that is pointed at, and its values for those who can't see it.

import { html, nothing, svg, type TemplateResult } from 'lit';
import { draw } from './draw.ts';
import type { Sheet } from './marks.ts';

/** A row of the hidden table. */
export interface Told {
  label: string;
  said: string;
}

/** What lies over the marks of the part that is pointed at. */
export function lit(sheet: Sheet, key: string | undefined): TemplateResult | typeof nothing {
  if (!key) return nothing;
  return svg`${(sheet.lit.get(key) ?? []).map(draw)}
    ${sheet.parts
      .filter((part) => part.key === key)
      .map(
        ({ box }) =>
          svg`<rect class="lit" x=${box.left} y=${box.top} width=${box.right - box.left} height=${box.bottom - box.top} />`,
      )}
    ${sheet.marks.map((mark) =>
      mark.kind === 'text' && mark.part === key
        ? svg`<path class="lit" d="M${mark.anchor === 'end' ? mark.x - mark.width : mark.anchor === 'middle' ? mark.x - mark.width / 2 : mark.x} ${mark.y + 3}h${mark.width}" />`
        : nothing,
    )}`;
}

/** Headings of the hidden table. */
export interface TableWords {
  name: string;
  value: string;
}

/** All values of the drawing, for those who can't see it. */
export function table(title: string, words: TableWords, rows: readonly Told[]): TemplateResult {
  return html`<div class="hidden">
    <table>
      <caption>
        ${title}
      </caption>
      <thead>
        <tr>
          <th scope="col">${words.name}</th>
          <th scope="col">${words.value}</th>
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ({ label, said }) =>
            html`<tr>
              <th scope="row">${label}</th>
              <td>${said}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}
