// The planner's rows of numbers as objects.

import type { RawPlanner, RawStages, RawTimeline } from './search-module.ts';
import type { Description, MemoryKind, Plan, StageMemories, StepPart, Timeline } from './types.ts';

/** The fields of a layout that a search chooses, in the module's order. */
const chosen = [
  'tensor',
  'context',
  'pipeline',
  'schedule',
  'virtualStages',
  'expert',
  'expertTensor',
  'microBatch',
  'sharding',
  'recompute',
] as const;

/** Numbers of a row before the parts of the step's time. */
const fixedNumbers = 28;

/** Reads plans from rows of numbers. */
export function planReader(
  { parts, bounds, memoryStates, again }: ReturnType<RawPlanner['names']>,
  { groups }: Description,
): (numbers: Float64Array) => Plan[] {
  const choices = Object.fromEntries(groups.layout.map(({ key, choices: names }) => [key, names]));
  const width = fixedNumbers + parts.length + again.length;
  const readPlan = (at: (index: number) => number): Plan => {
    const layout = Object.fromEntries(
      chosen.map((key, index) => {
        const names = choices[key]!;
        return [key, names.length > 0 ? names[at(index)]! : at(index)];
      }),
    ) as unknown as Plan['layout'];
    return {
      layout: { ...layout, stageLayers: '' }, // spread evenly
      dataWays: at(10),
      microBatches: at(11),
      expected: at(12),
      lower: at(13),
      upper: at(14),
      memory: at(15),
      mfu: at(16),
      mfuExact: at(17),
      tokensPerSecond: at(18),
      bound: bounds[at(19)]! as Plan['bound'],
      nextBound: bounds[at(20)]! as Plan['bound'],
      fits: at(21) > 0,
      memoryLow: at(22),
      memoryHigh: at(23),
      memoryState: memoryStates[at(24)]!,
      wallTime: at(25),
      mfuWithFailures: at(26),
      fullestLayers: at(27),
      parts: Object.fromEntries(
        parts.map((part, index) => [part, at(fixedNumbers + index)]),
      ) as Record<StepPart, number>,
      again: Object.fromEntries(
        again
          .map((part, index) => [part, at(fixedNumbers + parts.length + index)] as const)
          .filter(([, share]) => share > 0),
      ),
    };
  };
  return (numbers) =>
    Array.from({ length: numbers.length / width }, (_, row) =>
      readPlan((index) => numbers[row * width + index]!),
    );
}

const memoryKinds: MemoryKind[] = [
  'parameters',
  'gradients',
  'optimizer',
  'activations',
  'working',
  'logits',
  'buffers',
  'overhead',
];

const tensorKinds = [
  'input',
  'middle',
  'norms',
  'qkv',
  'attention',
  'scores',
  'hidden',
  'product',
  'experts',
  'results',
  'masks',
];

/** The resources of a chip, where a timeline is not by stages. */
const resources = ['computing', 'tensor', 'context', 'expert', 'data', 'host'];

export function readStages(raw: RawStages): StageMemories {
  const { stages, all, bytes, tensors, capacity, limit } = raw;
  return {
    stages,
    all,
    kinds: memoryKinds,
    bytes: bytes.slice(),
    tensors: Object.fromEntries(tensorKinds.map((kind, index) => [kind, tensors[index]!] as const)),
    capacity,
    limit,
  };
}

export function readTimeline(
  raw: RawTimeline,
  { timelineKinds }: ReturnType<RawPlanner['names']>,
): Timeline {
  const { byStage, lanes, drawn, microBatches, end, steadyFrom, steadyTo, cuts, events } = raw;
  return {
    byStage,
    lanes: byStage ? Array.from({ length: lanes }, (_, stage) => String(stage)) : resources,
    drawn,
    microBatches,
    end,
    cuts: Array.from({ length: cuts.length / 3 }, (_, index) => {
      const [start, end, microBatches] = cuts.subarray(index * 3, index * 3 + 3);
      return { start: start!, end: end!, microBatches: microBatches! };
    }),
    ...(steadyTo > 0 && { steady: { start: steadyFrom, end: steadyTo } }),
    events: Array.from({ length: events.length / 5 }, (_, index) => {
      const [lane, kind, from, to, microBatch] = events.subarray(index * 5, index * 5 + 5);
      return {
        lane: lane!,
        kind: timelineKinds[kind!]!,
        start: from!,
        end: to!,
        microBatch: microBatch!,
      };
    }),
  };
}
