// The question that the reader's own measurement belongs to, as the part that takes it needs it.

import type { FieldValue } from '../../../../engine/index.ts';
import type { Answers } from '../../../../model/evaluate.ts';
import type { FieldId } from '../../../../model/fields.ts';
import { withField, type State } from '../../../../model/state.ts';
import type { RenderContext } from '../../../kit/render-context.ts';
import type { Results } from '../../../kit/results.ts';
import type { Collection } from '../runs/collection.ts';
import type { EvidenceWords } from '../runs/words.ts';
import type { Measure, Pair, Traits } from '../runs/run.ts';
import type { Measured, Own } from '../runs/settings.ts';
import type { Worth } from './worth.ts';

export type Predicted = Omit<Pair, 'measured'>;

/** The question with one field otherwise. */
export interface Candidate {
  id: FieldId;
  value: FieldValue;
  state: State;
}

export interface Subject {
  readonly view: 'plan' | 'serving';
  /** The measures that can be entered. */
  readonly own: readonly Own[];
  /** The answer that predicts each measure. */
  readonly answers: Partial<Readonly<Record<Measure, string>>>;
  collectionOf(ctx: RenderContext, as: Own): Collection;
  /** The measurement in the unit of its prediction. */
  valueOf(ctx: RenderContext, measured: Measured): number;
  /** The same measurement, entered otherwise. */
  otherwise?(ctx: RenderContext, measured: Measured, as: Own): number;
  predicted(results: Results, as: Own): Predicted | undefined;
  /** Further notes on a value. */
  remark?(ctx: RenderContext, words: EvidenceWords, results: Results, value: number): string;
  /** The reader's question in a few words. */
  call(ctx: RenderContext, words: EvidenceWords): string;
  traitsOf(ctx: RenderContext): (Traits & { chip: string }) | undefined;
  /** The question with what a search has found in it, as it stays the same. */
  fixed(ctx: RenderContext): State;
  worths(answers: Answers, as: Own, gap: number): Worth[];
  candidates(ctx: RenderContext): Candidate[];
}

/** A question with each other choice of these fields. */
export const otherChoices = (
  ctx: RenderContext,
  state: State,
  ids: readonly FieldId[],
): Candidate[] =>
  ids.flatMap((id) => {
    const { kind, choices } = ctx.info(id);
    const present = ctx.value(id);
    const values: readonly FieldValue[] =
      kind === 'flag' ? [!present] : choices.filter((each) => each !== present);
    return values.map((value) => ({
      id,
      value,
      state: withField(ctx.description, state, id, value),
    }));
  });
