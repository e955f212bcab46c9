// One chip's memory as a tank: what it holds from the bottom up, the line up to which it may be used,
// the range of the prediction, and above the rim what is too much.

import { spread } from '../kit/labels.ts';
import { px } from '../kit/shape.ts';
import { legend, type Entry } from './legend.ts';
import type { Frame, Sheet } from './marks.ts';

export interface TankData {
  /** The answer that the tank as a whole is. */
  key: string;
  title: string;
  /** What it holds, with the range, where that is known. */
  says?: string;
  pieces: readonly Entry[];
  /** Bytes of the chip, and what may be used of them. */
  capacity: number;
  limit: number;
  /** The range of what is used, where it is known. */
  low?: number | undefined;
  high?: number | undefined;
  /** Room below the limit, or what is above it. */
  rest: Entry;
  usable: Entry;
  /** What of the chip is above the line, where that has a name. */
  kept?: Entry | undefined;
  /** Stands for pieces without a label: `+ 2 more`. */
  more(count: number): string;
  /** What was used before the reader's change. */
  ghost?: number | undefined;
}

/** All that a chip holds. */
export const usedIn = ({ pieces }: Pick<TankData, 'pieces'>): number =>
  pieces.reduce((sum, { value }) => sum + value, 0);

/** The end of the scale: all of the tank, what is in it, and most of the range. */
export function tankEnd(data: TankData): number {
  const least = Math.max(1.05 * data.capacity, 1.04 * usedIn(data));
  return Math.max(least, Math.min(1.02 * (data.high ?? 0), 1.25 * least));
}

/** The room of a line of labels [px]. */
const line = 17;
/** Pieces below this share of the chip have no label: they can hardly be seen. */
const worth = 1e-2;

/** The tank upright, with its labels at the right. */
export function layTank(sheet: Sheet, frame: Frame, data: TankData): Frame {
  const head = 26;
  sheet.text(frame.x, frame.y + 12, data.title, { size: 13, weight: 600, part: data.key });
  const top = frame.y + head;
  const height = frame.height - head - 2;
  const bottom = top + height;
  const end = tankEnd(data);
  const at = (bytes: number): number => bottom - (bytes / end) * height;
  const widest = Math.max(
    ...[...data.pieces, data.rest, data.usable, ...(data.kept ? [data.kept] : [])].map(
      ({ said, label }) => sheet.widthOf(said, label),
    ),
  );
  const left = frame.x + 22;
  const width = Math.max(48, Math.min(110, frame.width - 22 - 30 - widest));
  const vessel = { x: left, y: at(data.capacity), width, height: bottom - at(data.capacity) };
  sheet.rect(vessel, 'well');
  sheet.part(data.key, { ...frame, width: left + width - frame.x }, data.says ?? data.title);
  let level = 0;
  const labels: { entry: Entry; y: number }[] = [];
  for (const piece of data.pieces) {
    const [from, to] = [at(level), at(level + piece.value)];
    const place = { x: left, y: to, width, height: Math.max(0, from - to) };
    fill(sheet, place, piece);
    // What is too much keeps its colour, under a hatch.
    const over = Math.min(from, at(data.limit)) - to;
    if (over > 0) sheet.rect({ ...place, height: over }, 'over', piece.key);
    if (piece.value > worth * data.capacity) labels.push({ entry: piece, y: (from + to) / 2 });
    level += piece.value;
  }
  const [free, limit] = [Math.abs(data.limit - level), at(data.limit)];
  if (free > worth * data.capacity) {
    const y = level > data.limit ? at(level) - 6 : (at(level) + limit) / 2;
    labels.push({ entry: data.rest, y });
  }
  labels.push({ entry: data.usable, y: limit });
  const { kept } = data;
  if (kept && kept.value > worth * data.capacity) {
    const y = at(data.capacity);
    sheet.part(kept.key, { x: left, y, width, height: limit - y }, kept.says);
    labels.push({ entry: kept, y: (y + limit) / 2 });
  }
  sheet.path(
    `M${px(left - 1)} ${px(vessel.y - 5)}V${px(bottom + 1)}h${px(width + 2)}V${px(vessel.y - 5)}`,
    'vessel',
  );
  sheet.path(`M${px(left - 7)} ${px(limit)}h${px(width + 14)}`, 'limit');
  range(sheet, data, (bytes) => ({ x: frame.x + 8, y: at(Math.min(bytes, end)) }), end);
  if (data.ghost)
    sheet.path(`M${px(left)} ${px(at(Math.min(data.ghost, end)))}h${px(width)}`, 'ghost');
  labelled(sheet, labels, left + width, top + 8, bottom - 6);
  return vessel;
}

/** A line from a chip over the boxes to the open top of its tank. */
export function leadInto(sheet: Sheet, chip: Frame, vessel: Frame): void {
  const [from, to] = [chip, vessel].map(({ x, width }) => x + width / 2) as [number, number];
  sheet.path(`M${px(from)} ${px(chip.y - 2)}V36H${px(to)}v5`, 'leads');
}

function fill(sheet: Sheet, place: Frame, { key, look, says }: Entry): void {
  sheet.rect(place, look, key);
  if (place.width * place.height > 0) sheet.part(key, place, says);
}

/** The labels beside the tank, each with a line to its piece; of too many, the smallest go. */
function labelled(
  sheet: Sheet,
  all: { entry: Entry; y: number }[],
  right: number,
  top: number,
  bottom: number,
): void {
  const most = Math.max(1, Math.floor((bottom - top) / line) + 1);
  const kept = [...all].sort((a, b) => b.entry.value - a.entry.value).slice(0, most);
  const shown = all.filter((each) => kept.includes(each));
  const places = spread(
    shown.map(({ y }) => y),
    line,
    top,
    bottom,
  );
  shown.forEach(({ entry, y }, index) => {
    const to = places[index]!;
    sheet.path(`M${px(right + 3)} ${px(y)}L${px(right + 14)} ${px(to)}h5`, 'leader', {
      part: entry.key,
    });
    sheet.pair(right + 24, to + 4, entry.said, entry.label, entry.key);
  });
}

/** The range of what is used, beside the tank; an arrow where it goes on beyond the scale. */
function range(
  sheet: Sheet,
  data: TankData,
  at: (bytes: number) => { x: number; y: number },
  end: number,
): void {
  const { low, high } = data;
  if (low === undefined || high === undefined) return;
  const [from, to, now] = [at(low), at(high), at(usedIn(data))];
  const upright = from.x === to.x;
  const cap = ({ x, y }: { x: number; y: number }): string =>
    upright ? `M${px(x - 4)} ${px(y)}h8` : `M${px(x)} ${px(y - 4)}v8`;
  const arrow = upright
    ? `M${px(to.x - 4)} ${px(to.y + 5)}l4 -5l4 5`
    : `M${px(to.x - 5)} ${px(to.y - 4)}l5 4l-5 4`;
  sheet.path(
    `M${px(from.x)} ${px(from.y)}L${px(to.x)} ${px(to.y)}${cap(from)}${high > end ? arrow : cap(to)}`,
    'range memory',
    { part: data.key },
  );
  sheet.path(`M${px(now.x - 3)} ${px(now.y)}a3 3 0 1 0 6 0a3 3 0 1 0 -6 0z`, 'dot memory', {
    part: data.key,
  });
}

/** The tank on its side, with a list below; its height is that of the frame. */
export function layTankAside(sheet: Sheet, frame: Frame, data: TankData): void {
  sheet.text(frame.x, frame.y + 12, data.title, { size: 13, weight: 600, part: data.key });
  const [top, height] = [frame.y + 22, 26];
  const end = tankEnd(data);
  const at = (bytes: number): number => frame.x + 1 + (bytes / end) * (frame.width - 2);
  sheet.rect({ x: at(0), y: top, width: at(data.capacity) - at(0), height }, 'well');
  sheet.part(data.key, { ...frame, height: 18 }, data.says ?? data.title);
  let level = 0;
  for (const piece of data.pieces) {
    const place = { x: at(level), y: top, width: at(level + piece.value) - at(level), height };
    fill(sheet, place, piece);
    const over = place.x + place.width - Math.max(place.x, at(data.limit));
    if (over > 0)
      sheet.rect({ ...place, x: place.x + place.width - over, width: over }, 'over', piece.key);
    level += piece.value;
  }
  const right = at(data.capacity);
  sheet.path(
    `M${px(right + 4)} ${px(top - 1)}H${px(at(0) - 1)}v${height + 2}H${px(right + 4)}`,
    'vessel',
  );
  sheet.path(`M${px(at(data.limit))} ${px(top - 5)}v${height + 10}`, 'limit');
  range(sheet, data, (bytes) => ({ x: at(Math.min(bytes, end)), y: top + height + 8 }), end);
  if (data.ghost) sheet.path(`M${px(at(Math.min(data.ghost, end)))} ${top}v${height}`, 'ghost');
  const said = [...data.pieces, data.rest, ...(data.kept ? [data.kept] : [])].filter(
    ({ value }) => value > worth * data.capacity,
  );
  const below = { x: frame.x, y: top + height + 16, width: frame.width, height: 0 };
  legend(sheet, { ...below, height: frame.y + frame.height - below.y }, said, (count) =>
    data.more(count),
  );
}
