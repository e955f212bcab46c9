// One replica as its chips: a block for each pipeline stage, in it a group for each part of the
// context, in that the chips of a tensor group, wrapped into the domain in which they lie.

import { wayLine, type Way } from './cluster.ts';
import { heading, notesLine } from './heads.ts';
import { box, type Frame, type Mark, type Sheet } from './marks.ts';
import { wires } from './wires.ts';

export interface ReplicaData {
  /** The longest first: the first that has room is written. */
  titles: readonly string[];
  /** What shades tell, where they tell anything. */
  shades?: string;
  tensor: number;
  context: number;
  pipeline: number;
  /** Chunks of layers that each stage holds; of more than one, all stages hold layers from all over. */
  chunks: number;
  /** The stage whose chip is opened, from 0. */
  stage: number;
  tensorWay?: Way | undefined;
  contextWay?: Way | undefined;
  pipelineWay?: Way | undefined;
  /** Each so many-th chip of a stage, of which so many share the experts; some of other replicas. */
  experts?: { way: Way; chips: number; stride: number } | undefined;
  ways: readonly Way[];
  /** The chips of a scale-up domain, where chips beside each other lie in one; what that is called. */
  domain?: { chips: number; says: string } | undefined;
  /** Chips of each domain that have nothing to do: hollow ones stand before what is said. */
  idle?: { says: string; hollow: number } | undefined;
  /** Says that so many stages are not drawn. */
  more(stages: number): string;
}

/** A chip of less than this can't be seen [px]. */
export const leastChip = 2;
const largestChip = 34;

interface Grid {
  columns: number;
  rows: number;
}

/** How chips are laid out: chips in a group, groups in a stage, stages in the frame. */
export interface Places {
  chips: Grid;
  groups: Grid;
  stages: Grid;
  /** The stages that are drawn: all, or the first ones and the last. */
  drawn: number;
  /** The height of a chip, and its width, which is at most twice that. */
  size: number;
  wide: number;
  gaps: Gaps;
}

interface Gaps {
  chip: number;
  group: number;
  stage: number;
}

/** The gaps between chips of at least so many pixels. */
const gapsFrom: readonly (readonly [least: number, gaps: Gaps])[] = [
  [8, { chip: 1.5, group: 3, stage: 7 }],
  [5, { chip: 1, group: 2, stage: 4 }],
  [0, { chip: 0.5, group: 1.5, stage: 3 }],
];

/** Grids of so many places without an empty one. */
const gridsOf = (count: number, most = Infinity): Grid[] =>
  Array.from({ length: count }, (_, index) => index + 1)
    .filter((columns) => count % columns === 0 && count / columns <= most)
    .map((columns) => ({ columns, rows: count / columns }));

/** The sides of chips in a box, and the gaps between them. */
function sizeIn(
  { width, height }: Frame,
  chips: Grid,
  groups: Grid,
  stages: Grid,
): Pick<Places, 'size' | 'wide' | 'gaps'> {
  const along = (total: number, gaps: Gaps, chip: number, group: number, stage: number): number =>
    (total -
      (stage - 1) * gaps.stage -
      stage * (group - 1) * gaps.group -
      stage * group * (chip - 1) * gaps.chip) /
    (stage * group * chip);
  for (const [least, gaps] of gapsFrom) {
    const across = along(width, gaps, chips.columns, groups.columns, stages.columns);
    const up = along(height, gaps, chips.rows, groups.rows, stages.rows);
    const size = Math.min(largestChip, across, up);
    if (size >= least || least === 0) return { size, wide: Math.min(across, 2 * size), gaps };
  }
  throw new RangeError('no gaps');
}

/** The places with the largest chips; where these would be too small, fewer stages. */
export function placesOf(
  { tensor, context, pipeline }: Pick<ReplicaData, 'tensor' | 'context' | 'pipeline'>,
  frame: Frame,
): Places {
  const groupGrids = gridsOf(context);
  const best = (drawn: number): Places => {
    let found: Places | undefined;
    for (const chips of gridsOf(tensor)) {
      // A group of eight or fewer is a column, as a node's chips are drawn.
      if (tensor <= 8 && chips.columns > 1) continue;
      for (const groups of groupGrids) {
        for (let rows = 1; rows <= Math.min(drawn, 12); ++rows) {
          const stages = { columns: Math.ceil(drawn / rows), rows };
          if (stages.columns * (rows - 1) >= drawn) continue;
          const sized = sizeIn(frame, chips, groups, stages);
          // Fewer rows read more easily.
          if (found && sized.size <= found.size * 1.15) continue;
          found = { chips, groups, stages, drawn, ...sized };
        }
      }
    }
    return found!;
  };
  let drawn = pipeline;
  let places = best(drawn);
  while (places.size < leastChip && drawn > 2) {
    drawn = Math.max(2, Math.floor(drawn / 2));
    places = best(drawn);
  }
  return places;
}

/** The chips of the drawn stages, by stage, each with its place. */
export function chipsOf(places: Places, frame: Frame): Frame[][] {
  const { chips, groups, stages, drawn, size, wide, gaps: gap } = places;
  const group = {
    width: chips.columns * wide + (chips.columns - 1) * gap.chip,
    height: chips.rows * size + (chips.rows - 1) * gap.chip,
  };
  const stage = {
    width: groups.columns * group.width + (groups.columns - 1) * gap.group,
    height: groups.rows * group.height + (groups.rows - 1) * gap.group,
  };
  const grid = ({ columns }: Grid, index: number, width: number, height: number, gap: number) => ({
    x: (index % columns) * (width + gap),
    y: Math.floor(index / columns) * (height + gap),
  });
  return Array.from({ length: drawn }, (_, s) => {
    const inStages = grid(stages, s, stage.width, stage.height, gap.stage);
    return Array.from({ length: groups.columns * groups.rows }, (_, g) => {
      const inGroups = grid(groups, g, group.width, group.height, gap.group);
      return Array.from({ length: chips.columns * chips.rows }, (_, c) => {
        const inChips = grid(chips, c, wide, size, gap.chip);
        return {
          x: frame.x + inStages.x + inGroups.x + inChips.x,
          y: frame.y + inStages.y + inGroups.y + inChips.y,
          width: wide,
          height: size,
        };
      });
    }).flat();
  });
}

/** The replica in its box; returns the box and the chip that is opened. */
export function layReplica(
  sheet: Sheet,
  frame: Frame,
  data: ReplicaData,
): { outline: Frame; opened: Frame } {
  heading(sheet, frame, data.titles, 'replica');
  wayLine(sheet, frame, data.ways);
  const [head, below, edge] = [40, 18, 6];
  const inner = {
    x: frame.x + edge,
    y: frame.y + head + edge,
    width: frame.width - 2 * edge,
    height: frame.height - head - below - 2 * edge,
  };
  const places = placesOf(data, inner);
  const stages = chipsOf(places, inner);
  const all = stages.flat();
  const right = Math.max(...all.map(({ x, width }) => x + width));
  const bottom = Math.max(...all.map(({ y, height }) => y + height));
  const outline = {
    x: frame.x,
    y: frame.y + head,
    width: right - frame.x + edge,
    height: bottom - frame.y - head + edge,
  };
  sheet.path(box(outline), 'replica');
  stages.forEach((chips, index) => {
    // Chunks of all depths: light to dark in each chip. Else from the first stage to the last.
    const whole = data.chunks > 1;
    const last = index === stages.length - 1 && places.drawn < data.pipeline;
    const stage = last ? data.pipeline - 1 : index;
    const shade = whole ? 1 : 0.35 + (0.65 * stage) / Math.max(1, data.pipeline - 1);
    const part = data.pipelineWay?.key ?? data.tensorWay?.key;
    sheet.path(chips.map(box).join(''), whole ? 'chunks' : 'chip', {
      shade: data.pipeline === 1 ? 0.75 : shade,
      count: chips.length,
      part,
    });
  });
  const domains = domainsOf(data, places, stages);
  if (domains.length > 0) {
    sheet.path(domains.map(box).join(''), 'domain', { count: domains.length });
  }
  const stage = Math.min(data.stage, places.drawn - 1);
  const opened = stages[stage]![0]!;
  lit(sheet, data, places, stages, stage, domains);
  const left = data.pipeline - places.drawn;
  const foot = { ...frame, y: outline.y + outline.height + 14 };
  notesLine(sheet, foot, [
    ...(left > 0 ? [{ says: data.more(left) }] : []),
    ...(data.domain && domains.length > 0 ? [{ says: data.domain.says }] : []),
    ...(data.idle ? [data.idle] : []),
  ]);
  sheet.path(box(grown(opened, 1.5)), 'opened');
  sheet.part('replica', outline, [data.titles[0], data.shades].filter(Boolean).join(' · '));
  return { outline, opened };
}

/** Chips smaller than this leave no room for borders between them [px]. */
const leastBordered = 5;

/** The domains within the stages, where their borders part chips: those that hold whole parts of a stage. */
export function domainsOf(
  { domain, tensor, context }: Pick<ReplicaData, 'domain' | 'tensor' | 'context'>,
  { size }: Pick<Places, 'size'>,
  stages: readonly Frame[][],
): Frame[] {
  const each = domain?.chips ?? 0;
  if (size < leastBordered || each < 2 || (tensor * context) % each !== 0) return [];
  return stages.flatMap((chips) =>
    Array.from({ length: chips.length / each }, (_, index) =>
      around(chips.slice(index * each, (index + 1) * each)),
    ).filter((area) => {
      const within = chips.filter((chip) => holds(area, chip));
      // Groups that wrap may leave a domain no box of its own.
      return within.length === each;
    }),
  );
}

/** Whether a chip lies in an area. */
const holds = (area: Frame, { x, y }: Frame): boolean =>
  x >= area.x && y >= area.y && x < area.x + area.width && y < area.y + area.height;

function around(chips: readonly Frame[]): Frame {
  const [x, y] = [Math.min(...chips.map(({ x }) => x)), Math.min(...chips.map(({ y }) => y))];
  return grown(
    {
      x,
      y,
      width: Math.max(...chips.map(({ x, width }) => x + width)) - x,
      height: Math.max(...chips.map(({ y, height }) => y + height)) - y,
    },
    0.75,
  );
}

const grown = ({ x, y, width, height }: Frame, by: number): Frame => ({
  x: x - by,
  y: y - by,
  width: width + 2 * by,
  height: height + 2 * by,
});

/** What lights up while a way is pointed at: the group that the opened chip is in, the links that it
 * crosses, and the domains that these lie in. */
function lit(
  sheet: Sheet,
  { tensor, context, tensorWay, contextWay, pipelineWay, experts }: ReplicaData,
  { groups }: Places,
  stages: Frame[][],
  stage: number,
  domains: readonly Frame[],
): void {
  const own = stages[stage]!;
  // The chip of the machine that is opened: only the pipeline's links lead from stage to stage.
  const first = stage * (pipelineWay?.links?.stride ?? 0);
  const add = (way: Way | undefined, chips: Frame[], from: number, isRing: boolean): void => {
    if (!way) return;
    const d = chips.map((chip) => box(grown(chip, 1))).join('');
    const touched = domains.filter((area) => chips.some((chip) => holds(area, chip)));
    const borders: Mark[] =
      touched.length > 0
        ? [
            {
              kind: 'path',
              d: touched.map(box).join(''),
              look: 'domain touched',
              count: touched.length,
            },
          ]
        : [];
    sheet.light(way.key, [
      ...borders,
      { kind: 'path', d, look: 'group', count: chips.length },
      ...(way.links ? wires(chips, way.links, from, isRing) : []),
    ]);
  };
  add(tensorWay, own.slice(0, tensor), first, true);
  add(
    contextWay,
    Array.from(
      { length: Math.min(context, groups.columns * groups.rows) },
      (_, g) => own[g * tensor]!,
    ),
    first,
    true,
  );
  if (experts) {
    const { way, chips, stride } = experts;
    const inStage = own.filter((_, at) => at % stride === 0).slice(0, chips);
    add(way, inStage, first, inStage.length === chips);
  }
  add(
    pipelineWay,
    stages.map((chips) => chips[0]!),
    0,
    false,
  );
}
