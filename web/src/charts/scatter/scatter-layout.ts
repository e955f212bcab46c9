import type { Formatter } from '../../number/format.ts';
import { below, small } from '../kit/axes.ts';
import type { ScatterData, ScatterPoint } from '../kit/data.ts';
import type { Box, Dot } from '../kit/labels.ts';
import { hull, rounded, scale, type Scale } from '../kit/scale.ts';
import { px } from '../kit/shape.ts';
import type { Measure } from '../kit/text.ts';
import { logTicks, type Ticks } from '../kit/ticks.ts';

/** Few marks are large, many are small. */
const largest = 5;
const smallest = 3;
const many = 250;
/** Up to so many points have their whiskers drawn all the time. */
const fewWhiskers = 30;
const legendRow = 20;

export interface ScatterLayout {
  height: number;
  plot: Box;
  x: Scale;
  y: Scale;
  xTicks: Ticks;
  yTicks: Ticks;
  radius: number;
  /** Places of the points and then of the reader's own. */
  dots: Dot[];
  diagonal: string;
  /** The place and the angle of its name. */
  name: { x: number; y: number; angle: number };
  band: string | undefined;
  /** Whiskers of all, where these are few. */
  whiskers: Whisker[];
  legendTop: number;
}

/** A thin line between the bounds, a thick one where it was likely to lie. */
export interface Whisker {
  thin: string;
  thick: string;
}

export const pointsOf = ({ points, own = [] }: ScatterData): ScatterPoint[] => [...points, ...own];

export function layScatter(
  data: ScatterData,
  width: number,
  format: Formatter,
  measure: Measure,
): ScatterLayout {
  const all = pointsOf(data);
  const top = small + 12;
  const legend = data.kinds.length > 1 ? legendRow + 6 : 0;
  const inner = Math.round(Math.min(460, Math.max(280, width * 0.62)));
  const plot: Box = { left: 0, right: width - 14, top, bottom: top + inner };
  // Bounds lie far out: they have room where they are drawn.
  const isFew = all.length <= fewWhiskers;
  const ends = all.flatMap(({ x, y, bounds = [] }, index) =>
    isFew || index === data.chosen ? [x, y, ...bounds] : [x, y],
  );
  const [from, to] = rounded(hull(true, ends) ?? [0.1, 10]);
  const domain = from < to ? ([from, to] as const) : ([from / 2, from * 2] as const);
  const yTicks = logTicks(data.y, domain, Math.floor(inner / 40), format);
  plot.left = Math.ceil(Math.max(0, ...yTicks.labels.map((text) => measure(text, 400, small)))) + 9;
  const x = scale(true, domain, [plot.left, plot.right]);
  const y = scale(true, domain, [plot.bottom, plot.top]);
  const dots = all.map((point) => ({ x: px(x.place(point.x)), y: px(y.place(point.y)) }));
  const { band } = data;
  const corner = (factor: number): string => {
    // Along y = factor * x, as far as both are within the axes.
    const low = Math.max(domain[0], domain[0] / factor);
    const high = Math.min(domain[1], domain[1] / factor);
    return [low, high].map((at) => `${px(x.place(at))} ${px(y.place(at * factor))}`).join('L');
  };
  /** The ends of the diagonal, which the band goes around. */
  const at = (end: 0 | 1): string => `${px(x.place(domain[end]))} ${px(y.place(domain[end]))}`;
  const angle = -(Math.atan2(plot.bottom - plot.top, plot.right - plot.left) * 180) / Math.PI;
  const length = measure(data.diagonal, 400, small);
  const part = 1 - (length / 2 + 16) / Math.hypot(plot.right - plot.left, plot.bottom - plot.top);
  return {
    height: plot.bottom + below + legend,
    plot,
    x,
    y,
    xTicks: logTicks(data.x, domain, Math.floor((plot.right - plot.left) / 60), format),
    yTicks,
    radius: all.length > many ? smallest : largest,
    dots,
    diagonal: `M${at(0)}L${at(1)}`,
    name: {
      x: px(plot.left + part * (plot.right - plot.left) + 5),
      y: px(plot.bottom - part * (plot.bottom - plot.top) + 14),
      angle: px(angle),
    },
    band:
      band &&
      `M${corner(band.from)}L${at(1)}L${corner(band.to).split('L').reverse().join('L')}L${at(0)}z`,
    whiskers: isFew ? all.map((point, index) => whisker(point, dots[index]!, y)) : [],
    legendTop: plot.bottom + below + 6,
  };
}

const cap = 4;

export function whisker({ likely, bounds }: ScatterPoint, dot: Dot, y: Scale): Whisker {
  const line = (ends: readonly [number, number] | undefined, capped: boolean): string => {
    if (!ends) return '';
    const [from, to] = ends.map((end) => px(y.place(end)));
    const caps = [from, to].map((end) => `M${dot.x - cap} ${end}h${2 * cap}`).join('');
    return `M${dot.x} ${from}V${to}${capped ? caps : ''}`;
  };
  return { thin: line(bounds, true), thick: line(likely, false) };
}
