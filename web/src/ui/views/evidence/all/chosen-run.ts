// One run in full.

import { html, type TemplateResult } from 'lit';
import type { Collected } from '../runs/collection.ts';
import { sayChoice, sayError, sayReason } from '../runs/words.ts';
import { valueOf } from '../runs/filter.ts';
import { linkOf } from '../runs/link.ts';
import { renderSource } from './others.ts';
import type { Run } from '../runs/run.ts';
import { errorOf } from '../runs/statistics.ts';

/** The run that the reader chose, with all that is known of it, or how to choose one. */
export function renderChosen(
  { ctx, words, collection }: Collected,
  chosen: Run | undefined,
  close: () => void,
): TemplateResult {
  if (!chosen) {
    const { run } = ctx.state.charts;
    const without = collection.others.find(({ id }) => id !== undefined && id === run);
    if (without) {
      return html`<p class="means">
        ${ctx.fill(words.without, {
          model: without.model,
          chip: without.chip,
          reason: sayReason(ctx, words, without.reason) ?? without.reason,
        })}
        ${renderSource(without.citation)}
      </p>`;
    }
    return html`<p class="means">${run === undefined ? words.choose : words.unknownRun}</p>`;
  }
  const { format } = ctx;
  const { unit, bounds } = collection;
  const say = (value: number): string => format.say(value, unit);
  const rows: [string, TemplateResult | string][] = [
    [words.details.measured, collection.say(ctx, chosen, chosen.measured)],
    [
      words.details.expected,
      `${collection.say(ctx, chosen, chosen.expected)} · ${sayError(ctx, errorOf(chosen))}`,
    ],
    [
      words.details.likely,
      ctx.fill(words.details.range, { from: say(chosen.low), to: say(chosen.high) }),
    ],
    ...(bounds.length > 1
      ? [
          [
            words.details.bounds,
            ctx.fill(words.details.range, { from: say(chosen.lower), to: say(chosen.upper) }),
          ] as [string, string],
        ]
      : bounds.map((bound): [string, string] => [words.chart[bound], say(chosen[bound])])),
    [words.details.run, collection.asked(ctx, words, chosen)],
    [words.labels.stack, sayChoice(ctx, words, 'stack', valueOf(chosen, 'stack'))],
    [words.labels.source, renderSource(chosen.citation)],
  ];
  return html`<article class="chosen" data-run=${chosen.id}>
    <h3>${collection.call(ctx, words, chosen)}</h3>
    <dl>
      ${rows.map(
        ([term, said]) =>
          html`<div>
            <dt>${term}</dt>
            <dd>${said}</dd>
          </div>`,
      )}
    </dl>
    <p>
      <a data-open href="#${linkOf(ctx, collection, chosen)}">${words.opens[collection.view]}</a>
      <button type="button" class="why" @click=${close}>${words.close}</button>
    </p>
  </article>`;
}
