// A slice of a torus as its chips, with those of the opened replica, and the groups that they are in: the
// links of a group lead along the axes on which it lies.

import { Lattice, placed, type Axis, type Place, type Three } from './lattice.ts';
import { box, type Frame, type Mark, type Sheet } from './marks.ts';

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

export interface BlockData {
  axes: Three<Axis>;
  /** From the inside out: chips of a group lie so far apart as those inside are long. */
  groups: readonly BlockGroup[];
  /** Its lengths. */
  says: string;
  /** Says that so many chips are not drawn. */
  more(chips: number): string;
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

/** The groups of the opened chip and its place: of one that is drawn, as the first chip always is. */
function openedOf(lattice: Lattice, groups: readonly BlockGroup[]): { laid: Laid[]; own: Place } {
  const ofFirst = (group: BlockGroup): BlockGroup => ({ ...group, opened: 0 });
  const candidates = [
    groups,
    groups.map((group) => (group.isOfReplica ? group : ofFirst(group))),
    groups.map(ofFirst),
  ].map((each) => {
    const laid = lay(each);
    const own = [0, 1, 2].map((axis) =>
      laid.reduce((sum, { strides, at }) => sum + at[axis]! * strides[axis]!, 0),
    ) as unknown as Place;
    return { laid, own };
  });
  const isDrawn = ({ own }: { own: Place }): boolean =>
    drawnAt(lattice, own).every((at, axis) => lattice.indexAt(axis, at) === own[axis]);
  return candidates.find(isDrawn) ?? candidates.at(-1)!;
}

/** How thick links are drawn while their group is pointed at [px]. */
const thick = 3;

/** The slice; returns its chips as they are drawn, and the one that is opened. */
export function drawBlock(
  sheet: Sheet,
  frame: Frame,
  { axes, groups }: BlockData,
  part: string,
): { lattice: Lattice; opened: Frame } {
  const lattice = new Lattice(axes, frame);
  const wires = [0, 1, 2].flatMap((axis) => lattice.links(axis));
  for (const isCut of [false, true]) {
    const those = wires.filter((wire) => wire.isCut === isCut);
    const d = those.map((wire) => wire.d).join('');
    const look = `wire ${isCut ? 'skipped' : 'idle'}`;
    if (d) sheet.path(d, look, { count: those.length, thick: 1 });
  }
  const { laid, own } = openedOf(lattice, groups);
  const ofReplica = { d: '', count: 0 };
  const others = { d: '', count: 0 };
  for (const place of lattice.places()) {
    const index = place.map((at, axis) => lattice.indexAt(axis, at));
    const isOwn = laid.every(
      ({ isOfReplica, strides, lengths, at }) =>
        isOfReplica ||
        index.every((each, axis) => placeIn(each, strides[axis]!, lengths[axis]!) === at[axis]),
    );
    const into = isOwn ? ofReplica : others;
    into.d += box(lattice.chip(place));
    into.count += 1;
  }
  if (others.count > 0) sheet.path(others.d, 'chip', { count: others.count, shade: 0.4, part });
  sheet.path(ofReplica.d, 'chip', { count: ofReplica.count, part });
  for (const group of laid) sheet.light(group.key, lit(lattice, axes, group, own));
  return { lattice, opened: lattice.chip(drawnAt(lattice, own), 1.5) };
}

/** Which of the chips of its group a chip is. */
const placeIn = (index: number, stride: number, length: number): number =>
  Math.floor(index / stride) % length;

const drawnAt = (lattice: Lattice, place: Place): Place =>
  place.map((index, axis) => lattice.drawnAt(axis, index)) as unknown as Place;

/** The group that the opened chip is in, and the links that it uses. */
function lit(lattice: Lattice, axes: Three<Axis>, group: Laid, own: Place): Mark[] {
  const { lengths, strides, at } = group;
  if (lengths.every((length) => length === 1)) return [];
  // Along each axis, the places of the group's chips that are drawn.
  const along = lengths.map((length, axis) => {
    const first = own[axis]! - at[axis]! * strides[axis]!;
    const indices = Array.from({ length }, (_, each) => first + each * strides[axis]!);
    const drawn = indices.map((index) => lattice.drawnAt(axis, index));
    return drawn.filter((each, index) => lattice.indexAt(axis, each) === indices[index]);
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
