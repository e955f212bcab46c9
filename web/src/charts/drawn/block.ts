// A slice of a torus as its chips, with those of the opened replica, and the groups that they are in: the
// links of a group lead along the axes on which it lies. Where chips are too many to be told apart, the
// slice is the body that they fill, parted into the replicas' places.

import { Lattice, placed, type Axis, type Place, type Three } from './lattice.ts';
import { box, type Frame, type Mark, type Sheet } from './marks.ts';
import { crossed, Solid, type Range } from './solid.ts';

/** A way in which chips of the slice share the work. */
export interface BlockGroup {
  key: string;
  /** Chips of a group along each axis. */
  lengths: Three<number>;
  /** Its chips hold other parts of the model; else they are other replicas. */
  isOfReplica: boolean;
  /** Which of its chips is opened, from 0; along X first, then Y, then Z. */
  opened: number;
}

interface BlockAxis extends Axis {
  /** Its length. */
  says: string;
}

export interface BlockData {
  axes: Three<BlockAxis>;
  /** From the inside out: chips of a group lie so far apart as those inside are long. */
  groups: readonly BlockGroup[];
  /** That it is one of several slices, if it is. */
  slices?: string | undefined;
}

/** The part of a slice that is drawn, and where it stands. */
export interface DrawnBlock {
  foot: number;
  /** The beginning of the lines that lead to what is shown larger. */
  opened: Frame;
  /** Its lengths, where these don't stand at its edges. */
  says?: string | undefined;
  /** The chips that are seen, and where each is. */
  seen: number;
  spot(index: number): Frame;
}

/** A group with the distance of its chips along each axis, and the place of its opened chip. */
interface Laid extends BlockGroup {
  strides: Place;
  at: Place;
}

function lay(groups: readonly BlockGroup[]): Laid[] {
  let strides: Place = [1, 1, 1];
  return groups.map((group) => {
    const [x, y] = group.lengths;
    const laid = {
      ...group,
      strides,
      at: [group.opened % x, Math.floor(group.opened / x) % y, Math.floor(group.opened / x / y)],
    } as const;
    strides = strides.map((stride, axis) => stride * group.lengths[axis]!) as unknown as Place;
    return laid;
  });
}

/** The place of the opened chip. */
const placeOf = (laid: readonly Laid[]): Place =>
  [0, 1, 2].map((axis) =>
    laid.reduce((sum, { strides, at }) => sum + at[axis]! * strides[axis]!, 0),
  ) as unknown as Place;

/** How thick links are drawn while their group is pointed at [px]. */
const thick = 3;

/** The slice. */
export function drawBlock(sheet: Sheet, frame: Frame, data: BlockData, part: string): DrawnBlock {
  const laid = lay(data.groups);
  const lattice = new Lattice(data.axes, frame);
  return lattice.isClear
    ? drawChips(sheet, lattice, data.axes, laid, part)
    : drawBody(sheet, frame, data.axes, laid, part);
}

/** The slice as chips with their links. */
function drawChips(
  sheet: Sheet,
  lattice: Lattice,
  axes: BlockData['axes'],
  laid: readonly Laid[],
  part: string,
): DrawnBlock {
  const own = placeOf(laid);
  const wires = [0, 1, 2].flatMap((axis) => lattice.links(axis));
  const d = wires.map((wire) => wire.d).join('');
  if (d) sheet.path(d, 'wire idle', { count: wires.length, thick: 1 });
  const ofReplica = { d: '', count: 0 };
  const others = { d: '', count: 0 };
  const places = lattice.places();
  for (const place of places) {
    const isOwn = laid.every(
      ({ isOfReplica, strides, lengths, at }) =>
        isOfReplica ||
        place.every((each, axis) => placeIn(each, strides[axis]!, lengths[axis]!) === at[axis]),
    );
    const into = isOwn ? ofReplica : others;
    into.d += box(lattice.chip(place));
    into.count += 1;
  }
  if (others.count > 0) sheet.path(others.d, 'chip', { count: others.count, shade: 0.4, part });
  sheet.path(ofReplica.d, 'chip', { count: ofReplica.count, part });
  for (const group of laid) sheet.light(group.key, lit(lattice, axes, group, own));
  const opened = lattice.chip(own, 1.5);
  sheet.path(box(opened), 'opened');
  return {
    foot: lattice.foot,
    // They begin beside the slice.
    opened: { ...opened, x: lattice.right - opened.width },
    says: axes.flatMap(({ length, says }) => (length > 1 ? [says] : [])).join(' × '),
    seen: places.length,
    spot: (index) => lattice.chip(places[index]!),
  };
}

/** How strong the replicas beside the opened one are. */
const pale = 0.45;

/** The slice as a body: the opened replica is dark and parted into chips. */
function drawBody(
  sheet: Sheet,
  frame: Frame,
  axes: BlockData['axes'],
  laid: readonly Laid[],
  part: string,
): DrawnBlock {
  const lengths = axes.map(({ length }) => length) as unknown as Place;
  const names = axes.map(({ says }) => says) as unknown as Three<string>;
  const solid = new Solid(lengths, frame, names, sheet);
  const { whole } = solid;
  const own = placeOf(laid);
  const replicas = laid.find(({ isOfReplica }) => !isOfReplica);
  /** The places of a replica's chips: as many runs as stages lie along an axis. */
  const along = (axis: number): Range[] => {
    if (!replicas) return [whole];
    const run = replicas.strides[axis]!;
    const stride = run * replicas.lengths[axis]!;
    const count = Math.max(1, Math.floor(lengths[axis]! / stride));
    return solid.runs(axis, replicas.at[axis]! * run, run, stride, count);
  };
  const ofReplica = crossed([along(0), along(1), along(2)]);
  solid.fill([whole], pale, part, lengths[0] * lengths[1] * lengths[2]);
  solid.fill(ofReplica, 1, part, ofReplica.length);
  const fine = ofReplica.map((each) => solid.lines(each, [1, 1, 1])).join('');
  if (fine) sheet.path(fine, 'seam', { thick: 0.5 });
  if (replicas) sheet.path(solid.lines(whole, replicas.strides), 'seam', { thick: 1 });
  sheet.path(solid.outlines(ofReplica), 'leads');
  solid.name();
  for (const group of laid) {
    if (group.lengths.every((length) => length === 1)) continue;
    const runs = group.lengths.map((length, axis) => {
      const stride = group.strides[axis]!;
      return solid.runs(axis, own[axis]! - group.at[axis]! * stride, 1, stride, length);
    }) as unknown as Three<Range[]>;
    const chips = crossed(runs);
    const d = solid.outlines(chips);
    if (d) sheet.light(group.key, [{ kind: 'path', d, look: 'group', count: chips.length }]);
  }
  const [shown = whole] = ofReplica;
  // On the right face its far edge is seen.
  const depth = (shown.to[0] === lengths[0] ? shown.to : shown.from)[2];
  const [x, top] = solid.at([shown.to[0], shown.from[1], depth]);
  const [, foot] = solid.at([shown.to[0], shown.to[1], depth]);
  return {
    foot: solid.foot,
    opened: { x, y: top, width: 0, height: foot - top },
    seen: solid.seen,
    spot: (index) => solid.spot(index),
  };
}

/** Which of the chips of its group a chip is. */
const placeIn = (index: number, stride: number, length: number): number =>
  Math.floor(index / stride) % length;

/** The group that the opened chip is in, and the links that it uses. */
function lit(lattice: Lattice, axes: Three<Axis>, group: Laid, own: Place): Mark[] {
  const { lengths, strides, at } = group;
  if (lengths.every((length) => length === 1)) return [];
  const along = lengths.map((length, axis) => {
    const first = own[axis]! - at[axis]! * strides[axis]!;
    return Array.from({ length }, (_, each) => first + each * strides[axis]!);
  }) as unknown as Three<number[]>;
  const chips = along[0].flatMap((x) =>
    along[1].flatMap((y) => along[2].map((z): Place => [x, y, z])),
  );
  let [d, count] = ['', 0];
  for (const from of chips) {
    for (const axis of [0, 1, 2]) {
      const line = along[axis as 0 | 1 | 2];
      const next = line.indexOf(from[axis]!) + 1;
      const { length, isRing } = axes[axis]!;
      const closes = isRing && lengths[axis]! > 2 && lengths[axis]! * strides[axis]! === length;
      const isLast = next === line.length;
      if (line.length < 2 || (isLast && !(closes && line.length > 2))) continue;
      d += lattice.path(from, placed(from, axis, line[isLast ? 0 : next]!), axis, isLast);
      count += 1;
    }
  }
  return [
    { kind: 'path', d, look: 'wire inside', thick, count },
    {
      kind: 'path',
      d: chips.map((place) => box(lattice.chip(place, 1))).join(''),
      look: 'group',
      count: chips.length,
    },
  ];
}
