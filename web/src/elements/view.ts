import type { TemplateResult, nothing } from 'lit';
import type { GroupName } from '../engine/index.ts';
import type { FieldId, Question } from '../state/state.ts';
import { collective } from './collective.ts';
import { operation } from './operation.ts';
import type { Results } from './results.ts';
import type { Row } from './row.ts';
import type { Scope } from './scope.ts';
import { training } from './training.ts';

/** Fields that belong together. */
export interface Panel {
  key: keyof Scope['text']['panels'];
  group: GroupName;
  fields: FieldId[];
}

/** What the page makes of a question. */
export interface View {
  /** The question in words, with a place for each control: `{batch}`. */
  sentence(scope: Scope): string;
  /** The groups whose fields the sentence names by their keys alone. */
  groups: GroupName[];
  /** Everything else that the answers rest on. */
  panels(scope: Scope): Panel[];
  /** The answers that stand large, in their fixed order. */
  rows(scope: Scope, results: Results): Row[];
  /** The answers in a few words: what stays in view, is read out and is copied. */
  summary(scope: Scope, results: Results): string;
  /** What is drawn beside the answers. */
  figures?(scope: Scope, results: Results): TemplateResult | typeof nothing;
}

const views: Record<Question, View> = { training, operation, collective };

export const viewOf = (scope: Scope): View => views[scope.state.view];

export const fieldsOf = ({ description }: Scope, group: GroupName): FieldId[] =>
  description.groups[group].map(({ key }): FieldId => `${group}.${key}`);
