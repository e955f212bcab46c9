// The wasm module that answers at once, as the binding exports it. Started once.

import start from '@core/first.js';
import deflated from '@core/first.wasm?deflated';
import { started } from './start.ts';
import type { CoreQuestion, Description, MemoryLevel, Shown } from './types.ts';

export interface RawIssue {
  code: string;
  group: string;
  key: string;
  arguments: Record<string, number>;
}

/** Either issues, or views into the module's memory that hold until the next call. */
export interface RawOutcome {
  issues?: RawIssue[];
  values: Float64Array;
  absences: Uint8Array;
  notices?: RawIssue[];
}

/** What nodes of a derivation are called. */
export interface RawName {
  unit: string;
  shown?: Shown;
  group?: string;
  key?: string;
  symbol?: string;
  source?: string;
  /** The case that a constant holds for, such as a format; empty if it has one value. */
  of?: string;
}

export interface RawExplanation {
  issues?: RawIssue[];
  root: number;
  /** The columns of a node; an argument that it has not is 0. */
  columns: ('place' | 'operation' | 'value' | 'left' | 'right' | 'name')[];
  /** A row each. They lie in the module's memory until the next call. */
  rows: Float64Array;
  names: RawName[];
  operations: string[];
}

/** The groups of a question one after the other, each in the order of its fields: a number of each,
 *  and the texts of those that are texts. */
export interface RawInput {
  numbers: number[];
  texts: string[];
}

/** A module that is asked questions. */
export interface Asked {
  /** Memory for the input of the next call, which is written before it. */
  input(): Uint8Array;
}

/** Views into the module's memory that hold until the next call. */
export interface RawSamples {
  values: Float64Array;
  absences: Uint8Array;
}

export interface RawRoofs {
  issues?: RawIssue[];
  /** Names of the peaks and of the slopes. */
  formats: string[];
  levels: MemoryLevel[];
  peaks: Float64Array;
  slopes: Float64Array;
  ridges: Float64Array;
}

export interface RawSchedule {
  issues?: RawIssue[];
  chips: number;
  steps: number;
  holds: Uint8Array;
}

type Estimate = () => RawOutcome;
/** Null where there is no such field or answer, or no room for so many. */
export type Sweep = (
  group: number,
  field: number,
  count: number,
  answer: number,
) => RawSamples | null;
export type SampleMap = (
  xGroup: number,
  xField: number,
  xCount: number,
  yGroup: number,
  yField: number,
  yCount: number,
  answer: number,
) => (RawSamples & { borders: Float64Array }) | null;
/** The places where a choice changes, with its indices before and after. */
type FindCrossings = (
  group: number,
  field: number,
  from: number,
  to: number,
  answer: number,
) => { at: number; before: number; after: number }[];

/** The calls for each question that the core answers, by their verbs. */
export interface CoreCalls {
  estimate: Estimate;
  sweep: Sweep;
  map: SampleMap;
  crossings: FindCrossings;
}

export interface Core extends Asked, Record<`estimate${Capitalize<CoreQuestion>}`, Estimate> {
  describe(): Description;
  /** The buffer for the values of axes, to be filled before a sweep or a map. */
  axis(): Float64Array;
  roofs(): RawRoofs;
  schedule(): RawSchedule;
}

export async function startCore(): Promise<Core> {
  return (await started(start, deflated)) as Core;
}
