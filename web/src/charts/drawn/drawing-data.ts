import type { FigureData } from './figure.ts';
import type { TableWords } from './reading.ts';
import type { MachineData, TimeData } from './training.ts';

/** A unit in which the step reads. */
export interface Reading extends TimeData {
  key: string;
  /** The whole in this unit: `73.3 days`. */
  label: string;
}

export interface DrawingData extends FigureData, MachineData {
  readings: readonly Reading[];
}

export interface DrawingWords extends TableWords {
  /** Stands before the units in which the step reads. */
  goes: string;
}
