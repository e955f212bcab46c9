import type { TimelineData } from '../kit/data.ts';
import type { Range, Scale } from '../kit/scale.ts';

/** The width of a cut, and the share of the axis that all cuts may take. */
const wide = 40;
const share = 0.25;
/** The closest look: this share of all that is drawn. */
const closest = 1e-4;

type Cut = NonNullable<TimelineData['cuts']>[number];

/** The time of a step without what is cut out of it. */
export class Course {
  readonly cuts: readonly Cut[];
  readonly end: number;
  /** All that is drawn, in the axis' unit. */
  readonly length: number;

  constructor({ end, cuts = [] }: Pick<TimelineData, 'end' | 'cuts'>) {
    this.end = end > 0 && end < Infinity ? end : 1;
    this.cuts = cuts.filter(
      ({ start, end }, index) =>
        end > start && start > (cuts[index - 1]?.end ?? 0) && end < this.end,
    );
    this.length = this.drawnBefore(this.end);
  }

  /** The length that is drawn before a time. */
  drawnBefore(time: number): number {
    return this.cuts.reduce(
      (left, { start, end }) => left - Math.max(0, Math.min(time, end) - start),
      time,
    );
  }

  /** The time before which so much is drawn; at a cut, that before it or, `behind`, its end. */
  timeAt(drawn: number, behind = false): number {
    let time = drawn;
    for (const { start, end } of this.cuts) {
      if (behind ? time >= start : time > start) time += end - start;
    }
    return time;
  }

  /** A range between its ends, no narrower than can be told apart; undefined: all of it. */
  range(from: number, to: number): Range | undefined {
    const least = closest * this.length;
    const width = Math.min(this.length, Math.max(least, to - from));
    if (width > 0.999 * this.length) return undefined;
    const start = Math.min(this.length - width, Math.max(0, from + (to - from - width) / 2));
    return [this.timeAt(start, true), this.timeAt(start + width)];
  }

  /** `range` times as wide around a time. */
  around([from, to]: Range, time: number, factor: number): Range | undefined {
    const [start, end, middle] = [from, to, time].map((at) => this.drawnBefore(at));
    const part = Math.min(1, Math.max(0, (middle! - start!) / (end! - start!)));
    const width = (end! - start!) * factor;
    const left = middle! - part * width;
    return this.range(left, left + width);
  }

  /** The range moved so that it shows a time. */
  showing([from, to]: Range, time: number): Range | undefined {
    const [start, end, at] = [from, to, time].map((each) => this.drawnBefore(each));
    if (at! >= start! && at! <= end!) return [from, to];
    const half = (end! - start!) / 2;
    return this.range(at! - half, at! + half);
  }
}

/** A scale that gives each cut a fixed width, and each time beside them as much as another. */
export interface CutScale extends Scale {
  /** The ranges of the domain that are drawn, between cuts. */
  spans: Range[];
  cuts: { cut: Cut; from: number; to: number }[];
  /** The time at a place; undefined in a cut. */
  time(at: number): number | undefined;
}

export function cutScale(course: Course, domain: Range, range: Range): CutScale {
  const [left, right] = range;
  const [from, to] = domain;
  const cuts = course.cuts.filter(({ start, end }) => start > from && end < to);
  const width = Math.min(wide, ((right - left) * share) / Math.max(1, cuts.length));
  const drawn = course.drawnBefore(to) - course.drawnBefore(from);
  const each = (right - left - width * cuts.length) / drawn;
  let at = left;
  let time = from;
  const pieces: { range: Range; at: Range }[] = [];
  for (const end of [...cuts.map(({ start }) => start), to]) {
    const next = at + (end - time) * each;
    pieces.push({ range: [time, end], at: [at, next] });
    at = next + width;
    time = cuts[pieces.length - 1]?.end ?? to;
  }
  const inside = ([low, high]: Range, value: number): boolean => value >= low && value <= high;
  return {
    log: false,
    domain,
    range,
    spans: pieces.map(({ range }) => range),
    cuts: cuts.map((cut, index) => ({
      cut,
      from: pieces[index]!.at[1],
      to: pieces[index + 1]!.at[0],
    })),
    place(value) {
      // The comparison is negated so that NaN does not pass.
      if (!(value > from)) return left;
      let before = { time: from, at: left };
      for (const { range, at } of pieces) {
        if (value < range[0]) {
          const part = (value - before.time) / (range[0] - before.time);
          return before.at + part * (at[0] - before.at);
        }
        if (value <= range[1]) return at[0] + (value - range[0]) * each;
        before = { time: range[1], at: at[1] };
      }
      return right;
    },
    time(place) {
      const piece = pieces.find(({ at }) => inside(at, place));
      if (piece) return piece.range[0] + (place - piece.at[0]) / each;
      return place < left ? from : place > right ? to : undefined;
    },
  };
}
