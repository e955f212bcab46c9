// Chips in their domains below leaf and spine switches, each level joined by its links.

import { px } from '../../kit/shape.ts';
import { box, type Frame, type Sheet } from '../marks.ts';
import { drawLinks, nameLinks, type LinkSet } from './links.ts';

export interface SwitchesData {
  kind: 'switches';
  /** Chips that take part. */
  chips: number;
  /** Shards of the array beside each other, one of which these chips have. */
  shards: number;
  domains: number;
  /** The chips of a domain, of which some may have no part in it. */
  size: number;
  /** Groups of leaf switches. */
  leaves: number;
  /** The first chip sends to the last one, rather than all to all. */
  isMessage: boolean;
  domain?: LinkSet | undefined;
  leaf?: LinkSet | undefined;
  spine?: LinkSet | undefined;
}

/** A domain whose chips would be smaller leaves others out [px]. */
const leastChip = 7;
const largestChip = 72;
/** The most chips of a domain that are drawn. */
export const mostOfDomain = 144;
const [edge, bar, lead] = [5, 4, 9];
/** Between domains, and where some are left out [px]. */
const [apart, cut] = [8, 26];
/** A level above the domains: its name, its switches, its links down. */
const [name, switches, down] = [16, 5, 15];

const gapOf = (size: number): number => (size > 12 ? 3 : size > 7 ? 2 : 1);

interface Grid {
  columns: number;
  rows: number;
  size: number;
}

/** The grid with the largest chips in a box, of the fewest rows; one of whole rows, where that costs
 * little. */
function gridIn(width: number, height: number, count: number): Grid {
  let best: Grid & { worth: number } = { columns: 1, rows: count, size: 0, worth: -1 };
  for (let columns = 1; columns <= count; ++columns) {
    const rows = Math.ceil(count / columns);
    const sized = (gap: number): number =>
      Math.min(
        largestChip,
        (width - 2 * edge - (columns - 1) * gap) / columns,
        (height - 2 * edge - bar - lead - (rows - 1) * gap) / rows,
      );
    const size = sized(gapOf(sized(1)));
    const worth = size * (count % columns === 0 ? 1.25 : 1);
    if (worth >= best.worth) best = { columns, rows, size, worth };
  }
  return best;
}

/** The domains that are drawn, by their places in the machine: all, or the first ones and the last. */
export function domainsDrawn(
  { domains, size }: Pick<SwitchesData, 'domains' | 'size'>,
  { width, height }: Frame,
): { indices: number[]; wide: number; grid: Grid } {
  const chips = Math.min(size, mostOfDomain);
  const fit = (drawn: number): { wide: number; grid: Grid } => {
    const left = width - (drawn - 1) * apart - (drawn < domains ? cut : 0);
    const wide = left / drawn;
    return { wide, grid: gridIn(wide, height, chips) };
  };
  let drawn = Math.min(domains, 64);
  while (drawn > 2 && fit(drawn).grid.size < leastChip) --drawn;
  const indices = Array.from({ length: drawn }, (_, index) =>
    index === drawn - 1 ? domains - 1 : index,
  );
  return { indices, ...fit(drawn) };
}

/** The chips before a domain that have work: blocks of shards are not torn apart, where one fits. */
export function chipsBefore({ chips, shards, domains, size }: SwitchesData, index: number): number {
  const unit = shards <= size ? shards : 1;
  return Math.floor((index * chips * shards) / unit / domains) * unit;
}

/** All of it; returns the chips that take part and are drawn, and the ends of the drawing. */
export function drawSwitches(
  sheet: Sheet,
  frame: Frame,
  data: SwitchesData,
): { chips: number; right: number; foot: number } {
  const { domain, leaf, spine, leaves, domains, size, shards, isMessage } = data;
  const levels = [spine, leaf].filter((each) => each !== undefined);
  const above = levels.length * (name + switches + down);
  const below = domain ? name : 0;
  const area = { ...frame, y: frame.y + above, height: frame.height - above - below };
  const { indices, wide, grid } = domainsDrawn(data, area);
  const gap = gapOf(grid.size);
  const inner = grid.columns * grid.size + (grid.columns - 1) * gap;
  const boxWide = Math.min(wide, inner + 2 * edge);
  const high = 2 * edge + bar + lead + grid.rows * (grid.size + gap) - gap;
  const isCut = indices.length < domains;
  const boxes = indices.map((_, place): Frame => {
    const after = isCut && place === indices.length - 1 ? cut : 0;
    return {
      x: area.x + place * (boxWide + apart) + after,
      y: area.y,
      width: boxWide,
      height: high,
    };
  });

  // Levels above, from the top down: what joins them to the next one is drawn below its switches.
  let { y } = frame;
  let right = boxes.at(-1)!.x + boxWide;
  const leafOf = (index: number): number => Math.floor((index * leaves) / domains);
  const underLeaf = [...new Set(indices.map(leafOf))].map((at) =>
    boxes.filter((_, place) => leafOf(indices[place]!) === at),
  );
  const spans = (of: readonly Frame[]): Frame => ({
    x: of[0]!.x,
    y,
    width: of.at(-1)!.x + of.at(-1)!.width - of[0]!.x,
    height: switches,
  });
  const ends = (count: number): ((at: number) => boolean) =>
    isMessage ? (at) => at === 0 || at === count - 1 : () => true;
  const level = (links: LinkSet, groups: Frame[][], joined: readonly Frame[], to: number): void => {
    y += name;
    const bars = groups.map(spans);
    const foot = y + switches;
    const busy = ends(joined.length);
    const path = (wanted: boolean) => {
      const those = joined.filter((_, at) => busy(at) === wanted);
      const d = those.map(({ x, width }) => `M${px(x + width / 2)} ${px(foot)}V${px(to)}`).join('');
      return { d, count: those.length };
    };
    drawLinks(sheet, { ...links, use: 'idle' }, path(false));
    drawLinks(sheet, links, path(true));
    sheet.path(bars.map(box).join(''), 'switch', { count: bars.length, part: links.key });
    right = Math.max(right, nameLinks(sheet, { ...frame, y: y - 5 }, links));
    y = foot + down;
  };
  if (spine) {
    const joined = underLeaf.map(spans);
    level(spine, [boxes], joined, y + name + switches + down + name);
  }
  if (leaf) level(leaf, spine ? underLeaf : [boxes], boxes, area.y);
  if (domain) {
    right = Math.max(right, nameLinks(sheet, { ...frame, y: area.y + high + 13 }, domain));
  }

  // Domains.
  const paths = { own: '', others: '', idle: '' };
  const counts = { own: 0, others: 0, idle: 0 };
  let [busyWires, idleWires, wired, unwired] = ['', '', 0, 0];
  const all = data.chips * shards;
  indices.forEach((index, place) => {
    const at = boxes[place]!;
    const before = chipsBefore(data, index);
    const used = chipsBefore(data, index + 1) - before;
    const top = at.y + edge + bar + lead;
    const columnsBusy = new Set<number>();
    const columnsIdle = new Set<number>();
    for (let chip = 0; chip < Math.min(size, mostOfDomain); ++chip) {
      const column = chip % grid.columns;
      const [x, chipY] = [
        at.x + edge + column * (grid.size + gap),
        top + Math.floor(chip / grid.columns) * (grid.size + gap),
      ];
      const isOwn = chip < used && (before + chip) % shards === 0;
      const kind = isOwn ? 'own' : chip < used ? 'others' : 'idle';
      paths[kind] += box({ x, y: chipY, width: grid.size, height: grid.size });
      counts[kind] += 1;
      const isEnd = before + chip === 0 || before + chip === all - shards;
      (isOwn && (!isMessage || isEnd) ? columnsBusy : columnsIdle).add(column);
    }
    if (!domain) return;
    const wire = (column: number): string => {
      const x = at.x + edge + column * (grid.size + gap) + grid.size / 2;
      return `M${px(x)} ${px(at.y + edge + bar)}V${px(top + grid.size / 2)}`;
    };
    for (const column of columnsBusy) busyWires += wire(column);
    for (const column of columnsIdle) if (!columnsBusy.has(column)) idleWires += wire(column);
    wired += columnsBusy.size;
    unwired += [...columnsIdle].filter((column) => !columnsBusy.has(column)).length;
  });
  sheet.path(boxes.map(box).join(''), 'domain', { count: boxes.length });
  if (domain) {
    drawLinks(sheet, { ...domain, use: 'idle' }, { d: idleWires, count: unwired });
    drawLinks(sheet, domain, { d: busyWires, count: wired }, grid.size / 2);
    const bars = boxes.map((at) => ({
      x: at.x + edge,
      y: at.y + edge,
      width: at.width - 2 * edge,
      height: bar,
    }));
    sheet.path(bars.map(box).join(''), 'switch', { count: bars.length, part: domain.key });
  }
  for (const [kind, look] of [
    ['own', 'chip'],
    ['others', 'chip'],
    ['idle', 'hollow'],
  ] as const) {
    if (counts[kind] === 0) continue;
    const shade = kind === 'others' ? 0.3 : 0.9;
    sheet.path(paths[kind], look, { count: counts[kind], shade, part: 'collectiveChips' });
  }
  if (isCut) {
    const last = boxes.at(-1)!;
    const x = last.x - (cut + apart) / 2;
    sheet.text(x, last.y + last.height / 2 + 4, '⋯', { anchor: 'middle', look: 'quiet' });
  }
  return { chips: counts.own, right, foot: area.y + high + below };
}
