import type { Formatter } from '../../number/format.ts';
import { below, small } from '../kit/axes.ts';
import type { BarsData } from '../kit/data.ts';
import {
  layLegend,
  letterHeight,
  letterWidths,
  rectangle,
  type Legend,
  type Letters,
} from '../kit/kinds.ts';
import type { Box } from '../kit/labels.ts';
import { hardLimit, layLimits, limitLine, usable, type PlacedLimit } from '../kit/limits.ts';
import { layRows, type Rows } from '../kit/rows.ts';
import { scale, type Scale } from '../kit/scale.ts';
import { px } from '../kit/shape.ts';
import type { Measure } from '../kit/text.ts';
import { linearTicks, type Ticks } from '../kit/ticks.ts';

export interface BarsLayout {
  height: number;
  plot: Box;
  x: Scale;
  xTicks: Ticks;
  rows: Rows;
  /** One path for each kind. */
  kinds: string[];
  letters: Letters[];
  limits: PlacedLimit[];
  /** The part of bars beyond the limit. */
  beyond: string;
  totals: number[];
  /** The row of the greatest total. */
  fullest: number;
  legend: Legend;
}

/** The length of a kind in a bar; what cannot be drawn is nothing. */
export function valueAt({ kinds, values }: BarsData, row: number, kind: number): number {
  const value = values[row * kinds.length + kind]!;
  return value > 0 && value < Infinity ? value : 0;
}

/** The edges of a bar's kinds: where each begins, and where the last ends. */
export function edgesOf(data: BarsData, row: number): number[] {
  const edges = [0];
  data.kinds.forEach((_, kind) => edges.push(edges[kind]! + valueAt(data, row, kind)));
  return edges;
}

export function layBars(
  data: BarsData,
  width: number,
  format: Formatter,
  measure: Measure,
): BarsLayout {
  const bars = data.rows.map((_, row) => edgesOf(data, row));
  const totals = bars.map((edges) => edges.at(-1)!);
  const limits = usable(data.limits);
  const title = data.rows.length > 1 ? limitLine : 0;
  const first = small + 1 + title;
  const head = first + (limits.length - 1) * limitLine + 8;
  // Bars too thin for letters have them above the first.
  const thin = layRows(data.rows, head, width, measure).thick < letterHeight;
  const top = head + (thin ? letterHeight + 2 : 0);
  const rows = layRows(data.rows, top, width, measure);
  const plot: Box = { left: rows.left, right: width - 14, top: head, bottom: top + rows.height };
  const most = Math.max(0, ...totals, ...limits.map(({ value }) => value)) || 1;
  const x = scale(false, [0, most], [plot.left, plot.right]);

  const kinds = data.kinds.map(() => '');
  const widths = letterWidths(data.kinds, measure);
  const letters = data.kinds.map((): Letters => ({ x: [], y: [] }));
  const limit = hardLimit(limits);
  let beyond = '';
  bars.forEach((edges, row) => {
    const at = rows.top(row);
    data.kinds.forEach((_, kind) => {
      const [from, to] = [x.place(edges[kind]!), x.place(edges[kind + 1]!)];
      if (to - from < 0.05) return;
      kinds[kind] += rectangle(from, at, to - from, rows.thick);
      if (to - from < widths[kind]! || (thin && row > 0)) return;
      letters[kind]!.x.push(px((from + to) / 2));
      letters[kind]!.y.push(thin ? at - 4 : px(at + rows.thick / 2 + small * 0.35));
    });
    const from = x.place(limit);
    const to = x.place(totals[row]!);
    if (to - from >= 0.05) beyond += rectangle(from, at, to - from, rows.thick);
  });

  const largest = data.kinds.map((_, kind) =>
    Math.max(...data.rows.map((_, row) => valueAt(data, row, kind))),
  );
  const foot = plot.bottom + below + 10;
  const legend = layLegend(
    data.kinds,
    largest.map((value) => value > 0),
    data.kinds.flatMap((_, kind) =>
      data.rows.map((_, row) => format.say(valueAt(data, row, kind), data.x.unit)),
    ),
    foot,
    width,
    measure,
  );
  return {
    height: foot + legend.height,
    plot,
    x,
    xTicks: linearTicks(data.x, [0, most], Math.floor((plot.right - plot.left) / 60), format),
    rows,
    kinds,
    letters,
    limits: layLimits(limits, data.x.unit, x.place, first, width, format, measure),
    beyond,
    totals,
    fullest: totals.indexOf(Math.max(...totals)),
    legend,
  };
}
