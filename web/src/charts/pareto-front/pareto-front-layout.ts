import type { Formatter } from '../../number/format.ts';
import { below, normal, small } from '../kit/axes.ts';
import type { ParetoFrontData, ParetoPoint, ScaledAxis } from '../kit/data.ts';
import {
  LabelPlacer,
  across,
  around,
  boxAround,
  type Box,
  type Candidate,
  type Dot,
} from '../kit/labels.ts';
import { hardLimit, layLimits, limitLine, usable, type PlacedLimit } from '../kit/limits.ts';
import { hull, rounded, scale, type Range, type Scale } from '../kit/scale.ts';
import { px } from '../kit/shape.ts';
import type { Measure } from '../kit/text.ts';
import { linearTicks, logTicks, type Ticks } from '../kit/ticks.ts';

export const radius = 5;
export const chosenRadius = 8;

export interface ParetoFrontLayout {
  height: number;
  plot: Box;
  x: Scale;
  y: Scale;
  xTicks: Ticks;
  yTicks: Ticks;
  /** Places of the points and then of the reader's own, if that is none of them. */
  dots: Dot[];
  names: { point: ParetoPoint; strong: boolean; at: Candidate }[];
  /** The best value up to each x. */
  steps: string;
  limits: PlacedLimit[];
  /** The x from which on there is too much of it. */
  beyond: number | undefined;
}

export const pointsOf = ({ points, own }: ParetoFrontData): ParetoPoint[] =>
  own ? [...points, own] : points;

export function layParetoFront(
  data: ParetoFrontData,
  width: number,
  format: Formatter,
  measure: Measure,
): ParetoFrontLayout {
  const limits = usable(data.limits);
  const first = small + 1 + limitLine;
  const top = first + (limits.length - 1) * limitLine + 8;
  const height = Math.round(Math.min(420, Math.max(260, width * 0.52))) + top - small;
  const plot: Box = { left: 0, right: width - 14, top, bottom: height - below };
  const all = pointsOf(data);
  const xDomain = domain(
    data.x,
    [...all, ...limits.map(({ value }) => ({ x: value }))].map(({ x }) => x),
  );
  const yDomain = domain(
    data.y,
    all.map(({ y }) => y),
  );
  const yTicks = ticks(data.y, yDomain, Math.floor((plot.bottom - plot.top) / 40), format);
  plot.left = Math.ceil(Math.max(0, ...yTicks.labels.map((text) => measure(text, 400, small)))) + 9;
  const x = scale(data.x.scale === 'log', xDomain, [plot.left, plot.right]);
  const y = scale(data.y.scale === 'log', yDomain, [plot.bottom, plot.top]);
  const dots = all.map((point) => ({ x: px(x.place(point.x)), y: px(y.place(point.y)) }));
  const limit = hardLimit(limits);
  const placed = layLimits(limits, data.x.unit, x.place, first, width, format, measure);

  // Names of all would cover the points: the ends, between which the others lie, and the reader's.
  const strong = data.own ? all.length - 1 : data.chosen;
  const last = data.points.length - 1;
  const named = [...new Set([strong ?? -1, data.chosen ?? -1, 0, last])].filter(
    (index) => all[index],
  );
  const ground = new LabelPlacer(
    { ...plot, top: plot.top + 2, bottom: plot.bottom - 2 },
    dots.map((dot) => boxAround(dot, radius + 2)),
    dots.slice(1, data.points.length).flatMap((dot, index) => between(dots[index]!, dot)),
    placed.flatMap(({ x }) => across(plot, x)),
  );
  const names = named.flatMap((index): ParetoFrontLayout['names'] => {
    const point = all[index]!;
    const size = index === strong ? normal : small;
    const text = measure(point.label, index === strong ? 600 : 400, size);
    const mark = index === strong ? chosenRadius : radius;
    const at = ground.place(around(dots[index]!, mark, text, size));
    return at ? [{ point, strong: index === strong, at }] : [];
  });
  if (data.named) {
    data.points.forEach((point, index) => {
      if (named.includes(index)) return;
      const text = measure(point.label, 400, small);
      const at = ground.placeFreely(around(dots[index]!, radius, text, small));
      if (at) names.push({ point, strong: false, at });
    });
  }
  return {
    height,
    plot,
    x,
    y,
    xTicks: ticks(data.x, xDomain, Math.floor((plot.right - plot.left) / 60), format),
    yTicks,
    dots,
    names,
    steps: data.points
      .map((_, index) => {
        const { x, y } = dots[index]!;
        return index === 0 ? `M${x} ${y}` : `H${x}V${y}`;
      })
      .join(''),
    limits: placed,
    beyond: limit < Infinity ? px(x.place(limit)) : undefined,
  };
}

const dotEvery = 6;

/** Dots along a step: across, then down or up. */
function between(from: Dot, to: Dot): Dot[] {
  const dots: Dot[] = [];
  for (let x = from.x; x < to.x; x += dotEvery) dots.push({ x, y: from.y });
  const [top, bottom] = [Math.min(from.y, to.y), Math.max(from.y, to.y)];
  for (let y = top; y < bottom; y += dotEvery) dots.push({ x: to.x, y });
  return dots;
}

/** Around what is drawn, so that marks stand free of the edges. */
function domain({ scale: kind }: ScaledAxis, values: number[]): Range {
  const log = kind === 'log';
  const [from, to] = hull(log, values) ?? [1, 10];
  if (log) {
    const [low, high] = rounded([from, to]);
    return low < high ? [low, high] : [low / 2, high * 2];
  }
  const room = (to - from || Math.abs(to) || 1) * 0.06;
  return [from >= 0 ? Math.max(0, from - room) : from - room, to + room];
}

const ticks = (axis: ScaledAxis, range: Range, most: number, format: Formatter): Ticks =>
  (axis.scale === 'log' ? logTicks : linearTicks)(axis, range, most, format);
