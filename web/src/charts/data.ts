// What charts are given: numbers in the core's units, and labels in the reader's language.

export type Bound = 'compute' | 'memory' | 'network';

/** Numbers of any length, such as a sweep's typed arrays. */
export type Numbers = ArrayLike<number>;

/** What every chart has. */
export interface Finding {
  /** What the chart shows, as a sentence: `Compute-bound above 240 tokens`. */
  title: string;
  /** The same at length, for those who cannot see it. */
  description: string;
  /** Names the downloaded files, without an ending. */
  file: string;
}

export interface Axis {
  label: string;
  /** As the core names it: `FLOPs/B`, `FLOPs/s`, `tokens`, `s`, `%`; empty for a plain number. */
  unit: string;
}

export interface ScaledAxis extends Axis {
  scale: 'linear' | 'log';
}

// ---- roofline

/** A flat roof. Roofs of one rate are drawn as one. */
export interface Peak {
  label: string;
  rate: number;
  /** The one that the reader's operation runs under. */
  own?: boolean;
}

export interface Slope {
  label: string;
  bandwidth: number;
  bound: 'memory' | 'network';
  own?: boolean;
}

/** What binds from one ridge to the next. */
export interface Zone {
  /** Where it ends; left out for the last. */
  until?: number;
  label: string;
  bound: Bound;
  /** Only some of the slopes bind here: drawn fainter. */
  partly?: boolean;
}

/** The roofline of another chip. */
export interface OtherChip {
  label: string;
  rate: number;
  bandwidth: number;
}

export interface Point {
  label: string;
  /** 0 for what computes nothing, such as a read: it stands at the left edge. */
  intensity: number;
  /** FLOPs/s that it reaches. */
  achieved: number;
  bound: Bound;
  /** The reader's own: there is at most one, and it can be dragged along the track. */
  own?: boolean;
}

/** Where the reader's own point can go. */
export interface Track {
  /** What is changed: the label and unit of the field. */
  label: string;
  unit: string;
  /** Ascending by value. */
  steps: { value: number; intensity: number; achieved: number }[];
  /** The reader's own value, on a step or between two. */
  value: number;
}

export interface RooflineData extends Finding {
  x: Axis;
  y: Axis;
  peaks: Peak[];
  slopes: Slope[];
  /** From left to right. */
  zones: Zone[];
  chips?: OtherChip[];
  points: Point[];
  track?: Track;
}

// ---- sweep

export interface Line {
  label: string;
  /** One for each value of x. */
  values: Numbers;
  /** Not 0 where there is no value: 1 + the index of the reason in `absences`. */
  absent?: Numbers;
  /** The reader's own setting. */
  own?: boolean;
  /** What binds along the line, from left to right; the last has no end. Ends are exact. */
  parts?: { until?: number; bound: Bound }[];
}

/** A critical point, exact and not from the grid. */
export interface Mark {
  at: number;
  label: string;
  /** y there; without it the mark is a line through the whole height. */
  value?: number;
  /** What binds from here on. */
  bound?: Bound;
}

export interface SweepData extends Finding {
  x: ScaledAxis & { values: Numbers };
  y: ScaledAxis;
  /** At most six are told apart. */
  lines: Line[];
  marks: Mark[];
  /** Why values are absent, in words. */
  absences?: string[];
  /**
   * The reader's own x, which should be among the values: numbers are read off, not interpolated.
   * With it the cursor moves the state, without it it only reads.
   */
  own?: number;
}

// ---- heat map

/** Values are one for each column or row, evenly spaced on the scale or nearly so. */
export interface MapAxis extends ScaledAxis {
  values: Numbers;
  /** In place of numbers, one for each value: choices such as formats. */
  names?: string[];
}

export interface Category {
  label: string;
  /** Gives the colour and the shape; categories without one are told apart by hatching. */
  bound?: Bound;
}

export interface HeatMapData extends Finding {
  x: MapAxis;
  y: MapAxis;
  /** An index into `categories` for each cell, row by row from the least y. */
  cells: Numbers;
  /** Not 0 where there is no value: 1 + the index of the reason in `absences`. */
  absent?: Numbers;
  categories: Category[];
  absences?: string[];
  /** The reader's own state in the axes' values (choices: their index), and the category of it. */
  own?: { x: number; y: number; category?: number };
}

// ---- what charts tell

/** Detail of `move` from a roofline or a sweep: the step or the x value that the reader went to. */
export interface Move {
  index: number;
  /** The drag is over. */
  done: boolean;
}

/** Detail of `move` from a heat map. */
export interface MapMove {
  x: number;
  y: number;
  done: boolean;
}
