// A description in words, for people and programs: the core's own with names and sentences.

import type { GroupName } from './generated.ts';
import type { AnswerInfo, Description, FieldInfo, QuestionInfo, QuestionName } from './types.ts';

/** The words of a thing: a name that says what it is out of any context, and a sentence. */
export interface Described {
  name: string;
  sentence: string;
}

/** The choices in words, in their order; those of number formats are their own names. */
interface Choices {
  choiceNames: string[];
}

export type DescribedField = FieldInfo & Described & Choices;
export type DescribedAnswer = AnswerInfo & Described & Choices;
export interface DescribedQuestion extends QuestionInfo, Described {
  answers: DescribedAnswer[];
}

/** A set of fields with a name of its own. */
export interface PresetInfo {
  id: string;
  name: string;
}

/** The groups that presets fill. */
export type PresetGroup = 'chip' | 'model' | 'stack' | 'server';

export interface WholeDescription extends Description {
  groups: Record<GroupName, DescribedField[]>;
  /** What each group is. */
  groupWords: Record<GroupName, Described>;
  questions: Record<QuestionName, DescribedQuestion>;
  presets: Record<PresetGroup, PresetInfo[]>;
}
