// The names in a roofline chart. The names with the least choice of places are placed first.

import type { Formatter } from '../../number/format.ts';
import { normal, small } from '../kit/axes.ts';
import type { RooflineData, Slope } from '../kit/data.ts';
import {
  LabelPlacer,
  around,
  boxAround,
  lineHeight,
  textBox,
  type Box,
  type Candidate,
  type Dot,
} from '../kit/labels.ts';
import { px } from '../kit/shape.ts';
import type { Measure } from '../kit/text.ts';
import { dotsAlong, type Ridge, type Roof } from './roofline-lines.ts';

export const radius = 5;
export const ownRadius = 8;
export const ridgeRadius = 3;

/** A roof's name stands on its slope only if that is this much better. */
const roofFirst = 8;
/** Names keep this far from marks that they do not name. */
const apart = 4;
/** A label that would have to cover more than this is left to hover and the table. */
const mostCovered = 40;
/** The most that a ridge's number may cover: the legend or the axis tells it too. */
const ridgeCovers = 8;
/** Other chips and the reader's point on them are named beside their marks from this width on. */
const wide = 560;

/** A line with its name; the name of a slope lies aslant. */
export interface NamedLine {
  kind: string;
  path: string;
  text: string;
  at: Candidate | Aslant | undefined;
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

/** The marks of a chart, and the room that its names may take. */
export interface Marks {
  data: RooflineData;
  /** One for each point. */
  dots: readonly Dot[];
  roofs: readonly Roof[];
  slopes: readonly { slope: Slope; from: Dot; to: Dot }[];
  ridges: readonly Ridge[];
  track: readonly Dot[];
  room: Box;
  /** Points left of this place have no place on the axis of intensities. */
  edge: number;
  width: number;
  /** Whether a legend names the chips. */
  hasLegend: boolean;
}

/** Places names of lines and points, and the numbers of `ridges`. */
export function placeNames(
  { data, dots, roofs, slopes, ridges, track, room, edge, width, hasLegend }: Marks,
  format: Formatter,
  measure: Measure,
): { lines: NamedLine[]; names: Name[] } {
  const isOwn = (index: number): boolean => data.points[index]!.own ?? false;
  const points = data.points.map((_, index) => index);
  const ground = new LabelPlacer(
    room,
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
  const lines = roofs.map(({ kind, path, text, dots: [, end], from, slope }): NamedLine => {
    const length = measure(text, kind === 'roof own' ? 600 : 400, small);
    const candidates: (Candidate | Aslant)[] = onRoof(from, end, length);
    if (slope) candidates.push(...aslant(...slope, length, roofFirst));
    const told = hasLegend && width < wide && kind.startsWith('other');
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
  const [atEdge, inPlot] = [true, false].map((isAtEdge) =>
    points.filter((index) => !isOwn(index) && dots[index]!.x < edge === isAtEdge),
  ) as [number[], number[]];
  atEdge.forEach((index) => label([index]));
  const onOthers = inPlot.filter((index) => data.points[index]!.chip !== undefined);
  // A narrow chart leaves them to its legend.
  if (width >= wide) onOthers.forEach((index) => label([index]));
  for (const { slope, from, to } of slopes) {
    const text = slope.own ? `${slope.label} ${format.say(slope.bandwidth, 'B/s')}` : slope.label;
    lines.push({
      kind: `slope ${slope.bound}${slope.own ? ' own' : ''}`,
      path: `M${px(from.x)} ${px(from.y)}L${px(to.x)} ${px(to.y)}`,
      text,
      at: ground.place(aslant(from, to, measure(text, slope.own ? 600 : 400, small))),
    });
  }
  const inLayer = inPlot.filter((index) => data.points[index]!.chip === undefined);
  groups(inLayer, dots).forEach(label);
  // The reader's own point moves, so the other names give way to its mark alone.
  for (const index of points.filter(isOwn)) {
    const { label } = data.points[index]!;
    const length = measure(label, 600, normal);
    const candidates = around(dots[index]!, ownRadius + 6, length, normal, { farCost: 10 });
    const at =
      ground.place(candidates, { lines: 0.2 }) ?? candidates.find((each) => ground.holds(each));
    if (at) names.push({ points: [index], texts: [label], at });
  }
  return { lines, names };
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
