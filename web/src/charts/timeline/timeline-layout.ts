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
import { scale, type Scale } from '../kit/scale.ts';
import { px } from '../kit/shape.ts';
import type { Measure } from '../kit/text.ts';
import { linearTicks, type Ticks } from '../kit/ticks.ts';

const top = small + 12;
/** Bars are parted by a gap from this width on; thinner ones of a kind run into one. */
const parted = 4;
const touching = 0.2;
const thinnest = 0.5;

export interface TimelineLayout {
  height: number;
  plot: Box;
  x: Scale;
  xTicks: Ticks;
  rows: Rows;
  /** One path for each kind. */
  kinds: string[];
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
): TimelineLayout {
  const rows = layRows(data.lanes, top, width, measure);
  const plot: Box = { left: rows.left, right: width - 14, top, bottom: top + rows.height };
  const end = data.end > 0 && data.end < Infinity ? data.end : 1;
  const x = scale(false, [0, end], [plot.left, plot.right]);
  const events = sorted(data);
  const counts = data.lanes.map(() => 0);
  const busy = data.lanes.map(() => data.kinds.map(() => 0));
  for (const { lane, kind, start, end } of events) {
    busy[lane]![kind]! += end - start;
    ++counts[lane]!;
  }
  const first = [0];
  for (const count of counts) first.push(first.at(-1)! + count);

  const kinds = data.kinds.map(() => '');
  const widths = letterWidths(data.kinds, measure);
  const letters = data.kinds.map((): Letters => ({ x: [], y: [] }));
  let run = { lane: 0, kind: -1, from: 0, to: 0 };
  const draw = (): void => {
    const { lane, kind, from, to } = run;
    if (kind < 0) return;
    const at = rows.top(lane);
    const wide = to - from;
    const drawn = wide < parted ? Math.max(thinnest, wide) : wide - 1;
    kinds[kind] += rectangle(from, at, drawn, rows.thick);
    if (drawn < widths[kind]! || rows.thick < letterHeight) return;
    letters[kind]!.x.push(px(from + drawn / 2));
    letters[kind]!.y.push(px(at + rows.thick / 2 + small * 0.35));
  };
  for (const { lane, kind, start, end } of events) {
    const [from, to] = [x.place(start), x.place(end)];
    const follows = lane === run.lane && kind === run.kind && from - run.to < touching;
    if (follows && to - from < parted) run.to = to;
    else {
      draw();
      run = { lane, kind, from, to };
    }
  }
  draw();

  const foot = plot.bottom + below + 10;
  const occur = data.kinds.map((_, kind) => busy.some((times) => times[kind]! > 0));
  const widest = [end / 3, end / 30].map((time) => sayTime(time, end, data.x.unit, format));
  const legend = layLegend(data.kinds, occur, widest, foot, width, measure);
  return {
    height: foot + legend.height,
    plot,
    x,
    xTicks: linearTicks(data.x, [0, end], Math.floor((plot.right - plot.left) / 60), format),
    rows,
    kinds,
    letters,
    events,
    first,
    busy,
    legend,
  };
}

/** A time and its share of all. */
export const sayTime = (time: number, end: number, unit: string, format: Formatter): string =>
  `${format.say(time, unit)} · ${sayShare(format, time / end)}`;

const sorted = ({ lanes, kinds, events }: TimelineData): TimelineEvent[] =>
  events
    .filter(
      ({ lane, kind, start, end }) =>
        lane in lanes && kind in kinds && end > start && end - start < Infinity,
    )
    .sort((a, b) => a.lane - b.lane || a.start - b.start);
