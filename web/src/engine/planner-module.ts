// The planner's wasm module as the binding exports it, started once.

import start from '@core/planner.js';
import packed from '@core/planner.wasm?packed';
import type { Asked, RawIssue, RawOutcome } from './core.ts';
import { started } from './unpack.ts';
import { Lazy } from './lazy.ts';
import type {
  Description,
  Lever,
  MapField,
  MemoryState,
  RecomputedPart,
  SearchLimit,
  StepPart,
  TimelineKind,
} from './types.ts';

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
export interface PlannerModule extends Asked {
  /** Describes plans only. */
  describe(): Description;
  estimate(): RawOutcome;
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
  map(): { x: Float64Array; y: Float64Array; seconds: Float64Array };
  names(): {
    parts: StepPart[];
    bounds: string[];
    memoryStates: MemoryState[];
    again: RecomputedPart[];
    mapFields: MapField[];
    levers: Lever[];
    timelineKinds: TimelineKind[];
  };
}

export const plannerModule = new Lazy(async () => (await started(start, packed)) as PlannerModule);
