// The choice of presets that stand beside the reader's own in a chart.

import { html, nothing, type TemplateResult } from 'lit';
import { chipOf, modelOf } from '../../../model/presets.ts';
import type { RenderContext } from '../../kit/render-context.ts';
import { chipOptions, modelOptions } from '../../parts/question/options.ts';

interface Beside {
  /** The setting of the chart that holds them. */
  key: 'models' | 'overlay';
  label: string;
  /** Names one of them to those who can't see it: `Other model {n}`. */
  other: string;
  add: string;
  /** The usual items to add; the first that is not there yet is the next. */
  usual: readonly string[];
  most: number;
}

export function besides(
  ctx: RenderContext,
  { key, label, other, add, usual, most }: Beside,
): TemplateResult {
  const { charts, ui } = ctx.text;
  const thing = key === 'models' ? 'model' : 'chip';
  const options = key === 'models' ? modelOptions(ctx) : chipOptions(ctx);
  const nameOf = (id: string): string => (key === 'models' ? modelOf(id) : chipOf(id)).name;
  const ids = ctx.state.charts[key] ?? [];
  const put = (next: readonly string[]): void =>
    ctx.actions.chart({ [key]: next.length > 0 ? [...new Set(next)] : undefined });
  const next = usual.find((id) => id !== ctx.state[thing] && !ids.includes(id));
  return html`<p class="setting" data-beside=${key}>
    ${label} <b>${ctx.called(thing)}</b> ${ids.map(
      (id, index) =>
        html`<span class="value"
          ><scaling-preset
            class="control"
            .fieldId=${`${thing}-${index}`}
            .label=${ctx.fill(other, { n: String(index + 1) })}
            .options=${options}
            .value=${id}
            .mark=${''}
            .nothingFound=${ui.nothingFound}
            @choose=${({ detail }: CustomEvent<string>) =>
              put(ids.map((each, at) => (at === index ? detail : each)))}
          ></scaling-preset
          ><button
            type="button"
            class="small"
            data-chart="remove"
            aria-label=${ctx.fill(charts.remove, { name: nameOf(id) })}
            @click=${() => put(ids.filter((_, at) => at !== index))}
          >
            ×
          </button></span
        > `,
    )}${
      next !== undefined && ids.length < most
        ? html`<button
            type="button"
            class="small"
            data-chart="add"
            aria-label=${add}
            @click=${() => put([...ids, next])}
          >
            +
          </button>`
        : nothing
    }
  </p>`;
}
