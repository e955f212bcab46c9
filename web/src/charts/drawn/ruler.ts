// Arithmetic intensities on one line: how many times faster than computing memory and each transfer
// are. Faster ones show, too, where software can't hide them: each mark is as full as it shows.

import { spreadRow } from '../kit/labels.ts';
import { px, shapePath } from '../kit/shape.ts';
import type { Frame, Sheet } from './marks.ts';

export interface RulerItem {
  key: string;
  bound: 'memory' | 'network';
  /** Computing over this. */
  ratio: number;
  /** What shows of it in the step, from 0 to 1. */
  exposed: number;
  /** Its name, and with it how many times faster. */
  name: string;
  label: string;
  says: string;
}

export interface RulerData {
  items: readonly RulerItem[];
  /** Names of the scale, which say what fills a mark; the first that has room is written. */
  compared: readonly string[];
}

const radius = 5;
/** From this ratio on a mark has its name alone: its transfer is a small part of computing. */
const plenty = 30;
/** Between two labels. */
const gap = 12;

/** The ends of the scale: 1 is always on it, and what is off it stands at its end. */
export function rulerEnds({ items }: RulerData): [number, number] {
  const all = items.map(({ ratio }) => ratio);
  const low = Math.max(0.02, Math.min(0.4, ...all.map((ratio) => ratio / 1.4)));
  const high = Math.min(400, Math.max(12, ...all.map((ratio) => ratio * 1.4)));
  return [low, high];
}

/** Its height is 50 px. */
export function layRuler(sheet: Sheet, frame: Frame, data: RulerData): void {
  const [low, high] = rulerEnds(data);
  const at = (ratio: number): number => {
    const held = Math.min(high, Math.max(low, ratio));
    const place = (Math.log(held / low) / Math.log(high / low)) * frame.width;
    // A mark at an end is as whole as the others.
    return frame.x + Math.min(frame.width - radius - 1, Math.max(radius + 1, place));
  };
  const y = frame.y + 18;
  const one = at(1);
  sheet.rect({ x: frame.x, y: y - 2, width: one - frame.x, height: 4 }, 'slow');
  sheet.rect({ x: one, y: y - 2, width: frame.x + frame.width - one, height: 4 }, 'quick');
  sheet.path(`M${px(one)} ${px(y - 9)}v18`, 'end');
  scaleNames(sheet, frame, data, one);
  const written = labelsOf(sheet, data.items, frame.width);
  const shown = data.items
    .map((item, index) => ({ item, label: written[index]! }))
    .filter(({ label }) => label)
    .sort((one, other) => one.item.ratio - other.item.ratio);
  const wide = shown.map(({ label }) => widthOf(sheet, label));
  const places = spreadRow(
    shown.map(({ item }) => at(item.ratio)),
    wide,
    gap,
    frame.x,
    frame.x + frame.width,
  );
  for (const item of data.items) dot(sheet, at(item.ratio), y, item);
  shown.forEach(({ item, label }, index) => {
    const [from, to] = [at(item.ratio), places[index]!];
    if (Math.abs(from - to) > 3) {
      sheet.path(`M${px(from)} ${px(y + 7)}L${px(to)} ${px(y + 15)}`, 'leader', { part: item.key });
    }
    sheet.text(to - wide[index]! / 2, y + 27, label, { part: item.key });
  });
}

const widthOf = (sheet: Sheet, label: string): number => sheet.measure(label, 400, 12);

/** What is written at each mark: where there is no room for all, the name alone of those furthest
 *  from 1, which matter least, and at last nothing. */
function labelsOf(sheet: Sheet, items: readonly RulerItem[], room: number): string[] {
  const labels = items.map(({ ratio, label, name }) => (ratio < plenty ? label : name));
  const taken = (): number =>
    labels.reduce((sum, label) => sum + (label ? widthOf(sheet, label) + gap : 0), -gap);
  const furthest = [...items.keys()].sort(
    (a, b) => Math.abs(Math.log(items[b]!.ratio)) - Math.abs(Math.log(items[a]!.ratio)),
  );
  for (const shorter of [({ name }: RulerItem) => name, () => '']) {
    for (const index of furthest) {
      if (taken() <= room) return labels;
      labels[index] = shorter(items[index]!);
    }
  }
  return labels;
}

/** A shape for each resource, as full as it shows in the step. */
function dot(sheet: Sheet, x: number, y: number, item: RulerItem): void {
  const place = { x: x - 7, y: y - 9, width: 14, height: 18 };
  sheet.path(moved(shapePath(item.bound, radius), x, y), `shape ${item.bound}`, { part: item.key });
  const part = Math.min(1, Math.max(0, item.exposed));
  if (part > 0) {
    const shape = shapePath(item.bound, radius * Math.sqrt(part));
    sheet.path(moved(shape, x, y), `shown ${item.bound}`, { part: item.key });
  }
  sheet.part(item.key, place, item.says);
}

/** A path that begins with an absolute move and draws around 0, 0. */
const moved = (path: string, x: number, y: number): string =>
  path.replace(
    /([MLHV])(-?[\d.]+)(?: (-?[\d.]+))?/g,
    (_, command: string, one: string, other = '') => {
      if (command === 'H') return `H${px(Number(one) + x)}`;
      if (command === 'V') return `V${px(Number(one) + y)}`;
      return `${command}${px(Number(one) + x)} ${px(Number(other) + y)}`;
    },
  );

/** Names the scale, where there is room, and marks 1. */
function scaleNames(sheet: Sheet, frame: Frame, { compared }: RulerData, one: number): void {
  const y = frame.y + 5;
  const right = frame.x + frame.width;
  const middle = sheet.measure('1×', 600, 12) / 2;
  const room = right - one - middle - 8;
  const said = sheet.fitting(compared, room);
  if (said) sheet.text(right, y, said, { look: 'quiet', anchor: 'end' });
  sheet.text(one, y, '1×', { weight: 600, anchor: 'middle' });
}
