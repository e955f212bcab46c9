// Users as dots, each in a place of the KV cache or waiting for one; of very many, a dot is several.

import { px } from '../../kit/shape.ts';
import type { Frame } from '../marks.ts';

export interface UserCounts {
  /** Users who have a place, and those who wait for one. */
  placed: number;
  waiting: number;
  /** All places. */
  places: number;
}

/** Dots stand at least and at most so far apart [px]. */
const closest = 6.8;
const widest = 28;

const across = (length: number, pitch: number): number => Math.max(1, Math.floor(length / pitch));

/** The dots that a frame has room for. */
const roomIn = ({ width, height }: Frame, pitch: number): number =>
  across(width, pitch) * across(height, pitch);

/** The share of `all` that falls to one of `count` alike, as even as whole ones can be. */
export const shareOf = (all: number, index: number, count: number): number =>
  Math.floor(((index + 1) * all) / count) - Math.floor((index * all) / count);

export interface Dots {
  /** Users of a dot. */
  each: number;
  pitch: number;
  placed: number;
  waiting: number;
  /** Free places, as far as there is room for them in each box. */
  free: number;
}

/** How users are drawn in boxes for those who have a place, and in an area for those who wait. */
export function dotsOf(
  { placed, waiting, places }: UserCounts,
  boxes: readonly Frame[],
  area: Frame | undefined,
): Dots {
  const least = (pitch: number): number => Math.min(...boxes.map((box) => roomIn(box, pitch)));
  const fits = (users: number, free: number, pitch: number, waits: number): boolean =>
    Math.ceil((users + free) / boxes.length) <= least(pitch) &&
    (waits === 0 || (area !== undefined && waits <= roomIn(area, pitch)));
  let each = 1;
  const dots = (count: number): number => Math.ceil(count / each);
  while (!fits(dots(placed), 0, closest, dots(waiting))) each = next(each);
  const most = boxes.length * least(closest) - dots(placed);
  const free = Math.min(Math.floor(Math.max(0, places - placed) / each), Math.max(0, most));
  let pitch = widest;
  while (pitch > closest && !fits(dots(placed), free, pitch, dots(waiting))) pitch -= 0.2;
  return { each, pitch, placed: dots(placed), waiting: dots(waiting), free };
}

/** 1, 2, 5, 10, 20, 50 ... */
const next = (each: number): number => {
  const first = Number(String(each)[0]);
  return first === 2 ? each * 2.5 : each * 2;
};

/** A circle around each place from `from` to `to` of a frame, row by row. */
export function circles(
  { x, y, width }: Frame,
  from: number,
  to: number,
  pitch: number,
  share = 0.34,
): string {
  const columns = across(width, pitch);
  // Arcs between rounded places would bulge.
  const r = px(pitch * share);
  const arc = `a${r} ${r} 0 1 0`;
  let d = '';
  for (let index = from; index < to; ++index) {
    const cx = x + ((index % columns) + 0.5) * pitch;
    const cy = y + (Math.floor(index / columns) + 0.5) * pitch;
    d += `M${px(cx - r)} ${px(cy)}${arc} ${px(2 * r)} 0${arc} ${px(-2 * r)} 0z`;
  }
  return d;
}
