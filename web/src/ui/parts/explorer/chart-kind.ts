import type { TemplateResult } from 'lit';
import type { Words } from '../../../charts/index.ts';
import type { FieldId } from '../../../model/fields.ts';
import type { RenderContext } from '../../kit/render-context.ts';
import type { ChartQuery } from './chart-query.ts';
import type { Setting } from './setting.ts';

/** The element that a chart is drawn in. */
export interface ChartHost {
  readonly ctx: RenderContext;
  readonly words: Words;
  /** Sets fields as the reader dragged them; a field without a value stays. */
  move(places: readonly (readonly [FieldId, number | undefined])[], done: boolean): void;
}

type Draw = (host: ChartHost) => TemplateResult;

/** A kind of chart: its data, the sentence that sets it, its element and what dragging changes. */
export interface ChartKind {
  /** Computes what is drawn; nothing where the question has nothing to draw. */
  prepare(query: ChartQuery): Draw | undefined;
  /** The chart's subject, as a sentence with controls in it. */
  setting(setting: Setting): TemplateResult;
}

/** Keeps the type of a chart's data between computing and drawing it. */
export const chartKind = <Data>(
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
