import { html, nothing, type TemplateResult } from 'lit';
import { disclosure } from '../../kit/disclosure.ts';
import type { Results } from './results.ts';
import { answerRow } from './row.ts';
import type { Scope } from '../../kit/scope.ts';
import { viewOf } from '../view.ts';
import { relatedDerivations } from '../derivation/why.ts';

/** What will be answered, while no input has answers. */
export function unanswered(scope: Scope): TemplateResult {
  return html`<section class="answers" aria-labelledby="answers">
    <h2 id="answers" class="hidden">${scope.text.ui.answers}</h2>
    ${viewOf(scope).large.map(
      (key) =>
        html`<article class="answer" data-answer=${key}>
          <h3>${scope.answer(key).label}</h3>
          <p class="large"><span class="words">–</span></p>
        </article>`,
    )}
  </section>`;
}

/** All answers: those that stand large, and the rest behind them. */
export function answers(scope: Scope, results: Results): TemplateResult {
  const rows = viewOf(scope)
    .rows(scope, results)
    .filter(({ key }) => results.absence(key) !== 'notApplicable');
  const shown = new Set(rows.flatMap(({ key, related }) => [key, ...related]));
  const rest = results.keys.filter(
    (key) => !shown.has(key) && results.absence(key) !== 'notApplicable',
  );
  return html`<section class="answers" aria-labelledby="answers">
    <h2 id="answers" class="hidden">${scope.text.ui.answers}</h2>
    ${rows.map((row) => answerRow(scope, results, row))}
    ${
      rest.length > 0
        ? disclosure(
            scope,
            {
              part: 'panel rest',
              kind: 'panel',
              summary: html`<span class="title">${scope.text.ui.moreAnswers}</span>`,
            },
            () => relatedDerivations(scope, results, rest),
          )
        : nothing
    }
  </section>`;
}
