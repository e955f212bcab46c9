import { html, nothing, type TemplateResult } from 'lit';
import type { Step } from '../../../engine/index.ts';
import { disclosure } from '../../kit/disclosure.ts';
import { isHidden } from '../answers/quiz.ts';
import { lazily } from '../../kit/lazily.ts';
import type { Results } from '../answers/results.ts';
import type { Scope } from '../../kit/scope.ts';

/** The derivation of an answer, and of those beside it, each closed until asked for. */
export function why(
  scope: Scope,
  results: Results,
  keys: string[],
  related: string[],
): TemplateResult {
  const others = related.filter((key) => !keys.includes(key));
  return html`${derivationOf(scope, keys)} ${relatedDerivations(scope, results, others)}`;
}

export function relatedDerivations(
  scope: Scope,
  results: Results,
  keys: string[],
): TemplateResult[] {
  return keys
    .filter((key) => results.absence(key) === undefined && !isHidden(scope, key))
    .map((key) =>
      disclosure(
        scope,
        {
          part: `derivation ${key}`,
          kind: 'other',
          summary: html`${scope.answer(key).label} <span class="number">${results.say(key)}</span>`,
        },
        () => derivationOf(scope, [key]),
      ),
    );
}

/** One derivation for all of `keys`: what they rest on in common stands there once. */
function derivationOf(scope: Scope, keys: string[]): unknown {
  return lazily(scope, scope.actions.derivations, (draw) => {
    const steps = new Map<string, Step>();
    for (const key of keys) {
      const explanation = scope.actions.explain(key);
      if (!explanation?.ok) continue;
      for (const step of explanation.derivation.steps) {
        if (!steps.has(step.key)) steps.set(step.key, step);
      }
    }
    return steps.size > 0 ? draw(scope, [...steps.values()]) : nothing;
  });
}
