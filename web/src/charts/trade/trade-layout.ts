import type { Formatter } from '../../number/format.ts';
import { below, normal, small } from '../kit/axes.ts';
import {
  LabelPlacer,
  across,
  around,
  boxAround,
  textBox,
  type Box,
  type Candidate,
  type Dot,
} from '../kit/labels.ts';
import { hull, rounded, scale, type Range, type Scale } from '../kit/scale.ts';
import { px } from '../kit/shape.ts';
import type { Measure } from '../kit/text.ts';
import { logTicks, type Ticks } from '../kit/ticks.ts';
import type { TradeData } from '../kit/trade-data.ts';

export const radius = 4;
export const ownRadius = 7;
/** Room for a name of a limit above the plot. */
const limitRoom = 17;

interface PlacedName {
  text: string;
  line: number;
  strong: boolean;
  at: Candidate;
}

export interface TradeLayout {
  height: number;
  plot: Box;
  x: Scale;
  y: Scale;
  xTicks: Ticks;
  yTicks: Ticks;
  dots: Dot[];
  /** Each line: its path, and the area in which it was likely to lie. */
  paths: { path: string; band: string }[];
  names: PlacedName[];
  /** Short names of points, where there was room. */
  short: { text: string; at: Candidate }[];
  /** The limits of x and of y. */
  beyond: { x?: number; y?: number };
  /** The name of the limit of y. */
  across?: { text: string; at: Candidate };
}

export function layTrade(
  data: TradeData,
  width: number,
  format: Formatter,
  measure: Measure,
): TradeLayout {
  const { points, lines, most } = data;
  const top = small + 12 + (most.x ? limitRoom : 0);
  const height = Math.round(Math.min(460, Math.max(300, width * 0.56))) + top - small;
  const plot: Box = { left: 0, right: width - 14, top, bottom: height - below };
  const ends = points.flatMap(({ x, y, low, high }) => [[x, y] as const, low ?? [], high ?? []]);
  const [xDomain, yDomain] = [0, 1].map((axis) => {
    const limit = (axis === 0 ? most.x : most.y)?.value;
    return domain([...ends.flatMap((end) => end[axis] ?? []), ...(limit ? [limit] : [])]);
  }) as [Range, Range];
  const yTicks = logTicks(data.y, yDomain, Math.floor((plot.bottom - plot.top) / 40), format);
  plot.left = Math.ceil(Math.max(0, ...yTicks.labels.map((text) => measure(text, 400, small)))) + 9;
  const x = scale(true, xDomain, [plot.left, plot.right]);
  const y = scale(true, yDomain, [plot.bottom, plot.top]);
  const dots = points.map((point) => ({ x: px(x.place(point.x)), y: px(y.place(point.y)) }));

  const paths = lines.map((_, line) => {
    const own = points.filter((point) => point.line === line && !point.aside);
    const place = (at: readonly [number, number]): string =>
      `${px(x.place(at[0]))} ${px(y.place(at[1]))}`;
    const likely = own.filter(({ low, high }) => low && high);
    const around = [
      ...likely.map(({ low }) => place(low!)),
      ...likely.map(({ high }) => place(high!)).reverse(),
    ];
    return {
      path: own.length > 1 ? `M${own.map((point) => place([point.x, point.y])).join('L')}` : '',
      band: around.length > 2 ? `M${around.join('L')}z` : '',
    };
  });

  const beyond: TradeLayout['beyond'] = {
    ...(most.x && { x: px(x.place(most.x.value)) }),
    ...(most.y && { y: px(y.place(most.y.value)) }),
  };
  const ground = new LabelPlacer(
    { ...plot, top: plot.top + 2, bottom: plot.bottom - 2 },
    dots.map((dot) => boxAround(dot, radius + 2)),
    lines.flatMap((_, line) =>
      alongLine(dots.filter((__, i) => points[i]!.line === line && !points[i]!.aside)),
    ),
    across(plot, beyond.x, beyond.y),
  );
  const limit = most.y && sayLimit(most.y, data.y.unit, format);
  let at: Candidate | undefined;
  if (limit) {
    const wide = measure(limit, 600, normal);
    // The name stands to the left of the limit of x where that would go through it.
    const crossed = beyond.x! > plot.right - wide - 2 * inset;
    const x = (crossed ? beyond.x! : plot.right) - inset;
    const y = beyond.y! + small + 3;
    at = { x, y, anchor: 'end', boxes: [textBox(x, y, wide, normal, 'end')], cost: 0 };
    ground.place([at]);
  }
  const put = (index: number, text: string, strong: boolean): PlacedName[] => {
    const size = strong ? normal : small;
    const wide = measure(text, strong ? 600 : 400, size);
    const mark = points[index]!.own ? ownRadius : radius;
    const at = ground.place(around(dots[index]!, mark, wide, size));
    return at ? [{ text, line: points[index]!.line, strong, at }] : [];
  };
  const best = points.flatMap(({ best }, index) => (best ? put(index, best, true) : []));
  const lineNames = lines.flatMap((text, line) => {
    const indices = points.flatMap((point, index) => (point.line === line ? [index] : []));
    // The first place that is free, from the reader's own on.
    const own = indices.filter((index) => points[index]!.own);
    for (const index of [...own, ...indices]) {
      const found = put(index, text, false);
      if (found.length > 0) return found;
    }
    return [];
  });
  const short = points.flatMap(({ short: text }, index) => {
    if (text === undefined) return [];
    const places = around(dots[index]!, radius, measure(text, 400, small), small);
    const at = ground.placeFreely(places);
    return at ? [{ text, at }] : [];
  });
  return {
    height,
    plot,
    x,
    y,
    xTicks: logTicks(data.x, xDomain, Math.floor((plot.right - plot.left) / 64), format),
    yTicks,
    dots,
    paths,
    names: [...best, ...lineNames],
    short,
    beyond,
    ...(limit && at && { across: { text: limit, at } }),
  };
}

/** The distance from an edge to the name of a limit across the plot. */
const inset = 6;

export const sayLimit = (
  { label, value }: { label: string; value: number },
  unit: string,
  format: Formatter,
): string => `${label} ${format.say(value, unit)}`;

const dotEvery = 6;

/** Dots along a line, which names keep clear of. */
function alongLine(dots: readonly Dot[]): Dot[] {
  return dots.slice(1).flatMap((to, index) => {
    const from = dots[index]!;
    const count = Math.ceil(Math.hypot(to.x - from.x, to.y - from.y) / dotEvery);
    return Array.from({ length: count }, (_, i) => ({
      x: from.x + ((to.x - from.x) * i) / count,
      y: from.y + ((to.y - from.y) * i) / count,
    }));
  });
}

function domain(values: number[]): Range {
  const [from, to] = hull(true, values) ?? [1, 10];
  const [low, high] = rounded([from / 1.05, to * 1.05]);
  return low < high ? [low, high] : [low / 2, high * 2];
}
