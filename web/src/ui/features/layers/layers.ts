// The strip of a model's layers. It loads where a model has a pattern and its panel is open.

import { html, nothing, type TemplateResult } from 'lit';
import { Feature } from '../../kit/lazily.ts';
import { provideModelLead } from '../../parts/question/model-lead.ts';
import type { RenderContext } from '../../kit/render-context.ts';

const strip = new Feature(() => import('./strip.ts'), 'layers');

provideModelLead((ctx: RenderContext): TemplateResult | typeof nothing =>
  ctx.value('model.layerPattern')
    ? html`${strip.show(
        ctx,
        (words) => html`<scaling-layers .ctx=${ctx} .words=${words}></scaling-layers>`,
      )}`
    : nothing,
);
