import type { nothing, TemplateResult } from 'lit';
import type { GroupName, Topic } from '../../engine/index.ts';
import type { Along } from '../../number/step.ts';
import { hasParts, type Dictionary } from '../../i18n/dictionary.ts';
import type { Reply } from '../../model/evaluate.ts';
import type { State } from '../../model/state.ts';
import { ownValue } from '../../model/own-value.ts';
import { views, type Question } from '../../model/views.ts';
import type { FieldId } from '../../model/fields.ts';
import type { Results } from './answers/results.ts';
import type { RenderContext } from '../kit/render-context.ts';

/** Fields that belong together. */
export interface Panel {
  key: keyof RenderContext['text']['panels'];
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

/** The presentation of a question. */
export interface View {
  /** The question in words, with a place for each control: `{batch}`. */
  sentence(ctx: RenderContext): string;
  /** The groups whose fields the sentence names by their keys alone. */
  groups: GroupName[];
  /** Everything else that the answers rest on. */
  panels(ctx: RenderContext): Panel[];
  /** The answers that stand large: those that the description names first, and others as the input
   *  has it. */
  rows(ctx: RenderContext, results: Results): Row[];
  /** The answers in a few words: what stays in view, is read out and is copied. */
  summary(ctx: RenderContext, results: Results): string;
  /** Charts beside the answers; `alone`: only the chart that the state names. */
  figures?(ctx: RenderContext, results: Results, alone?: boolean): unknown;
  /** Fixes that only this view can suggest. */
  fixes?(ctx: RenderContext, reply: Reply): Fix[];
  /** The fault that fixes of a valid input mend, if it is another than that it does not fit. */
  mends?(ctx: RenderContext, reply: Reply): string | undefined;
  /** Whether the answers are feasible, e.g. fit in memory; only such states are suggested. */
  fits?(reply: Reply): boolean;
  /** The valid steps of a field that must fit other fields. */
  along?(ctx: RenderContext, id: FieldId): Along | undefined;
  /** Rendered between the question and its answers. */
  lead?(ctx: RenderContext): TemplateResult;
  /** Rendered below the answers, even if the present input is invalid. */
  belowAnswers?(ctx: RenderContext): TemplateResult;
}

/** The views that have loaded, by question. */
export type Views = Partial<Record<Question, View>>;

const loaded = Object.create(null) as Views;

/** Adds views; rarely used ones are added once they have loaded. */
export const addViews = (more: Views): void => void Object.assign(loaded, more);

export const viewOf = (ctx: RenderContext): View => loaded[ctx.state.view]!;

export const hasView = (question: Question): boolean => loaded[question] !== undefined;

/** The fields of a group that the present question rests on; if topics are named, those of them. */
export function fieldsOf(
  { description, state }: RenderContext,
  group: GroupName,
  ...topics: readonly Topic[]
): FieldId[] {
  const { topics: all = {} } = views[state.view];
  const asked = ownValue(all, group);
  return description.groups[group]
    .filter(({ topic }) => topics.length === 0 || topics.includes(topic))
    .filter(({ topic }) => asked?.includes(topic) ?? true)
    .map(({ key }): FieldId => `${group}.${key}`);
}

/** Whether the view of the present question and its texts have loaded. */
export const isReady = ({
  state: { view },
  text,
}: {
  state: { view: Question };
  text: Dictionary;
}): boolean => hasView(view) && (!views[view].lazy || hasParts(text, views[view].texts));
