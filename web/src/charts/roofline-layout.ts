import type { Formatter } from '../number/format.ts';
import { below, normal, small } from './axes.ts';
import type { OtherChip, Peak, RooflineData, Slope, Zone } from './data.ts';
import {
  Ground,
  around,
  boxAround,
  spread,
  spreadRow,
  textBox,
  type Box,
  type Candidate,
  type Dot,
} from './labels.ts';
import { decades, hull, scale, type Range, type Scale } from './scale.ts';
import { glyphs, px } from './shape.ts';
import type { Measure } from './text.ts';
import { logTicks, type Ticks } from './ticks.ts';

export const radius = 5;
export const ownRadius = 8;

const zoneRow = 18;
const bandHeight = 4;
/** Beyond the outermost ridges and points, as a factor. */
const margin = 2;
/** How far the axes reach at least on both sides of the ridges. */
const reachBelow = 100;
const reachAbove = 10;
/** What is lower than this below the highest roof stands at the bottom edge. */
const mostDecades = 10;
/** Room at the left edge for what computes nothing. */
const gutterWidth = 30;

export interface ZoneBand {
  zone: Zone;
  left: number;
  width: number;
  text: string;
  at: number;
  baseline: number;
}

/** A line with its name; the name of a slope lies aslant. */
export interface NamedLine {
  kind: string;
  path: string;
  text: string;
  at: Candidate | Aslant | undefined;
}

interface Aslant extends Candidate {
  angle: number;
}

export interface RooflineLayout {
  height: number;
  plot: Box;
  x: Scale;
  y: Scale;
  xTicks: Ticks;
  yTicks: Ticks;
  /** Where intensity 0 stands, if anything does. */
  zero: number | undefined;
  zones: ZoneBand[];
  bandTop: number;
  lines: NamedLine[];
  /** One for each point, as are the labels, of which some find no place. */
  dots: Dot[];
  labels: (Candidate | undefined)[];
  track: Dot[];
}

export function layRoofline(
  data: RooflineData,
  width: number,
  format: Formatter,
  measure: Measure,
): RooflineLayout {
  const peaks = merged(data.peaks);
  const chips = data.chips ?? [];
  const { xDomain, yDomain } = domains(data, peaks, chips);

  const zoneTexts = data.zones.map(({ label, bound }) => `${glyphs[bound]} ${label}`);
  const zoneWidths = zoneTexts.map((text) => measure(text, 400, small));
  const total = zoneWidths.reduce((sum, each) => sum + each + 10, 0);
  const zoneRows = data.zones.length === 0 ? 0 : total > width ? 2 : 1;
  const bandTop = small + 10 + zoneRows * zoneRow;
  const height = Math.round(Math.min(420, Math.max(270, width * 0.56))) + bandTop;

  const plot: Box = { left: 0, right: width - 14, top: bandTop, bottom: height - below };
  const yTicks = logTicks(data.y, yDomain, Math.floor((plot.bottom - plot.top) / 32), format);
  plot.left = Math.ceil(Math.max(...yTicks.labels.map((text) => measure(text, 400, small)))) + 9;
  const gutter = data.points.some(({ intensity }) => !(intensity > 0)) ? gutterWidth : 0;
  const x = scale(true, xDomain, [plot.left + gutter, plot.right]);
  const y = scale(true, yDomain, [plot.bottom, plot.top]);
  const xTicks = logTicks(data.x, xDomain, Math.floor((plot.right - x.range[0]) / 44), format);

  const dots = placePoints(data, x, y, plot);
  const track = (data.track?.steps ?? []).map(({ intensity, achieved }) => ({
    x: px(x.place(intensity)),
    y: px(y.place(achieved)),
  }));
  const roofs = layRoofs(data, peaks, chips, x, y, plot, format, measure);
  const slopes = slopeEnds(data.slopes, peaks, x, y);
  const ground = new Ground(
    { left: x.range[0] - gutter, right: width, top: plot.top + bandHeight, bottom: plot.bottom },
    dots.map((dot, index) => boxAround(dot, data.points[index]!.own ? ownRadius : radius)),
    [...slopes.flatMap(({ from, to }) => dotsAlong(from, to)), ...track],
  );
  for (const { at } of roofs) at?.boxes.forEach((box) => ground.take(box));

  const named = slopes.map(({ slope, from, to }): NamedLine => {
    const text = `${slope.label} ${format.say(slope.bandwidth, 'B/s')}`;
    const candidates = aslant(from, to, measure(text, slope.own ? 600 : 400, small));
    return {
      kind: `slope ${slope.bound}${slope.own ? ' own' : ''}`,
      path: `M${px(from.x)} ${px(from.y)}L${px(to.x)} ${px(to.y)}`,
      text,
      at: ground.place(candidates),
    };
  });

  // The reader's own point is the first to choose.
  const labels: (Candidate | undefined)[] = [];
  const order = data.points.map((_, index) => index);
  order.sort((a, b) => Number(!data.points[a]!.own) - Number(!data.points[b]!.own));
  for (const index of order) {
    const { label, own } = data.points[index]!;
    const size = own ? normal : small;
    const length = measure(label, own ? 600 : 400, size);
    labels[index] = ground.place(around(dots[index]!, own ? ownRadius + 12 : radius, length, size));
  }

  return {
    height,
    plot,
    x,
    y,
    xTicks,
    yTicks,
    zero: gutter > 0 ? plot.left + 10 : undefined,
    zones: layZones(data.zones, zoneTexts, zoneWidths, zoneRows, x, width),
    bandTop,
    lines: [...roofs, ...named],
    dots,
    labels,
    track,
  };
}

/** Roofs of one rate are one roof. */
function merged(peaks: readonly Peak[]): Peak[] {
  const byRate = new Map<number, Peak>();
  for (const peak of peaks) {
    const same = byRate.get(peak.rate);
    const both = same && {
      ...same,
      label: `${same.label}, ${peak.label}`,
      own: Boolean(same.own || peak.own),
    };
    byRate.set(peak.rate, both ?? peak);
  }
  return [...byRate.values()];
}

function domains(
  data: RooflineData,
  peaks: readonly Peak[],
  chips: readonly OtherChip[],
): { xDomain: Range; yDomain: Range } {
  const { points, slopes, zones } = data;
  const steps = data.track?.steps ?? [];
  const moving = [...points, ...steps];
  const rates = [...peaks, ...chips].map(({ rate }) => rate);
  const ridges = [
    ...zones.flatMap(({ until }) => until ?? []),
    ...chips.map(({ rate, bandwidth }) => rate / bandwidth),
    ...peaks.flatMap(({ rate, own }) =>
      slopes.flatMap((slope) => (own || slope.own ? rate / slope.bandwidth : [])),
    ),
  ];
  const bend = hull(true, ridges) ?? [1, 100];
  const reached = hull(
    true,
    moving.map(({ intensity }) => intensity),
  );
  const xDomain = decades([
    Math.min(bend[0] / reachBelow, (reached?.[0] ?? Infinity) / margin),
    Math.max(bend[1] * reachAbove, (reached?.[1] ?? 0) * margin),
  ]);
  const [, top] = hull(
    true,
    rates,
    moving.map(({ achieved }) => achieved),
  ) ?? [1, 1e12];
  const lows = [
    ...moving.map(({ achieved }) => achieved),
    ...slopes.map(({ bandwidth }) => bandwidth * bend[0] * 0.1),
  ];
  const [low] = hull(true, lows) ?? [top / 1e4];
  const yDomain = decades([
    Math.max(Math.min(low, top) / margin, top / 10 ** mostDecades),
    top * margin,
  ]);
  return { xDomain, yDomain };
}

/** Those that compute nothing stand above each other at the left edge. */
function placePoints(data: RooflineData, x: Scale, y: Scale, plot: Box): Dot[] {
  let stacked = 0;
  return data.points.map(({ intensity, achieved }) =>
    intensity > 0
      ? { x: px(x.place(intensity)), y: px(y.place(achieved)) }
      : { x: plot.left + 10, y: plot.bottom - 12 - 18 * stacked++ },
  );
}

/** Roofs have their names above their right ends, apart from each other. */
function layRoofs(
  data: RooflineData,
  peaks: readonly Peak[],
  chips: readonly OtherChip[],
  x: Scale,
  y: Scale,
  plot: Box,
  format: Formatter,
  measure: Measure,
): NamedLine[] {
  const fastest = Math.max(0, ...data.slopes.map(({ bandwidth }) => bandwidth));
  const right = x.range[1];
  const lines = [
    ...peaks.map(({ label, rate, own }) => ({
      rate,
      kind: own ? 'roof own' : 'roof',
      text: `${label} ${format.say(rate, data.y.unit)}`,
      path: `M${px(fastest > 0 ? x.place(rate / fastest) : x.range[0])} ${px(y.place(rate))}H${right}`,
    })),
    ...chips.map(({ label, rate, bandwidth }) => {
      const { from, to } = rise(bandwidth, rate, x, y);
      return {
        rate,
        kind: 'other',
        text: label,
        path: `M${px(from.x)} ${px(from.y)}L${px(to.x)} ${px(to.y)}H${right}`,
      };
    }),
  ];
  const wanted = lines.map(({ rate }) => y.place(rate) - 5);
  const baselines = spread(wanted, small + 3, plot.top + small + bandHeight, plot.bottom - 5);
  return lines.map(({ kind, text, path }, index) => {
    const weight = kind === 'roof own' ? 600 : 400;
    const baseline = baselines[index]!;
    return {
      kind,
      text,
      path,
      at: {
        x: right,
        y: baseline,
        anchor: 'end',
        boxes: [textBox(right, baseline, measure(text, weight, small), small, 'end')],
        cost: 0,
      },
    };
  });
}

/** A slope from where it enters the plot up to a rate, or to the plot's right edge. */
function rise(bandwidth: number, rate: number, x: Scale, y: Scale): { from: Dot; to: Dot } {
  const start = Math.max(x.domain[0], y.domain[0] / bandwidth);
  const end = Math.max(start, Math.min(x.domain[1], rate / bandwidth));
  const dot = (at: number): Dot => ({ x: x.place(at), y: y.place(at * bandwidth) });
  return { from: dot(start), to: dot(end) };
}

function slopeEnds(
  slopes: readonly Slope[],
  peaks: readonly Peak[],
  x: Scale,
  y: Scale,
): { slope: Slope; from: Dot; to: Dot }[] {
  const top = Math.max(...peaks.map(({ rate }) => rate), y.domain[0]);
  return slopes.map((slope) => ({ slope, ...rise(slope.bandwidth, top, x, y) }));
}

const dotEvery = 6;

function dotsAlong(from: Dot, to: Dot): Dot[] {
  const count = Math.ceil(Math.hypot(to.x - from.x, to.y - from.y) / dotEvery);
  return Array.from({ length: count + 1 }, (_, index) => ({
    x: from.x + ((to.x - from.x) * index) / (count || 1),
    y: from.y + ((to.y - from.y) * index) / (count || 1),
  }));
}

/** Places for a text along a slope, a little above it, from its lower end up. */
function aslant(from: Dot, to: Dot, length: number): Aslant[] {
  const run = Math.hypot(to.x - from.x, to.y - from.y);
  if (run < length + 8) return [];
  const along = { x: (to.x - from.x) / run, y: (to.y - from.y) / run };
  const angle = (Math.atan2(along.y, along.x) * 180) / Math.PI;
  const lift = 5;
  const places = 9;
  return Array.from({ length: places }, (_, index) => {
    const start = 6 + ((run - length - 8) * index) / (places - 1);
    const x = from.x + along.x * start + along.y * lift;
    const y = from.y + along.y * start - along.x * lift;
    const boxes: Box[] = [];
    for (let at = 0; at <= length; at += 8) {
      const centre = { x: x + along.x * at, y: y + along.y * at };
      boxes.push({
        left: centre.x - 5,
        right: centre.x + 5,
        top: centre.y - small,
        bottom: centre.y + 1,
      });
    }
    return { x, y, angle, anchor: 'start', boxes, cost: index * 0.5 };
  });
}

function layZones(
  zones: readonly Zone[],
  texts: readonly string[],
  widths: readonly number[],
  rows: number,
  x: Scale,
  width: number,
): ZoneBand[] {
  let left = x.range[0];
  const bands = zones.map((zone) => {
    const right = zone.until === undefined ? x.range[1] : x.place(zone.until);
    const band = { zone, left, width: Math.max(0, right - left) };
    left = Math.max(left, right);
    return band;
  });
  const centres: number[] = [];
  for (let row = 0; row < rows; ++row) {
    const those = bands.map((_, index) => index).filter((index) => index % rows === row);
    const spaced = spreadRow(
      those.map((index) => bands[index]!.left + bands[index]!.width / 2),
      those.map((index) => widths[index]!),
      10,
      0,
      width,
    );
    spaced.forEach((centre, rank) => (centres[those[rank]!] = centre));
  }
  return bands.map((band, index) => ({
    ...band,
    text: texts[index]!,
    at: px(centres[index]!),
    baseline: small + 4 + ((rows > 1 ? index % rows : 0) + 1) * zoneRow,
  }));
}
