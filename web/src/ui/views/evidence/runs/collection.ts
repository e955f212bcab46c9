// Measured runs of one kind, with what the view of the evidence has to know of them.

import type { Description } from '../../../../engine/index.ts';
import type { State } from '../../../../model/state.ts';
import type { RenderContext } from '../../../kit/render-context.ts';
import type { EvidenceWords } from './words.ts';
import type { Measure, Run, Unpredicted } from './run.ts';
import type { RunChoice } from './settings.ts';

export interface Collection<R extends Run = Run> {
  readonly measure: Measure;
  /** The view in which a run is opened. */
  readonly view: 'plan' | 'serving';
  readonly runs: readonly R[];
  readonly others: readonly Unpredicted[];
  /** The numbers of published and of predicted runs; one in `shownOneIn` of those from silicon is
   * shown. */
  readonly counts: { all: number; predicted: number; shownOneIn: number };
  readonly unit: string;
  /** Traits that filter and group them. */
  readonly choices: readonly RunChoice[];
  /** The bounds that are told: the upper one of a speed, the lower one of a time. */
  readonly bounds: readonly ('lower' | 'upper')[];
  stateOf(description: Description, run: R): State;
  /** A run in a few words. */
  call(ctx: RenderContext, words: EvidenceWords, run: R): string;
  /** The load of the run, or its batch. */
  asked(ctx: RenderContext, words: EvidenceWords, run: R): string;
  /** A time, or a speed, with the rate that it comes to. */
  say(ctx: RenderContext, run: R, value: number): string;
  /** The same, as runs are compared by. */
  sayRate(ctx: RenderContext, run: R, value: number): string;
}

/** A collection, with what it is rendered and said with. */
export interface Collected {
  readonly ctx: RenderContext;
  readonly words: EvidenceWords;
  readonly collection: Collection;
}
