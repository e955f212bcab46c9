// The wasm module of operations and collectives, as the binding exports it. Started once.

import start from '@core/operations.js';
import deflated from '@core/operations.wasm?deflated';
import type { Asked, RawIssue, RawOutcome } from './core.ts';
import { Lazy } from './lazy.ts';
import type { SampleMap, Sweep } from './sampling.ts';
import { started } from './start.ts';
import type { MemoryLevel, OperationQuestion } from './types.ts';

export interface RawRoofs {
  issues?: RawIssue[];
  /** Names of the peaks and of the slopes. */
  formats: string[];
  levels: MemoryLevel[];
  peaks: Float64Array;
  slopes: Float64Array;
  ridges: Float64Array;
}

interface RawSchedule {
  issues?: RawIssue[];
  chips: number;
  steps: number;
  holds: Uint8Array;
}

/** The places where a choice changes, with its indices before and after. */
type FindCrossings = (
  group: number,
  field: number,
  from: number,
  to: number,
  answer: number,
) => { at: number; before: number; after: number }[];

/** The calls for each question, by their verbs. */
export interface OperationCalls {
  estimate: () => RawOutcome;
  sweep: Sweep;
  map: SampleMap;
  crossings: FindCrossings;
}

type Calls<Verb extends keyof OperationCalls> = Record<
  `${Verb}${Capitalize<OperationQuestion>}`,
  OperationCalls[Verb]
>;

interface RawOperations
  extends Asked, Calls<'estimate'>, Calls<'sweep'>, Calls<'map'>, Calls<'crossings'> {
  /** The buffer for the values of axes, to be filled before a sweep or a map. */
  axis(): Float64Array;
  roofs(): RawRoofs;
  schedule(): RawSchedule;
}

export const operationsModule = new Lazy(
  async () => (await started(start, deflated)) as RawOperations,
);
