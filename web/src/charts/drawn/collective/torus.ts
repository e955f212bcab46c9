// Chips of a part of a torus, joined along each axis; axes that close lead from the last chip back to the
// first. Too many chips to be told apart are a body, with one ring or line for all of an axis.

import { px } from '../../kit/shape.ts';
import { Lattice, placed, type Axis, type Place, type Three } from '../lattice.ts';
import { box, type Frame, type Sheet } from '../marks.ts';
import { Solid } from '../solid.ts';
import { drawLinks, nameLinks, type LinkSet } from './links.ts';

export interface TorusAxis extends Axis {
  /** None of an axis of one chip. */
  links?: LinkSet | undefined;
  /** Hops of a message along it, forwards or, below 0, around the ring. */
  hops?: number | undefined;
}

export interface TorusData {
  kind: 'torus';
  axes: Three<TorusAxis>;
  /** The first chip sends to one that is so many hops away, rather than all to all. */
  isMessage: boolean;
}

/** What the letters of axes take beside the chips [px]. */
const letter = 14;

/** What is drawn: the chips, and the ends to the right and down. */
interface Drawn {
  chips: number;
  right: number;
  foot: number;
}

/** All of it. */
export function drawTorus(sheet: Sheet, frame: Frame, data: TorusData): Drawn {
  const { head, right } = nameAxes(sheet, frame, data);
  const below = { ...frame, y: frame.y + head, height: frame.height - head };
  const lattice = new Lattice(
    data.axes,
    {
      ...below,
      x: below.x + letter,
      width: below.width - letter,
      height: below.height - letter,
    },
    true,
  );
  const drawn = lattice.isClear
    ? drawChips(sheet, frame, data, lattice)
    : drawBody(sheet, below, data);
  return { ...drawn, right: Math.max(right, drawn.right) };
}

/** Chips with all links. */
function drawChips(sheet: Sheet, frame: Frame, data: TorusData, lattice: Lattice): Drawn {
  const { count, size, foot, lengths } = lattice;
  const onWay = data.isMessage ? wayOf(data, lattice) : undefined;
  data.axes.forEach(({ links }, axis) => {
    if (!links) return;
    const busy = { d: '', count: 0 };
    const idle = { d: '', count: 0 };
    for (const { from, to, d } of lattice.links(axis)) {
      const into = !onWay || onWay.has(linkOf(from, to)) ? busy : idle;
      into.d += d;
      into.count += 1;
    }
    drawLinks(sheet, { ...links, use: 'idle' }, idle);
    drawLinks(sheet, links, busy, Math.max(1, Math.min(2, size / 6)));
  });
  const chips = lattice.places().map((place) => box(lattice.chip(place)));
  sheet.path(chips.join(''), 'chip', { count, part: 'collectiveChips' });
  if (data.isMessage) {
    const around = [[0, 0, 0] as const, goalOf(data)].map((place) => box(lattice.chip(place, 2)));
    sheet.path(around.join(''), 'opened', { count: around.length });
  }
  const [nx, ny] = lengths;
  const [left, top] = lattice.centre([0, 0, 0]);
  const [right, low] = lattice.centre([lattice.turn, ny - 1, 0]);
  if (nx > 1) sheet.text((left + right) / 2, foot + 12, 'X', { anchor: 'middle', look: 'quiet' });
  if (ny > 1) {
    const y = (top + low) / 2 + 4;
    sheet.text(frame.x + letter - 3, y, 'Y', { anchor: 'end', look: 'quiet' });
  }
  return { chips: count, right: lattice.right, foot: foot + letter };
}

/** What lines and loops along the edges of a body take [px], and the thickest. */
const edge = 15;
const thickest = 3;

/** A body of chips, with one ring or line for all those along an axis. */
function drawBody(sheet: Sheet, frame: Frame, data: TorusData): Drawn {
  const { axes, isMessage } = data;
  const lengths = axes.map(({ length }) => length) as unknown as Place;
  const chips = lengths[0] * lengths[1] * lengths[2];
  const solid = new Solid(lengths, frame, ['X', 'Y', 'Z'], sheet, edge);
  solid.fill([solid.whole], 0.9, 'collectiveChips', chips);
  sheet.path(solid.lines(solid.whole, [1, 1, 1]), 'seam', { thick: 0.75 });
  axes.forEach(({ links, isRing }, axis) => {
    if (!links) return;
    const d = solid.link(axis as 0 | 1 | 2, isRing);
    drawLinks(sheet, isMessage ? { ...links, use: 'idle' } : links, { d, count: 1 }, thickest);
  });
  solid.name();
  if (isMessage) drawWay(sheet, solid, data);
  return { chips, right: solid.right, foot: solid.foot };
}

/** The way of a message through a body, along an axis after the other. */
function drawWay(sheet: Sheet, solid: Solid, data: TorusData): void {
  const goal = goalOf(data);
  const at = (place: Place): string => {
    const [x, y] = solid.at(place.map((each) => each + 0.5) as unknown as Place);
    return `${px(x)} ${px(y)}`;
  };
  let place: Place = [0, 0, 0];
  data.axes.forEach(({ hops, links, length }, axis) => {
    if (!hops || !links) return;
    // Backwards it leaves at one end and comes in at the other.
    const from = hops > 0 ? place : placed(place, axis, length - 1);
    place = placed(place, axis, goal[axis]!);
    drawLinks(sheet, links, { d: `M${at(from)}L${at(place)}`, count: Math.abs(hops) }, thickest);
  });
  const ends = [[0, 0, 0] as const, goal].map((end) => {
    const [x, y] = solid.at(end.map((each) => each + 0.5) as unknown as Place);
    return box({ x: x - 4, y: y - 4, width: 8, height: 8 });
  });
  sheet.path(ends.join(''), 'opened', { count: ends.length });
}

/** The chip that gets a message, which the first one sends. */
const goalOf = ({ axes }: TorusData): Place =>
  axes.map(({ hops = 0, length }) => (hops + length) % length) as unknown as Place;

/** A line of the axes with their lengths and shapes; returns its height [px] and its end. */
function nameAxes(
  sheet: Sheet,
  frame: Frame,
  { axes }: TorusData,
): { head: number; right: number } {
  let { x } = frame;
  for (const { links } of axes) {
    if (!links) continue;
    const width = frame.x + frame.width - x;
    if (sheet.measure(links.label, 600, 12) > width) break;
    x = nameLinks(sheet, { x, y: frame.y + 11, width, height: 16 }, links) + 14;
  }
  return { head: 18, right: x - 14 };
}

const linkOf = (from: Place, to: Place): string => [from.join(), to.join()].sort().join(' ');

/** The links that a message takes, which starts along each axis of its way at once. */
function wayOf(data: TorusData, lattice: Lattice): Set<string> {
  const { axes } = data;
  const goal = goalOf(data);
  const taken = new Set<string>();
  const used = [0, 1, 2].filter((axis) => axes[axis]!.hops);
  used.forEach((_, start) => {
    let place: Place = [0, 0, 0];
    for (const axis of [...used.slice(start), ...used.slice(0, start)]) {
      const { hops = 0 } = axes[axis]!;
      const count = lattice.lengths[axis]!;
      while (place[axis] !== goal[axis]) {
        const next = placed(place, axis, (place[axis]! + Math.sign(hops) + count) % count);
        taken.add(linkOf(place, next));
        place = next;
      }
    }
  });
  return taken;
}
