// The cluster as replicas: a tile each, or each 2, 4, 8 ... of them where there are very many.

import { px } from '../kit/shape.ts';
import { heading, notesLine } from './heads.ts';
import { wires, type Links } from './wires.ts';
import { drawBlock, type BlockData } from './block.ts';
import { box, type Frame, type Mark, type Sheet, type Steps } from './marks.ts';

/** A way in which chips share the work, such as TP, with the network that it uses. */
export interface Way {
  key: string;
  /** `DP 64`. */
  label: string;
  /** Where it runs, where that is known. */
  note: string;
  says: string;
  /** Its degree can be changed. */
  steps?: Steps | undefined;
  /** The links between its chips, where these are known. */
  links?: Links | undefined;
}

export interface ClusterData {
  /** The longest first: the first that has room is written. */
  titles: readonly string[];
  replicas: number;
  /** Stages of a replica, which show as stripes where there is room. */
  stages: number;
  data: Way;
  /** Says that a tile stands for so many replicas. */
  tile(replicas: number): string;
  /** Replicas that hold all experts once, where experts are spread over them. */
  experts?: { replicas: number; says: string; key: string; links?: Links | undefined } | undefined;
  /** A slice of a torus, which is drawn in place of tiles. */
  block?: BlockData | undefined;
  /** What a day takes down. */
  failures?: { count: number; says: string; key: string } | undefined;
}

/** The most tiles. */
export const mostTiles = 1024;
/** Tiles are at most this many times as wide as high, or as high as wide. */
const shape = 1.5;

export interface Tiles {
  /** Replicas of a tile: a power of two. */
  each: number;
  count: number;
  columns: number;
  rows: number;
}

/** Tiles in whole rows where their number has divisors; experts' groups fill rows or divide them. */
export function tilesOf(replicas: number, { width, height }: Frame, group = 1): Tiles {
  let each = 1;
  while (replicas / each > mostTiles) each *= 2;
  const count = Math.ceil(replicas / each);
  const together = Math.max(1, Math.round(group / each));
  const wanted = width / height / shape;
  let best: Tiles | undefined;
  let least = Infinity;
  for (let columns = 1; columns <= count; ++columns) {
    const rows = Math.ceil(count / columns);
    const ragged = count % columns !== 0;
    const parted = columns % together !== 0 && together % columns !== 0;
    const cost =
      Math.abs(Math.log(columns / rows / wanted)) + (ragged ? 2.2 : 0) + (parted ? 1 : 0);
    if (cost < least) [best, least] = [{ each, count, columns, rows }, cost];
  }
  return best!;
}

const gapOf = (size: number): number => (size > 12 ? 3 : size > 5 ? 1.5 : size > 3 ? 1 : 0.5);

/** The cluster; returns the tile that is opened, and draws a line of notes at the foot of the frame. */
export function layCluster(sheet: Sheet, frame: Frame, data: ClusterData): Frame {
  heading(sheet, frame, data.titles, data.data.key);
  const head = 40;
  const foot = 18;
  wayLine(sheet, frame, [data.data]);
  const area = { ...frame, y: frame.y + head, height: frame.height - head - foot };
  if (data.block) return layBlock(sheet, area, data, data.block);
  const { each, count, columns, rows } = tilesOf(data.replicas, area, data.experts?.replicas);
  // Few tiles keep the shape of tiles.
  const wide = Math.min(area.width / columns, 96);
  const high = Math.min(area.height / rows, wide / 0.9, 96);
  const gap = gapOf(Math.min(wide, high));
  const at = (index: number): Frame => ({
    x: area.x + (index % columns) * wide,
    y: area.y + Math.floor(index / columns) * high,
    width: wide - gap,
    height: high - gap,
  });
  let d = '';
  let stripes = '';
  // Stripes closer than this say nothing.
  const stages = (wide - gap) / data.stages >= 3 ? data.stages : 1;
  for (let index = 0; index < count; ++index) {
    const tile = at(index);
    d += box(tile);
    for (let stage = 1; stage < stages; ++stage) {
      stripes += `M${px(tile.x + (stage * tile.width) / stages)} ${px(tile.y)}v${px(tile.height)}`;
    }
  }
  sheet.path(d, 'tile', { count, part: data.data.key });
  if (stripes) sheet.path(stripes, 'stripe', { part: data.data.key });
  const whole = { ...area, width: columns * wide, height: rows * high };
  sheet.part(data.data.key, whole, data.data.says);
  // A tile may stand for several replicas. What leads from row to row would cross all tiles.
  const wiresOf = (links: Links, tiles: number): Mark[] =>
    Array.from({ length: Math.ceil(tiles / columns) }, (_, row) => {
      const first = row * columns;
      const stride = links.stride * each;
      const inRow = Array.from({ length: Math.min(columns, tiles - first) }, (__, index) =>
        at(first + index),
      );
      return wires(inRow, { ...links, stride }, first * stride);
    }).flat();
  if (data.data.links) sheet.light(data.data.key, wiresOf(data.data.links, count));
  if (data.experts?.links) {
    const tiles = tilesOfGroup(data.experts.replicas, { each, count });
    sheet.light(data.experts.key, wiresOf(data.experts.links, tiles));
  }
  experts(sheet, data, { each, count, columns, rows }, at, gap);
  failures(sheet, data, count, at);
  notesLine(sheet, { ...frame, y: whole.y + whole.height + 14 }, [
    ...(each > 1 ? [{ says: data.tile(each) }] : []),
    ...(data.failures ? [data.failures] : []),
  ]);
  const opened = at(Math.min(count, columns * Math.ceil(rows / 2)) - 1);
  sheet.path(box(opened), 'opened');
  return opened;
}

/** A slice with notes below; returns where the lines begin that lead to the replica. */
function layBlock(sheet: Sheet, area: Frame, data: ClusterData, block: BlockData): Frame {
  const { key, says } = data.data;
  const drawn = drawBlock(sheet, area, block, key);
  sheet.part(key, { ...area, height: drawn.foot - area.y }, says);
  failures(sheet, data, drawn.seen, drawn.spot);
  notesLine(sheet, { ...area, y: drawn.foot + 14 }, [
    ...(drawn.says ? [{ says: drawn.says }] : []),
    ...(block.slices ? [{ says: block.slices }] : []),
    ...(data.failures ? [data.failures] : []),
  ]);
  return drawn.opened;
}

/** Ways with where they run, in one line below a title; where there is little room, the notes go,
 * then the last of the ways. */
export function wayLine(sheet: Sheet, frame: Frame, ways: readonly Way[]): void {
  const [y, gap] = [frame.y + 29, 14];
  const wide = (withNotes: boolean): number =>
    ways.reduce((sum, { label, note }) => {
      const noted = withNotes && note ? sheet.widthOf(label, note) : sheet.measure(label, 600, 12);
      return sum + noted + gap;
    }, -gap);
  const withNotes = wide(true) <= frame.width;
  let x = frame.x;
  for (const { key, label, note, says, steps } of ways) {
    if (x + sheet.measure(label, 600, 12) > frame.x + frame.width) return;
    const { width } = sheet.text(x, y, label, { weight: 600, part: key });
    if (steps) sheet.path(`M${px(x)} ${px(y + 3.5)}h${px(width)}`, 'stepped');
    let right = x + width;
    if (withNotes && note) {
      right += 5;
      right += sheet.text(right, y, note, { look: 'quiet', part: key }).width;
    }
    sheet.part(key, { x, y: y - 12, width: right - x, height: 16 }, says, { steps });
    x = right + gap;
  }
}

/** The tiles of so many replicas. */
const tilesOfGroup = (replicas: number, { each, count }: Pick<Tiles, 'each' | 'count'>): number =>
  Math.min(count, Math.max(1, Math.round(replicas / each)));

/** A frame around the replicas that hold all experts once. */
function experts(
  sheet: Sheet,
  { experts: group }: ClusterData,
  { each, count, columns }: Tiles,
  at: (index: number) => Frame,
  gap: number,
): void {
  if (!group) return;
  const tiles = tilesOfGroup(group.replicas, { each, count });
  const whole = Math.floor(tiles / columns);
  const rest = tiles % columns;
  const [first, last] = [at(0), at(Math.min(tiles, columns) - 1)];
  const [x, y] = [first.x - gap / 2, first.y - gap / 2];
  const high = first.height + gap;
  const right = last.x + last.width + gap / 2;
  const foot = y + Math.max(1, whole) * high;
  const step = x + rest * (first.width + gap);
  const d =
    whole === 0 || rest === 0
      ? `M${px(x)} ${px(y)}H${px(right)}V${px(foot)}H${px(x)}z`
      : `M${px(x)} ${px(y)}H${px(right)}V${px(foot)}H${px(step)}v${px(high)}H${px(x)}z`;
  sheet.path(d, 'experts', { part: group.key });
  const height = foot + (whole > 0 && rest > 0 ? high : 0) - y;
  sheet.part(group.key, { x, y, width: right - x, height }, group.says);
}

/** Crosses for the failures of a day, on tiles far apart. */
function failures(
  sheet: Sheet,
  { failures: a }: ClusterData,
  count: number,
  at: (index: number) => Frame,
): void {
  const crosses = Math.min(count, Math.round(a?.count ?? 0));
  if (!a || crosses === 0) return;
  const size = Math.max(1.5, Math.min(4, at(0).width / 3));
  let d = '';
  for (let index = 0; index < crosses; ++index) {
    // The golden ratio spreads them evenly, whatever their number.
    const tile = at(Math.floor(((index + 1) * 0.618034 * count) % count));
    const [x, y] = [tile.x + tile.width / 2, tile.y + tile.height / 2];
    d += `M${px(x - size)} ${px(y - size)}l${px(2 * size)} ${px(2 * size)}m0 ${px(-2 * size)}l${px(-2 * size)} ${px(2 * size)}`;
  }
  sheet.path(d, 'cross', { count: crosses, part: a.key });
}
