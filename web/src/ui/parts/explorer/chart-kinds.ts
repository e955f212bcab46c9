// The charts that the explorer draws: for each, its data, the sentence that sets it, its element and
// what dragging in it changes.

import { html, type TemplateResult } from 'lit';
import '../../../charts/index.ts';
import type { MapMove, Move, Numbers, Words } from '../../../charts/index.ts';
import type { FieldId } from '../../../model/fields.ts';
import type { Chart } from '../../../model/views.ts';
import type { RenderContext } from '../../kit/render-context.ts';
import { rangedAxis, usualAxis, type Ranged } from './axis.ts';
import { heatMapData, mapAxes } from './heat-map-data.ts';
import { heatMapSetting } from './heat-map-setting.ts';
import { rooflineData } from './roofline-data.ts';
import { rooflineSetting } from './roofline-setting.ts';
import type { Setting } from './setting.ts';
import type { ChartQuery } from './chart-query.ts';
import { sweepData } from './sweep-data.ts';
import { sweepSetting } from './sweep-setting.ts';

/** The element that a chart is drawn in. */
export interface ChartHost {
  readonly ctx: RenderContext;
  readonly words: Words;
  /** Sets fields as the reader dragged them; a field without a value stays. */
  move(places: readonly (readonly [FieldId, number | undefined])[], done: boolean): void;
}

type Draw = (host: ChartHost) => TemplateResult;

interface ChartKind {
  /** Computes what is drawn; nothing where the question has nothing to draw. */
  prepare(query: ChartQuery): Draw | undefined;
  /** The chart's subject, as a sentence with controls in it. */
  setting(setting: Setting): TemplateResult;
}

/** Keeps the type of a chart's data between computing and drawing it. */
const kind = <Data>(
  dataOf: (query: ChartQuery) => Data | undefined,
  setting: ChartKind['setting'],
  draw: (data: Data, host: ChartHost, query: ChartQuery) => TemplateResult,
): ChartKind => ({
  prepare(query) {
    const data = dataOf(query);
    return data && ((host) => draw(data, host, query));
  },
  setting,
});

export const chartKinds: Readonly<Record<Chart, ChartKind>> = {
  roofline: kind(
    rooflineData,
    rooflineSetting,
    (data, host) =>
      html`<scaling-roofline
        .data=${data}
        .format=${host.ctx.format}
        .words=${host.words}
        @move=${({ detail }: CustomEvent<Move>) =>
          host.move([[along(host.ctx), data.track?.steps[detail.index]?.value]], detail.done)}
      ></scaling-roofline>`,
  ),
  sweep: kind(
    sweepData,
    sweepSetting,
    (data, host) =>
      html`<scaling-sweep
        .data=${data}
        .format=${host.ctx.format}
        .words=${host.words}
        @move=${({ detail }: CustomEvent<Move>) =>
          host.move([[along(host.ctx), data.x.values[detail.index]]], detail.done)}
      ></scaling-sweep>`,
  ),
  heatMap: kind(
    heatMapData,
    heatMapSetting,
    (data, host, query) =>
      html`<scaling-heat-map
        .data=${data}
        .format=${host.ctx.format}
        .words=${host.words}
        @move=${({ detail: { x, y, done } }: CustomEvent<MapMove>) => {
          const [over, against] = mapAxes(query);
          host.move([step(over, data.x.values, x), step(against, data.y.values, y)], done);
        }}
      ></scaling-heat-map>`,
  ),
};

/** The field that the horizontal axis goes along. */
const along = (ctx: RenderContext): FieldId =>
  rangedAxis(ctx, ctx.state.charts.over, usualAxis(ctx)).field;

/** The change to a value of an axis; none in the row or column of the reader's own. */
function step({ field, own }: Ranged, values: Numbers, index: number): [FieldId, number] {
  const distance = (at: number): number => Math.abs(Math.log(values[at]! / own));
  const nearest = [index - 1, index + 1].every(
    (beside) => beside < 0 || beside >= values.length || distance(beside) >= distance(index),
  );
  return [field, nearest ? own : values[index]!];
}
