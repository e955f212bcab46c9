// The sections below the best layouts, each drawn from what is known of the plan and of its search.

import { html, nothing, type TemplateResult } from 'lit';
import {
  Bars,
  ParetoFront,
  SweepChart,
  Timeline,
  ValueMap,
  type BarsData,
  type MapMove,
  type Move,
  type PlanWords,
} from '../../../charts/plan.ts';
import { define } from '../../../dom/define.ts';
import type { MapField, Plan } from '../../../engine/index.ts';
import { type Answers } from '../../../model/evaluate.ts';
import { mapFields, scalings } from '../../../model/charts.ts';
import type { PlanSection } from '../../../model/views.ts';
import { interpolate } from '../../../i18n/interpolate.ts';
import { isSparse } from '../../kit/model-parts.ts';
import { radios } from '../../kit/radios.ts';
import type { RenderContext } from '../../kit/render-context.ts';
import { layerData, mapData, memoryData, paretoFrontData, timelineData } from './drawings.ts';
import { ownInput } from './input.ts';
import { changesOf, leverTable } from './levers.ts';
import { mostTable } from './most.ts';
import { isWeak, mapAxes, type PlanSearches } from './plan-searches.ts';
import { moveTo, scalingData, sizesOf } from './scaling.ts';

/** Everything that a section draws. */
interface Drawn {
  ctx: RenderContext;
  searches: PlanSearches;
  /** The answers of the reader's own layout, if it is valid. */
  answers: Answers | undefined;
  /** Takes over a layout. */
  use(plan: Plan): void;
}

type Content = TemplateResult | typeof nothing;

export const sections: Readonly<Record<PlanSection, (drawn: Drawn) => Content>> = {
  memory,
  timeline,
  front,
  map,
  most,
  levers,
  scaling,
};

export function titleOf(ctx: RenderContext, section: PlanSection): string {
  const { memory, ...others } = ctx.text.planner;
  if (section !== 'memory') return others[section].title;
  return ctx.value('layout.pipeline') === 1 ? memory.titleOne : memory.title;
}

function wordsOf({ text: { charts, bounds, planner } }: RenderContext): PlanWords {
  return { ...charts.words, bounds, ...planner.words };
}

/** Why there is nothing to draw: the input, a search that has found nothing yet, or nothing fits. */
function notNow({ text: { planner, ui } }: RenderContext, searches?: PlanSearches): TemplateResult {
  const text = !searches?.valid
    ? planner.notNow
    : searches.found?.progress.done
      ? planner.map.nothing
      : ui.seeking;
  return html`<p class="means">${text}</p>`;
}

function memory({ ctx, answers }: Drawn): Content {
  const reply = ctx.engine.loaded('planner')!.stages(ownInput(ctx));
  if (!reply.ok) return notNow(ctx);
  const words = wordsOf(ctx);
  define('scaling-bars', Bars);
  const bars = (data: BarsData): TemplateResult =>
    html`<scaling-bars .data=${data} .format=${ctx.format} .words=${words}></scaling-bars>`;
  return html`${bars(memoryData(ctx, reply, answers))} ${bars(layerData(ctx, reply))}`;
}

function timeline({ ctx }: Drawn): Content {
  const reply = ctx.engine.loaded('planner')!.timeline(ownInput(ctx));
  if (!reply.ok) return notNow(ctx);
  define('scaling-timeline', Timeline);
  return html`<scaling-timeline
    .data=${timelineData(ctx, reply)}
    .format=${ctx.format}
    .words=${wordsOf(ctx)}
  ></scaling-timeline>`;
}

function front({ ctx, searches, answers, use }: Drawn): Content {
  const { found } = searches;
  if (!found || found.front.length === 0) return notNow(ctx, searches);
  const { front, limit } = found;
  define('scaling-pareto-frontier', ParetoFront);
  return html`<scaling-pareto-frontier
    .data=${paretoFrontData(ctx, front, limit, answers)}
    .format=${ctx.format}
    .words=${wordsOf(ctx)}
    @move=${({ detail }: CustomEvent<Move>) => use(front[detail.index]!)}
  ></scaling-pareto-frontier>`;
}

function map({ ctx, searches, answers }: Drawn): Content {
  const { found } = searches;
  const { map: words } = ctx.text.planner;
  const dataWays = answers?.dataWays;
  const own = typeof dataWays === 'number' ? dataWays : undefined;
  const useCell = ({ x, y, done }: MapMove): void =>
    searches.searchCell(ctx, [x, y], (fields) => ctx.actions.move(fields, done));
  define('scaling-value-map', ValueMap);
  const chart = found?.map.seconds.some((time) => time > 0)
    ? html`<scaling-value-map
        .data=${mapData(ctx, mapAxes(ctx), found.map, own)}
        .format=${ctx.format}
        .words=${wordsOf(ctx)}
        @move=${({ detail }: CustomEvent<MapMove>) => useCell(detail)}
      ></scaling-value-map>`
    : notNow(ctx, searches);
  return html`${chart}
    <p class="setting">
      ${interpolate<TemplateResult | string>(words.sentence, {
        x: axisChoice(ctx, 0, words.x),
        y: axisChoice(ctx, 1, words.y),
      })}
    </p>`;
}

function axisChoice(ctx: RenderContext, index: 0 | 1, label: string): TemplateResult {
  const axes = mapAxes(ctx);
  const { axes: names } = ctx.text.planner.map;
  return html`<select
    aria-label=${label}
    data-map=${index === 0 ? 'x' : 'y'}
    @change=${(event: Event) => {
      const chosen = (event.target as HTMLSelectElement).value as MapField;
      const other = axes[1 - index]!;
      // Choosing the other axis's field exchanges the two.
      const kept = other === chosen ? axes[index] : other;
      ctx.actions.chart({ map: index === 0 ? [chosen, kept] : [kept, chosen] });
    }}
  >
    ${mapFields
      .filter((field) => field !== 'expert' || isSparse(ctx) || axes.includes(field))
      .map(
        (field) =>
          html`<option value=${field} .selected=${field === axes[index]}>${names[field]}</option>`,
      )}
  </select>`;
}

function most({ ctx, searches }: Drawn): Content {
  return searches.valid ? mostTable(ctx, searches.most) : notNow(ctx, searches);
}

function levers({ ctx, searches }: Drawn): Content {
  const best = searches.best[0];
  return best
    ? leverTable(ctx, changesOf(ctx, ctx.engine.loaded('planner')!), searches.pulled, best)
    : notNow(ctx, searches);
}

function scaling({ ctx, searches }: Drawn): Content {
  const { scaling: words } = ctx.text.planner;
  const sizes = sizesOf(ctx);
  const done = sizes.filter((chips) => searches.sizes.has(chips)).length;
  const resize = (chips: number, done: boolean): void => {
    const found = searches.sizes.get(chips);
    if (found) ctx.actions.move(moveTo(ctx, found), done);
  };
  const chart = (answer: 'mfu' | 'days'): Content => {
    const data = scalingData(ctx, answer, sizes, searches.sizes);
    if (!data) return nothing;
    define('scaling-sweep', SweepChart);
    return html`<scaling-sweep
      data-answer-drawn=${answer}
      .data=${data}
      .format=${ctx.format}
      .words=${wordsOf(ctx)}
      @move=${({ detail }: CustomEvent<Move>) => resize(data.x.values[detail.index]!, detail.done)}
    ></scaling-sweep>`;
  };
  return html`${radios(
    html`<fieldset class="choice">
      <legend>${words.kind}</legend>
      ${scalings.map(
        (kind) =>
          html`<label
            ><input
              type="radio"
              name="scaling"
              value=${kind}
              .checked=${(kind === 'weak') === isWeak(ctx)}
              @change=${() => ctx.actions.chart({ scaling: kind })}
            />
            ${words[kind]}</label
          >`,
      )}
    </fieldset>`,
  )}
  ${chart('mfu')} ${chart('days')}
  ${
    searches.busy
      ? html`<p class="means">
          ${ctx.fill(words.waiting, { done: String(done), all: String(sizes.length) })}
        </p>`
      : nothing
  }`;
}
