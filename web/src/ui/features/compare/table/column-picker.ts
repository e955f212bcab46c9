// The choice of a table's columns, which the link keeps.

import { html, type TemplateResult } from 'lit';
import type { AnswerInfo } from '../../../../engine/index.ts';
import { disclosure } from '../../../kit/disclosure.ts';
import type { RenderContext } from '../../../kit/render-context.ts';
import { infosOf } from './columns.ts';
import type { Which } from '../subjects.ts';
import type { Words } from '../words.ts';

function pick(
  { actions }: RenderContext,
  columns: readonly AnswerInfo[],
  key: string,
  wanted: boolean,
): void {
  const chosen = new Set(columns.map((info) => info.key));
  if (wanted) chosen.add(key);
  else chosen.delete(key);
  actions.chart({ columns: [...chosen].join(',') || 'none' });
}

const pickUsual = ({ actions }: RenderContext): void => actions.chart({ columns: undefined });

/** All answers as columns to choose from. */
export function renderPicker(
  ctx: RenderContext,
  words: Words,
  which: Which,
  columns: readonly AnswerInfo[],
): TemplateResult {
  const chosen = new Set(columns.map(({ key }) => key));
  return disclosure(
    ctx,
    {
      part: `columns ${which}`,
      kind: 'other',
      summary: html`${words.table.columns}
        <span class="number"
          >${ctx.fill(words.table.columnsCount, { n: String(columns.length) })}</span
        >`,
    },
    () =>
      html`<fieldset class="columns">
          <legend class="hidden">${words.table.columns}</legend>
          ${[...infosOf(ctx).values()]
            .filter(({ key }) => !ctx.hides(key))
            .map(
              ({ key }) =>
                html`<label
                  ><input
                    type="checkbox"
                    value=${key}
                    .checked=${chosen.has(key)}
                    @change=${(event: Event) =>
                      pick(ctx, columns, key, (event.target as HTMLInputElement).checked)}
                  />
                  ${ctx.answer(key).label}</label
                >`,
            )}
        </fieldset>
        <button type="button" class="usual" @click=${() => pickUsual(ctx)}>
          ${words.table.usual}
        </button>`,
  );
}
