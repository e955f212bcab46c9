// The planner's module, and its interface: one layout's step, and the search for the best.

import start from '@core/planner.js';
import deflated from '@core/planner.wasm?deflated';
import { makeAsking } from './asking.ts';
import type { RawInput, RawIssue, RawOutcome } from './core.ts';
import { inflate } from './inflate.ts';
import { Lazy } from './lazy.ts';
import { nameOf } from './sampling.ts';
import type { PlanAnswers } from './generated.ts';
import type {
  Description,
  Lever,
  MapField,
  MemoryKind,
  Outcome,
  Plan,
  Planner,
  PlanSearch,
  SearchLimit,
  StepPart,
  TimelineKind,
} from './types.ts';

interface RawStages {
  issues?: RawIssue[];
  stages: number;
  all: number;
  bytes: Float64Array;
  tensors: Float64Array;
  capacity: number;
  limit: number;
}

interface RawTimeline {
  issues?: RawIssue[];
  byStage: boolean;
  lanes: number;
  drawn: number;
  microBatches: number;
  end: number;
  events: Float64Array;
}

interface RawProgress {
  done: boolean;
  bestKnown: boolean;
  fraction: number;
  evaluated: number;
  fitting: number;
  leftOut: SearchLimit[];
}

interface RawStart {
  issues?: RawIssue[];
  begun: boolean;
}

interface RawScaled extends RawStart {
  slices: number;
  batchTokens: number;
}

/** Views lie in the module's memory and hold until the next call. */
interface PlannerModule {
  /** Of plans alone. */
  describe(): Description;
  estimate(input: RawInput): RawOutcome;
  stages(input: RawInput): RawStages;
  timeline(input: RawInput): RawTimeline;
  startSearch(input: RawInput, x: number, y: number): RawStart;
  startPulled(input: RawInput, lever: number): RawStart;
  startScaled(input: RawInput, chips: number, weak: boolean): RawScaled;
  /** The search in the module, to be copied out and back. */
  searchState(): Uint8Array;
  advance(count: number): RawProgress;
  best(): Float64Array;
  chosen(): Float64Array;
  front(): Float64Array;
  lower(): number;
  limit(): number;
  map(): { x: Float64Array; y: Float64Array; seconds: Float64Array };
  names(): {
    parts: StepPart[];
    bounds: string[];
    mapFields: MapField[];
    levers: Lever[];
    timelineKinds: TimelineKind[];
  };
}

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

const planner = new Lazy(
  async () => (await start({ wasmBinary: await inflate(deflated) })) as PlannerModule,
);

/** A search's state while another one lies in the module. */
interface Suspended {
  state?: Uint8Array;
}
/** The search that lies in the module, which has room for one. */
let inModule: Suspended | undefined;

/** Copies the search in the module out of it. */
function suspend(module: PlannerModule): void {
  if (inModule) inModule.state = module.searchState().slice();
  inModule = undefined;
}

/** Puts a search back into the module, if it doesn't lie there. */
function resume(module: PlannerModule, search: Suspended): void {
  if (inModule === search) return;
  suspend(module);
  module.searchState().set(search.state!);
  delete search.state;
  inModule = search;
}

/** What can be said of plans without the core. */
export async function describePlans(): Promise<Description> {
  return (await planner.get()).describe();
}

export async function startPlanner(description: Description): Promise<Planner> {
  const module = await planner.get();
  const { answer, take } = makeAsking(description);
  const { parts, bounds, mapFields, levers, timelineKinds } = module.names();
  const choices = Object.fromEntries(
    description.groups.layout.map(({ key, choices: names }) => [key, names]),
  );

  /** Plans of rows of numbers. */
  const readPlans = (numbers: Float64Array): Plan[] => {
    const width = 22 + parts.length;
    return Array.from({ length: numbers.length / width }, (_, row) => {
      const at = (index: number): number => numbers[row * width + index]!;
      const layout = Object.fromEntries(
        chosen.map((key, index) => {
          const names = choices[key]!;
          return [key, names.length > 0 ? names[at(index)]! : at(index)];
        }),
      ) as unknown as Plan['layout'];
      return {
        layout,
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
        parts: Object.fromEntries(parts.map((part, index) => [part, at(22 + index)])) as Record<
          StepPart,
          number
        >,
      };
    });
  };

  /** Takes input for a search that the module is to start, once the one in it is out of the way. */
  const takeStart = <T extends RawStart>(input: unknown, ask: (raw: RawInput) => T) =>
    take('plan', input, (raw) => {
      suspend(module);
      return ask(raw);
    });

  /** The search that the module has just started. */
  const begin = (): PlanSearch => {
    const own: Suspended = {};
    inModule = own;
    const here = <T>(ask: () => T): T => {
      resume(module, own);
      return ask();
    };
    return {
      advance: (count) => here(() => module.advance(count)),
      best: () => here(() => readPlans(module.best())),
      chosen: () => here(() => readPlans(module.chosen())[0]),
      front: () => here(() => readPlans(module.front())),
      lower: () => here(() => module.lower()),
      limit: () => here(() => module.limit()),
      map: () =>
        here(() => {
          const { x, y, seconds } = module.map();
          // Values come as they were met.
          const order = (values: Float64Array): number[] =>
            [...values.keys()].sort((a, b) => values[a]! - values[b]!);
          const columns = order(x);
          const rows = order(y);
          return {
            x: columns.map((column) => x[column]!),
            y: rows.map((row) => y[row]!),
            seconds: Float64Array.from(
              rows.flatMap((row) => columns.map((column) => seconds[row * x.length + column]!)),
            ),
          };
        }),
    };
  };

  /** A search of a changed input, if it could be changed so. */
  const changed = (started: ReturnType<typeof take<RawStart>>) =>
    started.ok ? { ok: true as const, search: started.begun ? begin() : null } : started;

  const indexOf = <T>(names: readonly T[], name: T): number => {
    const index = names.indexOf(name);
    if (index < 0) throw new RangeError(`the planner knows no ${nameOf(name)}`);
    return index;
  };

  return {
    estimate: (input) =>
      answer('plan', input, (raw) => module.estimate(raw)) as Outcome<PlanAnswers>,
    stages: (input) =>
      take('plan', input, (raw) => {
        const { issues, stages, all, bytes, tensors, capacity, limit } = module.stages(raw);
        if (issues) return { issues } as never;
        return {
          stages,
          all,
          kinds: memoryKinds,
          bytes: bytes.slice(),
          tensors: Object.fromEntries(
            tensorKinds.map((kind, index) => [kind, tensors[index]!] as const),
          ),
          capacity,
          limit,
        };
      }),
    timeline: (input) =>
      take('plan', input, (raw) => {
        const reply = module.timeline(raw);
        if (reply.issues) return { issues: reply.issues } as never;
        const { byStage, lanes, drawn, microBatches, end, events } = reply;
        return {
          byStage,
          lanes: byStage ? Array.from({ length: lanes }, (_, stage) => String(stage)) : resources,
          drawn,
          microBatches,
          end,
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
      }),
    search: (input, map = { x: 'tensor', y: 'pipeline' }) => {
      const x = indexOf(mapFields, map.x);
      const y = indexOf(mapFields, map.y);
      const started = takeStart(input, (raw) => module.startSearch(raw, x, y));
      return started.ok ? { ok: true, search: begin() } : started;
    },
    pull: (input, lever) => {
      const index = indexOf(levers, lever);
      return changed(takeStart(input, (raw) => module.startPulled(raw, index)));
    },
    scaled: (input, chips, weak = false) => {
      if (!(chips >= 1 && Number.isSafeInteger(chips))) {
        throw new RangeError(`not a number of chips: ${nameOf(chips)}`);
      }
      const started = takeStart(input, (raw) => module.startScaled(raw, chips, weak));
      if (!started.ok) return started;
      const { begun, slices, batchTokens } = started;
      if (!begun) return { ok: true, search: null };
      return { ok: true, search: begin(), run: { chips, slices, batchTokens } };
    },
    levers,
  };
}
