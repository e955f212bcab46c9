import type { MachineData, TimeData } from './training.ts';

/** A unit in which the step reads. */
export interface Reading extends TimeData {
  key: string;
  /** The whole in this unit: `73.3 days`. */
  label: string;
}

export interface DrawingData extends MachineData {
  /** The finding, for those who can't see the drawing. */
  title: string;
  readings: readonly Reading[];
  /** The answers are those of a layout that does not fit. */
  ghostly: boolean;
}

export interface DrawingWords {
  /** Stands before the units in which the step reads. */
  goes: string;
  /** Headings of the hidden table. */
  name: string;
  value: string;
}
