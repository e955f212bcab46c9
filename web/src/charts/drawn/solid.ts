// A slice of a torus whose chips are too many to be told apart: the body that they fill, in the same
// projection, with the three faces that are seen.

import { px } from '../kit/shape.ts';
import { placed, type Place, type Three } from './lattice.ts';
import { letters, type Frame, type Sheet } from './marks.ts';

/** A part of the body: chips from these places up to those. */
export interface Range {
  from: Place;
  to: Place;
}

/** What a chip behind another lies to the right and up, in widths of a chip. */
const behind = { right: 0.5, up: 0.36 };
/** The largest chip [px]; no side is drawn shorter than this part of the longest. */
const largest = 20;
const thinnest = 1 / 8;
/** The height of a name below an edge, and between an edge and its name [px]. */
const [below, beside] = [16, 6];
/** Lines closer than this are left out [px]. */
const leastApart = 5;

/** The faces by the axis on which they stand: front, top and right. */
const faces = [
  { normal: 2, across: 0, up: 1, shade: 0.8 },
  { normal: 1, across: 0, up: 2, shade: 0.6 },
  { normal: 0, across: 1, up: 2, shade: 1 },
] as const;
type Face = (typeof faces)[number];

export class Solid {
  /** The ends of what is drawn, to the right and down, and of the names below it [px]. */
  readonly right: number;
  readonly foot: number;
  /** The width of a chip along each axis, before it is turned [px]. */
  private readonly units: Three<number>;
  private readonly left: number;
  private readonly top: number;
  private readonly faces: readonly Face[];

  /** As large as the frame holds, with the names of its axes: left, below and along the depth. */
  constructor(
    private readonly lengths: Place,
    frame: Frame,
    private readonly names: Three<string>,
    private readonly sheet: Sheet,
    /** Room for what is drawn along its edges [px]. */
    private readonly edge = 0,
  ) {
    const longest = Math.max(...lengths);
    const [wide, high, whole] = lengths.map((length) => Math.max(length, longest * thinnest)) as [
      number,
      number,
      number,
    ];
    const isFlat = lengths[2] === 1;
    const deep = isFlat ? 0 : whole;
    this.faces = isFlat ? faces.slice(0, 1) : faces;
    const roomOf = (axis: 1 | 2): number =>
      lengths[axis] > 1 ? sheet.measure(names[axis], 400, letters) + beside + edge : 0;
    const scale = Math.min(
      largest,
      (frame.width - roomOf(1) - roomOf(2)) / (wide + deep * behind.right),
      (frame.height - below - edge) / (high + deep * behind.up),
    );
    const drawn = [wide, high, deep];
    this.units = drawn.map((side, axis) => (side * scale) / lengths[axis]!) as never;
    this.left = frame.x + roomOf(1);
    this.top = frame.y + deep * behind.up * scale;
    this.right = this.at([lengths[0], 0, lengths[2]])[0];
    this.foot = this.at([0, lengths[1], 0])[1] + below + edge;
  }

  get whole(): Range {
    return { from: [0, 0, 0], to: this.lengths };
  }

  /** A corner between chips. */
  at([x, y, z]: Place): [x: number, y: number] {
    const [across, down, back] = this.units;
    return [
      this.left + x * across + z * back * behind.right,
      this.top + y * down - z * back * behind.up,
    ];
  }

  /** Draws a part of the faces, each in its own shade; the lightest are so strong. */
  fill(ranges: readonly Range[], strength: number, part: string, count: number): void {
    this.faces.forEach((face, index) => {
      const d = ranges.map((range) => this.patch(face, range)).join('');
      const shade = strength * face.shade;
      if (d) this.sheet.path(d, 'body', { shade, part, ...(index === 0 && { count }) });
    });
  }

  /** The outlines of what is seen of parts. */
  outlines(ranges: readonly Range[]): string {
    return this.faces.flatMap((face) => ranges.map((range) => this.patch(face, range))).join('');
  }

  /** Lines each so many chips, where these are far enough apart; else each twice, four times ... so
   * many. */
  lines({ from, to }: Range, every: Place): string {
    const steps = every.map((step, axis) => {
      let wide = step;
      while (wide < this.lengths[axis]! && wide * this.apart(axis) < leastApart) wide *= 2;
      return wide;
    });
    const ruled = (face: Face, along: 'across' | 'up'): string => {
      const [axis, other] = [face[along], face[along === 'across' ? 'up' : 'across']];
      const step = steps[axis]!;
      let d = '';
      for (let at = step * (Math.floor(from[axis] / step) + 1); at < to[axis]; at += step) {
        const ends = [from, to].map((end) =>
          this.on(face, placed(placed(end, axis, at), other, end[other])),
        );
        d += `M${ends.map(([x, y]) => `${px(x)} ${px(y)}`).join('L')}`;
      }
      return d;
    };
    const seen = this.faces.filter((face) => this.shows(face, { from, to }));
    return seen.map((face) => ruled(face, 'across') + ruled(face, 'up')).join('');
  }

  /** Runs of so many chips, the next each so far on; one where the eye can't part them. */
  runs(axis: number, first: number, length: number, stride: number, count: number): Range[] {
    const run = (from: number, to: number): Range => ({
      from: placed([0, 0, 0], axis, from),
      to: placed([0, 0, 0], axis, to),
    });
    const last = first + (count - 1) * stride + length;
    if (stride <= length || stride * this.apart(axis) < leastApart) return [run(first, last)];
    return Array.from({ length: count }, (_, at) =>
      run(first + at * stride, first + at * stride + length),
    );
  }

  /** The names of the axes at their edges. */
  name(): void {
    const { lengths, sheet, names, edge } = this;
    const quiet = { look: 'quiet' };
    ([0, 1, 2] as const).forEach((axis) => {
      if (lengths[axis] === 1) return;
      const { from, to, out } = this.side(axis);
      const [x, y] = [0, 1].map((at) => (from[at]! + to[at]!) / 2 + out[at]! * edge) as [
        number,
        number,
      ];
      if (axis === 0) sheet.text(x, y + 13, names[0], { ...quiet, anchor: 'middle' });
      else if (axis === 1) sheet.text(x - beside, y + 4, names[1], { ...quiet, anchor: 'end' });
      else sheet.text(x + beside, y + 10, names[2], quiet);
    });
  }

  /** A line along an edge, or the loop of a ring. */
  link(axis: 0 | 1 | 2, isRing: boolean): string {
    const { from, to, out } = this.side(axis);
    const aside = (end: readonly [number, number], by: number): string =>
      end.map((each, at) => px(each + out[at]! * by)).join(' ');
    const [near, far] = isRing ? [0.35 * this.edge, 0.8 * this.edge] : [0.6 * this.edge, 0];
    const line = `M${aside(from, near)}L${aside(to, near)}`;
    if (!isRing) return line;
    const turn = `A${px((far - near) / 2)} ${px((far - near) / 2)} 0 0 1`;
    return `${line}${turn} ${aside(to, far)}L${aside(from, far)}${turn} ${aside(from, near)}z`;
  }

  /** The edge that an axis is named at, and the way out of the body there. */
  private side(axis: 0 | 1 | 2): Record<'from' | 'to' | 'out', readonly [number, number]> {
    const [nx, ny, nz] = this.lengths;
    if (axis === 0) return { from: this.at([0, ny, 0]), to: this.at([nx, ny, 0]), out: [0, 1] };
    if (axis === 1) return { from: this.at([0, 0, 0]), to: this.at([0, ny, 0]), out: [-1, 0] };
    const long = Math.hypot(behind.right, behind.up);
    const out = [behind.up / long, behind.right / long] as const;
    return { from: this.at([nx, ny, 0]), to: this.at([nx, ny, nz]), out };
  }

  /** The chips on the faces that are seen. */
  get seen(): number {
    return this.faces.reduce((sum, face) => sum + this.countOn(face), 0);
  }

  /** Where one of them is: a square in its middle. */
  spot(index: number): Frame {
    let left = index;
    for (const face of this.faces) {
      const count = this.countOn(face);
      if (left < count) {
        const columns = this.lengths[face.across];
        const place = placed([0, 0, 0], face.across, (left % columns) + 0.5);
        const [x, y] = this.on(face, placed(place, face.up, Math.floor(left / columns) + 0.5));
        return { x: x - 5, y: y - 5, width: 10, height: 10 };
      }
      left -= count;
    }
    throw new RangeError(`chip ${index} is not seen`);
  }

  private countOn({ across, up }: Face): number {
    return this.lengths[across] * this.lengths[up];
  }

  /** A place on a face, whatever its place behind it. */
  private on({ normal }: Face, place: Place): [number, number] {
    return this.at(placed(place, normal, normal === 0 ? this.lengths[0] : 0));
  }

  private shows({ normal }: Face, { from, to }: Range): boolean {
    return normal === 0 ? to[0] === this.lengths[0] : from[normal] === 0;
  }

  private patch(face: Face, range: Range): string {
    if (!this.shows(face, range)) return '';
    const { from, to } = range;
    const { across, up } = face;
    const corners = [from, placed(from, across, to[across]), to, placed(from, up, to[up])];
    const points = corners.map((corner) => this.on(face, corner));
    return `M${points.map(([x, y]) => `${px(x)} ${px(y)}`).join('L')}z`;
  }

  /** How far apart lines between neighbours are, on the face where they are closest. */
  private apart(axis: number): number {
    const { right, up } = behind;
    const unit = this.units[axis]!;
    if (axis === 2) return unit * Math.min(right, up);
    return this.faces.length === 1
      ? unit
      : (unit * (axis === 0 ? up : right)) / Math.hypot(right, up);
  }
}

/** The parts that lie in a run of each axis. */
export const crossed = ([xs, ys, zs]: Three<readonly Range[]>): Range[] =>
  xs.flatMap((x) =>
    ys.flatMap((y) =>
      zs.map((z): Range => ({
        from: [x.from[0], y.from[1], z.from[2]],
        to: [x.to[0], y.to[1], z.to[2]],
      })),
    ),
  );
