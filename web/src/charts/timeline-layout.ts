import type { Formatter } from '../number/format.ts';
import { below, small } from './axes.ts';
import type { TimelineData } from './data.ts';
import {
  layLegend,
  letterHeight,
  letterWidths,
  rectangle,
  type Legend,
  type Letters,
} from './kinds.ts';
import type { Box } from './labels.ts';
import { layRows, type Rows } from './rows.ts';
import { scale, type Scale } from './scale.ts';
import { px } from './shape.ts';
import type { Measure } from './text.ts';
import { linearTicks, type Ticks } from './ticks.ts';

const top = small + 12;
/** From this width on, bars are parted by a gap; thinner ones of a kind run into one. */
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
  /** Of each lane, the events by their start. */
  lanes: number[][];
  /** By lane and kind, the time in all. */
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
  const lanes = sorted(data);
  const busy = lanes.map((events) => {
    const times = data.kinds.map(() => 0);
    for (const index of events) {
      const { kind, start, end } = data.events[index]!;
      times[kind]! += end - start;
    }
    return times;
  });

  const kinds = data.kinds.map(() => '');
  const widths = letterWidths(data.kinds, measure);
  const letters = data.kinds.map((): Letters => ({ x: [], y: [] }));
  lanes.forEach((events, lane) => {
    const at = rows.top(lane);
    let run = { kind: -1, from: 0, to: 0 };
    const draw = (): void => {
      const { kind, from, to } = run;
      if (kind < 0) return;
      const wide = to - from;
      const drawn = wide < parted ? Math.max(thinnest, wide) : wide - 1;
      kinds[kind] += rectangle(from, at, drawn, rows.thick);
      if (drawn < widths[kind]! || rows.thick < letterHeight) return;
      letters[kind]!.x.push(px(from + drawn / 2));
      letters[kind]!.y.push(px(at + rows.thick / 2 + small * 0.35));
    };
    for (const index of events) {
      const { kind, start, end } = data.events[index]!;
      const [from, to] = [x.place(start), x.place(end)];
      const thin = to - from < parted;
      if (thin && kind === run.kind && from - run.to < touching) {
        run.to = to;
        continue;
      }
      draw();
      run = { kind, from, to };
    }
    draw();
  });

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
    lanes,
    busy,
    legend,
  };
}

/** A time and its share of all. */
export const sayTime = (time: number, end: number, unit: string, format: Formatter): string =>
  `${format.say(time, unit)} · ${format.say(time / end, '%')}`;

/** The events of each lane by their start; what has no length or no place is left out. */
function sorted({ lanes, kinds, events }: TimelineData): number[][] {
  const found: number[][] = lanes.map(() => []);
  events.forEach(({ lane, kind, start, end }, index) => {
    if (end > start && end - start < Infinity && kind < kinds.length) found[lane]?.push(index);
  });
  for (const lane of found) lane.sort((a, b) => events[a]!.start - events[b]!.start);
  return found;
}
