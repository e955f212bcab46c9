// Instances as boxes: their chips in nodes, and below those the places of their KV cache. Users wait at the
// left; where prefill is disaggregated, its instances stand before those that answer.

import { px } from '../../kit/shape.ts';
import { heading, notesLine } from '../heads.ts';
import { box, type Frame, type Sheet } from '../marks.ts';
import { circles, dotsOf, shareOf, type UserCounts } from './users.ts';

/** A thing with its names: the first that has room is written. */
export interface Named {
  key: string;
  labels: readonly string[];
  says: string;
}

/** Instances that do the same. */
export interface Role extends Named {
  instances: number;
  /** The chips of each. */
  chips: number;
}

export interface InstancesData {
  titles: readonly string[];
  answering: Role;
  prefilling?: Role | undefined;
  /** Leads from prefill to the answers: the caches that are sent. */
  transfer?: Named | undefined;
  users: UserCounts;
  placed: Named;
  waiting: Named;
  free: Named;
  /** The chips of a node, and what that is called. */
  node?: { chips: number; says: string } | undefined;
  /** Says that a dot stands for so many users, and a box for so many instances. */
  dot(users: number): string;
  box(instances: number): string;
}

/** A box is at least so large [px]. */
const least = { width: 64, height: 54 };
const mostBoxes = 16;
const gap = 6;
const pad = 5;
/** The lines above and below the boxes [px]. */
const head = 40;
const foot = 18;
/** The share of a box that chips take, and their largest side. */
const chipShare = 0.34;
const largestChip = { answering: 44, prefilling: 44 };

export interface Box {
  frame: Frame;
  /** How many instances it stands for. */
  instances: number;
}

/** The boxes of a role; each of several instances where there are many. */
export function boxesOf({ instances }: Pick<Role, 'instances'>, area: Frame): Box[] {
  const columns = Math.max(1, Math.floor((area.width + gap) / (least.width + gap)));
  const rows = Math.max(1, Math.floor((area.height + gap) / (least.height + gap)));
  const most = Math.min(mostBoxes, columns * rows);
  let each = 1;
  while (instances / each > most) each *= 2;
  const count = Math.ceil(instances / each);
  const grid = gridOf(count, area);
  const width = (area.width - (grid.columns - 1) * gap) / grid.columns;
  const height = (area.height - (grid.rows - 1) * gap) / grid.rows;
  return Array.from({ length: count }, (_, index) => ({
    frame: {
      x: area.x + (index % grid.columns) * (width + gap),
      y: area.y + Math.floor(index / grid.columns) * (height + gap),
      width,
      height,
    },
    instances: shareOf(instances, index, count),
  }));
}

/** Rows and columns without an empty place where there are such, of boxes a little wider than high. */
function gridOf(count: number, { width, height }: Frame): { columns: number; rows: number } {
  let best = { columns: count, rows: 1 };
  let cheapest = Infinity;
  for (let columns = 1; columns <= count; ++columns) {
    const rows = Math.ceil(count / columns);
    const each = { width: width / columns, height: height / rows };
    const narrow = each.width < least.width || each.height < least.height;
    const cost =
      Math.abs(Math.log(each.width / each.height / 1.3)) +
      (columns * rows - count) / count +
      (narrow ? 4 : 0);
    if (cost < cheapest) [best, cheapest] = [{ columns, rows }, cost];
  }
  return best;
}

export interface Chips {
  /** Chips that a square stands for. */
  each: number;
  squares: Frame[];
  nodes: Frame[];
}

/** Chips as squares in nodes, as large as there is room. */
export function chipsIn(frame: Frame, chips: number, node: number, largest: number): Chips {
  for (let each = 1; ; each *= 2) {
    const count = Math.ceil(chips / each);
    // Chips without nodes are one field.
    const inNode = node > 1 ? Math.max(1, Math.min(count, Math.ceil(node / each))) : count;
    const nodes = Math.ceil(count / inNode);
    let best: { size: number; columns: number; across: number } | undefined;
    // Of squares as large, the widest grid, and no grid with an empty place.
    for (let columns = inNode; columns > 0; --columns) {
      if (inNode % columns !== 0) continue;
      const rows = Math.ceil(inNode / columns);
      for (let across = 1; across <= nodes; ++across) {
        if (nodes % across !== 0) continue;
        const down = Math.ceil(nodes / across);
        const size = Math.min(
          (frame.width - (across - 1) * 3) / (across * columns),
          (frame.height - (down - 1) * 3) / (down * rows),
          largest,
        );
        if (!best || size > best.size + 0.01) best = { size, columns, across };
      }
    }
    const { size, columns, across } = best!;
    if (size < 3.5 && count > 1) continue;
    const rows = Math.ceil(inNode / columns);
    const inner = size > 6 ? 1.5 : 0.75;
    const placeOf = (index: number): Frame => {
      const [n, c] = [Math.floor(index / inNode), index % inNode];
      return {
        x: frame.x + (n % across) * (columns * size + 3) + (c % columns) * size,
        y: frame.y + Math.floor(n / across) * (rows * size + 3) + Math.floor(c / columns) * size,
        width: size - inner,
        height: size - inner,
      };
    };
    const squares = Array.from({ length: count }, (_, index) => placeOf(index));
    const around = Array.from({ length: nodes }, (_, n) => {
      const { x, y } = placeOf(n * inNode);
      return {
        x: x - 1.25,
        y: y - 1.25,
        width: columns * size - inner + 2.5,
        height: rows * size - inner + 2.5,
      };
    });
    return { each, squares, nodes: node > 1 && inNode > 1 && size >= 5 ? around : [] };
  }
}

/** The widths of those who wait, of prefill, and of the instances that answer. */
function columnsOf({ answering, prefilling, users }: InstancesData, width: number) {
  const within = (share: number, low: number, high: number): number =>
    width * Math.min(high, Math.max(low, share));
  const between = Math.min(30, width * 0.06);
  const waits =
    users.waiting > 0
      ? within((0.7 * users.waiting) / (users.waiting + users.placed), 0.16, 0.5)
      : 0;
  const left = width - (waits ? waits + between : 0);
  const chips = (role: Role): number => role.instances * role.chips;
  const prefills = prefilling
    ? left *
      Math.min(0.5, Math.max(0.25, chips(prefilling) / (chips(prefilling) + chips(answering))))
    : 0;
  return { waits, prefills, answers: left - (prefills ? prefills + between : 0), between };
}

/** The first name that has room, over an area. */
function nameOf(sheet: Sheet, frame: Frame, { key, labels, says }: Named): void {
  const fits = sheet.fitting(labels, frame.width, 600);
  if (!fits) return;
  const y = frame.y + 29;
  const { width } = sheet.text(frame.x, y, fits, { weight: 600, part: key });
  sheet.part(key, { x: frame.x, y: y - 12, width, height: 16 }, says);
}

const arrow = (from: number, to: number, y: number): string =>
  `M${px(from)} ${px(y)}H${px(to)}m-6 -4l6 4l-6 4`;

/** All of it; returns the chip that is opened. */
export function layInstances(sheet: Sheet, frame: Frame, data: InstancesData): Frame {
  heading(sheet, frame, data.titles, data.answering.key);
  const { waits, prefills, answers, between } = columnsOf(data, frame.width);
  const column = (x: number, width: number): Frame => ({ ...frame, x, width });
  const inside = (each: Frame): Frame => ({
    ...each,
    y: each.y + head,
    height: each.height - head - foot,
  });
  const queue = waits ? column(frame.x, waits) : undefined;
  const first = column(frame.x + (waits ? waits + between : 0), prefills);
  const second = column(first.x + (prefills ? prefills + between : 0), answers);
  const middle = frame.y + head + (frame.height - head - foot) / 2;
  const notes = new Set<string>();

  let opened: Frame | undefined;
  /** The outlines end where what is in them does. */
  const outline = (role: Role, frames: readonly Frame[], height: number): void => {
    const d = frames.map((frame) => box({ ...frame, height })).join('');
    sheet.path(d, 'instance', { count: role.instances, part: role.key });
  };
  const draw = (role: Role, area: Frame, withUsers: boolean): Frame[] => {
    nameOf(sheet, area, role);
    const boxes = boxesOf(role, inside(area));
    const most = Math.max(...boxes.map(({ instances }) => instances));
    if (most > 1) notes.add(data.box(most));
    let [tiles, nodes, count] = ['', '', 0];
    const rest = boxes.map(({ frame, instances }) => {
      const room = {
        x: frame.x + pad,
        y: frame.y + pad,
        width: frame.width - 2 * pad,
        height: withUsers ? frame.height * chipShare : frame.height - 2 * pad,
      };
      const largest = largestChip[withUsers ? 'answering' : 'prefilling'];
      const chips = chipsIn(room, instances * role.chips, data.node?.chips ?? 1, largest);
      tiles += chips.squares.map(box).join('');
      nodes += chips.nodes.map(box).join('');
      count += chips.squares.length;
      if (withUsers) opened ??= chips.squares[0];
      const low = Math.max(...chips.squares.map(({ y, height }) => y + height)) + 6;
      return { ...room, y: low, height: frame.y + frame.height - pad - low };
    });
    sheet.path(tiles, 'tile', { count, part: role.key });
    if (nodes) sheet.path(nodes, 'domain', { part: role.key });
    sheet.part(role.key, inside(area), role.says);
    if (!withUsers) {
      const [{ frame }, { y }] = [boxes[0]!, rest[0]!];
      outline(
        role,
        boxes.map(({ frame }) => frame),
        y - 6 + pad - frame.y,
      );
    }
    return rest;
  };
  if (data.prefilling) draw(data.prefilling, first, false);
  const boxes = draw(data.answering, second, true);
  const outlines = boxesOf(data.answering, inside(second)).map(({ frame }) => frame);

  const waiting = queue && inside(queue);
  const dots = dotsOf(data.users, boxes, waiting);
  const of = (count: number, index: number): number => shareOf(count, index, boxes.length);
  const all = dots.placed + dots.free;
  let [placed, free, lowest] = ['', '', 0];
  boxes.forEach((room, index) => {
    const end = of(all, index);
    const taken = Math.min(end, of(dots.placed, index));
    placed += circles(room, 0, taken, dots.pitch);
    free += circles(room, taken, end, dots.pitch, 0.3);
    // Which of them is pointed at shows in its box.
    const columns = Math.max(1, Math.floor(room.width / dots.pitch));
    const split = Math.ceil(taken / columns) * dots.pitch;
    const foot = Math.ceil(end / columns) * dots.pitch;
    lowest = Math.max(lowest, foot);
    if (taken > 0) sheet.part(data.placed.key, { ...room, height: split }, data.placed.says);
    if (foot - split > 4) {
      const below = { ...room, y: room.y + split, height: foot - split };
      sheet.part(data.free.key, below, data.free.says);
    }
  });
  outline(data.answering, outlines, boxes[0]!.y + lowest + pad - outlines[0]!.y);
  if (placed) sheet.path(placed, 'user', { count: dots.placed, part: data.placed.key });
  if (free) sheet.path(free, 'place', { count: dots.free, part: data.free.key });
  if (waiting) {
    nameOf(sheet, queue, data.waiting);
    const d = circles(waiting, 0, dots.waiting, dots.pitch);
    sheet.path(d, 'waits', { count: dots.waiting, part: data.waiting.key });
    sheet.part(data.waiting.key, waiting, data.waiting.says);
    sheet.path(
      arrow(waiting.x + waiting.width + 4, (prefills ? first : second).x - 4, middle),
      'way',
    );
  }
  if (data.prefilling) {
    const [from, to] = [first.x + first.width + 3, second.x - 3];
    sheet.path(arrow(from, to, middle), 'way sent', { part: data.transfer?.key });
    if (data.transfer) {
      const { key, says } = data.transfer;
      sheet.part(key, { x: from, y: middle - 12, width: to - from, height: 24 }, says);
    }
  }
  if (data.node) notes.add(data.node.says);
  // First of all how many users a dot is: without that they can't be counted.
  const said = [
    ...(dots.each > 1 ? [{ says: data.dot(dots.each) }] : []),
    ...[...notes].map((says) => ({ says })),
  ];
  notesLine(sheet, { ...frame, y: frame.y + frame.height - 4 }, said);
  sheet.path(
    box({
      ...opened!,
      x: opened!.x - 1,
      y: opened!.y - 1,
      width: opened!.width + 2,
      height: opened!.height + 2,
    }),
    'opened',
  );
  return opened!;
}
