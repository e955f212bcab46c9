// The links that a group of chips crosses, drawn from chip to chip: the faster, the thicker.

import { px } from '../kit/shape.ts';
import type { Frame, Mark } from './marks.ts';

/** Where the chips of a group lie in the machine, and how fast the links between them are. */
export interface Links {
  /** From one chip of the group to the next, in chips of the machine. */
  stride: number;
  /** Chips of a scale-up domain, which fast links join. */
  domain: number;
  /** How thick links are drawn within a domain and between domains [px]. */
  inside: number;
  across: number;
}

/** The thickest and the thinnest line [px]. */
const [thickest, thinnest] = [6, 1.25];

/** How thick a link is drawn beside the fastest there is: its area grows with its rate. */
export const thicknessOf = (rate: number, fastest: number): number =>
  fastest > 0 ? Math.max(thinnest, thickest * Math.sqrt(Math.min(1, rate / fastest))) : thinnest;

/** Links between chips beside each other in a group, the first of which is chip `from` of the machine;
 * a ring leads from the last back to the first. */
export function wires(chips: readonly Frame[], links: Links, from = 0, isRing = false): Mark[] {
  const paths = { inside: '', across: '' };
  const counts = { inside: 0, across: 0 };
  const domainOf = (index: number): number =>
    Math.floor((from + index * links.stride) / links.domain);
  const pairs = chips.slice(1).map((_, index) => [index, index + 1] as const);
  if (isRing && chips.length > 2) pairs.push([chips.length - 1, 0]);
  for (const [one, other] of pairs) {
    const kind = domainOf(one) === domainOf(other) ? 'inside' : 'across';
    const [a, b] = [chips[one]!, chips[other]!];
    const [x, y, toX, toY] = [
      a.x + a.width / 2,
      a.y + a.height / 2,
      b.x + b.width / 2,
      b.y + b.height / 2,
    ];
    // The way back goes around the chips between.
    const [outX, outY] = x === toX ? [a.width, 0] : [0, a.height];
    paths[kind] +=
      other > one
        ? `M${px(x)} ${px(y)}L${px(toX)} ${px(toY)}`
        : `M${px(x)} ${px(y)}C${px(x + outX)} ${px(y + outY)} ${px(toX + outX)} ${px(toY + outY)} ${px(toX)} ${px(toY)}`;
    counts[kind] += 1;
  }
  return (['inside', 'across'] as const).flatMap((kind): Mark[] =>
    counts[kind] === 0
      ? []
      : [
          {
            kind: 'path',
            d: paths[kind],
            look: `wire ${kind}`,
            thick: links[kind],
            count: counts[kind],
          },
        ],
  );
}
