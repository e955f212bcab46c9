// The rest of the evidence: runs without a prediction, and the reader's own.

import { html, nothing, type TemplateResult } from 'lit';
import { disclosure } from '../../../kit/disclosure.ts';
import type { RenderContext } from '../../../kit/render-context.ts';
import type { Collection } from '../runs/collection.ts';
import { sayError, sayReason, type EvidenceWords } from '../runs/words.ts';
import type { OwnRun } from '../runs/kept.ts';
import type { Citation, Unpredicted } from '../runs/run.ts';
import { ownOf, writeMeasured } from '../runs/settings.ts';
import { errorOf } from '../runs/statistics.ts';

export const renderSource = ({ text, url }: Citation): TemplateResult =>
  url
    ? html`<a href=${url} rel="noreferrer" target="_blank">${text}</a>`
    : html`<span>${text}</span>`;

const total = (rows: readonly Unpredicted[]): number =>
  rows.reduce((sum, { count }) => sum + count, 0);

/** Published runs without a prediction, by the reason. */
export function renderUnpredicted(
  ctx: RenderContext,
  words: EvidenceWords,
  { others, view }: Collection,
): TemplateResult {
  const count = (value: number): string => ctx.format.count(value);
  const n = total(others);
  return disclosure(
    ctx,
    {
      part: 'evidence unpredicted',
      kind: 'panel',
      summary: html`<span class="title"
        >${ctx.fill(words.unpredicted, { n: count(n) }, { n })}</span
      >`,
    },
    () => {
      const reasons = [...new Set(others.map(({ reason }) => reason))]
        .map((reason) => ({
          said: sayReason(ctx, words, reason) ?? reason,
          rows: others.filter((row) => row.reason === reason),
        }))
        .sort((a, b) => total(b.rows) - total(a.rows));
      return html`<div class="inside">
        ${reasons.map(({ said, rows }) =>
          disclosure(
            ctx,
            {
              part: `evidence ${view} ${rows[0]!.reason}`,
              kind: 'reason',
              summary: html`${ctx.fill(words.counted, { value: said, n: count(total(rows)) })}`,
            },
            () =>
              html`<ul>
                ${rows.map((row) => {
                  const name = [row.model, row.chip, row.precision].filter(Boolean).join(' · ');
                  return html`<li>
                    ${
                      row.count > 1
                        ? ctx.fill(words.counted, { value: name, n: count(row.count) })
                        : name
                    }
                    <span class="note">${renderSource(row.citation)}</span>
                  </li>`;
                })}
              </ul>`,
          ),
        )}
      </div>`;
    },
  );
}

/** The reader's own runs, each with its link. */
export function renderOwn(
  ctx: RenderContext,
  words: EvidenceWords,
  { measure, unit }: Collection,
  own: readonly OwnRun[],
  forget: (run: OwnRun) => void,
): TemplateResult | typeof nothing {
  if (own.length === 0) return nothing;
  const { format } = ctx;
  return html`<div class="own-runs">
    <h3>${words.ownRuns}</h3>
    <ul>
      ${own.map((run) => {
        const measured = writeMeasured({
          as: ownOf(measure),
          value: Number(run.measured.toPrecision(6)),
        });
        return html`<li>
          <a href="#${run.link}&measured=${measured}">${run.name}</a>${ctx.fill(words.ownRun, {
            measured: format.say(run.measured, unit),
            expected: format.say(run.expected, unit),
            error: sayError(ctx, errorOf(run)),
          })}
          <button
            type="button"
            class="why"
            aria-label=${ctx.fill(words.forgetLabel, { run: run.name })}
            @click=${() => forget(run)}
          >
            ${words.forget}
          </button>
        </li>`;
      })}
    </ul>
  </div>`;
}
