// The cache and states of a sequence by kind of layer. Only the page shows them.

import { html, nothing, type TemplateResult } from 'lit';
import { kindOf } from '../../../charts/kit/looks.ts';
import { stack } from '../../../charts/stack/stack.ts';
import type { Results } from '../../kit/results.ts';
import type { RenderContext } from '../../kit/render-context.ts';
import type { Row } from '../../parts/view.ts';

const keptKeys = [
  'kvOfFull',
  'kvOfWindowed',
  'kvOfSparse',
  'kvOfCompressed',
  'stateOfLinear',
  'stateOfMamba',
  'stateOfConvolution',
];

/** The cache and states of a sequence by kind of layer, if the layers differ. */
function keptFigure(ctx: RenderContext, results: Results): TemplateResult | typeof nothing {
  const parts = keptKeys
    .map((key) => ({ key, value: results.number(key) ?? 0 }))
    .filter(({ value }) => value > 0)
    .map(({ key, value }, index) => ({
      look: kindOf('memory', index),
      value,
      label: `${ctx.answer(key).label} ${results.say(key)}`,
    }));
  if (parts.length < 2) return nothing;
  const title = ctx.text.served.kinds;
  return html`<p class="by">${title}</p>
    ${stack({ name: 'kept', title, parts })}`;
}

/** The row of memory, with what a sequence keeps. */
export const withKept = (ctx: RenderContext, results: Results, row: Row): Row => ({
  ...row,
  figure: html`${row.figure ?? nothing} ${keptFigure(ctx, results)}`,
  related: [...row.related, ...keptKeys],
});
