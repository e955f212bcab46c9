import type { Formatter } from '../../number/format.ts';
import { below, normal, small } from '../kit/axes.ts';
import { cursorRoom } from '../kit/cursor.ts';
import type { Bound, Line, Mark, Numbers, SweepData } from '../kit/data.ts';
import {
  LabelPlacer,
  across,
  boxAround,
  dotsBetween,
  spread,
  textBox,
  type Box,
  type Candidate,
  type Dot,
} from '../kit/labels.ts';
import { decades, hull, rounded, scale, type Range, type Scale } from '../kit/scale.ts';
import { glyphs, px } from '../kit/shape.ts';
import type { Measure } from '../kit/text.ts';
import { linearTicks, logTicks, niceStep, type Ticks } from '../kit/ticks.ts';

/** Lines are named beside their ends from this width on, along them below it. */
const wide = 600;
/** Lines at the top of a plot have their names between it and the cursor's handle. */
export const nameRoom = 14;
const top = small + cursorRoom + nameRoom;
const lineGap = 16;

interface PlacedLine {
  line: Line;
  /** One path for each bound along it, or one for all of it. */
  paths: { bound: Bound | undefined; d: string }[];
  name: Candidate | undefined;
  /** Leads from the line's end to a name that had to move. */
  lead: string;
}

interface PlacedMark {
  mark: Mark;
  x: number;
  y: number | undefined;
  text: string;
  name: Candidate | undefined;
}

export interface SweepLayout {
  height: number;
  plot: Box;
  x: Scale;
  y: Scale;
  xTicks: Ticks;
  yTicks: Ticks;
  lines: PlacedLine[];
  marks: PlacedMark[];
}

/** Lines that are named in a narrow drawing; of more, the key below tells all but the reader's own. */
const mostNamed = 3;
/** The least cost of a name over lines, beside that of its place. */
const overLines = 3;

export function laySweep(
  data: SweepData,
  width: number,
  format: Formatter,
  measure: Measure,
): SweepLayout {
  const height = Math.round(Math.min(420, Math.max(260, width * 0.52)));
  const plot: Box = { left: 0, right: width - 14, top, bottom: height - below };
  const yLog = data.y.scale === 'log';
  const yDomain = domainOfY(data);
  const rows = Math.floor((plot.bottom - plot.top) / 36);
  const yTicks = (yLog ? logTicks : linearTicks)(data.y, yDomain, rows, format);
  plot.left = Math.ceil(Math.max(0, ...yTicks.labels.map((text) => measure(text, 400, small)))) + 9;
  const names = data.lines.map(({ label, own }) =>
    own ? measure(label, 600, normal) : measure(label, 400, small),
  );
  const beside = width >= wide && Math.max(0, ...names) < width * 0.35;
  if (beside) plot.right = width - Math.ceil(Math.max(0, ...names)) - 14;

  const xLog = data.x.scale === 'log';
  const xDomain = domainOfX(data);
  const x = scale(xLog, xDomain, [plot.left, plot.right]);
  const y = scale(yLog, yDomain, [plot.bottom, plot.top]);
  const columns = Math.floor((plot.right - plot.left) / 52);
  const xTicks = (xLog ? logTicks : linearTicks)(data.x, xDomain, columns, format);

  const xs = pixels(data.x.values, x);
  const ys = data.lines.map(({ values }) => pixels(values, y));
  const lines = data.lines.map((line, index): PlacedLine => ({
    line,
    paths: pathsOf(line, data.x.values, xs, ys[index]!, x),
    name: undefined,
    lead: '',
  }));
  const marks = data.marks.map((mark): PlacedMark => ({
    mark,
    x: px(x.place(mark.at)),
    y: mark.value === undefined ? undefined : px(y.place(mark.value)),
    text: mark.bound ? `${glyphs[mark.bound]} ${mark.label}` : mark.label,
    name: undefined,
  }));

  const edge = { left: plot.left, right: width, top: plot.top - nameRoom - 3, bottom: plot.bottom };
  const ground = new LabelPlacer(
    edge,
    marks.flatMap(({ x, y }) => (y === undefined ? [] : [boxAround({ x, y }, 5)])),
    data.lines.flatMap((line, index) => dotsOf(line, xs, ys[index]!)),
    across(edge, data.own === undefined ? NaN : x.place(data.own)),
  );
  if (beside) nameBeside(lines, xs, ys, names, plot);
  for (const mark of marks) {
    mark.name = ground.place(besideMark(mark, measure(mark.text, 600, normal), plot));
  }
  if (!beside) {
    lines.forEach((line, index) => {
      if (!line.line.own && lines.length > mostNamed) return;
      // The key tells the others, too: no name of theirs lies over lines.
      const most = line.line.own ? Infinity : overLines;
      line.name = ground.place(alongLine(line.line, xs, ys[index]!, names[index]!), { most });
    });
  }
  return { height, plot, x, y, xTicks, yTicks, lines, marks };
}

function domainOfY({ y, lines, marks }: SweepData): Range {
  const log = y.scale === 'log';
  const present = lines.map(({ values, absent }) =>
    absent ? Array.from(values, (value, index) => (absent[index] ? NaN : value)) : values,
  );
  const found = hull(
    log,
    ...present,
    marks.flatMap(({ value }) => value ?? []),
  );
  if (log) {
    const [from, to] = rounded(found ?? [1, 10]);
    return from < to ? [from, to] : decades([from, to]);
  }
  const most = Math.max(0, found?.[1] ?? 1) || 1;
  const least = Math.min(0, found?.[0] ?? 0);
  const step = niceStep(most - least, 5);
  return [Math.floor(least / step + 1e-9) * step, Math.ceil(most / step - 1e-9) * step];
}

/** The range from the first value to the last; marks outside stand at the edges. */
function domainOfX({ x, own }: SweepData): Range {
  const log = x.scale === 'log';
  const [from, to] = hull(log, x.values, own === undefined ? [] : [own]) ?? [1, 10];
  if (from < to) return [from, to];
  return log ? [from / 2, from * 2] : [from - 1, from + 1];
}

function pixels(values: Numbers, { place }: Scale): Float64Array {
  const placed = new Float64Array(values.length);
  for (let i = 0; i < values.length; ++i) placed[i] = px(place(values[i]!));
  return placed;
}

export const hasValue = ({ values, absent }: Line, index: number): boolean =>
  !absent?.[index] && Number.isFinite(values[index]);

/**
 * A line with gaps where it has no values, parted exactly where its bound changes, which lies
 * between two values of the grid.
 */
function pathsOf(
  line: Line,
  values: Numbers,
  xs: Float64Array,
  ys: Float64Array,
  x: Scale,
): PlacedLine['paths'] {
  const parts = line.parts?.length ? line.parts : [{ bound: undefined }];
  const paths: PlacedLine['paths'] = [];
  let index = 0;
  let from: Dot | undefined;
  for (const { until = Infinity, bound } of parts.map((part) => ({ until: undefined, ...part }))) {
    let d = '';
    let pen = false;
    const to = (at: Dot): void => {
      d += `${pen ? 'L' : 'M'}${at.x} ${at.y}`;
      pen = true;
    };
    if (from) to(from);
    from = undefined;
    for (; index < xs.length && values[index]! <= until; ++index) {
      if (hasValue(line, index)) to({ x: xs[index]!, y: ys[index]! });
      else pen = false;
    }
    if (index > 0 && index < xs.length && hasValue(line, index - 1) && hasValue(line, index)) {
      const [left, right] = [xs[index - 1]!, xs[index]!];
      const share = right > left ? (x.place(until) - left) / (right - left) : 0;
      const y = ys[index - 1]! + share * (ys[index]! - ys[index - 1]!);
      from = { x: px(x.place(until)), y: px(y) };
      to(from);
    }
    if (d) paths.push({ bound, d });
  }
  return paths;
}

const dotEvery = 6;

/** Dots along a line, between its values, too. */
function dotsOf(line: Line, xs: Float64Array, ys: Float64Array): Dot[] {
  const dots: Dot[] = [];
  let last: Dot | undefined;
  for (let i = 0; i < xs.length; ++i) {
    const dot = { x: xs[i]!, y: ys[i]! };
    if (!hasValue(line, i)) last = undefined;
    else if (!last) dots.push((last = dot));
    else if (dot.x - last.x >= dotEvery) {
      const parts = Math.floor((dot.x - last.x) / dotEvery);
      dots.push(...dotsBetween(last, dot, parts), dot);
      last = dot;
    }
  }
  return dots;
}

const lastPresent = (line: Line): number => {
  for (let i = line.values.length - 1; i >= 0; --i) if (hasValue(line, i)) return i;
  return -1;
};

function nameBeside(
  lines: PlacedLine[],
  xs: Float64Array,
  ys: Float64Array[],
  widths: number[],
  plot: Box,
): void {
  const ends = lines.map(({ line }, index) => {
    const at = lastPresent(line);
    return at < 0 ? undefined : { x: xs[at]!, y: ys[index]![at]! };
  });
  const baselines = spread(
    ends.map((end) => (end?.y ?? plot.bottom) + small * 0.35),
    lineGap,
    plot.top,
    plot.bottom,
  );
  lines.forEach((line, index) => {
    const end = ends[index];
    if (!end) return;
    const x = plot.right + 10;
    const y = px(baselines[index]!);
    line.name = {
      x,
      y,
      anchor: 'start',
      boxes: [textBox(x, y, widths[index]!, small, 'start')],
      cost: 0,
    };
    line.lead = `M${end.x + 2} ${end.y}L${x - 2} ${px(y - small * 0.35)}`;
  });
}

/** Places for a line's name above and below it, those near its right end first. */
function alongLine(line: Line, xs: Float64Array, ys: Float64Array, width: number): Candidate[] {
  const last = lastPresent(line);
  if (last < 0) return [];
  const places = 12;
  const candidates: Candidate[] = [];
  for (let step = 0; step < places; ++step) {
    const index = Math.round(last * (1 - step / places));
    if (!hasValue(line, index)) continue;
    for (const [offset, cost] of [
      [-7, 0],
      [small + 5, 0.5],
    ] as const) {
      const x = xs[index]!;
      const y = ys[index]! + offset;
      candidates.push({
        x,
        y: px(y),
        anchor: 'end',
        boxes: [textBox(x, y, width, small, 'end')],
        cost: step * 0.6 + cost,
      });
    }
  }
  return candidates;
}

/** Places beside a mark's line: at its dot, then up and down along the line. */
function besideMark({ x, y }: PlacedMark, width: number, plot: Box): Candidate[] {
  const candidates: Candidate[] = [];
  const first = y ?? plot.top + small + 2;
  for (const anchor of ['start', 'end'] as const) {
    const at = x + (anchor === 'start' ? 7 : -7);
    for (let baseline = plot.top + small; baseline < plot.bottom - 2; baseline += 8) {
      candidates.push({
        x: at,
        y: baseline,
        anchor,
        boxes: [textBox(at, baseline, width, normal, anchor)],
        cost: Math.abs(baseline - first - small) / 20 + (anchor === 'end' ? 0.5 : 0),
      });
    }
  }
  return candidates;
}
