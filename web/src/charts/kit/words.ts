import type { Bound } from './data.ts';

/** The charts' own texts, in the reader's language. */
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
  /** Stands for a value that there is not. */
  none: string;
}

/** Further texts of bars, timelines and fronts. */
export interface PlanWords extends Words {
  /** Words before values: `Total 81.2 GB`, `Free 14.3 GB`, `Over by 2.1 GB`. */
  total: string;
  free: string;
  over: string;
  /** The text for a lane between its events. */
  idle: string;
}

/** Further words of scatters: names of the whiskers' ends. */
export interface ScatterWords extends Words {
  low: string;
  high: string;
  lower: string;
  upper: string;
}
