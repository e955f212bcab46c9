// The strip of a model's layers. It loads where a model has a pattern and its panel is open.

import { html, nothing } from 'lit';
import { Feature } from '../../kit/lazily.ts';
import type { Features } from '../../kit/render-context.ts';

const strip = new Feature(() => import('./strip.ts'), 'layers');

export const layers: Required<Features>['modelLead'] = (ctx) =>
  ctx.value('model.layerPattern')
    ? html`${strip.show(ctx, (words, { layerStrip }) => layerStrip(ctx, words))}`
    : nothing;
