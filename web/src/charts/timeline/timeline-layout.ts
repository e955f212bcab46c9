import type { Formatter } from '../../number/format.ts';
import { sayShare } from '../../number/share.ts';
import { below, small } from '../kit/axes.ts';
import type { TimelineData, TimelineEvent } from '../kit/data.ts';
import {
  layLegend,
  letterHeight,
  letterWidths,
  rectangle,
  type Legend,
  type Letters,
} from '../kit/kinds.ts';
import type { Box } from '../kit/labels.ts';
import { layRows, type Rows } from '../kit/rows.ts';
import type { Range } from '../kit/scale.ts';
import { px } from '../kit/shape.ts';
import type { Measure } from '../kit/text.ts';
import { linearTicks, type Ticks } from '../kit/ticks.ts';
import { Course, cutScale, type CutScale } from './course.ts';

const top = small + 12;
/** Bars are parted by a gap from this width on; thinner ones of a kind run into one. */
const parted = 4;
const touching = 0.2;
const thinnest = 0.5;
/** Neighbours that are thinner than this on average are drawn together, as the time of each kind. */
const tooThin = 2;
const bin = 4;
/** The teeth of a cut's edges. */
const tooth = 4;
/** Tints of micro-batches, one after another; the first is none. */
const tints = 3;

export interface TimelineLayout {
  height: number;
  plot: Box;
  course: Course;
  /** The part of the step that is shown. */
  view: Range;
  x: CutScale;
  xTicks: Ticks;
  rows: Rows;
  /** One path for each kind. */
  kinds: string[];
  /** Bars of every second and every third micro-batch. */
  tints: string[];
  /** The ground of cuts, their edges and names. */
  cuts: { ground: string; edges: string; names: { text: string; x: number }[] };
  letters: Letters[];
  /** Lane by lane, by their start; what has no length or no place is left out. */
  events: TimelineEvent[];
  /** The first of each lane among them; after the last, their number. */
  first: number[];
  /** Times in all, by lane and kind. */
  busy: number[][];
  legend: Legend;
}

export function layTimeline(
  data: TimelineData,
  width: number,
  format: Formatter,
  measure: Measure,
  view?: Range,
): TimelineLayout {
  const rows = layRows(data.lanes, top, width, measure);
  const plot: Box = { left: rows.left, right: width - 14, top, bottom: top + rows.height };
  const course = new Course(data);
  const shown: Range = view ?? [0, course.end];
  const x = cutScale(course, shown, [plot.left, plot.right]);
  const events = sorted(data);
  const counts = data.lanes.map(() => 0);
  const busy = data.lanes.map(() => data.kinds.map(() => 0));
  for (const { lane, kind, start, end, batch } of events) {
    busy[lane]![kind]! += (end - start) * (batch === undefined ? 1 : (data.repeat ?? 1));
    ++counts[lane]!;
  }
  const first = [0];
  for (const count of counts) first.push(first.at(-1)! + count);

  const kinds = data.kinds.map(() => '');
  const tinted = Array.from({ length: tints - 1 }, () => '');
  const widths = letterWidths(data.kinds, measure);
  const letters = data.kinds.map((): Letters => ({ x: [], y: [] }));
  const drawRun = ({ lane, kind, from, to, batch }: Run): void => {
    const at = rows.top(lane);
    const wide = to - from;
    const drawn = wide < parted ? Math.max(thinnest, wide) : wide - 1;
    kinds[kind] += rectangle(from, at, drawn, rows.thick);
    if (batch % tints > 0) tinted[(batch % tints) - 1] += rectangle(from, at, drawn, rows.thick);
    if (drawn < widths[kind]! || rows.thick < letterHeight) return;
    letters[kind]!.x.push(px(from + drawn / 2));
    letters[kind]!.y.push(px(at + rows.thick / 2 + small * 0.35));
  };
  // Thin runs of a lane that lie side by side.
  let thin: Run[] = [];
  let bins: number[][] = [];
  const drawThin = (): void => {
    const width = thin.reduce((sum, { from, to }) => sum + to - from, 0);
    if (thin.length > 1 && width < tooThin * thin.length) {
      for (const { kind, from, to } of thin) {
        addToBins(bins, kind, from - plot.left, to - plot.left);
      }
    } else thin.forEach(drawRun);
    thin = [];
  };
  const none = (lane: number): Run => ({ lane, kind: -1, from: 0, to: 0, batch: -1 });
  let run = none(0);
  const draw = (): void => {
    if (run.kind < 0) return;
    const isThin = run.to - run.from < parted;
    if (!isThin || run.from - (thin.at(-1)?.to ?? run.from) > parted) drawThin();
    if (isThin) thin.push(run);
    else drawRun(run);
  };
  const drawLane = (lane: number): void => {
    draw();
    drawThin();
    drawBins(bins, kinds, [plot.left, plot.right], rows.top(lane), rows.thick);
    bins = [];
    run = none(lane + 1);
  };
  for (const { lane, kind, start, end, batch } of events) {
    while (run.lane < lane) drawLane(run.lane);
    if (end <= shown[0] || start >= shown[1]) continue;
    const [from, to] = [x.place(start), x.place(end)];
    const follows = kind === run.kind && from - run.to < touching;
    if (follows && to - from < parted) {
      run.to = to;
      run.batch = -1;
    } else {
      draw();
      run = { lane, kind, from, to, batch: batch ?? -1 };
    }
  }
  drawLane(run.lane);

  const foot = plot.bottom + below + 10;
  const occur = data.kinds.map((_, kind) => busy.some((times) => times[kind]! > 0));
  const widest = [course.end / 3, course.end / 30].map((time) =>
    sayTime(time, course.end, data.x.unit, format),
  );
  const legend = layLegend(data.kinds, occur, widest, foot, width, measure);
  const most = Math.floor((plot.right - plot.left) / 60);
  return {
    height: foot + legend.height,
    plot,
    course,
    view: shown,
    x,
    xTicks: linearTicks(data.x, shown, most, format, x.spans),
    rows,
    kinds,
    tints: tinted,
    cuts: layCuts(x, plot, measure),
    letters,
    events,
    first,
    busy,
    legend,
  };
}

/** Events of a kind that are drawn as one bar. */
interface Run {
  lane: number;
  kind: number;
  from: number;
  to: number;
  batch: number;
}

/** Adds a thin run to the bins that it lies in. */
function addToBins(bins: number[][], kind: number, from: number, to: number): void {
  for (let at = Math.floor(from / bin); at * bin < to; ++at) {
    const within = Math.min(to, (at + 1) * bin) - Math.max(from, at * bin);
    if (within <= 0) continue;
    const shares = (bins[at] ??= []);
    shares[kind] = (shares[kind] ?? 0) + within / bin;
  }
}

/** Draws bins as heights of their kinds, one above the other; those alike run into one. */
function drawBins(
  bins: readonly number[][],
  kinds: string[],
  [left, right]: Range,
  top: number,
  thick: number,
): void {
  const heightsOf = (shares: readonly number[] | undefined): number[] =>
    kinds.map((_, kind) => Math.round(Math.min(1, shares?.[kind] ?? 0) * thick * 2) / 2);
  let from = 0;
  let before = heightsOf(undefined);
  for (let at = 0; at <= bins.length; ++at) {
    const heights = heightsOf(bins[at]);
    if (heights.every((height, kind) => height === before[kind])) continue;
    let y = top + thick;
    before.forEach((height, kind) => {
      y -= height;
      const start = left + from * bin;
      const end = Math.min(right, left + at * bin);
      if (height > 0) kinds[kind] += rectangle(start, y, end - start, height);
    });
    from = at;
    before = heights;
  }
}

/** Cuts go through all lanes. Their names stand above, short where there is no room. */
function layCuts(x: CutScale, plot: Box, measure: Measure): TimelineLayout['cuts'] {
  const bottom = plot.bottom + 4;
  const edge = (at: number): string => {
    const count = Math.ceil((bottom - plot.top + 4) / tooth);
    const teeth = Array.from({ length: count }, (_, index) => `l${index % 2 ? 3 : -3} ${tooth}`);
    return `M${px(at + 1.5)} ${plot.top - 4}${teeth.join('')}`;
  };
  const middles = x.cuts.map(({ from, to }) => (from + to) / 2);
  const names = x.cuts.map(({ cut }, index) => {
    const neighbour = Math.min(
      ...middles.filter((_, other) => other !== index).map((at) => Math.abs(at - middles[index]!)),
    );
    const room = Math.min(neighbour - 8, 2 * (plot.right - middles[index]!), middles[index]!);
    const text = measure(cut.label, 400, small) < room ? cut.label : cut.short;
    return { text, x: px(middles[index]!) };
  });
  return {
    ground: x.cuts
      .map(({ from, to }) => rectangle(from, plot.top - 4, to - from, bottom - plot.top + 4))
      .join(''),
    edges: x.cuts.map(({ from, to }) => edge(from) + edge(to)).join(''),
    names,
  };
}

/** A time and its share of all. */
export const sayTime = (time: number, end: number, unit: string, format: Formatter): string =>
  `${format.say(time, unit)} · ${sayShare(format, time / end)}`;

const sorted = ({ lanes, kinds, events }: TimelineData): TimelineEvent[] =>
  events
    .filter(
      ({ lane, kind, start, end }) =>
        Object.hasOwn(lanes, lane) &&
        Object.hasOwn(kinds, kind) &&
        end > start &&
        end - start < Infinity,
    )
    .sort((a, b) => a.lane - b.lane || a.start - b.start);
