import type { TemplateResult } from 'lit';
import type { GroupName, Issue } from '../../engine/index.ts';
import type { Along } from '../../number/step.ts';
import type { Reply } from '../../model/ask.ts';
import type { FieldId, Question, State } from '../../model/state.ts';
import type { Offer } from './question/offers.ts';
import type { Results } from './answers/results.ts';
import type { Row } from './answers/row.ts';
import type { Scope } from '../kit/scope.ts';

/** Fields that belong together. */
export interface Panel {
  key: keyof Scope['text']['panels'];
  group: GroupName;
  fields: FieldId[];
  /** What it says of itself while closed. */
  gist?: string;
}

/** What the page makes of a question. */
export interface View {
  /** The question in words, with a place for each control: `{batch}`. */
  sentence(scope: Scope): string;
  /** The groups whose fields the sentence names by their keys alone. */
  groups: GroupName[];
  /** Everything else that the answers rest on. */
  panels(scope: Scope): Panel[];
  /** Answers that stand large whatever the input. */
  large: readonly string[];
  /** The answers that stand large, in their fixed order. */
  rows(scope: Scope, results: Results): Row[];
  /** The answers in a few words: what stays in view, is read out and is copied. */
  summary(scope: Scope, results: Results): string;
  /** What is drawn beside the answers; `alone`: the chart that the state names, and no others. */
  figures?(scope: Scope, results: Results, alone?: boolean): unknown;
  /** What the reader could do about what is wrong, besides the usual. */
  offers?(
    scope: Scope,
    ask: (state: State) => Reply,
    issues: readonly Issue[],
    reply: Reply,
  ): Offer[];
  /** How a field is stepped whose numbers don't all go with the others. */
  along?(scope: Scope, id: FieldId): Along | undefined;
  /** What stands between the question and its answers. */
  lead?(scope: Scope): TemplateResult;
  /** What stands below the answers: of the present input, even where that has none. */
  beyond?(scope: Scope): TemplateResult;
}

/** What the page makes of the questions that it answers. */
export type Views = Partial<Record<Question, View>>;

const views: Views = {};

/** Adds views; those of questions that few ask come later than the others. */
export const addViews = (more: Views): void => void Object.assign(views, more);

export const viewOf = (scope: Scope): View => views[scope.state.view]!;

export const hasView = (question: Question): boolean => views[question] !== undefined;

export const fieldsOf = ({ description }: Scope, group: GroupName): FieldId[] =>
  description.groups[group].map(({ key }): FieldId => `${group}.${key}`);
