// The wasm module that answers at once, as the binding exports it. Started once.

import start from '@core/first.js';
import deflated from '@core/first.wasm?deflated';
import { started } from './start.ts';
import type { Description, Shown } from './types.ts';

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

export interface Core extends Asked {
  describe(): Description;
  estimateTraining(): RawOutcome;
  estimateBudget(): RawOutcome;
}

export async function startCore(): Promise<Core> {
  return (await started(start, deflated)) as Core;
}
