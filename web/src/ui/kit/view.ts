// What the view of a question tells of itself, to the page and to all its features.

import type { nothing, TemplateResult } from 'lit';
import type { Description, Engine, GroupName, Target } from '../../engine/index.ts';
import type { Lazy } from '../../engine/lazy.ts';
import type { Along } from '../../number/step.ts';
import type { Dictionary } from '../../i18n/dictionary.ts';
import type { Range } from '../../model/bounds.ts';
import type { Answers, MakeFinder, Reply } from '../../model/evaluate.ts';
import type { FieldId } from '../../model/fields.ts';
import type { State } from '../../model/state.ts';
import type { PlanSection } from '../../model/views.ts';
import type { Results } from './results.ts';
import type { Forward } from './forward.ts';

/** Fields that belong together. */
export interface Panel {
  key: keyof Dictionary['panels'];
  group: GroupName;
  fields: FieldId[];
  /** The summary shown while it is closed. */
  gist?: string;
  /** Content above the fields. */
  lead?: () => TemplateResult;
}

type Content = TemplateResult | string | typeof nothing;

/** One answer with its explanation and figure. */
export interface Row {
  /** The answer that stands large, and whose derivation opens. */
  key: string;
  /** Replaces the answer's own name. */
  title?: string;
  /** Replaces the answer's own value and unit. */
  large?: Content | undefined;
  figure?: Content;
  /** The meaning of the answer, as sentences. */
  means: string;
  /** A field that the answer hangs on most, to be changed beside it. */
  changes?: FieldId;
  /** The convention, where there is more than one. */
  by?: string | undefined;
  /** A further question that the reader can open. */
  offer?: TemplateResult;
  /** The fields that the offer shows. */
  offered?: readonly FieldId[];
  /** The answers whose derivation opens, if not the large one alone. */
  derive?: string[];
  /** Answers that add up to the large one, such as what a step's time goes to. */
  parts?: readonly string[];
  /** Answers whose derivations are at hand here too. */
  related: string[];
}

/** A nearby state that works, and the label of the button that goes there. */
export interface Fix {
  says: string;
  state: State;
  /** It gives a figure that is not known: whether the answers then please is another question. */
  assumes?: boolean;
}

/** The place of a section: behind a fold of the page, or below all folds. */
export type Place = 'why' | 'compare' | 'tables';

/** The presentation of a question. */
export interface ViewFor<Ctx> {
  /** The question in words, with a place for each control: `{batch}`. */
  sentence(ctx: Ctx): string;
  /** The same where nothing is drawn beside it, if it then says more. */
  words?(ctx: Ctx): string;
  /** The groups whose fields the sentence names by their keys alone. */
  groups: GroupName[];
  /** Everything else that the answers rest on. */
  panels(ctx: Ctx): Panel[];
  /** The answers that stand large: those that the description names first, and others as the input
   *  has it. */
  rows(ctx: Ctx, results: Results): Row[];
  /** The answers in a few words: what stays in view, is read out and is copied. */
  summary(ctx: Ctx, results: Results): string;
  /** The verdict and a drawing of it, which stand between the question and its answers; their places
   * while there are no answers yet. */
  picture?(ctx: Ctx, results: Results | undefined): unknown;
  /** The drawing where it stands still, which loads when it is asked for. */
  stills?: Lazy<Stills<Ctx>>;
  /** Charts of the answers, which stand in the place of a drawing where there is none; `alone`: only
   * the chart that the state names. */
  figures?(ctx: Ctx, results: Results, alone?: boolean): unknown;
  /** They stand below its drawing, rather than with the reasons of its answers. */
  chartsInSight?: boolean;
  /** Fixes that only this view can suggest. */
  fixes?(ctx: Ctx, reply: Reply): Fix[];
  /** The fault that fixes of a valid input mend, if it is another than that it does not fit. */
  mends?(ctx: Ctx, reply: Reply): string | undefined;
  /** Whether the answers are feasible, e.g. fit in memory; only such states are suggested. */
  fits?(reply: Reply): boolean;
  /** The valid steps of a field that must fit other fields. */
  along?(ctx: Ctx, id: FieldId): Along | undefined;
  /** Rendered between the question and its answers. */
  lead?(ctx: Ctx, results: Results | undefined): TemplateResult | typeof nothing;
  /** Its sections at these places, even if the present input is invalid; `only` one of them. */
  sections?(ctx: Ctx, places: readonly Place[], only?: PlanSection): TemplateResult;
  /** Searches for what a state leaves open, where answers wait for it. */
  finder?: MakeFinder;
  /** Answers candidates for a target, where each takes a search; undefined until there are answers. */
  forward?(ctx: Ctx, target: Target): Forward | undefined;
  /** The state on the fewest chips that hold what it asks for, where those follow from it. */
  onFewestChips?(engine: Engine, state: State): State;
  /** The group whose fields divide the chips. */
  ways?: GroupName;
  /** The answer by which the best of several comes first. */
  best?: Best<Ctx>;
  /** The state whose answers stand side by side in place of its own, if it is not the same question. */
  asSides?(ctx: Ctx, results: Results): State;
  /** What it takes to compare several of its answers; see `sides` in views.json. */
  sides?: SidesFor<Ctx>;
}

/** What a card says besides the verdict; of several, the first that has room. */
export interface CardWords {
  titles: readonly string[];
  name: string;
  links: readonly string[];
  made: readonly string[];
}

/** Draws into a host that is on the page. */
export interface Stills<Ctx> {
  card(ctx: Ctx, results: Results, words: CardWords, host: HTMLElement): SVGSVGElement;
  /** The drawing alone, for paper. */
  picture(ctx: Ctx, results: Results, host: HTMLElement): SVGSVGElement;
  /** What is asked, the first that has room, and answered, where that is not the question alone. */
  told?(ctx: Ctx): { titles: readonly string[]; summary: string };
}

/** The answer by which the best of several is told. */
export interface Best<Ctx> {
  key: string;
  /** Whether more is better; else less is. */
  most?: boolean;
  /** The range in which the answer to a state is likely to lie, where its question has none. */
  band?(ctx: Ctx, state: State, answers: Answers): Range | undefined;
}

/** A question whose answers stand side by side. */
export interface SidesFor<Ctx> {
  /** The answers that tell which side is best: the less, the better. */
  time: string;
  cost: string;
  /** Seconds of the unit in which readers limit the time. */
  timeUnit: number;
  /** Whether sides stand on chips that keep to those limits; else these only mark the chart. */
  keepsLimits: boolean;
  /** The fields that sides usually differ in. */
  fields: readonly FieldId[];
  /** The answers of a column, in their order. */
  facts: readonly string[];
  /** Whether chips hold the model. */
  fits(answers: Answers): boolean;
  /** Whether chips that hold the model also keep up with what is asked of them. */
  holds?(description: Description, state: State): (reply: Reply) => boolean;
  /** Whether a side that falls short has too much to do, rather than missing its targets. */
  isOverloaded?(answers: Answers): boolean;
  /** Whether a reader has said how fast answers have to come. */
  hasTargets?(ctx: Ctx): boolean;
  /** The parts that the time adds up from, by the answers that they are made of. */
  parts: Readonly<Record<string, readonly string[]>>;
  /** The answer that adds up from them, where the time is several of these: how many, and the share of
   *  the time that they take. */
  repeated?: { step: string; count: string; share: string };
  /** The answers in a unit of time that share the cost; without it, the cost is that of the time. */
  rate?: string;
  /** The name of what no part tells. */
  rest?(ctx: Ctx): string | undefined;
}
