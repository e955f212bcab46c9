import type { Finding, ScaledAxis } from './data.ts';

/** A point of a chart of time against cost. */
export interface TradePoint {
  label: string;
  /** A short name, which stands beside it where there is room. */
  short?: string;
  x: number;
  y: number;
  /** An index into `lines`. */
  line: number;
  /** The likely range of both. */
  low?: readonly [x: number, y: number];
  high?: readonly [x: number, y: number];
  /** The reader's own of its line. */
  own?: boolean;
  /** It stands beside its line, which does not go through it. */
  aside?: boolean;
  /** The condition under which it is the best: `cheapest in 14 days`. */
  best?: string;
  /** Further notes. */
  says?: string;
}

/** Two quantities traded against each other, along lines: less of each is better. */
export interface TradeData extends Finding {
  x: ScaledAxis;
  y: ScaledAxis;
  /** The names of the lines; six are told apart. */
  lines: string[];
  /** Line by line, each in the order in which it is drawn. */
  points: TradePoint[];
  /** No more of x, and no more of y, than this. */
  most: { x?: { label: string; value: number }; y?: { label: string; value: number } };
}
