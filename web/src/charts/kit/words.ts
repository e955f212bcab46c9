import type { Bound } from './data.ts';

/** What charts say by themselves, in the reader's language. */
export interface Words {
  /** The three bounds: `Compute-bound`. */
  bounds: Record<Bound, string>;
  dataTable: string;
  downloadSvg: string;
  downloadPng: string;
  downloadCsv: string;
  /** Names the list of points that can be gone through by keyboard. */
  points: string;
  /** Headings and kinds in the data table. */
  kind: string;
  name: string;
  bound: string;
  bandwidth: string;
  peak: string;
  slope: string;
  chip: string;
  operation: string;
  zone: string;
  mark: string;
  from: string;
  to: string;
  /** In place of a value that there is not. */
  none: string;
}

/** What bars, timelines and fronts say besides. */
export interface PlanWords extends Words {
  /** Before values: `Total 81.2 GB`, `Free 14.3 GB`, `Over by 2.1 GB`. */
  total: string;
  free: string;
  over: string;
  /** What a lane does between its events. */
  idle: string;
}
