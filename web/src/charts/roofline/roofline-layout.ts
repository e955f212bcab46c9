import type { Formatter } from '../../number/format.ts';
import { below, normal, small } from '../kit/axes.ts';
import type { OtherChip, Peak, RooflineData, Slope, Zone } from '../kit/data.ts';
import {
  Ground,
  around,
  boxAround,
  lineHeight,
  spreadRow,
  textBox,
  type Box,
  type Candidate,
  type Dot,
} from '../kit/labels.ts';
import { decades, hull, rounded, scale, type Range, type Scale } from '../kit/scale.ts';
import { glyphs, px } from '../kit/shape.ts';
import type { Measure } from '../kit/text.ts';
import { logTicks, type Ticks } from '../kit/ticks.ts';

export const radius = 5;
export const ownRadius = 8;
export const ridgeRadius = 3;

const zoneRow = 18;
const bandHeight = 4;
/** Beyond the outermost ridges and points, as a factor. */
const margin = 2;
/** Above the highest roof, for its name. */
const headroom = 3;
/** How far the axes reach at least on both sides of the ridges. */
const reachBelow = 100;
const reachAbove = 10;
/** What lies further out than this stands at the edge. */
const mostBeyond = 1e5;
/** What is lower than this below the highest roof stands at the bottom edge. */
const mostDecades = 10;
/** Room at the left edge for what computes nothing. */
const gutterWidth = 36;
/** A roof's name stands on its slope only if that is this much better. */
const roofFirst = 8;
/** Names keep this far from marks that they do not name. */
const apart = 4;
/** A label that would have to cover more than this is left to hover and the table. */
const mostCovered = 40;
/** And a ridge's number, which the legend or the axis tells too. */
const ridgeCovers = 8;
/** From this width on, other chips and the reader's point on them are named beside their marks. */
const wide = 560;

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

/** Where a slope meets a roof, with its intensity. */
export interface Ridge {
  kind: string;
  dot: Dot;
  text: string;
  at: Candidate | undefined;
}

/** What the lines are: a chip's name, and what is to be said of it, beside it or below. */
export interface LegendRow {
  kind: string;
  y: number;
  name: string;
  says: { text: string; x: number; y: number } | undefined;
}

/** The names of points that stand close together, one a line. */
export interface Name {
  points: number[];
  texts: string[];
  at: Candidate;
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
  ridges: Ridge[];
  legend: LegendRow[];
  /** The slope and the roof over the reader's own point. */
  own: string;
  /** One for each point. */
  dots: Dot[];
  /** Points that find no place for their name are named when they are pointed at. */
  names: Name[];
  track: Dot[];
}

export function layRoofline(
  given: RooflineData,
  width: number,
  format: Formatter,
  measure: Measure,
): RooflineLayout {
  const data = drawable(given);
  const peaks = merged(data.peaks);
  const chips = drawableChips(data);
  const { xDomain, yDomain } = domains(data, peaks, chips);

  const zoneTexts = data.zones.map(({ label, bound }) => `${glyphs[bound]} ${label}`);
  const zoneWidths = zoneTexts.map((text) => measure(text, 400, small));
  const total = zoneWidths.reduce((sum, each) => sum + each + 10, 0);
  const zoneRows = data.zones.length === 0 ? 0 : total > width ? 2 : 1;
  const bandTop = small + 10 + zoneRows * zoneRow;
  const bottom = Math.round(Math.min(420, Math.max(340, width * 0.56))) + bandTop;
  const { legend, room } = layLegend(data, chips, bottom + 8, width, measure);
  const height = bottom + room;

  const plot: Box = { left: 0, right: width - 14, top: bandTop, bottom: bottom - below };
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
  const roofs = layRoofs(data, peaks, chips, x, y, format);
  const slopes = slopeEnds(data.slopes, peaks, x, y);
  const isOwn = (index: number): boolean => data.points[index]!.own ?? false;
  const ridges = layRidges(data, peaks, chips, x, y, format);
  const points = data.points.map((_, index) => index);
  const ground = new Ground(
    { left: x.range[0] - gutter, right: width, top: plot.top + bandHeight, bottom: plot.bottom },
    [
      ...dots.map((dot, index) => boxAround(dot, isOwn(index) ? ownRadius : radius + apart)),
      ...ridges.map(({ dot }) => boxAround(dot, ridgeRadius + 1)),
    ],
    [
      ...slopes.flatMap(({ from, to }) => dotsAlong(from, to)),
      ...roofs.flatMap(({ dots }) => dotsAlong(...dots)),
      ...track,
    ],
  );
  const lines: NamedLine[] = roofs.map(({ kind, path, text, dots: [, end], from, slope }) => {
    const length = measure(text, kind === 'roof own' ? 600 : 400, small);
    const candidates: (Candidate | Aslant)[] = onRoof(from, end, length);
    if (slope) candidates.push(...aslant(...slope, length, roofFirst));
    const told = legend.length > 0 && width < wide && kind.startsWith('other');
    return { kind, path, text, at: told ? undefined : ground.place(candidates) };
  });
  for (const ridge of ridges) {
    const weight = ridge.kind === 'own' ? 600 : 400;
    ridge.at = ground.place(underRidge(ridge.dot, measure(ridge.text, weight, small)), {
      most: ridgeCovers,
      lines: 0.5,
    });
  }
  const names: Name[] = [];
  const label = (those: number[]): void => {
    const texts = those.map((index) => data.points[index]!.label);
    const length = Math.max(...texts.map((text) => measure(text, 400, small)));
    const candidates = around(middleOf(those, dots), radius, length, small, {
      lines: texts.length,
    });
    const at = ground.place(candidates, { most: mostCovered });
    if (at) names.push({ points: those, texts, at });
  };
  const [atEdge, inPlot] = [true, false].map((edge) =>
    points.filter((index) => !isOwn(index) && dots[index]!.x < x.range[0] === edge),
  ) as [number[], number[]];
  // Those with the least choice come first, the reader's own point last: it moves, and the others
  // should give way to its mark alone.
  atEdge.forEach((index) => label([index]));
  const onOthers = inPlot.filter((index) => data.points[index]!.chip !== undefined);
  // Where it is narrow, the legend tells enough.
  if (width >= wide) onOthers.forEach((index) => label([index]));
  for (const { slope, from, to } of slopes) {
    const text = `${slope.label} ${format.say(slope.bandwidth, 'B/s')}`;
    lines.push({
      kind: `slope ${slope.bound}${slope.own ? ' own' : ''}`,
      path: `M${px(from.x)} ${px(from.y)}L${px(to.x)} ${px(to.y)}`,
      text,
      at: ground.place(aslant(from, to, measure(text, slope.own ? 600 : 400, small))),
    });
  }
  const inLayer = inPlot.filter((index) => data.points[index]!.chip === undefined);
  groups(inLayer, dots).forEach(label);
  for (const index of points.filter(isOwn)) {
    const { label } = data.points[index]!;
    const length = measure(label, 600, normal);
    const candidates = around(dots[index]!, ownRadius + 6, length, normal, { farCost: 10 });
    const at =
      ground.place(candidates, { lines: 0.2 }) ?? candidates.find((each) => ground.holds(each));
    if (at) names.push({ points: [index], texts: [label], at });
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
    lines,
    ridges,
    legend,
    own: ownPath(data, x, y),
    dots,
    names,
    track,
  };
}

/** Without roofs and slopes of a speed that is none. */
function drawable(data: RooflineData): RooflineData {
  return {
    ...data,
    peaks: data.peaks.filter(({ rate }) => positive(rate)),
    slopes: data.slopes.filter(({ bandwidth }) => positive(bandwidth)),
  };
}

/** Quotients of these stay numbers, too. */
const positive = (value: number): boolean => value > 1e-100 && value < 1e100;

/** A chip beside the reader's, with its place in the list, by which it has its colour. */
interface Beside extends OtherChip {
  index: number;
}

const drawableChips = ({ chips = [] }: RooflineData): Beside[] =>
  chips
    .map((chip, index) => ({ ...chip, index }))
    .filter(({ rate, bandwidth }) => positive(rate) && positive(bandwidth));

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
    Math.max(
      Math.min(bend[0] / reachBelow, (reached?.[0] ?? Infinity) / margin),
      bend[0] / mostBeyond,
    ),
    Math.min(Math.max(bend[1] * reachAbove, (reached?.[1] ?? 0) * margin), bend[1] * mostBeyond),
  ]);
  const [, top] = hull(true, rates) ?? [1, 1e12];
  const lows = [
    ...moving.map(({ achieved }) => achieved),
    ...slopes.map(({ bandwidth }) => bandwidth * bend[0] * 0.1),
  ];
  const [low] = hull(true, lows) ?? [top / 1e4];
  const yDomain = rounded([
    Math.max(Math.min(low, top) / margin, top / 10 ** mostDecades),
    top * headroom,
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

/** Points so close together that a label could not tell which it means. */
function groups(points: readonly number[], dots: readonly Dot[]): number[][] {
  const found: number[][] = [];
  for (const index of [...points].sort((a, b) => dots[a]!.x - dots[b]!.x)) {
    const dot = dots[index]!;
    const near = found.find((those) =>
      those.some(
        (other) => Math.hypot(dots[other]!.x - dot.x, dots[other]!.y - dot.y) < 2 * radius,
      ),
    );
    if (near) near.push(index);
    else found.push([index]);
  }
  // Long lists have the least choice.
  return found.sort((a, b) => b.length - a.length);
}

function middleOf(those: readonly number[], dots: readonly Dot[]): Dot {
  const sum = { x: 0, y: 0 };
  for (const index of those) {
    sum.x += dots[index]!.x;
    sum.y += dots[index]!.y;
  }
  return { x: sum.x / those.length, y: sum.y / those.length };
}

interface Roof {
  kind: string;
  text: string;
  path: string;
  /** Its flat part starts at the first and ends at the last. */
  dots: [Dot, Dot];
  /** Where its name may start. */
  from: number;
  /** The slope that leads to it, where that has no name of its own. */
  slope?: [Dot, Dot];
}

function layRoofs(
  data: RooflineData,
  peaks: readonly Peak[],
  chips: readonly Beside[],
  x: Scale,
  y: Scale,
  format: Formatter,
): Roof[] {
  const fastest = Math.max(0, ...data.slopes.map(({ bandwidth }) => bandwidth));
  const right = x.range[1];
  const flat = (from: number, rate: number): [Dot, Dot] => {
    const height = y.place(rate);
    return [
      { x: fastest > 0 ? x.place(from) : x.range[0], y: height },
      { x: right, y: height },
    ];
  };
  const own = peaks.map(({ label, rate, own }): Roof => {
    const dots = flat(rate / fastest, rate);
    return {
      kind: own ? 'roof own' : 'roof',
      text: `${label} ${format.say(rate, data.y.unit)}`,
      path: `M${px(dots[0].x)} ${px(dots[0].y)}H${right}`,
      dots,
      from: dots[0].x,
    };
  });
  const others = chips.map(({ label, rate, bandwidth, index }): Roof => {
    const { from, to } = rise(bandwidth, rate, x, y);
    return {
      kind: otherKind(index),
      text: label,
      path: `M${px(from.x)} ${px(from.y)}L${px(to.x)} ${px(to.y)}H${right}`,
      dots: flat(rate / bandwidth, rate),
      from: to.x,
      slope: [from, to],
    };
  });
  return [
    ...own.filter(({ kind }) => kind === 'roof own'),
    ...own.filter(({ kind }) => kind !== 'roof own'),
    ...others,
  ];
}

/** Places for a name along a roof, always above it: at its right end or further left. */
function onRoof(from: number, end: Dot, length: number): Candidate[] {
  const candidates: Candidate[] = [];
  const y = end.y - 5;
  for (let x = end.x; x - length > from || x === end.x; x -= 16) {
    const boxes = [textBox(x, y, length, small, 'end')];
    candidates.push({ x, y, anchor: 'end', boxes, cost: (end.x - x) / 30 });
  }
  return candidates;
}

/** Where zones end on the roof that the reader's operation is under, and where other roofs begin. */
function layRidges(
  { slopes, zones }: RooflineData,
  peaks: readonly Peak[],
  chips: readonly Beside[],
  x: Scale,
  y: Scale,
  format: Formatter,
): Ridge[] {
  const ridge = (kind: string, rate: number, bandwidth: number): Ridge[] => {
    const intensity = rate / bandwidth;
    if (intensity < x.domain[0] || intensity > x.domain[1]) return [];
    const dot = { x: px(x.place(intensity)), y: px(y.place(rate)) };
    return [{ kind, dot, text: format.number(intensity), at: undefined }];
  };
  return [
    ...peaks
      .filter(({ own }) => own)
      .flatMap(({ rate }) =>
        slopes
          .filter(({ bandwidth }) => zones.some(({ until }) => isNear(until, rate / bandwidth)))
          .flatMap(({ bandwidth, own }) => ridge(own ? 'own' : '', rate, bandwidth)),
      ),
    ...chips.flatMap(({ rate, bandwidth, index }) => ridge(otherKind(index), rate, bandwidth)),
  ];
}

const isNear = (one = NaN, other: number): boolean => Math.abs(one / other - 1) < 1e-9;

export const otherKind = (index: number): string => `other chip-${index % 4}`;

/** Places for a ridge's number, always to the right of the slope and under the roof. */
const underRidge = ({ x, y }: Dot, length: number): Candidate[] =>
  [0, 1, 2].flatMap((line) =>
    [0, 12, 24].map((aside): Candidate => {
      const at = { x: x + 7 + aside, y: y + small + 2 + line * lineHeight(small) };
      return {
        ...at,
        anchor: 'start',
        boxes: [textBox(at.x, at.y, length, small, 'start')],
        cost: 3 * line + aside / 8,
      };
    }),
  );

const legendRow = 20;
export const legendIndent = 30;

/** The chips, one below the other; what is said of them stands in a column where there is room. */
function layLegend(
  { chip }: RooflineData,
  chips: readonly Beside[],
  top: number,
  width: number,
  measure: Measure,
): { legend: LegendRow[]; room: number } {
  if (chips.length === 0) return { legend: [], room: 0 };
  const rows = [
    ...(chip ? [{ ...chip, kind: 'ceiling' }] : []),
    ...chips.map((each) => ({ ...each, kind: otherKind(each.index) })),
  ];
  const names = Math.max(...rows.map(({ label }) => measure(label, 600, small)));
  const saying = Math.max(...rows.map(({ says = '' }) => measure(says, 400, small)));
  const beside = legendIndent + names + 16 + saying <= width;
  const lines = rows.map(({ says }) => (says && !beside ? 2 : 1));
  let y = top + small;
  const legend = rows.map(({ kind, label, says }, index): LegendRow => {
    const row: LegendRow = {
      kind,
      y,
      name: label,
      says: says
        ? {
            text: says,
            x: beside ? px(legendIndent + names + 16) : legendIndent,
            y: beside ? y : y + lineHeight(small),
          }
        : undefined,
    };
    y += legendRow + (lines[index]! - 1) * lineHeight(small);
    return row;
  });
  return { legend, room: y - top + 4 };
}

/** Up the slope and along the roof that the reader's operation is under. */
function ownPath({ peaks, slopes }: RooflineData, x: Scale, y: Scale): string {
  const peak = peaks.find(({ own }) => own);
  const slope = slopes.find(({ own }) => own);
  if (!peak || !slope) return '';
  const { from, to } = rise(slope.bandwidth, peak.rate, x, y);
  return `M${px(from.x)} ${px(from.y)}L${px(to.x)} ${px(to.y)}H${x.range[1]}`;
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
function aslant(from: Dot, to: Dot, length: number, cost = 0): Aslant[] {
  const run = Math.hypot(to.x - from.x, to.y - from.y);
  if (run < length + 8) return [];
  const along = { x: (to.x - from.x) / run, y: (to.y - from.y) / run };
  const angle = (Math.atan2(along.y, along.x) * 180) / Math.PI;
  const lift = 5;
  const places = 16;
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
    return { x, y, angle, anchor: 'start', boxes, cost: cost + index * 0.3 };
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
      2,
      width - 4,
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
