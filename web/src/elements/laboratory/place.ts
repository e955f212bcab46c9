import { html, nothing, type TemplateResult } from 'lit';
import type { Results } from '../results.ts';
import type { Scope } from '../scope.ts';

let loading: Promise<unknown> | undefined;
let failed = false;

/** The charts of a question, which come once they are first asked for. */
export function laboratory(scope: Scope, results: Results): TemplateResult | typeof nothing {
  loading ??= import('./laboratory.ts').catch(() => {
    failed = true;
    scope.actions.refresh();
  });
  if (failed) return html`<p class="charts">${scope.text.charts.notLoaded}</p>`;
  return html`<scaling-laboratory
    class="charts"
    .scope=${scope}
    .results=${results}
  ></scaling-laboratory>`;
}
