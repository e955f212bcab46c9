import { html, nothing, type TemplateResult } from 'lit';
import { disclosure } from '../../kit/disclosure.ts';
import type { Results } from '../../kit/results.ts';
import { answerRow, noAnswer } from './row.ts';
import type { RenderContext } from '../../kit/render-context.ts';
import { viewOf, type Row } from '../view.ts';
import { relatedDerivations } from '../derivation/why.ts';

/** Lists the answers to come, while no input has answers. */
export function unanswered(ctx: RenderContext): TemplateResult {
  return html`<section class="answers" aria-labelledby="answers">
    <h2 id="answers" class="hidden">${ctx.text.ui.answers}</h2>
    ${ctx.description.questions[ctx.state.view].first.map(
      (key) =>
        html`<article class="answer" data-answer=${key}>
          <h3>${ctx.answer(key).label}</h3>
          <p class="large">${noAnswer}</p>
        </article>`,
    )}
  </section>`;
}

/** The answers that stand large. */
export const rowsOf = (ctx: RenderContext, results: Results): Row[] =>
  viewOf(ctx)
    .rows(ctx, results)
    .filter(({ key }) => results.absence(key) !== 'notApplicable');

/** All answers: those that stand large, and the rest behind them. */
export function answers(
  ctx: RenderContext,
  results: Results,
  rows: readonly Row[],
): TemplateResult {
  const shown = new Set(rows.flatMap(({ key, related }) => [key, ...related]));
  const rest = results.keys.filter(
    (key) => !shown.has(key) && results.absence(key) !== 'notApplicable',
  );
  return html`<section class="answers" aria-labelledby="answers">
    <h2 id="answers" class="hidden">${ctx.text.ui.answers}</h2>
    ${rows.map((row) => answerRow(ctx, results, row))}
    ${
      rest.length > 0 && !results.stale
        ? disclosure(
            ctx,
            {
              part: 'panel rest',
              kind: 'panel',
              summary: html`<span class="title">${ctx.text.ui.moreAnswers}</span>`,
            },
            () => relatedDerivations(ctx, results, rest),
          )
        : nothing
    }
  </section>`;
}
