// Kernels that were measured on a chip, under its roofline. They load where the reader asks.

import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { partOf, type PartTexts } from '../../../i18n/dictionary.ts';
import { progressOf } from '../../kit/lazily.ts';
import type { RenderContext } from '../../kit/render-context.ts';
import type { RooflineData } from '../../../charts/index.ts';
import type { KernelFacts, MeasuredKernel } from '../../../model/kernel-facts.ts';

const isShown = ({ state }: RenderContext): boolean => state.charts.kernels === 'shown';

type KernelWords = PartTexts<'evidence'>['kernels'];

/** The kernels that the reader asks for with what is said of them, once both have loaded. */
export function kernelFacts(
  ctx: RenderContext,
): { facts: KernelFacts; words: KernelWords } | undefined {
  const kernels = isShown(ctx) ? ctx.features.kernels : undefined;
  if (!kernels) return undefined;
  const facts = kernels.use(ctx.actions);
  const texts = partOf(ctx.language, 'evidence').use(ctx.actions);
  return facts && texts && { facts, words: texts.kernels };
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** The kernels in the format of the operation. */
function alike(ctx: RenderContext, facts: KernelFacts): readonly MeasuredKernel[] {
  const format = ctx.applies('operation.computeFormat')
    ? String(ctx.value('operation.computeFormat'))
    : '';
  return facts.of(ctx.state.chip, format);
}

/** The measured kernels to draw. */
export function shownKernels(ctx: RenderContext): Pick<RooflineData, 'measured'> {
  const known = kernelFacts(ctx);
  if (!known) return {};
  const { facts, words } = known;
  const points = alike(ctx, facts).map(({ m, n, k, intensity, achieved, expected }) => ({
    label: ctx.fill(words.name, {
      m: ctx.format.count(m),
      n: ctx.format.count(n),
      k: ctx.format.count(k),
      expected: ctx.format.say(expected, 'FLOPs/s'),
    }),
    intensity,
    achieved,
  }));
  return { measured: { kind: words.kind, points } };
}

/** Shows or hides them, and says what they are. */
export function kernelChoice(ctx: RenderContext): TemplateResult | typeof nothing {
  const { kernels } = ctx.features;
  if (!kernels) return nothing;
  const known = kernelFacts(ctx);
  return html`<p class="setting">
      <label
        ><input
          type="checkbox"
          data-chart="kernels"
          .checked=${live(isShown(ctx))}
          @change=${(event: Event) =>
            ctx.actions.chart({
              kernels: (event.target as HTMLInputElement).checked ? 'shown' : undefined,
            })}
        />
        ${ctx.text.charts.kernels}</label
      >
      ${known ? says(ctx, known.facts, known.words) : nothing}
    </p>
    ${isShown(ctx) ? progressOf(ctx, kernels, partOf(ctx.language, 'evidence')) : nothing}`;
}

function says(ctx: RenderContext, facts: KernelFacts, words: KernelWords): TemplateResult {
  const shown = alike(ctx, facts);
  const n = shown.length;
  if (n === 0) return html`${ctx.fill(words.none, { chip: ctx.called('chip') })}`;
  const errors = shown.map(({ achieved, expected }) => Math.abs(achieved / expected - 1));
  return html`${ctx.fill(
      words.says,
      { n: ctx.format.count(n), median: ctx.format.say(median(errors), '%') },
      { n },
    )} <a href=${facts.source.url} rel="noreferrer" target="_blank">${words.source}</a>`;
}
