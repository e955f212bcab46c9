// What a calculator has beside questions and answers. The page has all of it; `ui/shell/features.ts` and
// `embed/training.ts` say what the others have. Nothing else is registered anywhere.

import type { nothing, TemplateResult } from 'lit';
import type { Lazy } from '../../engine/lazy.ts';
import type { Kind } from '../../custom/custom-presets.ts';
import type { FieldId } from '../../model/fields.ts';
import type { KernelFacts } from '../../model/kernel-facts.ts';
import type { LaterPresets } from '../../model/presets.ts';
import type { State } from '../../model/state.ts';
import type { Question } from '../../model/views.ts';
import type { Option } from './preset-control.ts';
import type { Stills, ViewFor } from './view.ts';

export interface FeaturesFor<Ctx> {
  /** The views, each with what computes its answers. */
  readonly views: ReadonlyMap<Question, Lazy<ViewFor<Ctx>>>;
  readonly presets: LaterPresets;
  /** Measured kernels. */
  readonly kernels?: Lazy<KernelFacts>;
  /** Marks terms that readers may not know. */
  readonly terms?: Lazy<Mark<Ctx>>;
  readonly quiz?: Quiz<Ctx>;
  readonly prices?: Prices<Ctx>;
  /** Draws questions side by side where they stand still. */
  readonly besideStills?: Lazy<Stills<Ctx>>;
  readonly customPresets?: CustomPresets<Ctx>;
  /** The part above the fields of a model. */
  readonly modelLead?: (ctx: Ctx) => TemplateResult | typeof nothing;
  readonly ending?: Ending<Ctx>;
  /** Suggests fixes beside a field. */
  readonly fixesAt?: (ctx: Ctx, id: FieldId) => TemplateResult | typeof nothing;
}

/**
 * Marks the terms in a text: the first use of a term in each section. `drawing` is an object that
 * is made anew with text that is drawn again without a new render context.
 */
export type Mark<Ctx> = (ctx: Ctx, text: string, section: string, drawing?: object) => unknown;

/** The quiz of worked questions: an answer is hidden until the reader has guessed it. */
interface Quiz<Ctx> {
  /** Whether it hides any of these answers. */
  hides(ctx: Ctx, answers: readonly string[]): boolean;
  /** The book's note on an answer to the page's state, where it differs or needs a word. */
  note(ctx: Ctx, answer: string): string | undefined;
}

/** The choice of the basis of all chips' prices, beside costs. */
interface Prices<Ctx> {
  offer(ctx: Ctx): TemplateResult;
  /** The fields that it shows now. */
  fields(ctx: Ctx): readonly FieldId[];
}

/** The reader's own chips and models, which the page keeps. */
interface CustomPresets<Ctx> {
  /** Draws the button that opens the library of a kind. */
  entry(ctx: Ctx, kind: Kind | 'launch'): TemplateResult;
  /** Labels that button. */
  called(ctx: Ctx, kind: Kind | 'launch'): string;
  open(ctx: Ctx, kind: Kind | 'launch'): void;
  options(ctx: Ctx, kind: Kind): Option[];
  /** Takes one of `options`. */
  take(ctx: Ctx, kind: Kind, id: string): void;
  /** The state with one of `options`. */
  stateWith(ctx: Ctx, kind: Kind, id: string): State | undefined;
  /** The option that the state uses unchanged, if any. */
  current(ctx: Ctx, kind: Kind): string | undefined;
}

/** The end of sentences, with places that no field is behind. */
interface Ending<Ctx> {
  /** The ending's text for the questions that have it, on what prices rest too unless that is told
   * elsewhere; empty for others. */
  sentence(ctx: Ctx, withPrices?: boolean): string;
  say(ctx: Ctx): Record<string, string>;
  controls(ctx: Ctx): Record<string, TemplateResult | string>;
}
