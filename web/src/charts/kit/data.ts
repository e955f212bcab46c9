// The data of charts: numbers in the core's units, and labels in the reader's language.

import type { Look } from './looks.ts';

export type Bound = 'compute' | 'memory' | 'network';

/** Numbers of any length, such as a sweep's typed arrays. */
export type Numbers = ArrayLike<number>;

/** The data that every chart has. */
export interface Finding {
  /** The finding of the chart, as a sentence: `Compute-bound above 240 tokens`. */
  title: string;
  /** The long form for screen readers. */
  description: string;
  /** Names the downloaded files, without an ending. */
  file: string;
}

export interface Axis {
  label: string;
  /** The core's unit: `FLOPs/B`, `FLOPs/s`, `tokens`, `s`, `%`; empty for a plain number. */
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

/** A range of intensities between ridges, with its bound. */
export interface Zone {
  /** Its end; the last one has none. */
  until?: number;
  label: string;
  bound: Bound;
  /** Whether only some of the slopes bind here: drawn fainter. */
  partly?: boolean;
}

/** The roofline of another chip. */
export interface OtherChip {
  label: string;
  rate: number;
  bandwidth: number;
  /** The legend's text after its name: its ridge, and what the reader's operation reaches on it. */
  says?: string;
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
  /** The reader's own as it would be on another chip: an index into `chips`. */
  chip?: number;
}

/** The places that the reader's own point can go to. */
export interface Track {
  /** The label and unit of the field that changes. */
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
  /** Zones from left to right. */
  zones: Zone[];
  /** Other chips; at most four are told apart. */
  chips?: OtherChip[];
  /** The reader's own chip, in the legend beside the others. */
  chip?: Pick<OtherChip, 'label' | 'says'>;
  points: Point[];
  /** Measurements on the chip: small marks without names. */
  measured?: { kind: string; points: Pick<Point, 'label' | 'intensity' | 'achieved'>[] };
  track?: Track;
}

// ---- sweep

export interface Line {
  label: string;
  /** One for each value of x. */
  values: Numbers;
  /** 1 + the index of the reason in `absences` where there is no value, else 0. */
  absent?: Numbers;
  /** The reader's own setting. */
  own?: boolean;
  /** The bounds along the line, from left to right; the last has no end. Ends are exact. */
  parts?: { until?: number; bound: Bound }[];
}

/** A critical point, exact and not from the grid. */
export interface Mark {
  at: number;
  label: string;
  /** y there; without it the mark is a line through the whole height. */
  value?: number;
  /** The bound from here on. */
  bound?: Bound;
}

export interface SweepData extends Finding {
  x: ScaledAxis & { values: Numbers };
  y: ScaledAxis;
  /** Lines; at most six are told apart. */
  lines: Line[];
  marks: Mark[];
  /** The reasons why values are absent, in words. */
  absences?: string[];
  /**
   * The reader's own x, which should be among the values: numbers are read off, not interpolated.
   * The cursor moves the state if it is given, and only reads otherwise.
   */
  own?: number;
}

// ---- heat map

/** Values ascend, one for each column or row. */
export interface MapAxis extends ScaledAxis {
  values: Numbers;
  /** Replace numbers, one for each value: choices such as formats. */
  names?: string[];
}

export interface Category {
  label: string;
  /** Gives the colour and the shape; categories without one are told apart by hatching. */
  bound?: Bound;
}

export interface MapData extends Finding {
  x: MapAxis;
  y: MapAxis;
  /** A number for each cell, row by row from the least y. */
  cells: Numbers;
  /** 1 + the index of the reason in `absences` where there is no value, else 0. */
  absent?: Numbers;
  absences?: string[];
  /** The reader's own state in the axes' values (choices: their index). */
  own?: { x: number; y: number };
}

/** Cells are indices into `categories`. */
export interface HeatMapData extends MapData {
  categories: Category[];
  /** The exact place where the category changes between a cell and the next one in its row, by the
   * index of the first; without it, halfway. `up` likewise in its column. */
  right?: ReadonlyMap<number, number>;
  up?: ReadonlyMap<number, number>;
  /** The category of the reader's own state, too. */
  own?: { x: number; y: number; category?: number };
}

/** Cells are values: the more, the darker. */
export interface ValueMapData extends MapData {
  value: ScaledAxis;
  /** The category of each cell, such as its bound: indices into `categories`. */
  kinds?: Numbers;
  categories?: Category[];
  /** The cell to be marked, as an index into `cells`, and what it is: `fastest`. */
  best?: { at: number; label: string };
}

// ---- bars and timelines

/** The kinds of parts in bars and lanes, told apart by colour, texture and letter. */
export interface Kind {
  label: string;
  look: Look;
  /** One character, drawn where there is room; without one the next of the alphabet. */
  letter?: string;
}

/** A limit that should not be exceeded. */
export interface Limit {
  label: string;
  value: number;
  /** It can be passed: drawn fainter, and nothing is said to be too much. */
  soft?: boolean;
}

export interface BarsData extends Finding {
  x: Axis;
  /** The name of what each bar stands for: `Stage`. */
  row: string;
  /** The bars' names, from the top; of a single one it may be empty. */
  rows: string[];
  kinds: Kind[];
  /** Values of each kind in each bar: `values[row * kinds.length + kind]`. */
  values: Numbers;
  limits: Limit[];
}

export interface TimelineEvent {
  /** Indices into `lanes` and `kinds`. */
  lane: number;
  kind: number;
  start: number;
  end: number;
  /** A remark on it: `micro-batch 3`. */
  label?: string;
  /** Its micro-batch: neighbours have other tints. */
  batch?: number;
}

/** A part of a timeline that the reader can look at, by its name. */
export interface TimelinePart {
  label: string;
  start: number;
  end: number;
}

export interface TimelineData extends Finding {
  x: Axis;
  /** The kind of thing that has a lane each: `Stage`. */
  lane: string;
  lanes: string[];
  kinds: Kind[];
  /** The lane that idles where the step does, if not all do alike: others work beside it. */
  main?: number;
  /** Events in any order; those of a lane should not overlap. */
  events: TimelineEvent[];
  /** The end of the axis. */
  end: number;
  /** Times of which nothing is drawn, as all goes on alike: `×112 more · 14.2 s`, `×112`. */
  cuts?: (TimelinePart & { short: string })[];
  /** The times that an event of a micro-batch occurs in all, those cut out among them. */
  repeat?: number;
  /** Parts to look at, the whole first, and the names of what looks closer and less close. */
  zoom?: { parts: TimelinePart[]; closer: string; wider: string };
}

// ---- Pareto front

export interface ParetoPoint {
  label: string;
  x: number;
  y: number;
  bound?: Bound;
}

/** A Pareto front: less of x only for more of y. */
export interface ParetoFrontData extends Finding {
  x: ScaledAxis;
  y: ScaledAxis;
  /** Ascending by x. */
  points: ParetoPoint[];
  /** The index of the point that the reader has chosen. */
  chosen?: number;
  /** The reader's own, where it is none of the points. */
  own?: ParetoPoint;
  /** Whether names are short enough to stand beside all points that have room; else those of the ends
   * and of the reader's own do. */
  named?: boolean;
  /** Marks on the axis of x. */
  limits: Limit[];
}

// ---- scatter

export interface ScatterPoint {
  label: string;
  x: number;
  y: number;
  /** An index into `kinds`. */
  kind: number;
  /** The likely range of y, and the bounds that it should not pass. */
  likely?: readonly [low: number, high: number];
  bounds?: readonly [lower: number, upper: number];
  /** A remark on it. */
  says?: string;
}

/** Measurements over their predictions: both axes have one unit and one range. */
export interface ScatterData extends Finding {
  x: Axis;
  y: Axis;
  /** Kinds of points; at most three are told apart, by their shape. */
  kinds: string[];
  /** Points in the order in which keys go through them. */
  points: ScatterPoint[];
  /** The point that the reader has chosen. */
  chosen?: number;
  /** The reader's own, drawn strongest. */
  own?: ScatterPoint[];
  /** y over x within which most lie: shaded around the diagonal. */
  band?: { from: number; to: number };
  /** The label of the diagonal: `as predicted`. */
  diagonal: string;
}

// ---- what charts tell

/** Detail of `move` from a roofline, a sweep or a front: the step, the x value or the point that the
 * reader went to. */
export interface Move {
  index: number;
  /** The drag is over. */
  done: boolean;
}

/** Detail of `move` from a map. */
export interface MapMove {
  x: number;
  y: number;
  done: boolean;
}
