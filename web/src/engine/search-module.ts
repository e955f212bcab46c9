// The wasm module that searches, as the binding exports it: plans and servers. Started once.

import start from '@core/search.js';
import deflated from '@core/search.wasm?deflated';
import type { Asked, RawIssue, RawOutcome } from './core.ts';
import type { Sweep } from './sampling.ts';
import { Lazy } from './lazy.ts';
import type { RawDivision } from './serving-ways.ts';
import { started } from './start.ts';
import type {
  ChosenLayout,
  Lever,
  MapField,
  MemoryKind,
  MemoryState,
  Plan,
  RecomputedPart,
  SearchLimit,
  ServingPoint,
  StepBound,
  StepPart,
  TimelineKind,
} from './types.ts';

/** What a plan comes to, in numbers. */
type PlanNumber = Exclude<keyof Plan, 'layout' | 'parts' | 'again'>;

export interface RawStages {
  issues?: RawIssue[];
  stages: number;
  all: number;
  bytes: Float64Array;
  tensors: Float64Array;
  capacity: number;
  limit: number;
}

export interface RawTimeline {
  issues?: RawIssue[];
  byStage: boolean;
  lanes: number;
  drawn: number;
  microBatches: number;
  end: number;
  steadyFrom: number;
  steadyTo: number;
  cuts: Float64Array;
  events: Float64Array;
}

export interface RawProgress {
  done: boolean;
  bestKnown: boolean;
  roomyKnown: boolean;
  fraction: number;
  grid: number;
  evaluated: number;
  fitting: number;
  leftOut: SearchLimit[];
}

export interface RawStart {
  issues?: RawIssue[];
  begun: boolean;
}

export interface RawScaled extends RawStart {
  slices: number;
  batchTokens: number;
}

/** Views lie in the module's memory and hold until the next call. */
export interface RawPlanner extends Asked {
  estimatePlan(): RawOutcome;
  stages(): RawStages;
  timeline(): RawTimeline;
  startSearch(x: number, y: number): RawStart;
  startPulled(lever: number): RawStart;
  startScaled(chips: number, weak: boolean): RawScaled;
  /** The search in the module, to be copied out and back. */
  searchState(): Uint8Array;
  advance(count: number): RawProgress;
  best(): Float64Array;
  chosen(): Float64Array;
  roomy(): Float64Array;
  front(): Float64Array;
  lower(): number;
  limit(): number;
  bestMap(): { x: Float64Array; y: Float64Array; seconds: Float64Array };
  /** What the numbers that cross stand for: columns of rows, and choices by their index. */
  names(): {
    layout: (keyof ChosenLayout)[];
    plan: PlanNumber[];
    memoryKinds: MemoryKind[];
    tensors: string[];
    lanes: string[];
    cuts: ('start' | 'end' | 'microBatches')[];
    events: ('lane' | 'kind' | 'start' | 'end' | 'microBatch')[];
    parts: StepPart[];
    bounds: StepBound[];
    memoryStates: MemoryState[];
    again: RecomputedPart[];
    mapFields: MapField[];
    levers: Lever[];
    timelineKinds: TimelineKind[];
  };
}

/** Serving as the binding exports it. Views lie in the module's memory and hold until the next call. */
export interface RawServing extends Asked, RawDivision {
  estimateServing(): RawOutcome;
  /** Chips that can be bought, no fewer than so many, or no more; NaN where the chip is not valid. */
  bought(chips: number, within: boolean): number;
  frontier(): { issues?: RawIssue[]; points: Float64Array };
  /** The columns of a point. */
  pointColumns(): (keyof ServingPoint)[];
  axis(): Float64Array;
  sweepServing: Sweep;
}

export const searchModule = new Lazy(
  async () => (await started(start, deflated)) as RawPlanner & RawServing,
);
