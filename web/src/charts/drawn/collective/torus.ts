// Chips of a part of a torus, joined along each axis; axes that close lead from the last chip back to the
// first.

import { Lattice, placed, type Axis, type Place, type Three } from '../lattice.ts';
import { box, type Frame, type Sheet } from '../marks.ts';
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

/** All of it; returns how many chips are drawn, and the foot of the drawing. */
export function drawTorus(
  sheet: Sheet,
  frame: Frame,
  data: TorusData,
): { chips: number; foot: number } {
  const head = nameAxes(sheet, frame, data);
  const lattice = new Lattice(
    data.axes,
    {
      x: frame.x + letter,
      y: frame.y + head,
      width: frame.width - letter,
      height: frame.height - head - letter,
    },
    true,
  );
  const { count, size, foot, drawn } = lattice;
  const onWay = data.isMessage ? wayOf(data, lattice) : undefined;
  data.axes.forEach(({ links }, axis) => {
    if (!links) return;
    const busy = { d: '', count: 0 };
    const idle = { d: '', count: 0 };
    const skipped = { d: '', count: 0 };
    for (const { from, to, d, isCut } of lattice.links(axis)) {
      const isBusy = !onWay || onWay.has(linkOf(from, to));
      const into = isCut ? skipped : isBusy ? busy : idle;
      into.d += d;
      into.count += 1;
    }
    drawLinks(sheet, { ...links, use: 'idle' }, idle);
    drawLinks(sheet, links, busy, Math.max(1, Math.min(2, size / 6)));
    if (skipped.count > 0) sheet.path(skipped.d, 'wire skipped', { count: skipped.count });
  });
  const chips = lattice.places().map((place) => box(lattice.chip(place)));
  sheet.path(chips.join(''), 'chip', { count, shade: 0.9, part: 'collectiveChips' });
  ends(sheet, data, lattice);
  const [nx, ny] = drawn;
  const [left, top] = lattice.centre([0, 0, 0]);
  const [right, low] = lattice.centre([lattice.turn, ny - 1, 0]);
  if (nx > 1) sheet.text((left + right) / 2, foot + 12, 'X', { anchor: 'middle', look: 'quiet' });
  if (ny > 1) {
    const y = (top + low) / 2 + 4;
    sheet.text(frame.x + letter - 3, y, 'Y', { anchor: 'end', look: 'quiet' });
  }
  return { chips: count, foot: foot + letter };
}

/** A line of the axes with their lengths and shapes; returns what it takes [px]. */
function nameAxes(sheet: Sheet, frame: Frame, { axes }: TorusData): number {
  let { x } = frame;
  for (const { links } of axes) {
    if (!links) continue;
    const width = frame.x + frame.width - x;
    if (sheet.measure(links.label, 600, 12) > width) break;
    x = nameLinks(sheet, { x, y: frame.y + 11, width, height: 16 }, links) + 14;
  }
  return 18;
}

const linkOf = (from: Place, to: Place): string => [from.join(), to.join()].sort().join(' ');

/** The links that a message takes, which starts along each axis of its way at once. */
function wayOf({ axes }: TorusData, lattice: Lattice): Set<string> {
  const taken = new Set<string>();
  const used = [0, 1, 2].filter((axis) => axes[axis]!.hops);
  used.forEach((_, start) => {
    let place: Place = [0, 0, 0];
    for (const axis of [...used.slice(start), ...used.slice(0, start)]) {
      const { hops = 0, length } = axes[axis]!;
      const [goal, count] = [lattice.drawnAt(axis, (hops + length) % length), lattice.drawn[axis]!];
      while (place[axis] !== goal) {
        const next = placed(place, axis, (place[axis]! + Math.sign(hops) + count) % count);
        taken.add(linkOf(place, next));
        place = next;
      }
    }
  });
  return taken;
}

/** The chip that a message leaves, and the one that gets it. */
function ends(sheet: Sheet, { axes, isMessage }: TorusData, lattice: Lattice): void {
  if (!isMessage) return;
  const goal = axes.map(({ hops = 0, length }, axis) =>
    lattice.drawnAt(axis, (hops + length) % length),
  ) as unknown as Place;
  const around = [[0, 0, 0] as const, goal].map((place) => box(lattice.chip(place, 2)));
  sheet.path(around.join(''), 'opened', { count: around.length });
}
