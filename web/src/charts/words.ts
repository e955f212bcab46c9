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
