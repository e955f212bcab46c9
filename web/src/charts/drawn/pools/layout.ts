// A step of training by reward as rows of one time axis, one for each pool of chips: what each does,
// and where it waits for the other. By turns there is one pool.

import type { Measure } from '../../kit/text.ts';
import type { FigureData } from '../figure.ts';
import type { Form } from '../form.ts';
import { heading } from '../heads.ts';
import type { Entry } from '../legend.ts';
import { Sheet, type Frame } from '../marks.ts';
import { heightOf, rows, title } from './heights.ts';
import type { SplitsData } from './splits.ts';
import { layStep, layStepNarrow, stepEnd, type StepData } from '../step.ts';

/** What a step is made of [s]. */
export interface StepTimes {
  step: number;
  generate: number;
  /** The last part of generating, in which few slots are at work. */
  tail: number;
  /** From the last answer to its reward. */
  rest: number;
  logProbs: number;
  update: number;
  critic: number;
  handOver: number;
}

export type Task = Exclude<keyof StepTimes, 'step'> | 'waits';
export type Sharing = 'turns' | 'apart' | 'overlapping';

/** A task with the seconds that it takes. */
export type Span = readonly [task: Task, seconds: number];

/** The share of a step below which a time is an error of sums. */
const rounding = 1e-9;

/** What each pool does in a step, in time's order: all chips, or those that generate and those that
 * train. Each pool's spans add up to the step. */
export function spansOf(times: StepTimes, sharing: Sharing): Span[][] {
  const { step, generate, tail, rest, logProbs, update, critic, handOver } = times;
  const answers: Span[] = [
    ['generate', generate - tail],
    ['tail', tail],
    ['rest', rest],
  ];
  const training: Span[] = [
    ['logProbs', logProbs],
    ['update', update],
    ['critic', critic],
  ];
  const over: Span = ['handOver', handOver];
  const taken = (spans: readonly Span[]): number =>
    spans.reduce((sum, [, seconds]) => sum + seconds, 0);
  const waits = (spans: readonly Span[]): Span => [
    'waits',
    Math.max(0, step - taken(spans) - handOver),
  ];
  const pools: Span[][] = {
    turns: [[...answers, ...training, over]],
    // Without answers of older weights each waits for the other.
    apart: [
      [...answers, waits(answers), over],
      [waits(training), ...training, over],
    ],
    overlapping: [
      [...answers, waits(answers), over],
      [...training, waits(training), over],
    ],
  }[sharing];
  // What sums leave by rounding is no wait.
  return pools.map((spans) => spans.filter(([, seconds]) => seconds > rounding * step));
}

export interface Pool {
  /** The longest first: the first that has room is written. */
  titles: readonly string[];
  pieces: readonly Entry[];
}

export interface PoolsData extends FigureData {
  pools: readonly Pool[];
  low?: number | undefined;
  high?: number | undefined;
  range: string;
  ranged?: StepData['ranged'];
  /** Stands for pieces without a label: `+ 2 more`. */
  more(count: number): string;
  /** The time of a step by its split, on the page once that is known. */
  splits?: SplitsData | undefined;
  /** The step before the reader's change. */
  ghost?: number | undefined;
}

/** The time of a step. */
export const stepOf = ({ pools }: PoolsData): number =>
  pools[0]!.pieces.reduce((sum, { value }) => sum + value, 0);

export function layPools(
  measure: Measure,
  { x, y, width }: Frame,
  data: PoolsData,
  form: Form,
): Sheet {
  const sheet = new Sheet(measure);
  const { low, high, range, ranged, more, ghost } = data;
  const common = { mfu: '', more, ghost };
  const end = stepEnd({ ...common, pieces: data.pools[0]!.pieces, low, high, range });
  data.pools.forEach(({ titles, pieces }, index) => {
    const top = y + index * heightOf(1, form);
    heading(sheet, { x, y: top, width, height: title }, titles, pieces[0]!.key);
    // The range stands over the first row alone.
    const step: StepData =
      index === 0
        ? { ...common, pieces, low, high, range, ranged, end }
        : { ...common, pieces, range: '', end };
    const frame = { x, y: top + title, width, height: rows[form] };
    if (form === 'wide') layStep(sheet, frame, step);
    else layStepNarrow(sheet, frame, step);
  });
  return sheet;
}
