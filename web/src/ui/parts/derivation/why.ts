import { html, nothing, type TemplateResult } from 'lit';
import type { Step } from '../../../engine/index.ts';
import { disclosure } from '../../kit/disclosure.ts';
import { inSlices, wholeFrame } from '../../kit/in-slices.ts';
import { lazily } from '../../kit/lazily.ts';
import type { Results } from '../../kit/results.ts';
import type { RenderContext } from '../../kit/render-context.ts';

/** The derivation of an answer, and of those beside it, each closed until asked for. */
export function why(
  ctx: RenderContext,
  results: Results,
  keys: string[],
  related: string[],
): TemplateResult {
  const others = related.filter((key) => !keys.includes(key));
  return html`${derivationOf(ctx, keys)} ${relatedDerivations(ctx, results, others)}`;
}

export function relatedDerivations(
  ctx: RenderContext,
  results: Results,
  keys: string[],
): TemplateResult[] {
  return keys
    .filter((key) => results.absence(key) === undefined && !ctx.hides(key))
    .map((key) =>
      disclosure(
        ctx,
        {
          part: `derivation ${key}`,
          kind: 'other',
          summary: html`${ctx.answer(key).label} <span class="number">${results.say(key)}</span>`,
        },
        () => derivationOf(ctx, [key]),
      ),
    );
}

/** One derivation for all of `keys`: what they rest on in common stands there once. */
function derivationOf(ctx: RenderContext, keys: string[]): unknown {
  return lazily(ctx, ctx.actions.derivations, (draw) => {
    const { explanations } = ctx.actions;
    const opened = [...ctx.open].filter((part) => part.startsWith('parts ')).join();
    const of = [explanations, ctx.text, ctx.text.sources, keys.join(), opened];
    return inSlices(of, wholeFrame, () => {
      const steps = new Map<string, Step>();
      for (const key of keys) {
        const explanation = ctx.actions.explain(key);
        if (!explanation?.ok) continue;
        for (const step of explanation.derivation.steps) {
          if (!steps.has(step.key)) steps.set(step.key, step);
        }
      }
      // The engine's share has a frame of its own.
      return steps.size > 0
        ? inSlices([steps], wholeFrame, () => draw(ctx, [...steps.values()], keys))
        : nothing;
    });
  });
}
