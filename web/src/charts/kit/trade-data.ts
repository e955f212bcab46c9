import type { Finding, ScaledAxis } from './data.ts';

/** What takes so long and costs so much. */
export interface TradePoint {
  label: string;
  x: number;
  y: number;
  /** An index into `lines`. */
  line: number;
  /** Where both were likely to lie. */
  low?: readonly [x: number, y: number];
  high?: readonly [x: number, y: number];
  /** The reader's own of its line. */
  own?: boolean;
  /** It stands beside its line, which does not go through it. */
  aside?: boolean;
  /** What it is best at: `cheapest in 14 days`. */
  best?: string;
  /** What else is said of it. */
  says?: string;
}

/** What can be had for what, along lines: of both, less is better. */
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
