// The runs as a table.

import { html, nothing, type TemplateResult } from 'lit';
import { disclosure } from '../../../kit/disclosure.ts';
import type { Collected } from '../runs/collection.ts';
import { sayError } from '../runs/words.ts';
import { linkOf } from '../runs/link.ts';
import { renderSource } from './others.ts';
import type { Run } from '../runs/run.ts';
import { errorOf } from '../runs/statistics.ts';
import { runTable, tableTools } from '../runs/tables.ts';

/** Rows at first, and how many more come on request. */
export const page = 20;

/** The runs, the worst predicted first. */
function farthest(runs: readonly Run[]): Run[] {
  const size = (run: Run): number => Math.abs(errorOf(run));
  return [...runs].sort((a, b) => size(b) - size(a));
}

/** The first `listed` of `runs`; `list` shows so many. */
export function renderRuns(
  { ctx, words, collection }: Collected,
  runs: readonly Run[],
  listed: number,
  list: (count: number) => void,
): TemplateResult {
  const { unit } = collection;
  const link = (run: Run): string => linkOf(ctx, collection, run);
  return disclosure(
    ctx,
    {
      part: 'evidence runs',
      kind: 'panel',
      summary: html`<span class="title">${words.runs}</span>`,
    },
    () => {
      const all = farthest(runs);
      const more = Math.min(page, all.length - listed);
      const { format } = ctx;
      return html`<div class="inside">
        <table class="runs">
          <thead>
            <tr>
              <th scope="col" class="words">${words.details.run}</th>
              <th scope="col">${words.details.measured}</th>
              <th scope="col">${words.details.expected}</th>
              <th scope="col">${words.details.error}</th>
              <th scope="col" class="words wider">${words.labels.source}</th>
            </tr>
          </thead>
          <tbody>
            ${all.slice(0, listed).map(
              (run) =>
                html`<tr data-listed=${run.id}>
                  <th scope="row" class="words">
                    <a href="#${link(run)}">${collection.call(ctx, words, run)}</a>
                    <span class="note small-only">${renderSource(run.citation)}</span>
                  </th>
                  <td>${format.say(run.measured, unit)}</td>
                  <td>${format.say(run.expected, unit)}</td>
                  <td>${sayError(ctx, errorOf(run))}</td>
                  <td class="words wider">${renderSource(run.citation)}</td>
                </tr>`,
            )}
          </tbody>
        </table>
        ${
          more > 0
            ? html`<button type="button" data-more @click=${() => list(listed + page)}>
                ${ctx.fill(words.more, { n: format.count(more) }, { n: more })}
              </button>`
            : nothing
        }
        ${tableTools(words, 'runs', () => runTable(ctx, words, collection, all, link))}
      </div>`;
    },
  );
}
